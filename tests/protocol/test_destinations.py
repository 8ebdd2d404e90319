"""Where a link leads, and how one is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.protocol.destinations import (
    destination,
    is_name,
    link_to,
    mentions,
    with_scheme,
)

OF = "shared/tools/git.md"
# target in shared/tools/git.md, the path that it leads to, its anchor
PATHS = [
    ("hooks.md", "shared/tools/hooks.md", ""),
    ("./hooks.md#Use", "shared/tools/hooks.md", "Use"),
    ("../hosts.md?plain=1#L4", "shared/hosts.md", "L4"),
    ("../../queen//agent-rules.md", "queen/agent-rules.md", ""),
    ("../../../README.md", "../README.md", ""),
    ("../", "shared", ""),
    ("../..", "", ""),
    ("My%20hosts.md", "shared/tools/My hosts.md", ""),
    ("%E6%9C%BA.md#%E8%AE%BE", "shared/tools/机.md", "设"),
    ("caf%E9.md", "shared/tools/caf\udce9.md", ""),
    ("100%.md", "shared/tools/100%.md", ""),
    ("#use", OF, "use"),
    ("a:b/c.md", None, ""),
    ("https://example.org/x.md", None, ""),
    ("mailto:a@example.org", None, ""),
    ("C:\\notes\\x.md", None, ""),
    ("/etc/hosts", None, ""),
    ("//example.org/x", None, ""),
    ("~/notes.md", None, ""),
    ("?query", None, ""),
    ("", None, ""),
    ("...", None, ""),
    ("{{ page.url }}", None, ""),
    ("{topic}.md", None, ""),
    ("$(pwd)/x.md", None, ""),
    ("<name>.md", None, ""),
    ("../../../../issues", None, ""),
    ("../../../../../owner/name/pulls/4", None, ""),
]


@pytest.mark.parametrize(("target", "path", "anchor"), PATHS)
def test_destination(target: str, path: str | None, anchor: str) -> None:
    found = destination(target, OF)
    assert (found and (found.path, found.anchor)) == (None if path is None else (path, anchor))


def test_what_a_name_may_be_meant_for() -> None:
    for target, path in (
        ("C#.md", "C#.md"),
        ("why?.md", "why?.md"),
        ("a%20b.md", "a%20b.md"),
        ("setup.py:12", "setup.py"),
    ):
        found = destination(f"../{target}", OF)
        assert found
        assert f"shared/{path}" in found.others


@pytest.mark.parametrize(
    ("anchor", "is_line"),
    [("", True), ("top", True), ("L12-L20", True), (":~:text=x", True), ("Line", False)],
)
def test_anchors_of_no_heading(anchor: str, is_line: bool) -> None:
    found = destination(f"x.md#{anchor}", OF)
    assert found
    assert found.is_line == is_line


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("shared/tools/hooks.md", "hooks.md"),
        ("shared/hosts.md", "../hosts.md"),
        ("agents/box/a/memory.md", "../../agents/box/a/memory.md"),
        ("shared/tools", "../tools"),
        ("shared/tools/a (b) 100%#?.md", "a%20%28b%29%20100%25%23%3F.md"),
    ],
)
def test_link_to(path: str, link: str) -> None:
    assert link_to(path, OF) == link


_PART = st.text("ab%#?() é.", min_size=1, max_size=4).filter(lambda part: part.strip("."))


@given(st.lists(_PART, min_size=1, max_size=4), st.lists(_PART, min_size=1, max_size=4))
def test_every_file_can_be_linked_to(path: list[str], of: list[str]) -> None:
    found = destination(f"./{link_to('/'.join(path), '/'.join(of))}", "/".join(of))
    assert found
    assert found.path == "/".join(path)


NAMES = ["hosts", "tools/git", "Über uns", "机器", "v1.2 notes", "git.md", "a_b"]
NO_NAMES = [
    "", "1", "0, 1", "1.5", "$x == 1", ' -f "x" ', ":space:", "nodiscard", "x = 1", "-z x", " a -lt b ", "2026-09-27", "a;b", "tool.uv.index", "map.png",
]  # fmt: skip


@pytest.mark.parametrize("text", [*NAMES, *NO_NAMES])
def test_what_is_a_name(text: str) -> None:
    assert is_name(text) == (text in NAMES)


def test_a_url_without_its_scheme() -> None:
    assert with_scheme("example.org/a") == "https://example.org/a"
    assert with_scheme("me@example.org") == "mailto:me@example.org"
    assert with_scheme("./@scope/x.ts") == with_scheme("notes.md") == ""


def test_a_text_mentions_a_name_however_it_is_spelt() -> None:
    assert mentions("[a](My%20Ports.md)", {"my ports"})
    assert mentions("[a](my\\_ports.md)", {"my_ports"})
    assert not mentions("[a](hosts.md)", {"ports"})
