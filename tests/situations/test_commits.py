"""Ways to make a commit: whatever git puts into it is judged, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conftest import RULES, entry, memory, topic
from tests.situations.hooked import COMMIT, GROWN, OTHER

if TYPE_CHECKING:
    from tests.situations.hooked import Hooked


def grown_index(nest: Hooked) -> str:
    """The memory.md of `shared` after hosts.md has grown."""
    return nest.index(entry("hosts.md", size="2.1"), entry("ports.md"))


def test_first_commit(empty_nest: Hooked) -> None:
    empty_nest.stage({**RULES, "shared/memory.md": memory(entry("a.md")), "shared/a.md": topic()})
    empty_nest.passes(*COMMIT)


def test_first_commit_with_a_stale_index(empty_nest: Hooked) -> None:
    empty_nest.stage({**RULES, "shared/memory.md": memory(), "shared/a.md": topic()})
    empty_nest.stops(*COMMIT, stale=["shared"])


def test_topic_staged_with_its_index(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": grown_index(nest)})
    nest.passes(*COMMIT)


def test_topic_staged_without_its_index(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_two_scopes_in_one_commit(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, f"{OTHER}/more.md": topic()})
    nest.stops(*COMMIT, stale=["shared", OTHER])


def test_nothing_of_the_nest_in_the_commit(nest: Hooked) -> None:
    nest.stage({"notes.txt": "x", "projects/p.md": "# P\n"})
    nest.passes(*COMMIT)


def test_commit_all_with_its_index(nest: Hooked) -> None:
    nest.write({"shared/hosts.md": GROWN, "shared/memory.md": grown_index(nest)})
    nest.passes(*COMMIT, "-a")


def test_commit_all_without_its_index(nest: Hooked) -> None:
    nest.write({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, "-a", stale=["shared"])


def test_commit_all_of_a_deletion(nest: Hooked) -> None:
    nest.write({"shared/hosts.md": None})
    nest.stops(*COMMIT, "-a", stale=["shared"])


def test_commit_all_beside_an_untracked_topic(nest: Hooked) -> None:
    nest.write({"shared/hosts.md": GROWN, "shared/new.md": topic()})
    nest.stops(*COMMIT, "-a", stale=["shared"])


def test_commit_all_with_a_new_topic_staged(nest: Hooked) -> None:
    nest.stage({"shared/new.md": topic()})
    nest.write({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, "-a", stale=["shared"])


def test_empty_commit(nest: Hooked) -> None:
    nest.passes(*COMMIT, "--allow-empty")


def test_empty_commit_on_a_stale_index(nest: Hooked) -> None:
    nest.commit({"shared/hosts.md": GROWN})
    nest.passes(*COMMIT, "--allow-empty")


def test_amend_of_the_message_alone(nest: Hooked) -> None:
    nest.commit({"shared/hosts.md": GROWN})
    nest.passes("commit", "-q", "--amend", "-m", "reworded")


def test_amend_with_a_topic(nest: Hooked) -> None:
    nest.commit({"notes.txt": "x"})
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops("commit", "-q", "--amend", "-m", "more", stale=["shared"])


def test_amend_with_the_index_that_was_forgotten(nest: Hooked) -> None:
    nest.commit({"shared/hosts.md": GROWN})
    nest.stage({"shared/memory.md": grown_index(nest)})
    nest.passes("commit", "-q", "--amend", "--no-edit")


def test_partial_commit_of_a_scope(nest: Hooked) -> None:
    nest.write({f"{OTHER}/notes.md": GROWN})
    nest.stops(*COMMIT, "--", OTHER, stale=[OTHER])


def test_partial_commit_as_a_tool_hook_does(nest: Hooked) -> None:
    nest.write({f"{OTHER}/more.md": topic()})
    nest.git("add", f"{OTHER}/")
    nest.stops(*COMMIT, "--", f"{OTHER}/", stale=[OTHER])


def test_partial_commit_as_a_tool_hook_does_with_its_index(nest: Hooked) -> None:
    index = memory(entry("more.md"), entry("notes.md"))
    nest.write({f"{OTHER}/more.md": topic(), f"{OTHER}/memory.md": index})
    nest.git("add", f"{OTHER}/")
    nest.passes(*COMMIT, "--", f"{OTHER}/")


def test_partial_commit_while_another_scope_is_staged_and_stale(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    index = memory(entry("notes.md", size="2.1"))
    nest.write({f"{OTHER}/notes.md": GROWN, f"{OTHER}/memory.md": index})
    nest.passes(*COMMIT, "--", f"{OTHER}/")
    assert nest.git("diff", "--cached", "--name-only") == "shared/hosts.md\n"


def test_partial_commit_without_an_index_while_another_scope_is_staged(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    nest.write({f"{OTHER}/notes.md": GROWN})
    nest.stops(*COMMIT, "--", f"{OTHER}/", stale=[OTHER])
    assert nest.git("diff", "--cached", "--name-only") == "shared/hosts.md\n"


def test_partial_commit_of_a_deletion(nest: Hooked) -> None:
    nest.write({f"{OTHER}/notes.md": None})
    nest.stops(*COMMIT, "--", OTHER, stale=[OTHER])


def test_partial_commit_of_a_topic_and_its_index(nest: Hooked) -> None:
    nest.write({"shared/hosts.md": GROWN, "shared/ports.md": GROWN})
    nest.write({"shared/memory.md": grown_index(nest)})
    nest.passes(*COMMIT, "--", "shared/hosts.md", "shared/memory.md")


def test_partial_commit_of_single_files_while_other_topics_are_changed(nest: Hooked) -> None:
    nest.write({"shared/hosts.md": GROWN, "shared/ports.md": GROWN})
    nest.stops(*COMMIT, "--", "shared/hosts.md", "shared/memory.md", stale=["shared"])


def test_partial_commit_of_a_topic_removed_from_git(nest: Hooked) -> None:
    nest.git("rm", "-q", "shared/hosts.md")
    nest.write({"shared/ports.md": GROWN})
    nest.stops(*COMMIT, "--", "shared", stale=["shared"])


def test_partial_commit_of_a_topic_announced_only(nest: Hooked) -> None:
    nest.write({"shared/new.md": topic()})
    nest.git("add", "-N", "shared/new.md")
    nest.stops(*COMMIT, "--", "shared", stale=["shared"])


def test_commit_with_paths_included(nest: Hooked) -> None:
    nest.stage({f"{OTHER}/notes.md": GROWN, f"{OTHER}/memory.md": memory()})
    nest.write({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, "-i", "shared", OTHER, stale=["shared", OTHER])


def test_commit_with_paths_included_and_their_index(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    nest.write({"shared/memory.md": grown_index(nest)})
    nest.passes(*COMMIT, "-i", "shared/memory.md")


def test_commit_from_a_sub_folder(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"], cwd="shared")


def test_commit_all_from_a_sub_folder(nest: Hooked) -> None:
    nest.write({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, "-a", stale=["shared"], cwd=OTHER)


def test_partial_commit_from_a_sub_folder(nest: Hooked) -> None:
    nest.write({f"{OTHER}/notes.md": GROWN})
    nest.stops(*COMMIT, "--", ".", stale=[OTHER], cwd=OTHER)


def test_cherry_pick_that_is_committed_by_hand(nest: Hooked) -> None:
    nest.git("switch", "-q", "-c", "side")
    nest.commit({"shared/hosts.md": GROWN})
    nest.git("switch", "-q", "main")
    nest.git("cherry-pick", "-n", "side")
    nest.stops(*COMMIT, stale=["shared"])


def test_revert_that_is_committed_by_hand(nest: Hooked) -> None:
    nest.commit({"shared/hosts.md": GROWN, "shared/memory.md": grown_index(nest)})
    nest.git("revert", "-n", "HEAD")
    nest.passes(*COMMIT)
