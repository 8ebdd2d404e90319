"""The pages agree with each other: links lead somewhere, both READMEs show the same."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.conftest import PROJECT

DOCS = PROJECT / "docs"
PAGES = [
    *sorted(PROJECT.glob("*.md")),
    *sorted(DOCS.glob("*.md")),
    PROJECT / "tests/calibrate/README.md",
]
SOURCES = sorted([*PROJECT.glob("nestwork_hooks/**/*.py"), *PROJECT.glob("tests/**/*.py")])

_FENCED = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"`[^`\n]*`")
_CITED = re.compile(r'docs/(\w+\.md), "([^"]+)"')


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _headings(page: Path) -> list[tuple[str, str]]:
    """Level, as its number signs, and text of each heading."""
    return _HEADING.findall(_FENCED.sub("", _text(page)))


def _anchors(page: Path) -> set[str]:
    """What GitHub makes of the headings."""
    lowered = (re.sub(r"[^\w\- ]", "", text.lower()) for _, text in _headings(page))
    return {text.replace(" ", "-") for text in lowered}


def _links(page: Path) -> list[str]:
    prose = _FENCED.sub("", _text(page))
    links: list[str] = _LINK.findall(re.sub(r"`([^`\n]*)`(?=\])", r"\1", prose))
    return [link for link in links if not link.startswith("https://")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in _links(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_a_page_of_docs_lists_its_sections(page: Path) -> None:
    sections = [text for level, text in _headings(page) if level == "##"]
    contents = _text(page).split("\n## ")[0]
    for section in sections:
        assert f"[{section}](#" in contents or f"[`{section}`](#" in contents, section


def test_both_readmes_have_the_same_sections_and_blocks() -> None:
    english, chinese = PROJECT / "README.md", PROJECT / "README.zh-CN.md"
    levels = [level for level, _ in _headings(english)]
    assert levels == [level for level, _ in _headings(chinese)]
    blocks = [match[0] for match in _FENCED.finditer(_text(english))]
    assert blocks == [match[0] for match in _FENCED.finditer(_text(chinese))]
    other_language = {"README.md", "README.zh-CN.md"}
    pages = [link for link in _links(english) if not link.startswith("#")]
    theirs = [link for link in _links(chinese) if not link.startswith("#")]
    assert [p for p in pages if p not in other_language] == [
        p for p in theirs if p not in other_language
    ]


def test_the_readme_is_short() -> None:
    assert len(_text(PROJECT / "README.md").splitlines()) <= 235


def test_what_the_code_cites_is_there() -> None:
    cited = {found for source in SOURCES for found in _CITED.findall(_text(source))}
    assert cited
    for page, section in cited:
        assert section in {text for _, text in _headings(DOCS / page)}, section


def _imports(source: Path) -> set[str]:
    """The floors of the package that a module imports from."""
    found = set()
    for node in ast.walk(ast.parse(_text(source))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("nestwork_hooks.")}
    return found


def test_the_floors_of_the_design_are_those_of_the_imports() -> None:
    package = PROJECT / "nestwork_hooks"
    floors: dict[str, set[str]] = {}
    for source in package.glob("**/*.py"):
        floor = source.relative_to(package).parts[0].removesuffix(".py")
        floors.setdefault(floor, set()).update(_imports(source) - {floor})
    del floors["__init__"]
    section = _text(DOCS / "design.md").split("\n## Floors\n")[1].split("\n## ")[0]
    said = {
        cells[0]: set(cells[1:])
        for line in section.splitlines()
        if line.startswith("| `") and (cells := re.findall(r"`(\w+)`", line))
    }
    assert said == floors
    seen: set[str] = set()
    for floor in reversed(list(said)):
        assert said[floor] <= seen, f"{floor} imports from a floor that is not below it"
        seen.add(floor)
