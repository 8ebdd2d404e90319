"""What lies on disk and not in the commit neither blocks nor saves it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from tests.conftest import entry, memory, topic
from tests.situations.hooked import COMMIT, GROWN

if TYPE_CHECKING:
    from tests.situations.hooked import Hooked

HOSTS, PORTS = entry("hosts.md"), entry("ports.md")
HOSTS_GROWN = entry("hosts.md", size="2.1")
FAR = "\n".join(["", *(f"Line {number}." for number in range(20)), ""])


def test_untracked_topic_on_disk(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.write({"shared/draft.md": "no front matter\n", "shared/new.md": topic()})
    nest.passes(*COMMIT)


def test_untracked_topic_on_disk_and_a_stale_index(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    nest.write({"shared/draft.md": "no front matter\n", "shared/new.md": topic()})
    nest.stops(*COMMIT, stale=["shared"])


def test_index_that_lists_an_untracked_topic(nest: Hooked) -> None:
    index = nest.index(HOSTS, entry("new.md"), PORTS)
    nest.stage({"notes.txt": "x", "shared/memory.md": index})
    nest.write({"shared/new.md": topic()})
    nest.stops(*COMMIT, stale=["shared"])


def test_ignored_topic_on_disk(nest: Hooked) -> None:
    nest.commit({".gitignore": "draft.md\n"})
    nest.write({"shared/draft.md": "no front matter\n"})
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_announced_only(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.write({"shared/new.md": topic()})
    nest.git("add", "-N", "shared/new.md")
    nest.passes(*COMMIT)


def test_topic_announced_only_and_a_stale_index(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    nest.write({"shared/new.md": topic()})
    nest.git("add", "-N", "shared/new.md")
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_announced_and_taken_by_commit_all(nest: Hooked) -> None:
    nest.write({"shared/new.md": topic()})
    nest.git("add", "-N", "shared/new.md")
    done = nest.stops(*COMMIT, "-a", stale=["shared"], mends=False)
    if nest.commands == ["nestwork-check"]:
        assert "left out, not known to git: shared/new.md (git add)" in nest.paste(done)
        nest.git("add", "shared/new.md")
        nest.paste(done)
    nest.passes(*COMMIT, "-a")


def test_topic_staged_then_deleted_on_disk(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.write({"shared/hosts.md": None})
    nest.passes(*COMMIT)


def test_topic_staged_then_deleted_on_disk_and_a_stale_index(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    nest.write({"shared/hosts.md": None})
    nest.stops(*COMMIT, stale=["shared"])


def test_new_topic_staged_then_deleted_on_disk(nest: Hooked) -> None:
    nest.stage({"shared/new.md": topic()})
    nest.write({"shared/new.md": None})
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_deleted_in_the_commit_and_kept_on_disk(nest: Hooked) -> None:
    nest.git("rm", "-q", "--cached", "shared/hosts.md")
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_partly_staged(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.write({"shared/hosts.md": GROWN * 3})
    nest.passes(*COMMIT)


def test_topic_partly_staged_and_a_stale_index(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    nest.write({"shared/hosts.md": GROWN * 3})
    nest.stops(*COMMIT, stale=["shared"])


def test_topic_sound_on_disk_and_at_fault_in_the_commit(nest: Hooked) -> None:
    nest.stage({"shared/new.md": "no front matter\n"})
    nest.write({"shared/new.md": topic()})
    nest.stops(*COMMIT, faults=["shared/new.md missing-description"])


def test_topic_at_fault_on_disk_and_sound_in_the_commit(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.write({"shared/hosts.md": "no front matter\n"})
    nest.passes(*COMMIT)


def test_index_right_for_the_disk_and_stale_in_the_commit(nest: Hooked) -> None:
    nest.stage(
        {"shared/hosts.md": GROWN, "shared/memory.md": nest.index(entry("hosts.md", size="6.3"))}
    )
    nest.write({"shared/hosts.md": GROWN * 3})
    nest.stops(*COMMIT, stale=["shared"])


def test_index_right_on_disk_and_not_staged(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    nest.write({"shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.stops(*COMMIT, stale=["shared"])


def test_memory_edited_on_disk_far_from_the_block(nest: Hooked) -> None:
    nest.commit({"shared/memory.md": nest.index(HOSTS, PORTS) + FAR})
    nest.stage({"shared/hosts.md": GROWN})
    nest.write({"shared/memory.md": nest.index(HOSTS, PORTS) + FAR + "An edit.\n"})
    nest.stops(*COMMIT, stale=["shared"])


def test_memory_edited_on_disk_near_the_block(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    nest.write({"shared/memory.md": nest.index(HOSTS, PORTS) + "An edit.\n"})
    nest.stops(*COMMIT, stale=["shared"])


def test_memory_partly_staged_with_its_index(nest: Hooked) -> None:
    index = nest.index(HOSTS_GROWN, PORTS)
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": index})
    nest.write({"shared/memory.md": index + "An edit.\n"})
    nest.passes(*COMMIT)


def test_memory_staged_then_stale_on_disk(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.write({"shared/memory.md": nest.index(HOSTS, PORTS)})
    nest.passes(*COMMIT)


def test_memory_deleted_on_disk_alone(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.write({"shared/memory.md": None})
    nest.passes(*COMMIT)


def test_markers_removed_on_disk_alone(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.write({"shared/memory.md": "# Memory\n"})
    nest.passes(*COMMIT)


def test_markers_added_on_disk_alone(nest: Hooked) -> None:
    nest.commit({"agents/box/b2/memory.md": "# Memory\n"})
    nest.stage({"agents/box/b2/notes.md": "no front matter\n"})
    nest.write({"agents/box/b2/memory.md": memory()})
    nest.passes(*COMMIT)


def test_topic_replaced_by_a_link_on_disk_alone(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.write({"shared/hosts.md": Path("ports.md")})
    nest.passes(*COMMIT)


def test_temporary_files_of_editors_on_disk(nest: Hooked) -> None:
    nest.write({"shared/.hosts.md.swp": "x", "shared/#hosts.md#": "x", "shared/hosts.md~": "x"})
    nest.stage({"shared/hosts.md": GROWN})
    nest.git("rm", "-q", "--cached", "shared/.hosts.md.swp")
    nest.stops(*COMMIT, stale=["shared"])


def test_scope_deleted_on_disk_alone(nest: Hooked) -> None:
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    shutil.rmtree(nest.path / "shared")
    nest.passes(*COMMIT)


def test_scope_replaced_by_a_link_on_disk_alone(nest: Hooked, tmp_path: Path) -> None:
    nest.stage({"shared/hosts.md": GROWN})
    (nest.path / "shared").rename(tmp_path / "elsewhere")
    (nest.path / "shared").symlink_to(tmp_path / "elsewhere")
    before = (tmp_path / "elsewhere/memory.md").read_bytes()
    done = nest.run("git", *COMMIT)
    if nest.plain:
        assert done.code != 0, done.text
        assert (tmp_path / "elsewhere/memory.md").read_bytes() == before
