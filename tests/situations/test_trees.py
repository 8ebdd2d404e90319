"""Where the files lie: linked worktrees, submodules, sparse checkouts, links, other folders."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import RULES, entry, memory, topic
from tests.situations.hooked import COMMIT, GROWN, OTHER

if TYPE_CHECKING:
    from tests.situations.hooked import Hooked

HOSTS, PORTS = entry("hosts.md"), entry("ports.md")
HOSTS_GROWN = entry("hosts.md", size="2.1")
ALLOW_FILE = ("-c", "protocol.file.allow=always")


@pytest.fixture
def worktree(nest: Hooked, tmp_path: Path) -> Hooked:
    """A second working tree of the nest, on a branch of its own."""
    nest.git("worktree", "add", "-q", "-b", "second", str(tmp_path / "second"))
    return nest.at(tmp_path / "second")


def test_linked_worktree(worktree: Hooked) -> None:
    worktree.stage({"shared/hosts.md": GROWN})
    worktree.stops(*COMMIT, stale=["shared"])


def test_linked_worktree_with_its_index(worktree: Hooked) -> None:
    worktree.stage(
        {"shared/hosts.md": GROWN, "shared/memory.md": worktree.index(HOSTS_GROWN, PORTS)}
    )
    worktree.passes(*COMMIT)


def test_linked_worktree_from_a_sub_folder(worktree: Hooked) -> None:
    worktree.stage({"shared/hosts.md": GROWN})
    worktree.stops(*COMMIT, stale=["shared"], cwd="shared")


def test_linked_worktree_with_commit_all(worktree: Hooked) -> None:
    worktree.write({"shared/hosts.md": GROWN})
    worktree.stops(*COMMIT, "-a", stale=["shared"])


def test_linked_worktree_with_a_partial_commit(worktree: Hooked) -> None:
    worktree.write({"shared/hosts.md": GROWN, f"{OTHER}/notes.md": GROWN})
    worktree.stops(*COMMIT, "--", "shared", stale=["shared"], cwd="shared/..")


def test_linked_worktree_named_from_outside(worktree: Hooked, tmp_path: Path) -> None:
    worktree.stage({"shared/hosts.md": GROWN})
    outside = worktree.at(tmp_path)
    done = outside.run("git", "-C", "second", *COMMIT)
    assert done.code != 0, done.text
    outside.paste(done)
    worktree.passes(*COMMIT)


def test_git_folder_apart_from_the_files(nest: Hooked, tmp_path: Path) -> None:
    nest.git("init", "-q", "--separate-git-dir", str(tmp_path / "apart.git"))
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_root_reached_through_a_link(nest: Hooked, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(nest.path)
    nest = nest.at(tmp_path / "alias")
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_folder_with_spaces_and_quotes(nest: Hooked, tmp_path: Path) -> None:
    nest.path.rename(tmp_path / "it's a $nest")
    nest = nest.at(tmp_path / "it's a $nest")
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"], cwd="shared")


def _submodule(nest: Hooked, path: str, tmp_path: Path) -> None:
    other = nest.at(tmp_path / "other")
    other.path.mkdir()
    other.git("init", "-q", "-b", "main")
    other.commit({"memory.md": memory(), "stray.md": "no front matter\n"})
    nest.git(*ALLOW_FILE, "submodule", "--quiet", "add", str(other.path), path)


def test_submodule_as_the_folder_of_a_scope(nest: Hooked, tmp_path: Path) -> None:
    _submodule(nest, "agents/box/sub", tmp_path)
    nest.passes(*COMMIT)


def test_submodule_below_a_scope(nest: Hooked, tmp_path: Path) -> None:
    _submodule(nest, "shared/sub", tmp_path)
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_submodule_with_changes_inside(nest: Hooked, tmp_path: Path) -> None:
    _submodule(nest, "shared/sub", tmp_path)
    nest.commit()
    nest.write({"shared/sub/stray.md": "changed\n", "shared/sub/more.md": "untracked\n"})
    index = nest.index(HOSTS_GROWN, PORTS)
    nest.write({"shared/hosts.md": GROWN, "shared/memory.md": index})
    nest.passes(*COMMIT, "--", "shared/hosts.md", "shared/memory.md")


def test_scope_became_a_submodule(nest: Hooked, tmp_path: Path) -> None:
    nest.git("rm", "-q", "-r", OTHER)
    _submodule(nest, OTHER, tmp_path)
    nest.passes(*COMMIT)


def test_nest_that_is_a_submodule(nest: Hooked, tmp_path: Path) -> None:
    outer = nest.at(tmp_path / "outer")
    outer.path.mkdir()
    outer.git("init", "-q", "-b", "main")
    outer.git(*ALLOW_FILE, "submodule", "--quiet", "add", str(nest.path), "nest")
    inner = nest.at(tmp_path / "outer/nest")
    inner.install()
    inner.stage({"shared/hosts.md": GROWN})
    inner.stops(*COMMIT, stale=["shared"], cwd="shared")


def _sparse(nest: Hooked) -> None:
    nest.commit({"shared/far/topic.md": topic(), "shared/memory.md": _with_far(nest, HOSTS)})
    nest.git("sparse-checkout", "set", "--no-cone", "/*", "!/shared/far/")
    assert not (nest.path / "shared/far").exists()


def _with_far(nest: Hooked, hosts: str) -> str:
    return nest.index(entry("far/topic.md"), hosts, PORTS)


def test_sparse_checkout_that_leaves_topics_out(nest: Hooked) -> None:
    _sparse(nest)
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_sparse_checkout_with_its_index(nest: Hooked) -> None:
    _sparse(nest)
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": _with_far(nest, HOSTS_GROWN)})
    nest.passes(*COMMIT)


def test_sparse_checkout_with_commit_all(nest: Hooked) -> None:
    _sparse(nest)
    nest.write({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, "-a", stale=["shared"])


def test_sparse_checkout_that_leaves_another_scope_out(nest: Hooked) -> None:
    nest.git("sparse-checkout", "set", "--no-cone", "/*", f"!/{OTHER}/")
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_sparse_index(nest: Hooked) -> None:
    nest.git("sparse-checkout", "set", "--cone", "--sparse-index", "shared", "queen")
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_link_as_a_topic(nest: Hooked) -> None:
    nest.stage({"shared/link.md": Path("hosts.md")})
    nest.passes(*COMMIT)


def test_link_as_a_topic_to_outside(nest: Hooked, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret\n")
    nest.stage({"shared/link.md": tmp_path / "secret.md", "shared/hosts.md": GROWN})
    done = nest.stops(*COMMIT, stale=["shared"])
    assert "secret" not in done.text


def test_link_as_a_folder_of_topics(nest: Hooked, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/topic.md").write_text("no front matter\n")
    nest.stage({"shared/folder": tmp_path / "elsewhere", "shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_link_as_the_folder_of_a_scope(nest: Hooked) -> None:
    nest.write({"agents/box/alias": Path("a1")})
    nest.git("add", "agents/box/alias")
    nest.passes(*COMMIT)


def test_link_as_memory(nest: Hooked) -> None:
    nest.commit({"projects/memory.md": memory(entry("gone.md"))})
    nest.stage(
        {
            "agents/box/b2/memory.md": Path("../../../projects/memory.md"),
            "agents/box/b2/notes.md": "no front matter\n",
        }
    )
    nest.passes(*COMMIT)
    assert "gone.md" in nest.read("projects/memory.md")


def test_memory_became_a_link(nest: Hooked) -> None:
    nest.stage({f"{OTHER}/memory.md": Path("../../../shared/memory.md")})
    nest.stops(*COMMIT, faults=[f"{OTHER}/memory.md broken-markers"])


def test_folder_of_topics_replaced_by_a_link_on_disk_alone(nest: Hooked) -> None:
    nest.commit({"shared/lamps/a.md": topic(), "shared/memory.md": _with_lamp(nest, HOSTS)})
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": _with_lamp(nest, HOSTS_GROWN)})
    shutil.rmtree(nest.path / "shared/lamps")
    (nest.path / "shared/lamps").symlink_to(nest.path / "queen")
    nest.passes(*COMMIT)


def _with_lamp(nest: Hooked, hosts: str) -> str:
    return nest.index(hosts, entry("lamps/a.md"), PORTS)


def test_nest_below_the_root_of_its_repository(empty_nest: Hooked) -> None:
    """Not supported by a hook that starts in the root; the command is judged where it starts."""
    nest = empty_nest
    nest.stage(
        {
            **{f"nest/{path}": text for path, text in RULES.items()},
            "nest/shared/memory.md": memory(),
            "nest/shared/hosts.md": topic(),
        }
    )
    done = nest.run("git", *COMMIT)
    assert done.code == 1
    assert "no nest here" in done.text
    done = nest.run(nest.commands[0], "--all", cwd="nest")
    assert done.code == 1
    assert "shared/memory.md" in done.out
