"""What a commit can do to the files of a scope, and which of it makes an index stale."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import MARKERS, entry, memory, topic
from tests.situations.hooked import COMMIT, GROWN, LARGE, OTHER

if TYPE_CHECKING:
    from tests.situations.hooked import Hooked

HOSTS, PORTS = entry("hosts.md"), entry("ports.md")


def test_topic_added(nest: Hooked) -> None:
    nest.stage({"shared/new.md": topic()})
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_added_and_indexed(nest: Hooked) -> None:
    index = nest.index(HOSTS, entry("lamps/desk.md"), PORTS)
    nest.stage({"shared/lamps/desk.md": topic(), "shared/memory.md": index})
    nest.passes(*COMMIT)


def test_topic_deleted(nest: Hooked) -> None:
    nest.git("rm", "-q", "shared/hosts.md")
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_deleted_and_its_entry(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": None, "shared/memory.md": nest.index(PORTS)})
    nest.passes(*COMMIT)


def test_last_topic_deleted(nest: Hooked) -> None:
    nest.stage({f"{OTHER}/notes.md": None, f"{OTHER}/memory.md": memory()})
    nest.passes(*COMMIT)


def test_topic_renamed_in_its_scope(nest: Hooked) -> None:
    nest.git("mv", "shared/hosts.md", "shared/machines.md")
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_renamed_in_its_scope_and_its_entry(nest: Hooked) -> None:
    nest.git("mv", "shared/hosts.md", "shared/machines.md")
    nest.stage({"shared/memory.md": nest.index(entry("machines.md"), PORTS)})
    nest.passes(*COMMIT)


def test_topic_renamed_in_the_case_of_its_letters(nest: Hooked) -> None:
    nest.git("mv", "-f", "shared/hosts.md", "shared/Hosts.md")
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_moved_into_a_folder(nest: Hooked) -> None:
    nest.stage({"shared/hosts/a.md": topic()})
    nest.git("rm", "-q", "--cached", "shared/hosts.md")
    (nest.path / "shared/hosts.md").unlink()
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_moved_to_another_scope(nest: Hooked) -> None:
    nest.git("mv", "shared/hosts.md", f"{OTHER}/hosts.md")
    nest.stops(*COMMIT, stale=["shared", OTHER])


def test_topic_moved_out_of_every_scope(nest: Hooked) -> None:
    (nest.path / "projects").mkdir()
    nest.git("mv", "shared/hosts.md", "projects/hosts.md")
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_moved_into_a_reserved_folder(nest: Hooked) -> None:
    (nest.path / "shared/archive").mkdir()
    nest.git("mv", "shared/hosts.md", "shared/archive/hosts.md")
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_moved_in_from_outside(nest: Hooked) -> None:
    nest.commit({"projects/new.md": topic()})
    nest.git("mv", "projects/new.md", "shared/new.md")
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_changed_in_its_mode_alone(nest: Hooked) -> None:
    nest.git("update-index", "--chmod=+x", "shared/hosts.md")
    (nest.path / "shared/hosts.md").chmod(0o755)
    nest.passes(*COMMIT)


def test_topic_became_a_link(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": Path("ports.md")})
    nest.stops(*COMMIT, stale=["shared"])


def test_link_became_a_topic(nest: Hooked) -> None:
    nest.commit({"shared/link.md": Path("ports.md")})
    nest.stage({"shared/link.md": topic()})
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_without_a_description(nest: Hooked) -> None:
    nest.stage({"shared/plain.md": "# Plain\n"})
    nest.stops(*COMMIT, faults=["shared/plain.md missing-description"])


def test_topic_over_the_limit(nest: Hooked) -> None:
    size = f"{len(LARGE) / 1024:.1f}"
    index = nest.index(entry("hosts.md", size=size), PORTS)
    nest.stage({"shared/hosts.md": LARGE, "shared/memory.md": index})
    nest.stops(*COMMIT, faults=["shared/hosts.md topic-size"])


def test_topic_nested_too_deep(nest: Hooked) -> None:
    nest.stage({"shared/a/b/c.md": topic()})
    nest.stops(*COMMIT, faults=["shared/a/b/c.md nesting-depth"])


def test_topic_added_to_a_scope_without_markers(nest: Hooked) -> None:
    nest.stage({"agents/box/b2/memory.md": "# Memory\n", "agents/box/b2/notes.md": "no topic\n"})
    nest.passes(*COMMIT)


def test_topic_added_to_a_scope_without_memory(nest: Hooked) -> None:
    nest.stage({"agents/box/b2/notes.md": "no topic\n"})
    nest.passes(*COMMIT)


def test_whole_scope_deleted(nest: Hooked) -> None:
    nest.git("rm", "-q", "-r", OTHER)
    nest.passes(*COMMIT)


def test_whole_scope_moved(nest: Hooked) -> None:
    nest.git("mv", OTHER, "agents/box/b2")
    nest.passes(*COMMIT)


def test_memory_deleted_while_topics_remain(nest: Hooked) -> None:
    nest.git("rm", "-q", f"{OTHER}/memory.md")
    nest.stops(*COMMIT, faults=[f"{OTHER}/memory.md broken-markers"])


def test_memory_deleted_with_its_topics(nest: Hooked) -> None:
    nest.git("rm", "-q", f"{OTHER}/memory.md", f"{OTHER}/notes.md")
    nest.passes(*COMMIT)


def test_memory_edited_outside_the_markers(nest: Hooked) -> None:
    nest.stage({"shared/memory.md": nest.index(HOSTS, PORTS) + "\nA note.\n"})
    nest.passes(*COMMIT)


def test_memory_edited_by_hand_between_the_markers(nest: Hooked) -> None:
    nest.stage({"notes.txt": "x", "shared/memory.md": nest.index(HOSTS, PORTS, "- by hand")})
    nest.stops(*COMMIT, stale=["shared"])


def test_markers_added(nest: Hooked) -> None:
    nest.commit({"agents/box/b2/memory.md": "# Memory\n", "agents/box/b2/notes.md": topic()})
    nest.stage({"agents/box/b2/memory.md": MARKERS})
    nest.stops(*COMMIT, stale=["agents/box/b2"])


def test_markers_added_with_the_index(nest: Hooked) -> None:
    nest.commit({"agents/box/b2/memory.md": "# Memory\n", "agents/box/b2/notes.md": topic()})
    nest.stage({"agents/box/b2/memory.md": memory(entry("notes.md"))})
    nest.passes(*COMMIT)


def test_markers_removed_while_topics_remain(nest: Hooked) -> None:
    nest.stage({f"{OTHER}/memory.md": "# Memory\n"})
    nest.stops(*COMMIT, faults=[f"{OTHER}/memory.md broken-markers"])


def test_markers_removed_with_the_topics(nest: Hooked) -> None:
    nest.stage({f"{OTHER}/memory.md": "# Memory\n", f"{OTHER}/notes.md": None})
    nest.passes(*COMMIT)


@pytest.mark.parametrize("marker", ["begin", "end"])
def test_one_marker_removed(nest: Hooked, marker: str) -> None:
    text = memory(entry("notes.md")).replace(f"<!-- nestwork:topic-index:{marker} -->\n", "")
    nest.stage({f"{OTHER}/memory.md": text})
    nest.stops(*COMMIT, faults=[f"{OTHER}/memory.md broken-markers"])


def test_rules_deleted(nest: Hooked) -> None:
    nest.git("rm", "-q", "queen/agent-rules.md")
    nest.stops(*COMMIT, faults=["queen/agent-rules.md missing-rules"])


def test_resident_file_over_its_budget(nest: Hooked) -> None:
    nest.stage({f"{OTHER}/resident.md": "x" * 2049})
    nest.stops(*COMMIT, faults=[f"{OTHER}/resident.md resident-budget"])


def test_resident_file_within_its_budget(nest: Hooked) -> None:
    nest.stage({f"{OTHER}/resident.md": "x" * 2048, "shared/resident.md": "x" * 4096})
    nest.passes(*COMMIT)


def test_topics_and_their_index_at_once(nest: Hooked) -> None:
    files = {f"shared/t{number}.md": GROWN for number in range(300)}
    nest.stage({**files})
    nest.stops(*COMMIT, stale=["shared"])
