"""Merge conflicts in a text: which hunks are whole, and where their lines are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.protocol.hunks import hunks_in
from nestwork_hooks.protocol.markers import BEGIN, END, Block, Broken, find_block, hunks_beside

O, B, M, C = "<<<<<<< HEAD\n", "||||||| base\n", "=======\n", ">>>>>>> side\n"
HUNK = f"{O}ours\n{M}theirs\n{C}"
BOTH = f"{BEGIN.decode()}\n{END.decode()}\n"
BROKEN = f"{BEGIN.decode()}\n"

# what it is, the text, each hunk as its first line, base, middles and last line
HUNKS = [
    ("nothing", "", []),
    ("a hunk", f"# T\n\n{HUNK}\ntext\n", [(3, 0, (5,), 7)]),
    ("the first line", HUNK, [(1, 0, (3,), 5)]),
    ("behind a byte order mark", f"\ufeff{HUNK}", [(1, 0, (3,), 5)]),
    ("no last newline", HUNK.rstrip("\n"), [(1, 0, (3,), 5)]),
    ("empty sides", f"{O}{M}{C}", [(1, 0, (2,), 3)]),
    ("no labels", "<<<<<<<\na\n=======\nb\n>>>>>>>\n", [(1, 0, (3,), 5)]),
    ("diff3", f"{O}ours\n{B}old\n{M}theirs\n{C}", [(1, 3, (5,), 7)]),
    ("two", f"{HUNK}text\n{HUNK}", [(1, 0, (3,), 5), (7, 0, (9,), 11)]),
    ("one after the other", HUNK + HUNK, [(1, 0, (3,), 5), (6, 0, (8,), 10)]),
    ("an underline in it", f"{O}Title\n{M}text\n{M}theirs\n{C}", [(1, 0, (3, 5), 7)]),
    ("nested", f"{O}a\n{HUNK}{M}b\n{C}", [(1, 0, (8,), 10)]),
    ("an arrow above", f"{O}text\n{HUNK}", [(3, 0, (5,), 7)]),
    ("a quote below", f"{HUNK}{C}", [(1, 0, (3,), 5)]),
    ("a conflict of longer markers in the base", f"{O}a\n{B}<{O}x\n={M}y\n>{C}{M}b\n{C}",
     [(1, 3, (9,), 11)]),
    ("it opens a fence on one side", f"{O}```\na\n{M}b\n{C}", [(1, 0, (4,), 6)]),
    ("it changes a fence", f"{O}```py\na\n{M}```sh\nb\n{C}c\n```\n", [(1, 0, (4,), 7)]),
    ("it closes a fence it has opened", f"{O}```\na\n```\n{M}b\n{C}", [(1, 0, (5,), 7)]),
    ("below a closed fence", f"```\n{O}```\n{HUNK}", [(4, 0, (6,), 8)]),
    ("below an example", f"~~~\n{HUNK}~~~\n{HUNK}", [(8, 0, (10,), 12)]),
    ("below a list item with a fence", f"- ```\n  a\n\n{HUNK}", [(4, 0, (6,), 8)]),
    ("in a fence", f"```\n{HUNK}```\n", []),
    ("in a fence that never closes", f"```\n{HUNK}", []),
    ("in a fence of tildes", f"~~~~ diff\n{HUNK}~~~\n", []),
    ("it begins in a fence", f"```\n{O}a\n```\n{M}b\n{C}", []),
    ("an arrow above an example", f"{O}\n```\n{HUNK}```\n", []),
    ("the first part of an example, and a hunk's last", f"```\n{O}```\n{M}{C}", []),
    ("without an end", f"{O}a\n{M}b\n", []),
    ("without a middle", f"{O}a\n{C}", []),
    ("without a beginning", f"a\n{M}b\n{C}", []),
    ("in the wrong order", f"{C}{M}{O}", []),
    ("indented, as code", "".join(f"    {line}\n" for line in HUNK.splitlines()), []),
    ("quoted", "".join(f"> {line}\n" for line in HUNK.splitlines()), []),
    ("eight signs", f"<{O}a\n={M}b\n>{C}", []),
    ("six signs", "<<<<<<\na\n======\nb\n>>>>>>\n", []),
    ("other text behind the signs", f"<<<<<<<x\na\n{M}b\n{C}", []),
    ("an underline, a quote and an arrow", f"Title\n{M}\n>>>>>>> quoted\n\n<<<<<<< arrow\n", []),
]  # fmt: skip


def _found(data: bytes, size: int = 7) -> list[tuple[int, int, tuple[int, ...], int]]:
    return [(h.first, h.base, h.middles, h.last) for h in hunks_in(data, size)]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("_", "text", "hunks"), HUNKS, ids=[case[0] for case in HUNKS])
def test_hunks(_: str, text: str, hunks: object, newline: str) -> None:
    assert _found(text.replace("\n", newline).encode()) == hunks


@pytest.mark.parametrize("size", [3, 7, 12])
def test_another_size_of_markers(size: int) -> None:
    def sized(number: int) -> bytes:
        return b"".join(b"%s x\n" % (sign * number) for sign in (b"<", b"|", b"=", b">"))

    assert _found(sized(size), size) == [(1, 2, (3,), 4)]
    assert _found(sized(size + 1), size) == _found(sized(size - 1), size) == []


LINES = st.sampled_from([O, B, M, C, "```\n", "~~~\n", "- ```\n", "a\n", "\n", "  b\n"])
TEXTS = st.lists(LINES, max_size=30).map("".join)


@given(TEXTS)
def test_every_hunk_is_whole_and_none_reaches_into_another(text: str) -> None:
    lines, end = ["", *text.splitlines(keepends=True)], 0
    for hunk in hunks_in(text.encode()):
        assert end < hunk.first < hunk.middles[0] <= hunk.middles[-1] < hunk.last
        assert (lines[hunk.first], lines[hunk.last]) == (O, C)
        assert {lines[number] for number in hunk.middles} == {M}
        assert not hunk.base or (lines[hunk.base] == B and hunk.first < hunk.base < hunk.middles[0])
        end = hunk.last


@given(TEXTS, TEXTS.filter(lambda text: "`" not in text and "~" not in text))
def test_a_hunk_outside_fences_is_found_whatever_stands_around_it(above: str, side: str) -> None:
    plain = above.replace("```", "x").replace("~~~", "x").replace(O, "")
    assert (
        any(
            hunk.first <= plain.count("\n") + 1
            for hunk in hunks_in(f"{plain}{O}{side}{M}{C}".encode())
        )
        or O in side
    )


@given(TEXTS)
def test_a_text_in_a_fence_has_none(text: str) -> None:
    assert hunks_in(f"`````\n{text}`````\n".encode()) == []


# In a memory.md

MEMORIES = [
    ("above the index", f"{HUNK}{BOTH}", [1]),
    ("below it", f"{BOTH}{HUNK}", [3]),
    ("in it", f"{BROKEN}{HUNK}{END.decode()}\n", []),
    ("in it and below it", f"{BROKEN}{HUNK}{END.decode()}\n{HUNK}", [8]),
    ("around the begin marker", f"{O}{BROKEN}{M}{C}{END.decode()}\n", []),
    ("around both, and one more", f"{O}{BOTH}{M}{C}{HUNK}", [6]),
    ("beside a marker that is alone", f"{BROKEN}{HUNK}", [2]),
    ("around a marker in a fence", f"{O}```\n{BROKEN}```\n{M}{C}", [1]),
    ("without an index", HUNK, [1]),
]


@pytest.mark.parametrize(("_", "text", "firsts"), MEMORIES, ids=[case[0] for case in MEMORIES])
def test_hunks_beside_an_index(_: str, text: str, firsts: list[int]) -> None:
    assert [hunk.first for hunk in hunks_beside(text.encode())] == firsts


MARKED = st.lists(LINES | st.sampled_from([BROKEN, f"{END.decode()}\n"]), max_size=20).map("".join)


@given(MARKED)
def test_each_hunk_of_a_memory_is_said_once(text: str) -> None:
    """By one rule: in an index, around a marker, or in the hand-written part."""
    data = text.encode()
    block, beside = find_block(data), {hunk.first for hunk in hunks_beside(data)}
    lines = data[: block.stop].count(b"\n") + 1 if isinstance(block, Block) else 0
    for hunk in hunks_in(data):
        within = isinstance(block, Block) and block.line < hunk.first <= lines
        around = isinstance(block, Broken) and hunk.first not in beside
        assert (hunk.first in beside) + within + around == 1


def test_a_hunk_that_opens_a_fence_around_its_middle_keeps_the_fixer_off() -> None:
    text = f"{O}{BOTH}```\n{M}```\n{C}"
    assert isinstance(find_block(text.encode()), Broken)
