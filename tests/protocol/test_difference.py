"""What makes an index another one than it should be, word for word."""

from __future__ import annotations

import pytest

from nestwork_hooks.protocol import index
from nestwork_hooks.protocol.difference import difference
from nestwork_hooks.protocol.topic import Topic
from tests import laws
from tests.conftest import BEGIN, END


def _topic(
    name: str, description: str = "D", updated: str = "2026-09-27", size: int = 100
) -> Topic:
    return Topic(name, size, laws.head_with({"description": description, "updated": updated}))


A, B = _topic("a.md"), _topic("b.md")
FRESH = index.render([A, B])
TWO = index.entry(A) + "\n" + index.entry(B)
MATCH = "; routing is not affected, but every clone has to write the same index"
MOVES = "which the fixer moves right below the end marker"
LAYOUT = f"only its layout, as after a formatter or an edit by hand{MATCH}"
# what stands there, what is said of it
DIFFERENCES = [
    (f"{BEGIN}\n{END}", "never generated, so it lists none of its topics (a.md, b.md)"),
    (
        f"{BEGIN}\n<!-- a note -->\n```\n\n\n```\n{END}",
        f"missing lines for a.md, b.md; 4 lines in it that nobody generated (lines 12 to 15), {MOVES}",
    ),
    (index.render([]), "missing lines for a.md, b.md"),
    (index.render([A]), "missing a line for b.md"),
    (index.render([A, B, _topic("c.md")]), "a line for c.md, which is gone"),
    (index.render([A, _topic("b.md", "Other")]), "a line for b.md unlike its front matter"),
    (index.render([A, _topic("b.md", updated="")]), "a line for b.md unlike its front matter"),
    (
        index.render([_topic("a.md", "Other"), _topic("b.md", "Other")]),
        "lines for a.md, b.md unlike their front matter",
    ),
    (index.render([A, _topic("b.md", size=900)]), f"only sizes (b.md){MATCH}"),
    (
        FRESH.replace(index.entry(A), index.entry(A) + "\n" + index.entry(A)),
        "more than one line for a.md",
    ),
    (
        FRESH.replace(index.entry(B), index.entry(_topic("c.md", size=1))),
        "missing a line for b.md; a line for c.md, which is gone",
    ),
    (
        FRESH.replace(TWO, index.entry(B) + "\n" + index.entry(A)),
        f"only the order of its lines{MATCH}",
    ),
    (FRESH.replace(BEGIN, BEGIN + " "), LAYOUT),
    (FRESH.replace("- [`a", "* [`a"), LAYOUT),
    (FRESH.replace("`a.md`", "a.md"), LAYOUT),
    (FRESH.replace("D (", "D\n  (", 1), LAYOUT),
    (FRESH.replace(TWO, f"x\n{TWO}"), f"a line in it that nobody generated (line 13), {MOVES}"),
    (
        index.render([A]).replace(index.entry(A), f"x\ny\n{index.entry(A)}"),
        f"missing a line for b.md; 2 lines in it that nobody generated (lines 13 and 14), {MOVES}",
    ),
    (
        FRESH.replace(index.entry(A), f"<<<<<<< x\n{index.entry(A)}\n=======\n>>>>>>> y"),
        "a merge conflict in it (lines 13 to 16), which making it anew ends",
    ),
    (
        FRESH.replace(index.entry(A), "<<<<<<< x\n=======\n>>>>>>> y"),
        "a merge conflict in it (lines 13 to 15), which making it anew ends; missing a line for a.md",
    ),
    (
        index.render([A, B, *(_topic(f"{n}.md") for n in range(5))]),
        "lines for 0.md, 1.md, 2.md and 2 more, which are gone",
    ),
]


@pytest.mark.parametrize(("actual", "said"), DIFFERENCES)
def test_difference(actual: str, said: str) -> None:
    found = difference(actual, FRESH)
    assert found
    assert found.said(10, {}) == said


def test_the_reason_for_a_line_that_is_too_much() -> None:
    found = difference(index.render([A, B, _topic("c.md"), _topic("d.md")]), FRESH)
    assert found
    assert found.said(1, {"c.md": "a link now"}) == (
        "a line for c.md, which is a link now; a line for d.md, which is gone"
    )


def test_none() -> None:
    assert difference(FRESH, FRESH) is None
