"""docs/rules.md as data: what the page says of each rule, and its examples as files."""

from __future__ import annotations

import re
from typing import NamedTuple

from nestwork_hooks.console import explain
from tests.conftest import PROJECT, Files

PAGE = PROJECT / "docs/rules.md"
LABELS = ["What it protects", "Level", "Bad", "Good", "How to mend", "Switch off"]

_LABEL = re.compile(r"^\*\*([^*]+)\.\*\* ", re.MULTILINE)
_FILE = re.compile(r"`([^`\n]+)`:\n\n```markdown\n(.*?)```", re.DOTALL)
_OUTPUT = re.compile(r"```text\n(.*?)```", re.DOTALL)


class Rule(NamedTuple):
    """One section of the page: the paragraphs by their labels, in order."""

    name: str
    parts: dict[str, str]

    def files(self, label: str) -> Files:
        """The files that an example shows."""
        return dict(_FILE.findall(self.parts[label]))

    def output(self) -> list[str]:
        """What the checks print for the bad example."""
        return [line for text in _OUTPUT.findall(self.parts["Bad"]) for line in text.splitlines()]


def rules() -> list[Rule]:
    """Every rule, in the page's order."""
    sections = explain.sections(PAGE.read_text(encoding="utf-8"))
    return [_rule(name, text) for name, text in sections.items()]


def _rule(name: str, text: str) -> Rule:
    _, *parts = _LABEL.split(text)
    return Rule(name, dict(zip(parts[::2], parts[1::2], strict=True)))
