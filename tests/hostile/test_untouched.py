"""A check changes nothing, and the fixer nothing but the memory.md that it names."""

from __future__ import annotations

import os
import time

import pytest

from tests.conftest import BIN, MARKERS, RULES, Repo, topic

CHECKS = sorted({path.name for path in BIN.glob("nestwork-*")} - {"nestwork-commit"})


def _state(repo: Repo) -> dict[str, tuple[int, int, int]]:
    found = {}
    for folder, _, names in os.walk(repo.path):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            status = os.lstat(path)
            found[os.path.relpath(path, repo.path)] = (
                status.st_ino,
                status.st_mtime_ns,
                status.st_mode,
            )
    return found


@pytest.mark.quick(12)
@pytest.mark.parametrize("command", CHECKS)
@pytest.mark.parametrize("args", [(), ("--all",), ("--staged",)], ids=" ".join)
def test_only_the_fixer_writes_and_only_its_files(
    repo: Repo, command: str, args: tuple[str, ...]
) -> None:
    """Files whose times differ from what git has noted would make git note them anew."""
    repo.commit({**RULES, "shared/memory.md": MARKERS, "shared/a.md": topic(), "shared/e.md": ""})
    repo.write({"shared/u.md": topic(), "shared/a.md": topic("Changed"), "shared/.gitignore": "x"})
    for path in repo.path.glob("*/*.md"):
        os.utime(path, (time.time() + 5,) * 2)
    before = _state(repo)
    done = repo.call(command, *args)
    after = _state(repo)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    wrote = "rewrote" in done.out
    assert wrote == (command == "nestwork-fix-index")
    assert changed == ({"shared", "shared/memory.md"} if wrote else set())


def test_a_partial_clone_fetches_nothing(repo: Repo) -> None:
    """A git that would fetch is told not to, in the words of git 2.44 and newer."""
    repo.commit({**RULES, "shared/memory.md": MARKERS, "shared/a.md": topic()})
    (repo.path / "bin").mkdir()
    git = repo.path / "bin/git"
    checked = '[ "$GIT_NO_LAZY_FETCH" = 1 ] || echo "$@" >>fetches'
    git.write_text(f'#!/bin/sh\n{checked}\nPATH="{repo.env["PATH"]}" exec git "$@"\n')
    git.chmod(0o755)
    done = repo.call("nestwork-check", "--all", PATH=f"{git.parent}:{repo.env['PATH']}")
    assert done.code == 1
    assert not (repo.path / "fetches").exists()
