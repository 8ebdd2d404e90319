"""docs/rules.md: every rule in one layout, and examples that the checks judge as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from nestwork_hooks.commands import commit_msg
from nestwork_hooks.commands.catalog import every
from nestwork_hooks.console.report import WAITING
from nestwork_hooks.nest.checker import READING
from tests import rules_page
from tests.conftest import MARKERS, PROJECT, RULES, Files, Repo, Run, entry, memory, topic
from tests.rules_page import Rule

CHECKERS = every()

PAGE = rules_page.rules()
RESIDENT = "agents/box/claude-a7k2/resident.md"
MANY = [f"topic-{number:02}.md" for number in range(90)]
# The bad and the good example of a rule whose files the page does not show in full.
TOO_LONG_TO_SHOW: dict[str, tuple[Files, Files]] = {
    "large-index": (
        {
            "shared/memory.md": memory(*map(entry, MANY)),
            **{
                f"shared/{name}": topic("One of many; read before you touch its machine")
                for name in MANY
            },
        },
        {"shared/hosts.md": topic()},
    ),
    "long-description": ({"shared/hosts.md": topic("x" * 400)}, {}),
    "topic-size": (
        {
            "shared/infra.md": topic(body="x" * (40_960 - len(topic(body="")))),
            "shared/mail.md": topic(body="x" * (20_480 - len(topic(body="")))),
            "agents/box/codex/memory.md": "x" * 30_720,
        },
        {"shared/infra.md": topic(body="x" * (16_384 - len(topic(body=""))))},
    ),
    "line-limit": (
        {"projects/site.md": "x\n" * 180, "shared/infra.md": topic(body="x\n" * 615)},
        {"projects/site.md": "x\n" * 150, "shared/infra.md": topic(body="x\n" * 495)},
    ),
    "resident-budget": ({RESIDENT: "x" * 2_179}, {RESIDENT: "x" * 2_048}),
    "missing-rules": ({"queen/agent-rules.md": None}, {}),
    "tracked-private-file": ({}, {"local/recent.md": None}),
    "not-a-file": (
        {"shared/resident.md": Path("memory.md")},
        {"shared/resident.md": "Ports: read ports.md.\n"},
    ),
    "not-encrypted": (
        {".gitattributes": "shared/hosts.md filter=git-crypt diff=git-crypt\n"},
        {"shared/hosts.md": b"\0GITCRYPT\0..."},
    ),
    "partly-encrypted": (
        {".gitattributes": "shared/memory.md filter=git-crypt diff=git-crypt\n"},
        {".gitattributes": "shared/**/*.md filter=git-crypt diff=git-crypt\n"},
    ),
    "unreadable": (
        {"shared/hosts.md": topic(body="Küche\n").encode("latin-1")},
        {"shared/hosts.md": topic(body="Küche\n")},
    ),
    "locked": ({"shared/memory.md": b"\0GITCRYPT\0..."}, {}),
    "uncommitted": ({"shared/hosts.md": topic()}, {}),
    "held-back": ({"shared/hosts.md": topic()}, {}),
    "invisible-character": (
        {"shared/hosts.md": "---\ndescription: x\n---\n\nThe bu\u200bild machine is blue.\n"},
        {"shared/hosts.md": topic(body="The build machine is blue.\n")},
    ),
    "control-character": (
        {"shared/hosts.md": "---\ndescription: x\n---\n\n\x1b[31merror:\x1b[0m no route\n"},
        {"shared/hosts.md": topic(body="error: no route\n")},
    ),
}
# What is committed before the example of a rule that compares the two.
BEFORE: dict[str, Files] = {"old-date": {"shared/hosts.md": topic()}}


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    """The day on which the page was written."""
    monkeypatch.setattr("nestwork_hooks.console.run.today", lambda: "2026-12-01")


OF_COMMITS = {rule.name for rule in commit_msg.RULES}


def _says(nest: Repo, run: Run, rule: Rule, files: Files, *flags: str) -> list[str]:
    """The lines of this rule that the checks print for a nest with these files."""
    before = BEFORE.get(rule.name, {})
    empty = {"shared/memory.md": MARKERS, "agents/box/codex/memory.md": memory()}
    nest.commit({**RULES, **empty, **before})
    nest.stage(files)
    if rule.name in OF_COMMITS:
        nest.write({".git/COMMIT_EDITMSG": "memory: update box/codex\n"})
        out = run("nestwork-commit-msg", ".git/COMMIT_EDITMSG", *flags).out
        return [line for line in out.splitlines() if line.endswith(f" [{rule.name}]")]
    args = ["--extend-select", "all"] if before else ["--all", "--extend-select", "all"]
    if rule.name in WAITING:
        nest.git("reset", "-q")
        args = ["shared", "--uncommitted"]
    if rule.name == "held-back" and files:
        nest.git("switch", "-q", "--detach")
    out = run("nestwork-check", *args, *flags).out
    return [line for line in out.splitlines() if line.endswith(f" [{rule.name}]")]


@pytest.mark.parametrize("rule", PAGE, ids=[rule.name for rule in PAGE])
def test_layout(rule: Rule) -> None:
    assert list(rule.parts) == rules_page.LABELS
    assert all(part.strip() for part in rule.parts.values())
    assert rule.output()


@pytest.mark.parametrize("rule", PAGE, ids=[rule.name for rule in PAGE])
def test_the_bad_example_is_bad(repo: Repo, run: Run, rule: Rule) -> None:
    extra, _ = TOO_LONG_TO_SHOW.get(rule.name, ({}, {}))
    assert _says(repo, run, rule, {**extra, **rule.files("Bad")}) == rule.output()


@pytest.mark.quick(12)
@pytest.mark.parametrize("rule", PAGE, ids=[rule.name for rule in PAGE])
def test_what_switches_it_off(repo: Repo, run: Run, rule: Rule) -> None:
    flag = ["--ignore", rule.name]
    said = f"`{' '.join(flag)}`" in rule.parts["Switch off"]
    assert said == (rule.name not in WAITING)
    if said:
        extra, _ = TOO_LONG_TO_SHOW.get(rule.name, ({}, {}))
        assert _says(repo, run, rule, {**extra, **rule.files("Bad")}, *flag) == []


@pytest.mark.parametrize("rule", PAGE, ids=[rule.name for rule in PAGE])
def test_the_good_example_is_good(repo: Repo, run: Run, rule: Rule) -> None:
    _, extra = TOO_LONG_TO_SHOW.get(rule.name, ({}, {}))
    bad, good = rule.files("Bad"), rule.files("Good")
    kept = bad if good.keys() <= bad.keys() else {}  # Else the bad file has been moved.
    assert _says(repo, run, rule, {**kept, **extra, **good}) == []


LEVELS = {
    **{rule.name: rule.levels for checker in CHECKERS for rule in checker.rules},
    **{rule.name: rule.levels for rule in (*READING, *commit_msg.RULES)},
    **dict.fromkeys(WAITING, "warning"),
}


def test_the_table_has_the_levels_and_hooks_that_are_declared() -> None:
    head = rules_page.PAGE.read_text(encoding="utf-8").split("\n## ")[0]
    rows = re.findall(r"^\| \[`([\w-]+)`\]\(#\1\) \| ([^|]+) \| (.+) \|$", head, re.MULTILINE)
    assert {name: level for name, level, _ in rows} == LEVELS
    ids = {hook["id"] for hook in yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())}
    hooks = {
        rule.name: f"`{name if (name := f'nestwork-{checker.name}') in ids else 'nestwork-check'}`"
        for checker in CHECKERS
        for rule in checker.rules
    }
    hooks |= dict.fromkeys(OF_COMMITS, "`nestwork-commit-msg`")
    assert {name: hook for name, _, hook in rows if name in hooks} == hooks


@pytest.mark.parametrize("rule", PAGE, ids=[rule.name for rule in PAGE])
def test_the_section_has_the_levels_that_are_declared(rule: Rule) -> None:
    said = set(re.findall("error|warning", rule.parts["Level"].lower()))
    assert said == set(LEVELS[rule.name].split(" or "))


def test_the_table_names_every_rule_once() -> None:
    head = rules_page.PAGE.read_text(encoding="utf-8").split("\n## ")[0]
    assert [f"[`{rule.name}`](#{rule.name})" in head for rule in PAGE] == [True] * len(PAGE)
    assert head.count("](#") == len(PAGE)
