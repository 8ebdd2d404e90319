"""What a command left behind: every file, and what git knows, as texts by name."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path

State = dict[str, str]
# Larger files, and those that no command writes, are compared by their digests.
_LONGEST = 200_000
_GIT = (
    ["ls-files", "-s", "-v", "-z"],
    ["status", "--porcelain=v2", "--untracked-files=no", "-z"],
    ["log", "-g", "-5", "--format=%T %an %ad %gs%n%B"],
)
# What differs only where a commit does, or by the time of day.
_DERIVED = re.compile(r"\.git/(.*/)?((objects|logs)/|sharedindex\.)")


def state_of(case: Path, env: dict[str, str]) -> State:
    """The files of a case's folder and, where it has a nest, its staging area and history."""
    state: State = {}
    for folder, folders, files in os.walk(case):
        below = os.path.relpath(folder, case)
        for name in [*files, *(name for name in folders if os.path.islink(_join(folder, name)))]:
            path = os.path.normpath(_join(below, name))
            if not _DERIVED.search(path):
                state[f"files {path}"] = _content(_join(folder, name), path)
    for words in _GIT if (case / "nest" / ".git").exists() else ():
        state[f"git {words[0]}"] = _git(case / "nest", words, env)
    return state


def _join(folder: str, name: str) -> str:
    return os.path.join(folder, name)


def _content(file: str, path: str) -> str:
    if os.path.islink(file):
        return f"link to {os.readlink(file)}"
    with open(file, "rb") as opened:
        data = opened.read()
    mode = f"{os.stat(file).st_mode & 0o777:o} "
    if data.startswith(b"DIRC"):  # An index file of git, which holds times and inode numbers.
        return f"{mode}index of {int.from_bytes(data[8:12], 'big')} entries"
    if len(data) > _LONGEST or not path.endswith(("memory.md", ".svg", "HEAD")):
        return mode + hashlib.sha256(data).hexdigest()
    return mode + data.decode("utf-8", "backslashreplace")


def _git(nest: Path, words: list[str], env: dict[str, str]) -> str:
    done = subprocess.run(
        ["git", *words],
        cwd=nest,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    said = done.stdout or b"%d %s" % (done.returncode, done.stderr)
    return said.replace(b"\0", b"\n").decode("utf-8", "backslashreplace")
