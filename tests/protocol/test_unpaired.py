"""Markers that are no block: what is said, and that the edit makes one without losing a line."""

from __future__ import annotations

import pytest

from nestwork_hooks.protocol.finding import Replace
from nestwork_hooks.protocol.markers import Block, Broken, find_block
from nestwork_hooks.protocol.unpaired import fault
from tests.conftest import BEGIN, END, NOTE, entry

PAIR = f"{BEGIN}\n{END}\n"
A, B = entry("a.md"), entry("b.md")
ALONE = f"the begin marker is alone: put a line {END} right below"
ALONE_END = f"the end marker is alone: put a line {BEGIN} right above"
TORN = "a marker lies inside a merge conflict (lines {})"
KEEP = "and keep the rest, which is the text of both sides"
OPEN = "the code fence of line 2 never closes, so the end marker counts as code"
# memory.md, the line, the message, the edit: what is deleted, and what is inserted above a line
CASES: list[tuple[str, int, str, list[int], dict[int, str]]] = [
    (f"x\n{BEGIN}\n", 2, f"{ALONE} it", [], {3: END}),
    (f"{BEGIN}\nBy hand.\n", 1, f"{ALONE} it", [], {2: END}),
    (
        f"{BEGIN}\n{NOTE}\n\n{A}\n\nBy hand.\n",
        1,
        f"{ALONE} line 4, where what was generated ends",
        [],
        {5: END},
    ),
    (f"{END}\n", 1, f"{ALONE_END} it", [], {1: BEGIN}),
    (
        f"By hand.\n\n{A}\n{B}\n\n{END}\n",
        6,
        f"{ALONE_END} line 3, where what was generated begins",
        [],
        {3: BEGIN},
    ),
    (
        f"{END}\nBy hand.\n{BEGIN}\n",
        1,
        "the end marker is above the begin marker (line 3): delete line 1 and put a line"
        f" {END} right below the begin marker",
        [1],
        {4: END},
    ),
    (
        f"{END}\nBy hand.\n{BEGIN}\n{A}\n",
        1,
        "the end marker is above the begin marker (line 3): delete line 1 and put a line"
        f" {END} right below line 4",
        [1],
        {5: END},
    ),
    (
        f"{END}\n{A}\nBy hand.\n{BEGIN}\n",
        1,
        f"the end marker is above the begin marker (line 4): make line 1 {BEGIN} and line 4 {END}",
        [1, 4],
        {1: BEGIN, 4: END},
    ),
    (
        f"{PAIR}{PAIR}",
        3,
        "a second begin marker; the block is lines 1 and 2: delete lines 3 and 4",
        [3, 4],
        {},
    ),
    (
        f"{PAIR}{END}\n",
        3,
        "a second end marker; the block is lines 1 and 2: delete line 3",
        [3],
        {},
    ),
    (
        f"{BEGIN}\nBy hand.\n{BEGIN}\n{A}\n{END}\n",
        1,
        "a second begin marker; the block is lines 3 to 5: delete line 1",
        [1],
        {},
    ),
    (
        f"{END}\n{BEGIN}\n{BEGIN}\n",
        3,
        f"a second begin marker; line 2 has it already: keep one line {BEGIN} and, below it, one"
        f" line {END}",
        [1, 3],
        {3: END},
    ),
    (
        f"x\n<<<<<<< a\n{BEGIN}\n=======\n>>>>>>> b\n{END}\n",
        2,
        f"{TORN.format('2 to 5')}: delete lines 2, 4 and 5 (its signs) {KEEP}",
        [2, 4, 5],
        {},
    ),
    (
        f"<<<<<<< a\nOurs.\n{BEGIN}\n=======\nTheirs.\n{BEGIN}\n>>>>>>> b\n{A}\n{END}\n",
        1,
        f"{TORN.format('1 to 7')}: delete lines 1, 3, 4 and 7 (its signs and the surplus marker)"
        f" {KEEP}",
        [1, 3, 4, 7],
        {},
    ),
    (
        f"<<<<<<< a\n{BEGIN}\n{A}\n{END}\n=======\n{BEGIN}\n{B}\n{END}\n>>>>>>> b\n",
        1,
        f"{TORN.format('1 to 9')}: delete lines 1, 4 to 6 and 9 (its signs and the surplus marker)"
        f" {KEEP}",
        [1, 4, 5, 6, 9],
        {},
    ),
    (
        f"<<<<<<< a\n{BEGIN}\n||||||| o\nOld.\n=======\nNew.\n{BEGIN}\n>>>>>>> b\n{END}\n",
        1,
        f"{TORN.format('1 to 8')}: delete lines 1 to 5 and 8 (its signs and the surplus marker)"
        f" {KEEP}",
        [1, 2, 3, 4, 5, 8],
        {},
    ),
    (
        f"<<<<<<< a\n{BEGIN}\n=======\n>>>>>>> b\n",
        1,
        f"{TORN.format('1 to 4')}: delete lines 1, 3 and 4 (<<<<<<<, =======, >>>>>>>), keep the"
        f" text of both sides, and leave one line {BEGIN} and one line {END} below it",
        [1, 3, 4],
        {5: END},
    ),
    (
        f"x\n```\n{PAIR}",
        2,
        "this code fence never closes, so the markers below it count as code: close it with a line"
        " ``` above line 3",
        [],
        {3: "```"},
    ),
    (
        f"{BEGIN}\n```\n{END}\n",
        1,
        f"the begin marker is alone: {OPEN}: close it with a line ``` above line 3",
        [],
        {3: "```"},
    ),
]


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=ascii)
@pytest.mark.parametrize(("text", "line", "message", "deleted", "inserted"), CASES)
def test_a_fault_and_its_edit(
    text: str, line: int, message: str, deleted: list[int], inserted: dict[int, str], end: str
) -> None:
    data = text.replace("\n", end).encode()
    found = find_block(data)
    assert isinstance(found, Broken)
    said = fault(data, found)
    assert (said.line, said.level, said.rule, said.message) == (
        line,
        "error",
        "broken-markers",
        message,
    )
    lines = data.decode().splitlines(keepends=True)
    after = ""
    for number in range(1, len(lines) + 2):
        after += f"{inserted[number]}{end}" if number in inserted else ""
        after += lines[number - 1] if number <= len(lines) and number not in deleted else ""
    assert isinstance(find_block(after.encode()), Block), after
    if said.fix:
        assert isinstance(said.fix, Replace)
        lines[said.fix.first - 1 : said.fix.last] = [said.fix.text]
        assert "".join(lines) == after


def test_a_conflict_that_only_the_text_without_its_index_has() -> None:
    text = f"<<<<<<< a\n=======\n{BEGIN}\n<<<<<<< x\n{END}\n>>>>>>> b\n"
    found = find_block(text.encode())
    assert isinstance(found, Broken)
    assert fault(text.encode(), found).message == (
        f"{TORN.format('1 to 6')}: delete lines 1, 2 and 6 (its signs) {KEEP}"
    )


def test_nobody_searches_among_many_markers() -> None:
    data = f"{PAIR * 10_000}".encode()
    found = find_block(data)
    assert isinstance(found, Broken)
    assert "line 1 has it already" in fault(data, found).message
