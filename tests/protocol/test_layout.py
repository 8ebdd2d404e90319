from __future__ import annotations

import pytest

from nestwork_hooks.protocol import layout

# path, its scope, the topic's name
PATHS = [
    ("shared/hosts.md", "shared", "hosts.md"),
    ("shared/tooling/mail.md", "shared", "tooling/mail.md"),
    ("shared/a/b/c.md", "shared", "a/b/c.md"),
    ("shared/memory.md", "shared", None),
    ("shared/resident.md", "shared", None),
    ("shared/tooling/memory.md", "shared", "tooling/memory.md"),
    ("shared/tooling/resident.md", "shared", "tooling/resident.md"),
    ("shared/local.md", "shared", "local.md"),
    ("shared/x.txt", "shared", None),
    ("shared/x.MD", "shared", None),
    ("shared/.md", "shared", None),
    ("shared/_draft.md", "shared", None),
    ("shared/_drafts/a.md", "shared", None),
    ("shared/a/.hidden/b.md", "shared", None),
    ("shared/a_b.c.md", "shared", "a_b.c.md"),
    ("agents/box/claude-a7k2/x.md", "agents/box/claude-a7k2", "x.md"),
    ("agents/_box/.id/x.md", "agents/_box/.id", "x.md"),
    ("agents/box/x.md", None, None),
    ("agents/x.md", None, None),
    ("shared.md", None, None),
    ("queen/agent-rules.md", None, None),
    ("projects/shared/x.md", None, None),
    ("sharedx/y.md", None, None),
]


@pytest.mark.parametrize(("path", "scope", "name"), PATHS)
def test_paths(path: str, scope: str | None, name: str | None) -> None:
    assert layout.scope_of(path) == scope
    assert layout.topic_name(path) == name


@pytest.mark.parametrize("folder", sorted(layout.RESERVED_FOLDERS))
def test_nothing_below_a_reserved_folder_is_a_topic(folder: str) -> None:
    assert layout.topic_name(f"shared/{folder}/a.md") is None
    assert layout.topic_name(f"agents/h/i/a/{folder}/b/c.md") is None
    assert layout.topic_name(f"shared/{folder}s/a.md") == f"{folder}s/a.md"


def test_the_reserved_folders() -> None:
    assert sorted(layout.RESERVED_FOLDERS) == [
        "archive", "carryover", "comms", "inbox", "local", "outbox",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("shared", True),
        ("agents/box/claude", True),
        ("agents/box", False),
        ("agents/box/claude/deeper", False),
        ("agents", False),
        ("queen", False),
        ("shared/x", False),
        (".", False),
        ("", False),
        ("agents//x", False),
    ],
)
def test_is_scope(folder: str, expected: bool) -> None:
    assert layout.is_scope(folder) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("queen/agent-rules.md", True),
        ("shared/resident.md", True),
        ("agents/box/claude/resident.md", True),
        ("agents/box/claude/x/resident.md", False),
        ("agents/box/resident.md", False),
        ("queen/resident.md", False),
        ("shared/tooling/resident.md", False),
    ],
)
def test_is_resident(path: str, expected: bool) -> None:
    assert layout.is_resident(path) is expected


def test_is_memory() -> None:
    assert layout.is_memory("shared/memory.md")
    assert layout.is_memory("agents/h/i/memory.md")
    assert not layout.is_memory("shared/x/memory.md")
    assert not layout.is_memory("memory.md")


@pytest.mark.parametrize(("name", "deep"), [("a.md", False), ("a/b.md", False), ("a/b/c.md", True)])
def test_is_too_deep(name: str, deep: bool) -> None:
    assert layout.is_too_deep(name) is deep


@pytest.mark.parametrize(
    ("path", "temporary"),
    [
        ("shared/.nestwork-fix-x1", True),
        (".nestwork-fix-", True),
        ("shared/.nestwork-fix-x1/a.md", False),
        ("shared/nestwork-fix-x1", False),
    ],
)
def test_is_temporary(path: str, temporary: bool) -> None:
    assert layout.is_temporary(path) is temporary


@pytest.mark.parametrize(
    ("path", "private"),
    [
        ("local/recent.md", True),
        ("local/a/b.md", True),
        ("agents/box/claude/local/history.jsonl", True),
        ("agents/box/claude/local/a/b", True),
        ("nestwork.config.json", True),
        ("comms/seen.txt", True),
        ("local", False),
        ("agents/box/claude/local", False),
        ("agents/box/claude/a/local/b.md", False),
        ("agents/box/local/x.md", False),
        ("agents/local/x/y.md", False),
        ("agents/local/local/y.md", False),
        ("shared/local/x.md", False),
        ("projects/local/x.md", False),
        ("locals/x.md", False),
        ("shared/nestwork.config.json", False),
        ("agents/box/claude/nestwork.config.json", False),
        ("comms/other.txt", False),
        ("agents/box/claude/comms/seen.txt", False),
    ],
)
def test_private_files(path: str, private: bool) -> None:
    assert layout.is_private(path) is private
