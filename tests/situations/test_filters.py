"""Blobs that are not what lies on disk: git-crypt, filters, Git LFS pointers."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.conftest import entry, memory, topic
from tests.situations.hooked import COMMIT, GROWN, OTHER, errors, said

if TYPE_CHECKING:
    from pathlib import Path

    from tests.situations.hooked import Hooked

needs_git_crypt = pytest.mark.skipif(
    not shutil.which("git-crypt"), reason="git-crypt is not installed (Debian: git-crypt)"
)
HOSTS, PORTS = entry("hosts.md"), entry("ports.md")
HOSTS_GROWN = entry("hosts.md", size="2.1")
LOCKED = ["queen/agent-rules.md", "shared/memory.md", f"{OTHER}/memory.md"]


@pytest.fixture
def unlocked(nest: Hooked) -> Hooked:
    """A nest whose Markdown git-crypt encrypts, unlocked here."""
    nest.git("crypt", "init")
    nest.write({".gitattributes": "*.md filter=git-crypt diff=git-crypt\n"})
    nest.git("rm", "-q", "-r", "--cached", ".")
    nest.commit()
    assert nest.run("git", "show", "HEAD:shared/hosts.md").out.startswith("\0GITCRYPT\0")
    return nest


@pytest.fixture
def locked(unlocked: Hooked, tmp_path: Path) -> Hooked:
    """A clone of it in which git-crypt was never unlocked."""
    unlocked.git("clone", "-q", str(unlocked.path), str(tmp_path / "locked"))
    clone = unlocked.at(tmp_path / "locked")
    clone.install()
    return clone


def _true_index(nest: Hooked, *lines: str) -> None:
    """The committed index as a checkout shows it."""
    assert nest.git("cat-file", "--filters", "HEAD:shared/memory.md") == nest.index(*lines)


@needs_git_crypt
def test_git_crypt_unlocked(unlocked: Hooked) -> None:
    unlocked.stage({"shared/hosts.md": GROWN})
    done = unlocked.stops(*COMMIT, stale=["shared"], mends=False)
    unlocked.paste(done)
    unlocked.passes(*COMMIT)
    _true_index(unlocked, HOSTS_GROWN, PORTS)


@needs_git_crypt
def test_git_crypt_unlocked_with_its_index(unlocked: Hooked) -> None:
    index = unlocked.index(HOSTS_GROWN, PORTS)
    unlocked.stage({"shared/hosts.md": GROWN, "shared/memory.md": index})
    unlocked.passes(*COMMIT)


@needs_git_crypt
def test_git_crypt_unlocked_and_partly_staged(unlocked: Hooked) -> None:
    unlocked.stage({"shared/hosts.md": GROWN})
    unlocked.write({"shared/hosts.md": GROWN * 3})
    done = unlocked.stops(*COMMIT, stale=["shared"], mends=False)
    unlocked.paste(done)
    unlocked.passes(*COMMIT)
    _true_index(unlocked, HOSTS_GROWN, PORTS)


@needs_git_crypt
def test_git_crypt_unlocked_with_commit_all(unlocked: Hooked) -> None:
    unlocked.write({"shared/hosts.md": GROWN})
    done = unlocked.stops(*COMMIT, "-a", stale=["shared"], mends=False)
    unlocked.paste(done)
    unlocked.passes(*COMMIT, "-a")
    _true_index(unlocked, HOSTS_GROWN, PORTS)


@needs_git_crypt
def test_git_crypt_unlocked_from_a_sub_folder(unlocked: Hooked) -> None:
    unlocked.stage({"shared/new.md": "no front matter\n"})
    faults = ["shared/new.md missing-description"]
    unlocked.stops(*COMMIT, faults=faults, cwd="shared")


@needs_git_crypt
def test_git_crypt_for_another_scope_alone(nest: Hooked) -> None:
    nest.git("crypt", "init")
    nest.write({".gitattributes": f"{OTHER}/** filter=git-crypt diff=git-crypt\n"})
    nest.git("rm", "-q", "-r", "--cached", ".")
    nest.commit()
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


@needs_git_crypt
def test_git_crypt_locked(locked: Hooked) -> None:
    """A new topic cannot be encrypted without the key, so something else is committed."""
    locked.write({"notes.txt": "x"})
    locked.git("add", "notes.txt")
    locked.passes(*COMMIT)


@needs_git_crypt
def test_git_crypt_locked_and_a_topic_deleted(locked: Hooked) -> None:
    locked.git("rm", "-q", "shared/hosts.md")
    done = locked.passes(*COMMIT)
    assert "shared/memory.md locked" in said(done, "warning"), done.text


@needs_git_crypt
def test_git_crypt_locked_in_a_run_over_everything(locked: Hooked) -> None:
    done = locked.run("nestwork-check", "--all")
    assert done.code == 1
    assert {f"{path} locked" for path in LOCKED} <= errors(done)
    done = locked.run("nestwork-check", "--all", "--allow-locked")
    assert errors(done) == set()
    fixed = locked.run("nestwork-fix-index", "--all")
    assert fixed.code == 1
    assert locked.git("status", "--porcelain") == ""


@needs_git_crypt
def test_git_crypt_locked_topics_beside_a_plain_memory(nest: Hooked, tmp_path: Path) -> None:
    nest.git("crypt", "init")
    nest.write({".gitattributes": "hosts.md filter=git-crypt diff=git-crypt\n"})
    nest.git("rm", "-q", "-r", "--cached", ".")
    nest.commit()
    nest.git("clone", "-q", str(nest.path), str(tmp_path / "locked"))
    clone = nest.at(tmp_path / "locked")
    clone.install()
    clone.write({"shared/ports.md": GROWN})
    clone.git("add", "shared/ports.md")
    done = clone.passes(*COMMIT)
    assert said(done, "warning") >= {"shared/hosts.md locked"}, done.text


def _filter(nest: Hooked, pattern: str, clean: str, smudge: str, required: str = "false") -> None:
    """Have a filter of the user's own turn what these files hold into what git holds."""
    nest.git("config", "filter.own.clean", clean)
    nest.git("config", "filter.own.smudge", smudge)
    nest.git("config", "filter.own.required", required)
    nest.write({".gitattributes": f"{pattern} filter=own\n"})
    nest.git("rm", "-q", "-r", "--cached", ".")
    nest.commit()


