"""docs/protocol.md: its numbers, its index and its two readers are those of the code."""

from __future__ import annotations

import re

import pytest

from nestwork_hooks.protocol import index, layout, line_reader, resident, tiers, topic, yaml_reader
from tests import laws
from tests.conftest import BEGIN, END, NOTE, PROJECT

PAGE = (PROJECT / "docs/protocol.md").read_text(encoding="utf-8")


def _section(name: str) -> str:
    found = re.split(r"^##+ (.+)\n", PAGE, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))[name]


def _readings() -> list[tuple[str, str, str]]:
    """Rows of the table that show a whole line: the line, what YAML and the line reader read."""
    row = re.compile(r"^\| `(description: [^|]+)` \| (.+?) \| (.+?) \|$", re.MULTILINE)
    found = row.findall(_section("The two readers"))
    return [(line, yaml, ours) for line, yaml, ours in found if "`" not in line]


@pytest.mark.parametrize(("line", "yaml", "ours"), _readings())
def test_a_line_that_both_read(line: str, yaml: str, ours: str) -> None:
    source = f"{line}\nupdated: 2026-10-04"
    whole = line.removeprefix("description: ")
    head = line_reader.Head(f"---\n{source}\n---\n")
    read = (yaml_reader.Reading(head.text).keys or {}).get("description")
    said = "a list" if isinstance(read, list) else f"`{read}`" if read else "not valid"
    assert said == yaml
    shown = head.fields["description"]
    assert ("the whole text" if shown == whole else f"`{shown}`") == ours


def test_there_are_lines_that_both_read() -> None:
    assert len(_readings()) == 8


def test_the_index() -> None:
    lines = re.findall(r"^\d\. (?:`(.*?)`|an empty line|one entry.*`(.*?)`.*)$", PAGE, re.MULTILINE)
    assert [first or other for first, other in lines] == index.render([]).split("\n")
    assert f"```\n{BEGIN}\n{END}\n```" in _section("Markers")
    assert NOTE in _section("Format")
    fields = {"description": "DESCRIPTION", "updated": "UPDATED"}
    for keys in (fields, {"description": "DESCRIPTION"}):
        entry = index.entry(topic.Topic("NAME", 1024, laws.head_with(keys)))
        assert f"```\n{entry.replace('1.0', 'SIZE')}\n```" in _section("Format")


def test_the_limits() -> None:
    limits = _section("Limits")
    assert f"| a topic | {topic.MAX_BYTES:,} bytes | error |" in limits
    assert f"| a topic | {topic.WARN_BYTES:,} bytes | warning |" in limits
    assert f"| a description | {topic.MAX_DESCRIPTION} characters (code points) |" in limits
    assert f"| an index with its markers | {index.MAX_BYTES:,} bytes | warning |" in limits


def test_the_budgets() -> None:
    budgets = resident.Budgets()
    section = _section("Resident files")
    for path, needed in ((layout.RULES, "yes"), (layout.SHARED_RESIDENT, "no")):
        assert f"| `{path}` | {needed} | {budgets.of(path):,} |" in section
    assert f"resident.md` | no | {budgets.agent:,} |" in section
    assert f"| {budgets.start:,} |" in section
    assert f"`{tiers.RECENT}`" in section
    assert f"{tiers.RECENT_BYTES:,} bytes" in section
    assert f"{budgets.start + tiers.RECENT_BYTES:,}" in section


def test_the_reserved_folders() -> None:
    assert set(re.findall(r"`(\w+)`", _section("Reserved folders"))) == layout.RESERVED_FOLDERS
