"""Nests of three sizes, built the same every time: small, the author's shape, large."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.conftest import MARKERS

_LINE = "- One fact a line, as a memory has them: a path, a port, or what broke and why.\n"


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
    return head + _LINE * ((size - len(head)) // len(_LINE))


def build(root: Path, shape: Shape) -> None:
    """Make a committed nest with true indexes at `root`, and stage one changed topic."""
    _write(root, "queen/agent-rules.md", "# Rules\n\n" + _LINE * 40)
    _write(root, "shared/resident.md", "# Resident\n\n" + _LINE * 40)
    for scope in scopes(shape.scopes):
        _write(root, f"{scope}/memory.md", MARKERS)
        for number in range(shape.topics):
            _write(root, f"{scope}/subject-{number:03}.md", topic(number, shape.size))
    commit(root)
    _write(root, "shared/subject-001.md", topic(1, shape.size) + _LINE * 20)
    _index(root)


def commit(root: Path) -> None:
    """Make a repository of `root`, and commit all that is there with true indexes."""
    _git(root, "init", "-q")
    _git(root, "config", "user.name", "bench")
    _git(root, "config", "user.email", "bench@example.org")
    _index(root)
    _git(root, "commit", "-q", "-m", "nest")


def _index(root: Path) -> None:
    _git(root, "add", "-A")
    fixer = [sys.executable, "-m", "nestwork_hooks.commands.fix_index", "--all"]
    subprocess.run(fixer, cwd=root, check=False, capture_output=True)
    _git(root, "add", "-A")


def _write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _git(root: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=root, env=os.environ, check=True, capture_output=True)
