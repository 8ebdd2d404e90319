"""Which descriptions tell the same, and which texts are copies."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.protocol.likeness import Copy, copies, evened, lines_of, told_by

PORTS = "Which ports are taken; read before opening one"
SAME = [
    (PORTS, PORTS.upper()),
    (PORTS, PORTS.replace(" ", "  ")),
    (PORTS, f"{PORTS}."),
    (PORTS, PORTS.replace(";", ",")),
    (PORTS, PORTS.replace(";", " \u2014")),
    (PORTS, PORTS.replace("W", "\uff37").replace(";", "\uff1b")),
    (PORTS, f"**{PORTS}**"),
    (PORTS, PORTS.replace(" ", "\u00a0")),
    (PORTS, PORTS.replace("ports", "po\u00adrts")),
    ("\u7aef\u53e3\uff1a\u542f\u52a8\u524d\u5148\u8bfb", "\u7aef\u53e3: \u542f\u52a8\u524d \u5148\u8bfb\u3002"),
    ("\uff8a\uff9d\uff84\uff9e", "\u30cf\u30f3\u30c9"),
    ("Stra\u00dfen", "STRASSEN"),
    ("Caf\u00e9", "Cafe\u0301"),
    ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u062e\u0648\u0627\u0647\u0645"),
    ("Read `hosts.md` first", "read hosts.md first!"),
    ("Don't guess", "Don\u2019t guess"),
    ("\u2764 of it", "\u2764\ufe0f of it"),
    ("Ports 80, 443", "ports 80-443"),
    ("Ports 80, 443 \u00fc", "ports 80-443 \u00dc"),
]  # fmt: skip
APART = [
    (PORTS, PORTS.replace("one", "two")),
    ("Release 1.2", "Release 12"),
    ("R\u00e9lease 1.2", "R\u00e9lease 12"),
    ("Ports 80, 443", "Ports 804 43"),
    ("C# builds", "C builds"),
    ("C++ builds", "C builds"),
    ("\u0915\u093f\u0924\u093e\u092c", "\u0915\u0940\u0924\u093e\u092c"),
    ("\u30cf\u30b9", "\u30d0\u30b9"),
    ("\u7aef\u53e3", "\u7aef\u7aef\u53e3"),
    ("\u00fcber", "uber"),
]
UNTOLD = [
    *("", "  ", "~", "null", "NULL", "...", ">", "|-", "---", "TODO", "todo.", "TBD", "N/A", "Description"),
    *("When to read this file", '"When to read it"', "<when to read this>", "{{description}}", "[...]"),
    *("<what it holds; when to read it>", "\U0001f600", "\u2014", "\u5f85\u5b9a"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two"), SAME)
def test_descriptions_that_tell_the_same(one: str, two: str) -> None:
    assert told_by(one) == told_by(two) != ""


@pytest.mark.parametrize(("one", "two"), APART)
def test_descriptions_that_tell_different_things(one: str, two: str) -> None:
    assert told_by(one) != told_by(two)
    assert told_by(one)
    assert told_by(two)


@pytest.mark.parametrize("text", UNTOLD)
def test_descriptions_that_tell_nothing(text: str) -> None:
    assert told_by(text) == ""


@given(st.text())
def test_white_space_and_brackets_around_tell_nothing(text: str) -> None:
    assert evened(f" ({text} )!") == evened(text)


LINES = [f"- machine {number} has port {number + 80}" for number in range(20)]
NEW, OLD = "new.md", "old.md"
FORM = "## Part {n}\n\n<!-- what is part {n}? -->\n\n{text} of {n}\n\n---\n```\n"


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


def _form(who: str) -> str:
    return "".join(FORM.format(n=n, text=f"What {who} knows") for n in range(9))


# a new text beside that of LINES: how many of how many lines that count are the same
COPIES = [
    (_text(LINES), (20, 20)),
    ("---\ndescription: x\n---\n" + _text(LINES), (20, 20)),
    (_text(LINES).replace("\n", "\r\n"), (20, 20)),
    (_text(LINES).replace("\n", "\r"), (20, 20)),
    (_text(LINES).replace("machine ", "  machine\t "), (20, 20)),
    (f"# Title\n\n{_text(LINES)}\n---\n\n## The end\n```\n~~~ sh\n", (20, 20)),
    (_text(reversed(LINES)), (20, 20)),
    (_text([*LINES, *["a new line"] * 3]), (20, 21)),
    (_text([*LINES, "a new line", "a second", "a third"]), (20, 23)),
    (_text([*LINES, "a new line", "a second", "a third", "a fourth"]), None),
    (_text(LINES[:8]), (8, 8)),
    (_text(LINES[:7]), None),
    (_text(LINES[:1] * 20), None),
    (_text([*LINES[:7], "## A heading", "---", "```", "<!-- note -->", "| - | - |"]), None),
    (_text(["Something else"] * 20), None),
    ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), COPIES)
def test_copies(text: str, said: tuple[int, int] | None) -> None:
    texts = {OLD: lines_of(_text(LINES)), NEW: lines_of(text)}
    found = [(copy.path, copy.other, copy.shared, copy.total) for copy in copies(texts, [NEW])]
    assert found == ([(NEW, OLD, *said)] if said else [])


def test_a_template_is_no_copy() -> None:
    """What many topics share says nothing of what stands below it."""
    texts = {who: lines_of(_form(who)) for who in ("a", "b", "c")}
    assert list(copies(texts, texts)) == []


def _reference(texts: dict[str, frozenset[str]]) -> set[str]:
    """The topics most of whose lines stand in another one, each compared with each."""
    return {
        path
        for path, lines in texts.items()
        if len(lines) >= 8
        and any(
            len(lines & other) * 100 >= 85 * len(lines) for at, other in texts.items() if at != path
        )
    }


@given(st.lists(st.frozensets(st.sampled_from(LINES), max_size=20), max_size=6))
def test_none_is_missed(sets: list[frozenset[str]]) -> None:
    texts = {f"{number}.md": lines for number, lines in enumerate(sets)}
    found: dict[str, Copy] = {copy.path: copy for copy in copies(texts, texts)}
    expected = _reference(texts)
    assert found.keys() <= expected
    # Of two that are copies of each other the earlier is left out.
    for path in expected - found.keys():
        assert any(later > path and later in expected for later in texts)
    assert bool(found) == bool(expected)
    for path in expected:
        assert [copy.path for copy in copies(texts, [path])] == [path]
