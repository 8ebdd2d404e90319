"""Nests of any size, built the same every time: small, the author's shape, large."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.conftest import MARKERS

LINE = "- One fact a line, as a memory has them: a path, a port, or what broke and why.\n"


class Shape(NamedTuple):
    """How many scopes a nest has, how many topics each, and of how many bytes."""

    scopes: int
    topics: int
    size: int


SHAPES = {
    "small": Shape(1, 10, 3_000),
    "author": Shape(15, 12, 6_600),
    "large": Shape(31, 161, 6_400),
}


def scopes(count: int) -> list[str]:
    """The first scopes of a nest: `shared`, then agents spread over ten machines."""
    agents = [f"agents/box-{number % 10}/agent-{number}" for number in range(count - 1)]
    return ["shared", *agents]


def topic(number: int, size: int) -> str:
    """A sound topic of about `size` bytes."""
    described = f"Subject {number} of many; read before touching what it is about"
    head = f"---\ndescription: {described}\nupdated: 2026-09-27\n---\n\n# Subject {number}\n\n"
    return head + LINE * ((size - len(head)) // len(LINE))


def build(root: Path, shape: Shape) -> None:
    """Make a committed nest with true indexes at `root`, and stage one changed topic."""
    write(root, "queen/agent-rules.md", "# Rules\n\n" + LINE * 40)
    write(root, "shared/resident.md", "# Resident\n\n" + LINE * 40)
    for scope in scopes(shape.scopes):
        write(root, f"{scope}/memory.md", MARKERS)
        for number in range(shape.topics):
            write(root, f"{scope}/subject-{number:03}.md", topic(number, shape.size))
    commit(root)
    write(root, "shared/subject-001.md", topic(1, shape.size) + LINE * 20)
    _index(root, "shared")


def commit(root: Path) -> None:
    """Make a repository of `root`, and commit all that is there with true indexes."""
    git(root, "init", "-q")
    git(root, "config", "user.name", "bench")
    git(root, "config", "user.email", "bench@example.org")
    _index(root)
    git(root, "commit", "-q", "-m", "nest")


def _index(root: Path, folder: str = ".") -> None:
    """Stage a folder with true indexes; git keeps what it knows of the trees of others."""
    git(root, "add", folder)
    fixer = [sys.executable, "-m", "nestwork_hooks.commands.fix_index", "--all"]
    subprocess.run(fixer, cwd=root, check=False, capture_output=True)
    git(root, "add", folder)


def write(root: Path, name: str, text: str) -> None:
    """Make a file below `root`, and its folders."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def git(root: Path, *args: str) -> None:
    """Run git in `root`. Raises CalledProcessError where it fails."""
    subprocess.run(["git", *args], cwd=root, env=os.environ, check=True, capture_output=True)
