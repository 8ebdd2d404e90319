"""Hostile texts, made of the pieces on which the readers of a nest decide."""

from __future__ import annotations

from hypothesis import strategies as st

from nestwork_hooks.protocol.markers import BEGIN, END
from nestwork_hooks.protocol.topic import Topic
from tests import laws

_SIGNS = list("-?:,[]{}#&*!|>'\"%@`~=<>\\ \t.")
_UNICODE = list(
    "\x00\x0b\x0c\x1b\x1c\x85\xa0\xad\u200d\u2028\u2029\u202e\u2800\u3000\u3164\ufe0f\ufeff\ud7ff\ufffd\U0001f4bbé"
)
_WORDS = ["a", "b c", "null", "yes", "1.10", "2026-09-27", "description", "updated", "x" * 1030]
_PAIRS = [
    ": ",
    " #",
    ":a",
    "#a",
    "''",
    '""',
    "\\n",
    "<!--",
    "-->",
    "##[",
    "##vso[a]",
    "##teamcity[a",
    "::error::",
    "%0A::error::",
    "---",
    "...",
]

_values = st.lists(st.sampled_from(_SIGNS + _UNICODE + _WORDS + _PAIRS), max_size=6).map("".join)
_keys = st.sampled_from(
    ["description", "updated", "k", "k-1", "_", "-k", "é", '"k"', "k ", " k", "?"]
)
_colons = st.sampled_from([":", ": ", ":  ", ":\t", " : ", ""])
_pairs = st.builds("{}{}{}".format, _keys, _colons, _values)
_fence = st.sampled_from(["---", "----", "--- ", "---\t", "--- x", "...", " ---", "\ufeff---", ""])

front_matter_lines = st.one_of(_pairs, _values, _fence, st.just(""), st.just("  indented"))
front_matter_sources = st.lists(front_matter_lines, max_size=6).map("\n".join)
front_matters = st.builds(
    "{}\n{}\n{}\n{}".format, _fence, front_matter_sources, _fence, front_matter_sources
)
topic_bytes = st.one_of(
    st.binary(max_size=200),
    front_matters.map(lambda text: text.encode("utf-8", "replace")),
    st.builds(
        lambda text, line_end: text.replace("\n", line_end).encode("utf-8", "replace"),
        front_matters,
        st.sampled_from(["\n", "\r\n", "\r"]),
    ),
)

_memory_lines = st.sampled_from(
    [
        *(BEGIN, END, b"  " + BEGIN + b" ", b"x " + END, b"> " + BEGIN, b"\xef\xbb\xbf" + BEGIN),
        *(b"```", b"````", b"~~~", b"```md", b"- ```", b"    ```", b"  ```", b"1. ~~~", b"\t```"),
        *(b"<<<<<<< a", b"=======", b">>>>>>> b", b"<<<<<<<", b"||||||| c", b">>>>>>>"),
        *(b"", b" ", b"text", b"- [`a.md`](a.md) \xe2\x80\x94 b (0.1 KB)", b"\xff", b"\x0c", b"\0"),
    ]
)
_line_ends = st.sampled_from([b"\n", b"\n", b"\r\n", b"\r", b""])
memories = st.lists(st.tuples(_memory_lines, _line_ends), max_size=14).map(
    lambda lines: b"".join(line + end for line, end in lines)
)
opted_in_memories = st.builds(
    lambda above, inside, below, end: end.join([above, BEGIN, inside, END, below]),
    memories,
    memories,
    memories,
    st.sampled_from([b"\n", b"\r\n"]),
)

# Values of few characters, so that what could forge an index comes up within a field and across two.
FORGING = [
    *("", "a", "a --", "--", ">a", ">2026", "<!", "--a", "-->", "<!--", "!--", "\t", "a\tb", " "),
    *("\x1f", " \x1f", "\x85", "\x0b", "\u2028", "\xa0", "~", "#", "'", '"', "\n a", "a: b"),
]
SHAPES = ["{}", '"{}"', "'{}'", '"{}', "{}'"]
_forging = st.lists(st.sampled_from([*FORGING, "\\", "---"]), max_size=3).map("".join)
_forging_values = st.builds(str.format, st.sampled_from(SHAPES), _forging)
forging_topics = st.builds("{}: {}\n{}: {}\n".format, *[_keys, _forging_values] * 2).map(
    lambda fields: f"---\n{fields}---\n".encode()
)
forging_names = st.lists(
    st.one_of(_forging, st.sampled_from(["a", "a b", "\udcff", "`"])), min_size=1, max_size=3
).map(lambda parts: "/".join(part or "a" for part in parts) + ".md")

_name_parts = st.text(
    st.characters(exclude_characters="/\0`", exclude_categories=["Cs"]), min_size=1, max_size=6
).filter(lambda part: part not in (".", ".."))
names = st.lists(_name_parts, min_size=1, max_size=3).map(lambda parts: "/".join(parts) + ".md")
topics = st.lists(
    st.builds(
        lambda name, size, description, updated: Topic(
            name, size, laws.head_with({"description": description, "updated": updated})
        ),
        names,
        st.integers(0, 1 << 40),
        st.one_of(st.text(max_size=30), _values),
        st.one_of(st.just(""), st.just("2026-09-27"), _values),
    ),
    max_size=6,
    unique_by=lambda topic: topic.name,
)
