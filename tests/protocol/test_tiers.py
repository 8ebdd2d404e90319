"""What is read when: the rows of a cost report, path by path."""

from __future__ import annotations

import pytest

from nestwork_hooks.protocol.tiers import Tiers, median

AGENT = "agents/box/claude-a7k2"
OPTED_IN = {"shared", AGENT}
# Each path, and the rows that it is in: f(ull start), r(esident start), w(hole nest).
PATHS = {
    "queen/agent-rules.md": "f r w",
    "queen/strategy.md": "f w",
    "queen/limits.md": "w",
    "queen/notes.txt": "",
    "workflow/release.md": "f w",
    "workflow/old/release.md": "w",
    "workflow/archive/release.md": "",
    "projects/nest.md": "w",
    "README.md": "",
    "docs/nest.md": "",
    "local/recent.md": "r",
    "local/other.md": "",
    "shared/memory.md": "f w",
    "shared/resident.md": "r w",
    "shared/hosts.md": "f w",
    "shared/hosts/resident.md": "f w",
    "shared/hosts/memory.md": "f w",
    "shared/a/b/c.md": "f w",
    "shared/inbox/a.md": "f w",
    "shared/carryover/a.md": "f w",
    "shared/outbox/a.md": "",
    "shared/a/local/b.md": "",
    "shared/comms/a.md": "",
    "shared/archive/2025/a.md": "",
    "shared/archive.md": "f w",
    "shared/_drafts/a.md": "w",
    "shared/.trash/a.md": "w",
    "shared/_a.md": "w",
    "shared/.git/a.md": "",
    "shared/hosts.MD": "",
    f"{AGENT}/memory.md": "f w",
    f"{AGENT}/resident.md": "r w",
    f"{AGENT}/notes/tools.md": "f w",
    f"{AGENT}/outbox/a.md": "",
    "agents/box/codex/memory.md": "w",
    "agents/box/codex/resident.md": "w",
    "agents/box/notes.md": "w",
    "agents/README.md": "w",
}


@pytest.mark.parametrize(("path", "rows"), PATHS.items())
def test_rows_of_a_path(path: str, rows: str) -> None:
    tiers = Tiers(PATHS, OPTED_IN)
    found = {
        "f": tiers.full_start(AGENT),
        "r": tiers.resident_start(AGENT),
        "w": tiers.whole_nest(),
    }
    assert " ".join(row for row, paths in found.items() if path in paths) == rows


def test_no_file_twice() -> None:
    tiers = Tiers(PATHS, OPTED_IN)
    for paths in (tiers.full_start(AGENT), tiers.whole_nest(), tiers.task(AGENT, ["README.md"])):
        assert len(paths) == len(set(paths))


def test_without_topics_only_memory_is_loaded() -> None:
    assert Tiers(PATHS, ()).full_start(AGENT) == [
        "queen/agent-rules.md",
        "queen/strategy.md",
        "workflow/release.md",
        "shared/memory.md",
        f"{AGENT}/memory.md",
    ]


def test_no_agent() -> None:
    tiers = Tiers(PATHS, ())
    assert f"{AGENT}/memory.md" not in tiers.full_start(None)
    assert tiers.resident_start(None) == [
        "queen/agent-rules.md",
        "shared/resident.md",
        "local/recent.md",
    ]


def test_task() -> None:
    resident = ["queen/agent-rules.md", "shared/resident.md", f"{AGENT}/resident.md"]
    paths = [*resident, "shared/memory.md", "shared/hosts.md"]
    opened = ["shared/hosts.md", "shared/resident.md", "shared/hosts.md"]
    assert Tiers(paths, {"shared"}).task(AGENT, opened) == [
        *resident,
        "shared/memory.md",
        "shared/hosts.md",
    ]
    assert Tiers(paths, ()).task(AGENT, ()) == resident


def test_agents_are_those_with_a_markdown_file() -> None:
    paths = [*PATHS, "agents/box/gemini/tool.json"]
    assert Tiers(paths, ()).agents() == ["agents/box/claude-a7k2", "agents/box/codex"]


def test_topics_are_those_that_an_index_can_list() -> None:
    assert Tiers(PATHS, OPTED_IN).topics("shared") == [
        "shared/archive.md",
        "shared/hosts.md",
        "shared/hosts/memory.md",
        "shared/hosts/resident.md",
    ]
    assert Tiers(PATHS, ()).topics("shared") == []
    assert Tiers(PATHS, {"agents/a/b"}).topics("agents/a/b") == []


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ({}, None),
        ({"a": 1}, "a"),
        ({"a": 9, "b": 1}, "a"),
        ({"a": 9, "b": 1, "c": 5}, "c"),
        ({"a": 1, "b": 2, "c": 3, "d": 4}, "c"),
        ({"c": 7, "b": 7, "a": 7}, "b"),
    ],
)
def test_median(sizes: dict[str, int], expected: str | None) -> None:
    assert median(sizes) == expected
