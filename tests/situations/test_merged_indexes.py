"""Merges in which no file is new, but a scope as a whole is: a false index is theirs or old."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import END, MARKERS, entry, memory, topic
from tests.situations.hooked import COMMIT, GROWN, errors, said

if TYPE_CHECKING:
    from tests.conftest import Files
    from tests.situations.hooked import Hooked

SCOPE = "agents/box/b2"
INDEX = f"{SCOPE}/memory.md"
A, B, C = (f"{SCOPE}/{name}.md" for name in "abc")
MERGE = ("merge", "-q", "--no-edit", "side")
CONCLUDE = ("commit", "-q", "--no-edit")
PLAIN = "# Memory\n\nHand-written.\n"
UTF16 = MARKERS.encode("utf-16")


def _lists(*names: str) -> str:
    return memory(*(entry(f"{name}.md") for name in names))


def _branches(nest: Hooked, base: Files, *sides: Files) -> None:
    """Commit past the hooks `base`, on it each side on its branch, the last one on `main`."""
    nest.commit(base)
    for name, files in zip(("side", "third"), sides[:-1], strict=False):
        nest.git("switch", "-q", "-c", name, "main")
        nest.commit(files)
    nest.git("switch", "-q", "main")
    nest.commit(sides[-1])


# what was there, what the side and what HEAD did, how they are merged
SOUND: dict[str, tuple[Files, Files, Files, list[str]]] = {
    "markers and a topic": ({INDEX: PLAIN}, {A: topic()}, {INDEX: _lists() + "\nMore.\n"}, []),
    "a topic and markers": ({INDEX: PLAIN}, {INDEX: _lists()}, {A: topic()}, []),
    "an index in place of none": ({A: topic()}, {INDEX: _lists("a")}, {B: topic()}, []),
    "ours wins": (
        {INDEX: _lists()},
        {INDEX: _lists("a"), A: topic()},
        {INDEX: _lists("b"), B: topic()},
        ["-X", "ours"],
    ),
    "theirs wins": (
        {INDEX: _lists()},
        {INDEX: _lists("a"), A: topic()},
        {INDEX: _lists("b"), B: topic()},
        ["-X", "theirs"],
    ),
    "ours by attribute": (
        {INDEX: _lists(), ".gitattributes": "memory.md merge=ours\n"},
        {INDEX: _lists("a"), A: topic()},
        {INDEX: _lists("b"), B: topic()},
        [],
    ),
    "a deletion that loses": (
        {INDEX: _lists("a", "b"), A: topic(), B: topic()},
        {INDEX: _lists("a", "b", "c"), C: topic()},
        {INDEX: _lists("a"), B: None},
        ["-X", "theirs"],
    ),
    "a deletion that wins": (
        {INDEX: _lists("a", "b"), A: topic(), B: topic()},
        {INDEX: _lists("a", "b", "c"), C: topic()},
        {INDEX: _lists("a"), B: None},
        ["-X", "ours"],
    ),
}


@pytest.fixture(params=SOUND)
def sound(request: pytest.FixtureRequest) -> tuple[Files, Files, Files, list[str]]:
    """A merge of two sides whose indexes are true."""
    return SOUND[str(request.param)]


@pytest.mark.quick(3)
def test_of_two_true_sides(nest: Hooked, sound: tuple[Files, Files, Files, list[str]]) -> None:
    base, theirs, ours, how = sound
    nest.git("config", "merge.ours.driver", "true")
    _branches(nest, base, theirs, ours)
    nest.stops(*MERGE, *how, stale=[SCOPE], then=CONCLUDE)


# In one of the sides the index was not true, or nobody can say that it was.
OLD: dict[str, tuple[Files, Files, Files, list[str]]] = {
    "a stale index": ({INDEX: _lists()}, {INDEX: _lists("b"), B: topic()}, {A: topic()}, []),
    "a stale index on the other side": (
        {INDEX: _lists()},
        {A: topic()},
        {INDEX: _lists("b"), B: topic()},
        [],
    ),
    "stale for long": ({INDEX: _lists(), C: topic()}, {A: topic()}, {B: topic()}, []),
    "broken markers": ({INDEX: f"{END}\n", C: topic()}, {A: topic()}, {B: topic()}, []),
    "an index in UTF-16": ({INDEX: UTF16}, {A: topic()}, {B: topic()}, []),
    "an unreadable topic": (
        {INDEX: _lists()},
        {C: b"\xff", INDEX: _lists("a"), A: topic()},
        {INDEX: _lists("b"), B: topic()},
        ["-X", "ours"],
    ),
    "no index at all": ({INDEX: PLAIN}, {A: topic()}, {B: topic()}, []),
    "topics without an index before": (
        {INDEX: _lists("a"), A: topic()},
        {INDEX: _lists("a", "b"), B: topic()},
        {INDEX: PLAIN},
        ["-X", "ours"],
    ),
}


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", OLD)
def test_of_a_side_that_was_not_true(nest: Hooked, name: str) -> None:
    base, theirs, ours, how = OLD[name]
    _branches(nest, base, theirs, ours)
    done = nest.passes(*MERGE, *how)
    assert said(done, "warning") == set()


def test_of_an_index_and_topics_that_it_leads_to_no_more(nest: Hooked) -> None:
    """HEAD went back to a single memory.md, and took its topics with it."""
    base: Files = {INDEX: _lists("a"), A: topic()}
    _branches(nest, base, {INDEX: _lists("a", "b"), B: topic()}, {INDEX: PLAIN, A: None})
    nest.stops(*MERGE, "-X", "ours", faults=[f"{INDEX} broken-markers"])


def test_of_a_scope_that_one_side_deleted(nest: Hooked) -> None:
    base: Files = {INDEX: _lists("a"), A: topic()}
    _branches(nest, base, {INDEX: _lists("a", "b"), B: topic()}, {INDEX: None, A: None})
    assert "CONFLICT" in nest.run("git", *MERGE).out
    nest.git("rm", "-q", INDEX)
    nest.stops(*CONCLUDE, faults=[f"{INDEX} broken-markers"])


@pytest.mark.parametrize("side", ["--ours", "--theirs"])
def test_of_a_conflict_in_which_one_side_was_taken(nest: Hooked, side: str) -> None:
    _conflict(nest, {})
    nest.git("checkout", side, INDEX)
    nest.git("add", INDEX)
    nest.stops(*CONCLUDE, stale=[SCOPE])


@pytest.mark.parametrize("side", ["--ours", "--theirs"])
def test_of_a_conflict_with_a_stale_side_in_which_one_was_taken(nest: Hooked, side: str) -> None:
    _conflict(nest, {C: topic()})
    nest.git("checkout", side, INDEX)
    nest.git("add", INDEX)
    nest.passes(*CONCLUDE)


def test_of_a_conflict_with_a_stale_side_that_was_left_in_the_index(nest: Hooked) -> None:
    """The index is then a new one, and judged like that of any commit."""
    _conflict(nest, {C: topic()})
    nest.git("add", INDEX)
    nest.stops(*CONCLUDE, stale=[SCOPE])


def _conflict(nest: Hooked, more: Files) -> None:
    theirs: Files = {INDEX: _lists("a"), A: topic(), **more}
    _branches(nest, {INDEX: _lists()}, theirs, {INDEX: _lists("b"), B: topic()})
    assert "CONFLICT" in nest.run("git", *MERGE).out


@pytest.mark.parametrize("stale", [False, True])
def test_of_three_sides(nest: Hooked, stale: bool) -> None:
    third: Files = {B: topic()}
    if stale:
        third[f"{SCOPE}/memory.md"] = _lists()
    ours: Files = {"a.txt": "a"} if stale else {INDEX: _lists("c"), C: topic()}
    _branches(nest, {INDEX: PLAIN, C: topic()}, {A: topic()}, third, ours)
    if stale:
        nest.passes(*MERGE, "third")
    else:
        nest.stops(*MERGE, "third", stale=[SCOPE], mends=False)


def test_of_unrelated_histories(nest: Hooked) -> None:
    nest.git("switch", "-q", "--orphan", "side")
    nest.commit({INDEX: _lists("a"), A: topic()})
    nest.git("switch", "-q", "main")
    nest.commit({INDEX: _lists("b"), B: topic()})
    how = ("--allow-unrelated-histories", "-X", "ours")
    nest.stops(*MERGE, *how, stale=[SCOPE], then=CONCLUDE)


def test_of_branches_that_were_merged_crosswise(nest: Hooked) -> None:
    _branches(nest, {INDEX: _lists()}, {INDEX: _lists("a"), A: topic()}, {"a.txt": "a"})
    main, side = (nest.git("rev-parse", name).strip() for name in ("main", "side"))
    nest.git(*MERGE[:-1], "--no-verify", side)
    nest.commit({INDEX: _lists("a", "b"), B: topic()})
    nest.git("switch", "-q", "side")
    nest.git(*MERGE[:-1], "--no-verify", main)
    nest.commit({INDEX: _lists("a", "c"), C: topic()})
    nest.git("switch", "-q", "main")
    nest.stops(*MERGE, "-X", "theirs", stale=[SCOPE], then=CONCLUDE)


def test_of_which_a_whole_scope_is_as_one_side_has_it(nest: Hooked) -> None:
    _branches(nest, {INDEX: _lists()}, {A: topic()}, {f"{SCOPE}/inbox/x.md": "x\n"})
    nest.passes(*MERGE)


def test_looked_at_by_hand(nest: Hooked) -> None:
    _branches(nest, {INDEX: PLAIN}, {A: topic()}, {INDEX: _lists()})
    nest.git("merge", "-q", "--no-commit", "side")
    assert errors(nest.run("nestwork-check")) == {f"{INDEX} stale-index"}
    assert nest.run("nestwork-fix-index").code == 1
    nest.git("add", INDEX)
    nest.passes(*CONCLUDE)


def test_that_is_changed_afterwards_is_a_commit_like_any_other(nest: Hooked) -> None:
    _branches(nest, {INDEX: _lists()}, {A: topic()}, {B: topic()})
    nest.passes(*MERGE)
    nest.stage({A: GROWN})
    nest.stops(*COMMIT, "--amend", stale=[SCOPE])
