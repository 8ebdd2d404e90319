"""Merges: what both sides had before is not judged again, what the merge itself makes is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conftest import BEGIN, entry, memory, topic
from tests.situations.hooked import COMMIT, GROWN, OTHER, errors, written

if TYPE_CHECKING:
    from tests.conftest import Files
    from tests.situations.hooked import Hooked

HOSTS, PORTS, NOTES = entry("hosts.md"), entry("ports.md"), entry("notes.md")
MERGE = ("merge", "-q", "--no-edit", "side")
OURS, THEIRS, BOTH = "Read it when ours", "Read it when theirs", "Read it when both"
CONCLUDE = ("commit", "-q", "--no-edit")


def _branches(nest: Hooked, ours: Files, theirs: Files) -> None:
    """Commit past the hooks `theirs` on the branch `side` and `ours` on `main`, which is out."""
    nest.git("switch", "-q", "-c", "side")
    nest.commit(theirs)
    nest.git("switch", "-q", "main")
    nest.commit(ours)


def _conflict(nest: Hooked) -> None:
    """Start the merge of `side`, which has to stop."""
    done = nest.run("git", *MERGE)
    assert "CONFLICT" in done.out, done.text


def test_clean_merge(nest: Hooked) -> None:
    _branches(nest, {"a.txt": "a"}, {"shared/new.md": topic(), "shared/memory.md": _new(nest)})
    nest.passes(*MERGE)


def _new(nest: Hooked) -> str:
    return nest.index(HOSTS, entry("new.md"), PORTS)


def test_clean_merge_of_a_side_at_fault(nest: Hooked) -> None:
    _branches(nest, {f"{OTHER}/notes.md": GROWN}, {"shared/new.md": "no front matter\n"})
    nest.passes(*MERGE)


def test_clean_merge_of_a_side_with_a_stale_index(nest: Hooked) -> None:
    _branches(nest, {"a.txt": "a"}, {"shared/new.md": topic()})
    nest.passes(*MERGE)


def test_clean_merge_that_itself_makes_an_index_stale(nest: Hooked) -> None:
    ours: Files = {"shared/new.md": topic(), "shared/memory.md": _new(nest)}
    _branches(nest, ours, {"shared/hosts.md": GROWN})
    nest.passes(*MERGE)


def test_fast_forward_runs_no_hook(nest: Hooked) -> None:
    nest.git("switch", "-q", "-c", "side")
    nest.commit({"shared/new.md": topic()})
    nest.git("switch", "-q", "main")
    nest.passes(*MERGE)


def test_squash_merge_is_judged_as_a_commit(nest: Hooked) -> None:
    _branches(nest, {"a.txt": "a"}, {"shared/new.md": topic()})
    nest.git("merge", "-q", "--squash", "side")
    nest.stops(*COMMIT, stale=["shared"])


def test_octopus_merge(nest: Hooked) -> None:
    _branches(nest, {"a.txt": "a"}, {"shared/new.md": topic()})
    nest.git("switch", "-q", "-c", "third", "HEAD~")
    nest.commit({f"{OTHER}/notes.md": GROWN})
    nest.git("switch", "-q", "main")
    nest.passes(*MERGE, "third")


def _conflict_in_the_block(nest: Hooked) -> None:
    ours: Files = {
        "shared/new.md": topic(),
        "shared/memory.md": nest.index(HOSTS, entry("new.md"), PORTS),
    }
    theirs: Files = {
        "shared/newer.md": topic(),
        "shared/memory.md": nest.index(HOSTS, entry("newer.md"), PORTS),
    }
    _branches(nest, ours, theirs)
    _conflict(nest)


def _both(nest: Hooked) -> str:
    return nest.index(HOSTS, entry("new.md"), entry("newer.md"), PORTS)


def test_conflict_in_the_block_solved(nest: Hooked) -> None:
    _conflict_in_the_block(nest)
    nest.stage({"shared/memory.md": _both(nest)})
    nest.passes(*CONCLUDE)


def test_conflict_in_the_block_committed_as_it_is(nest: Hooked) -> None:
    _conflict_in_the_block(nest)
    nest.git("add", "-A")
    nest.stops(*CONCLUDE, stale=["shared"])


def test_conflict_in_the_block_mended_by_the_fixer(nest: Hooked) -> None:
    _conflict_in_the_block(nest)
    done = nest.run("nestwork-fix-index")
    assert written(done) == {"shared/memory.md"}, done.text
    nest.git("add", "shared/memory.md")
    nest.passes(*CONCLUDE)
    nest.assert_true_index("shared")


def test_conflict_in_the_block_mended_by_the_fixer_from_what_is_staged(nest: Hooked) -> None:
    _conflict_in_the_block(nest)
    done = nest.run("nestwork-fix-index", "--staged", "shared")
    assert written(done) == {"shared/memory.md"}, done.text
    nest.git("add", "shared/memory.md")
    nest.passes(*CONCLUDE)


def test_conflict_in_the_block_solved_by_dropping_the_other_side(nest: Hooked) -> None:
    _conflict_in_the_block(nest)
    nest.git("checkout", "--ours", "shared/memory.md")
    nest.git("add", "-A")
    nest.stops(*CONCLUDE, stale=["shared"])


def test_conflict_around_a_marker(nest: Hooked) -> None:
    _branches(
        nest,
        {f"{OTHER}/memory.md": memory(NOTES).replace(BEGIN, f"{BEGIN} ")},
        {f"{OTHER}/memory.md": memory(NOTES).replace(BEGIN, f"Theirs.\n{BEGIN}")},
    )
    _conflict(nest)
    nest.git("add", "-A")
    nest.stops(*CONCLUDE, faults=[f"{OTHER}/memory.md broken-markers"])


def _conflict_in_a_topic(nest: Hooked) -> None:
    _branches(
        nest,
        {"shared/hosts.md": topic(OURS), "shared/memory.md": _hosts(nest, OURS)},
        {"shared/hosts.md": topic(THEIRS), "shared/memory.md": _hosts(nest, THEIRS)},
    )
    _conflict(nest)


def _hosts(nest: Hooked, description: str) -> str:
    return nest.index(entry("hosts.md", description), PORTS)


def test_conflict_in_a_topic_solved(nest: Hooked) -> None:
    _conflict_in_a_topic(nest)
    nest.stage({"shared/hosts.md": topic(BOTH), "shared/memory.md": _hosts(nest, BOTH)})
    nest.passes(*CONCLUDE)


def test_conflict_in_a_topic_solved_and_its_index_stale(nest: Hooked) -> None:
    _conflict_in_a_topic(nest)
    nest.stage({"shared/hosts.md": topic(BOTH), "shared/memory.md": _hosts(nest, OURS)})
    nest.stops(*CONCLUDE, stale=["shared"])


def test_conflict_in_a_topic_unsolved_when_checked_by_hand(nest: Hooked) -> None:
    _branches(nest, {"shared/hosts.md": topic(OURS)}, {"shared/hosts.md": topic(THEIRS)})
    _conflict(nest)
    done = nest.run(nest.commands[0], "--staged", "shared")
    assert done.code == 1
    assert "shared/hosts.md unreadable" in errors(done), done.text
    assert "git add" in done.text


def test_conflict_in_another_scope(nest: Hooked) -> None:
    _branches(
        nest,
        {f"{OTHER}/notes.md": topic(OURS)},
        {f"{OTHER}/notes.md": topic(THEIRS), "shared/new.md": "no front matter\n"},
    )
    _conflict(nest)
    solved = memory(entry("notes.md", BOTH))
    nest.stage({f"{OTHER}/notes.md": topic(BOTH), f"{OTHER}/memory.md": solved})
    nest.passes(*CONCLUDE)


def test_conflict_in_the_rules(nest: Hooked) -> None:
    _branches(
        nest,
        {"queen/agent-rules.md": "# Ours\n"},
        {"queen/agent-rules.md": "# Theirs\n", "shared/new.md": "no front matter\n"},
    )
    _conflict(nest)
    nest.stage({"queen/agent-rules.md": "# Both\n"})
    nest.passes(*CONCLUDE)


def test_conflict_in_the_rules_solved_over_their_budget(nest: Hooked) -> None:
    _branches(nest, {"queen/agent-rules.md": "# Ours\n"}, {"queen/agent-rules.md": "# Theirs\n"})
    _conflict(nest)
    nest.stage({"queen/agent-rules.md": "x" * 4097})
    nest.stops(*CONCLUDE, faults=["queen/agent-rules.md resident-budget"])


def test_conflict_of_a_deletion_and_a_change(nest: Hooked) -> None:
    _branches(
        nest,
        {"shared/hosts.md": None, "shared/memory.md": nest.index(PORTS)},
        {"shared/hosts.md": GROWN},
    )
    _conflict(nest)
    nest.git("rm", "-q", "shared/hosts.md")
    nest.passes(*CONCLUDE)


def test_union_merge_that_leaves_the_order_wrong(nest: Hooked) -> None:
    nest.commit({".gitattributes": "memory.md merge=union\n"})
    _branches(
        nest,
        {"shared/zoo.md": topic(), "shared/memory.md": nest.index(HOSTS, PORTS, entry("zoo.md"))},
        {"shared/yak.md": topic(), "shared/memory.md": nest.index(HOSTS, PORTS, entry("yak.md"))},
    )
    nest.stops(*MERGE, stale=["shared"], then=CONCLUDE)


def test_union_merge_that_doubles_a_line(nest: Hooked) -> None:
    nest.commit({".gitattributes": "memory.md merge=union\n"})
    ours = nest.index(entry("hosts.md", size="2.1"), PORTS)
    theirs = nest.index(entry("hosts.md", size="4.2"), PORTS)
    _branches(
        nest,
        {"shared/hosts.md": GROWN, "shared/memory.md": ours},
        {"shared/memory.md": theirs},
    )
    nest.stops(*MERGE, stale=["shared"], then=CONCLUDE)


def test_topic_that_one_side_changed_and_the_other_deleted(nest: Hooked) -> None:
    """Kept or not, each file is as one side has it; the index is not, though each was true."""
    _branches(
        nest,
        {"shared/hosts.md": None, "shared/memory.md": nest.index(PORTS)},
        {"shared/hosts.md": topic(body="# U\n")},
    )
    assert "CONFLICT" in nest.run("git", *MERGE).out
    nest.git("add", "shared/hosts.md")
    nest.stops(*CONCLUDE, stale=["shared"])


def test_conflict_in_a_topic_of_a_scope_that_stays_as_one_side_has_it(nest: Hooked) -> None:
    """What was wrong with that side before is an old fault."""
    nest.commit({"shared/old.md": topic()})
    _branches(nest, {"shared/hosts.md": topic(OURS)}, {"shared/hosts.md": topic(THEIRS)})
    _conflict(nest)
    nest.git("checkout", "-q", "--ours", "shared/hosts.md")
    nest.git("add", "shared/hosts.md")
    nest.passes(*CONCLUDE)


def test_rebase_that_stops_on_a_conflict(nest: Hooked) -> None:
    _branches(
        nest,
        {"shared/hosts.md": topic(OURS), "shared/memory.md": _hosts(nest, OURS)},
        {"shared/hosts.md": topic(THEIRS), "shared/memory.md": _hosts(nest, THEIRS)},
    )
    assert "CONFLICT" in nest.run("git", "rebase", "side").out
    nest.stage({"shared/hosts.md": topic(BOTH), "shared/memory.md": _hosts(nest, THEIRS)})
    nest.stops(*COMMIT, stale=["shared"])


def test_rebase_that_goes_on_runs_no_hook(nest: Hooked) -> None:
    _branches(
        nest,
        {"shared/hosts.md": topic(OURS), "shared/memory.md": _hosts(nest, OURS)},
        {"shared/hosts.md": topic(THEIRS), "shared/memory.md": _hosts(nest, THEIRS)},
    )
    assert "CONFLICT" in nest.run("git", "rebase", "side").out
    nest.stage({"shared/hosts.md": topic(BOTH), "shared/memory.md": _hosts(nest, THEIRS)})
    assert errors(nest.run("nestwork-check", "--staged")) == {"shared/memory.md stale-index"}
    nest.passes("rebase", "--continue", GIT_EDITOR="true")


def test_cherry_pick_that_stops_on_a_conflict(nest: Hooked) -> None:
    _branches(
        nest,
        {"shared/hosts.md": topic(OURS), "shared/memory.md": _hosts(nest, OURS)},
        {"shared/hosts.md": topic(THEIRS), "shared/memory.md": _hosts(nest, THEIRS)},
    )
    assert "CONFLICT" in nest.run("git", "cherry-pick", "side").text
    nest.stage({"shared/hosts.md": topic(BOTH), "shared/memory.md": _hosts(nest, THEIRS)})
    nest.stops(*COMMIT, stale=["shared"])


def test_stash_that_is_applied_with_a_conflict(nest: Hooked) -> None:
    nest.write({"shared/hosts.md": topic("Stashed")})
    nest.git("stash", "-q")
    nest.commit({"shared/hosts.md": topic(OURS), "shared/memory.md": _hosts(nest, OURS)})
    assert "CONFLICT" in nest.run("git", "stash", "pop").out
    nest.stage({"shared/hosts.md": topic(BOTH)})
    nest.stops(*COMMIT, stale=["shared"])


def test_merge_in_a_linked_worktree(nest: Hooked) -> None:
    _branches(nest, {"a.txt": "a"}, {"shared/new.md": topic()})
    nest.git("worktree", "add", "-q", "-b", "second", "../second")
    nest.at(nest.path.parent / "second").passes(*MERGE)


def test_conflict_in_a_linked_worktree(nest: Hooked) -> None:
    _branches(
        nest,
        {"shared/hosts.md": topic(OURS), "shared/memory.md": _hosts(nest, OURS)},
        {"shared/hosts.md": topic(THEIRS), "agents/box/b2/memory.md": memory(NOTES)},
    )
    nest.git("worktree", "add", "-q", "-b", "second", "../second")
    second = nest.at(nest.path.parent / "second")
    _conflict(second)
    second.stage({"shared/hosts.md": topic(BOTH)})
    second.stops(*CONCLUDE, stale=["shared"], cwd="shared")
