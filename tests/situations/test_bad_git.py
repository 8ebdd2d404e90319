"""A git or a repository that is not in order: one clear line, and nothing written."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.conftest import RULES, entry, memory, topic
from tests.situations.hooked import COMMANDS, GROWN, errors, written

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Repo

GIT = shutil.which("git")


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest) -> str:
    """A command of ours, called by hand."""
    return str(request.param)


@pytest.fixture
def nest(repo: Repo) -> Repo:
    """A sound nest without a hook."""
    repo.commit(
        {
            **RULES,
            "shared/memory.md": memory(entry("hosts.md", "Hosts"), entry("ports.md")),
            "shared/hosts.md": topic("Hosts"),
            "shared/ports.md": topic(),
        }
    )
    return repo


def _files(nest: Repo) -> dict[str, bytes]:
    """Every file of the working tree."""
    files = (path for path in nest.path.rglob("*.md") if path.is_file())
    return {str(path): path.read_bytes() for path in files}


def _refuses(nest: Repo, command: str, *args: str, **env: str) -> str:
    """The one line that the command says before it exits with 2, nothing written."""
    before = _files(nest)
    done = nest.call(command, *args, **env)
    assert (done.code, done.out) == (2, ""), done.text
    assert done.err.startswith(f"{command}: ")
    assert done.err.count("\n") == 1
    assert _files(nest) == before
    return done.err


def _with_git(nest: Repo, tmp_path: Path, script: str) -> dict[str, str]:
    """An environment in which `git` is this script; `$real` in it is the real one."""
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(f"#!/bin/sh\nreal={GIT}\n{script}\n")
    fake.chmod(0o755)
    return {"PATH": f"{fake.parent}{os.pathsep}{nest.env['PATH']}"}


def test_git_that_is_too_old(nest: Repo, tmp_path: Path, command: str) -> None:
    script = (
        'if [ "$1" = --version ]; then echo git version 2.11.0; exit; fi\n'
        'echo "Unknown option: $1" >&2; echo "usage: git ..." >&2; exit 129'
    )
    said = _refuses(nest, command, **_with_git(nest, tmp_path, script))
    assert said == f"{command}: git 2.11.0 is too old: 2.20 or newer is needed\n"


def test_git_that_is_new_and_refuses_an_option(nest: Repo, tmp_path: Path, command: str) -> None:
    script = (
        'if [ "$1" = --version ]; then echo git version 3.1.0.rc1; exit; fi\n'
        'echo "error: unknown option" >&2; exit 129'
    )
    said = _refuses(nest, command, **_with_git(nest, tmp_path, script))
    assert said == f"{command}: error: unknown option\n"


def test_git_that_is_not_there(nest: Repo, tmp_path: Path, command: str) -> None:
    found = shutil.which(command, path=nest.env["PATH"])
    assert found
    done = subprocess.run(
        [found],
        cwd=nest.path,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    words = f"{command}: cannot run git: No such file or directory\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", words)


def test_git_that_ends_too_early(nest: Repo, tmp_path: Path, command: str) -> None:
    script = 'case "$*" in *cat-file*) exit 1;; esac\nexec "$real" "$@"'
    env = _with_git(nest, tmp_path, script)
    assert "git cat-file ended" in _refuses(nest, command, "--staged", "shared", **env)


def test_git_that_fails_without_a_word(nest: Repo, tmp_path: Path, command: str) -> None:
    env = _with_git(nest, tmp_path, "exit 3")
    assert "failed with code 3" in _refuses(nest, command, **env)


@pytest.mark.parametrize("content", [b"garbage, not an index", b""])
def test_corrupt_index_file(nest: Repo, command: str, content: bytes) -> None:
    (nest.path / ".git/index").write_bytes(content)
    assert "index" in _refuses(nest, command)


def test_corrupt_branch(nest: Repo, command: str) -> None:
    """git takes it for a branch without a commit, so all that is staged is judged."""
    nest.commit({"shared/hosts.md": GROWN})
    (nest.path / ".git/refs/heads/main").write_text("garbage\n")
    done = nest.run(command)
    assert done.code == 1, done.text
    assert "shared/memory.md" in done.out


def test_index_of_a_newer_git(nest: Repo, command: str) -> None:
    (nest.path / ".git/index").write_bytes(b"DIRC\0\0\0\x09" + b"\0" * 40)
    assert "index" in _refuses(nest, command)


def test_folder_of_git_itself(nest: Repo, command: str) -> None:
    done = nest.call(command, cwd=".git")
    assert done.code == 2
    assert "working tree" in done.err


def test_bare_repository(nest: Repo, tmp_path: Path, command: str) -> None:
    nest.git("clone", "-q", "--bare", str(nest.path), str(tmp_path / "bare.git"))
    done = nest.call(command, cwd=str(tmp_path / "bare.git"))
    assert done.code == 2
    assert "working tree" in done.err


def test_lock_held_by_another_process(nest: Repo, command: str) -> None:
    """Nothing is staged by us, so nobody's lock is in the way."""
    nest.commit({"shared/hosts.md": GROWN})
    (nest.path / ".git/index.lock").touch()
    done = nest.run(command)
    assert done.code == 1
    assert (errors(done) | written(done)) <= {"shared/memory.md stale-index", "shared/memory.md"}


def _blob(nest: Repo, path: str) -> Path:
    name = nest.git("rev-parse", f":{path}").strip()
    return nest.path / ".git/objects" / name[:2] / name[2:]


def test_blob_that_is_missing(nest: Repo, command: str) -> None:
    _blob(nest, "shared/hosts.md").unlink()
    done = nest.call(command, "--staged", "shared")
    assert done.code == 1
    assert errors(done) == {"shared/hosts.md unreadable"}, done.text
    assert written(done) == set()


def test_blob_that_is_corrupt(nest: Repo, command: str) -> None:
    blob = _blob(nest, "shared/hosts.md")
    blob.chmod(0o644)
    blob.write_bytes(b"garbage")
    before = _files(nest)
    done = nest.call(command, "--staged", "shared")
    assert done.code in (1, 2), done.text
    assert "traceback" not in done.text.lower()
    assert _files(nest) == before


def _vanishing(nest: Repo, tmp_path: Path, name: str) -> dict[str, str]:
    """An environment in which a file or folder is gone as soon as git has listed it."""
    script = f'"$real" "$@"; code=$?\ncase "$*" in *ls-files*) rm -rf {name};; esac\nexit $code'
    return _with_git(nest, tmp_path, script)


def test_topic_that_vanishes_while_it_is_judged(nest: Repo, tmp_path: Path, command: str) -> None:
    done = nest.call(command, "shared", **_vanishing(nest, tmp_path, "shared/hosts.md"))
    assert done.code == 1
    assert "a line for hosts.md, which is gone" in done.out


@pytest.mark.parametrize("name", ["shared/memory.md", "shared"])
def test_memory_that_vanishes_while_it_is_judged(
    nest: Repo, tmp_path: Path, command: str, name: str
) -> None:
    done = nest.call(command, "shared", **_vanishing(nest, tmp_path, name))
    assert "internal error" not in done.text
    assert not (nest.path / "shared/memory.md").exists()


def test_memory_that_vanishes_before_it_is_written(nest: Repo, tmp_path: Path) -> None:
    nest.commit({"shared/hosts.md": GROWN})
    env = _vanishing(nest, tmp_path, "shared/memory.md")
    done = nest.run("nestwork-fix-index", "--staged", "shared", **env)
    assert done.code == 2, done.text
    assert "shared/memory.md: not rewritten: No such file or directory" in done.err
    assert not (nest.path / "shared/memory.md").exists()