SWAP = "tr a-zA-Z n-za-mN-ZA-M"


def test_own_filter_on_a_topic(nest: Hooked) -> None:
    _filter(nest, "hosts.md", SWAP, SWAP)
    assert "qrfpevcgvba" in nest.git("show", "HEAD:shared/hosts.md")
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_own_filter_on_a_topic_with_its_index(nest: Hooked) -> None:
    _filter(nest, "hosts.md", SWAP, SWAP)
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.passes(*COMMIT)


def test_own_filter_on_a_whole_nest(nest: Hooked) -> None:
    _filter(nest, "*.md", SWAP, SWAP)
    nest.stage({"shared/hosts.md": GROWN})
    nest.paste(nest.stops(*COMMIT, stale=["shared"], mends=False))
    nest.passes(*COMMIT)
    _true_index(nest, HOSTS_GROWN, PORTS)


def test_own_filter_that_fails_on_a_topic(sound_nest: Hooked) -> None:
    _filter(sound_nest, "hosts.md", "cat", "false", "true")
    sound_nest.stage({"shared/hosts.md": GROWN})
    done = sound_nest.run(sound_nest.commands[0], "--staged", "shared")
    assert errors(done) == {"shared/hosts.md unreadable"}, done.text


def test_own_filter_that_fails_on_files_that_no_commit_touches(nest: Hooked) -> None:
    _filter(nest, f"{OTHER}/**", "cat", "false", "true")
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


def test_filter_that_only_an_attribute_names(nest: Hooked) -> None:
    nest.commit({".gitattributes": "*.md filter=elsewhere\n"})
    nest.stage({"shared/hosts.md": GROWN})
    nest.stops(*COMMIT, stale=["shared"])


POINTER = (
    "version https://git-lfs.github.com/spec/v1\n"
    "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
    "size 12345\n"
)


def test_lfs_pointer_in_place_of_a_topic(nest: Hooked) -> None:
    nest.stage({"shared/large.md": POINTER})
    nest.stops(*COMMIT, faults=["shared/large.md missing-description"])


def test_lfs_pointer_in_place_of_a_topic_nobody_touches(nest: Hooked) -> None:
    nest.commit({"shared/large.md": POINTER})
    index = nest.index(HOSTS_GROWN, PORTS)
    nest.stage({"shared/hosts.md": GROWN, "shared/memory.md": index})
    nest.passes(*COMMIT)


def test_working_tree_encoding(nest: Hooked) -> None:
    """Git holds UTF-8 and passes; a runner's hook reads the disk, which no agent could either."""
    nest.commit({".gitattributes": "utf16.md text working-tree-encoding=UTF-16LE\n"})
    index = nest.index(HOSTS, PORTS, entry("utf16.md"))
    nest.stage({"shared/utf16.md": topic().encode("utf-16-le"), "shared/memory.md": index})
    done = nest.run("git", *COMMIT)
    assert (done.code == 0) == nest.plain, done.text


def test_keyword_expansion(nest: Hooked) -> None:
    """`ident` makes the disk larger than the blob; both are read as the same description."""
    nest.commit({".gitattributes": "ident.md ident\n"})
    text = topic(body="$Id$\n")
    nest.stage(
        {"shared/ident.md": text, "shared/memory.md": nest.index(HOSTS, entry("ident.md"), PORTS)}
    )
    nest.passes(*COMMIT)


def test_index_file_kept_by_a_memory_with_markers_in_a_fence(nest: Hooked) -> None:
    nest.stage({"agents/box/b2/memory.md": f"```\n{memory()}```\n", "agents/box/b2/x.md": "x\n"})
    nest.passes(*COMMIT)
