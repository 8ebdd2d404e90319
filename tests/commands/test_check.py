"""`nestwork-check` is the five checks over one nest; the nests of the README are what it says."""

from __future__ import annotations

import re

import pytest

from nestwork_hooks.commands.catalog import every
from tests.conftest import BIN, FIRST, PROJECT, Repo, Run, memory, topic
from tests.entry_points import commands

CHECKERS = every()

BOX = "agents/h/i"
TO_FIX = "to fix: /home/me/nestwork-hooks/.venv/bin/"

README = (PROJECT / "README.md").read_text(encoding="utf-8")
# The checkers with a command of their own.
ALONE = [checker.name for checker in CHECKERS if (BIN / f"nestwork-{checker.name}").exists()]


def test_it_says_what_each_says(nest: Repo, run: Run) -> None:
    nest.stage(
        {
            "shared/new.md": "x\n",
            "shared/big.md": topic(body="x" * 40_000),
            "shared/a/b/c.md": topic(),
            "queen/agent-rules.md": "x" * 5_000,
        }
    )
    lines: set[str] = set()
    for name in ALONE:
        done = run(f"nestwork-{name}")
        assert done.code == 1
        lines.update(done.out.splitlines())
    done = run("nestwork-check", "--select", ",".join(ALONE))
    assert done.code == 1
    assert set(done.out.splitlines()) == lines
    assert len(done.out.splitlines()) == len(lines) == 7


def test_a_rule_is_said_once_per_file(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": b"\xff"})
    assert run("nestwork-check").out.count("[unreadable]") == 1


def test_every_limit_is_a_flag_of_the_check_and_of_its_checker(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nestwork_hooks.console.run.today", lambda: "2026-12-01")
    resident = {
        f"{name}.md": "x" * 20
        for name in ("queen/agent-rules", "shared/resident", f"{BOX}/resident")
    }
    nest.stage({"shared/hosts.md": topic("x" * 20), **resident})
    nest.call("nestwork-fix-index", "shared")
    nest.commit()
    assert run("nestwork-check", "--all", "--strict") == (0, "", "")
    for checker in CHECKERS:
        rules = {rule.name for rule in checker.rules}
        for limit in checker.limits:
            # A start is judged only where each of its files is in order.
            number = "50" if limit.flag == "start-bytes" else "10"
            flags = ["--all", "--strict", f"--{limit.flag}", number]
            if not checker.by_default:
                flags += ["--extend-select", checker.name]
            for command in {"nestwork-check", f"nestwork-{checker.name}"} & commands():
                done = run(command, *flags)
                found = set(re.findall(r" \[([a-z-]+)\]$", done.out, re.MULTILINE))
                assert done.code == 1, limit.flag
                assert found
                assert found <= rules, limit.flag


@pytest.mark.parametrize("command", ["nestwork-check", "nestwork-fix-index"])
def test_the_good_nest_is_good(
    run: Run, command: str, monkeypatch: pytest.MonkeyPatch, repo: Repo
) -> None:
    assert repo
    monkeypatch.chdir(PROJECT / "tests" / "nests" / "good")
    if (PROJECT / ".git").exists():
        assert run(command, "--all", "--strict") == (0, "", "")


def test_the_broken_nest_is_broken_as_the_readme_says(
    run: Run, monkeypatch: pytest.MonkeyPatch, repo: Repo
) -> None:
    assert repo
    monkeypatch.chdir(PROJECT / "tests" / "nests" / "broken")
    done = run("nestwork-check", "--all")
    said = re.sub(r"^to fix: .*?(?=nestwork-fix-index)", TO_FIX, done.out, flags=re.MULTILINE)
    assert done.code == 1
    assert f"```\n{said}```\n" in README
    assert f"{FIRST}{TO_FIX}" in said


def test_a_new_index_in_a_new_scope(nest: Repo, run: Run) -> None:
    nest.stage({"agents/h/i/memory.md": memory()})
    assert run("nestwork-check") == (0, "", "")
