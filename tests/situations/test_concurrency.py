"""Agents that commit at the same time: nobody's commit is judged by what another one does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.conftest import entry, memory, topic
from tests.situations.hooked import COMMIT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.situations.hooked import Hooked

ROUNDS = 5


def _write_memories(worktree: Hooked, scope: str) -> None:
    """Commit topic after topic, each time once without and once with its index."""
    for number in range(ROUNDS):
        worktree.stage({f"{scope}/t{number}.md": topic(), "notes.txt": f"{scope} {number}\n"})
        worktree.stops(*COMMIT, stale=[scope])


@pytest.mark.slow
@pytest.mark.parametrize("scopes", [("agents/box/c1", "agents/box/c2"), ("shared", "shared")])
def test_two_linked_worktrees(nest: Hooked, tmp_path: Path, scopes: tuple[str, str]) -> None:
    nest.commit({f"{scope}/memory.md": memory() for scope in scopes if scope != "shared"})
    worktrees = []
    for name in ("first", "second"):
        nest.git("worktree", "add", "-q", "-b", name, str(tmp_path / name))
        worktrees.append(nest.at(tmp_path / name))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(_write_memories, worktrees, scopes))


def test_two_agents_in_one_clone(nest: Hooked) -> None:
    """The second one's staged topic, at fault, is no matter of the first one's partial commit."""
    nest.commit({"agents/box/c1/memory.md": memory(), "agents/box/c2/memory.md": memory()})
    nest.stage({"agents/box/c2/half.md": "no front matter\n"})
    nest.write({"agents/box/c1/a.md": topic(), "agents/box/c1/memory.md": memory(entry("a.md"))})
    nest.git("add", "agents/box/c1/")
    nest.write({"agents/box/c2/half.md": "no front matter, and more\n"})
    nest.passes(*COMMIT, "--", "agents/box/c1/")
    assert nest.read("agents/box/c2/half.md") == "no front matter, and more\n"
