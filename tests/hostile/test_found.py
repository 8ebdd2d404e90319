"""What property tests and fuzzers have found, as it has to be."""

from __future__ import annotations

import pytest

from nestwork_hooks.protocol.front_matter import judge
from nestwork_hooks.protocol.handwritten import link
from nestwork_hooks.protocol.line_reader import Head
from nestwork_hooks.protocol.markers import BEGIN, END, Broken, find_block
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.yaml_reader import YamlFault, read_yaml

SHOWN = [
    ("a\u200bb", r"a\u200bb"),
    ("a\xadb", r"a\u00adb"),
    ("a\u2060b", r"a\u2060b"),
    ("a\ufffbb", r"a\ufffbb"),
    ("a\U000e0041b", r"a\U000e0041b"),
    ("a\ufe0fb\u034fc\u3164d\uffa0e\u2800f", r"a\ufe0fb\u034fc\u3164d\uffa0e\u2800f"),
    ("a\u202eb", r"a\u202eb"),
    ("a\udcffb", r"a\xffb"),
    ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
    ("\U0001f468\u200d\U0001f4bb", "\U0001f468\u200d\U0001f4bb"),
]


@pytest.mark.parametrize(("text", "expected"), SHOWN, ids=ascii)
def test_nobody_is_deceived_by_what_is_shown(text: str, expected: str) -> None:
    assert escaped(text) == expected


JUDGED = [
    (
        '---\ndescription: "A ##[group] \\" b"\n---\n',
        'the description holds a quote (") inside its quotes, which no index shows right: put a single'
        " quote (') in place of the quotes at both ends, the text inside without its escapes",
    ),
    (
        "---\ndescription: When\nupdated:\nt:n:---\n---\n",
        "YAML cannot read this line (t:n:---), so only the index sees the front matter: "
        'write t: "n:---"',
    ),
]


@pytest.mark.parametrize(("head", "message"), JUDGED, ids=ascii)
def test_front_matter(head: str, message: str) -> None:
    fault = judge(Head(head))
    assert fault
    assert fault.message == message


@pytest.mark.parametrize("source", ["a:\n\ufeffb c", "a:\tb"], ids=ascii)
def test_what_only_libyaml_accepts_is_not_yaml(source: str) -> None:
    with pytest.raises(YamlFault):
        read_yaml(source)


TORN = [
    b"<<<<<<< a\n%s\nx\n%s\n=======\n>>>>>>> b\n",
    b"<<<<<<< a\n%s\n<<<<<<< a\n=======\n>>>>>>> b\n%s\n=======\n>>>>>>> b\n",
    b"<<<<<<< a\n=======\n%s\n<<<<<<< a\n=======\n>>>>>>> b\n%s\n>>>>>>> b\n",
    b"<<<<<<< a\n=======\n%s\n<<<<<<< a\n%s\n>>>>>>> b\n",
    b"%s\n<<<<<<< a\n%s\n=======\n>>>>>>> b\n",
]


@pytest.mark.parametrize("memory", TORN)
def test_a_conflict_around_a_marker_is_seen_whatever_the_index_holds(memory: bytes) -> None:
    assert isinstance(find_block(memory % (BEGIN, END)), Broken)


DEEP = ["[", "{a: ", "- ", "? ", "[a, ", "{? "]


@pytest.mark.parametrize("opening", DEEP)
@pytest.mark.parametrize("closing", ["", "]", "}"])
def test_deeply_nested_yaml_is_no_end_of_the_process(opening: str, closing: str) -> None:
    start = "a: " if opening.startswith(("[", "{")) else ""
    for levels in (100, 1_000, 30_000):
        with pytest.raises(YamlFault) as caught:
            read_yaml("k: v\n" * (start != "") + start + opening * levels + closing * levels)
        assert caught.value.line == 2 + (start != "")


def test_much_yaml_that_is_not_deep_is_read() -> None:
    flat = "a: " + "[" * 9 + "x" + "]" * 9 + "\n"
    read = read_yaml("".join(f"{number}{flat}" for number in range(500)) + "b: c\n")
    assert isinstance(read, dict)
    assert (len(read), read["b"]) == (501, "c")


ENTRIES = [
    ("- [`" + "`](" * 500_000, None),
    ("- [`" + "`](" * 300_000 + ") \u2014 xx" * 200_000, None),
    ("- [`a/b.md`](a/b.md) \u2014 c `](d) \u2014 e", "a/b.md"),
    ("- [`a`](b.md`](a`](b.md) \u2014 c", "a`](b.md"),
]


@pytest.mark.parametrize(("line", "name"), ENTRIES, ids=["long", "longer", "plain", "odd"])
def test_an_entry_is_read_in_time(line: str, name: str | None) -> None:
    found = link(line)
    assert (found[0] if found else None) == name
