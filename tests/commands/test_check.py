"""`nestwork-check` is the five checks over one nest; the nests of the README are what it says."""

from __future__ import annotations

import pytest

from nestwork_hooks.commands.check import CHECKERS
from tests.conftest import BIN, PROJECT, Repo, Run, memory, topic

README = (PROJECT / "README.md").read_text(encoding="utf-8")


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
    own = [f"nestwork-{checker.name}" for checker in CHECKERS]
    for name in filter(lambda name: (BIN / name).exists(), own):
        done = run(name)
        assert done.code == 1
        lines.update(done.out.splitlines())
    # Further checkers have no command of their own.
    first = "stale-index,missing-description,topic-size,nesting-depth,resident-budget"
    done = run("nestwork-check", "--select", first)
    assert done.code == 1
    assert set(done.out.splitlines()) == lines
    assert len(done.out.splitlines()) == len(lines) == 6


def test_a_rule_is_said_once_per_file(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": b"\xff"})
    assert run("nestwork-check").out.count("[unreadable]") == 1


def test_every_limit_is_a_flag(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": topic("x" * 20)})
    nest.run("nestwork-fix-index", "shared")
    nest.git("add", "-A")
    assert run("nestwork-check", "--strict") == (0, "", "")
    for flag in ("max-index-bytes", "max-description", "warn-bytes", "max-bytes"):
        assert run("nestwork-check", "--all", f"--{flag}", "10").out, flag
    nest.stage({"queen/agent-rules.md": "x" * 20, "shared/resident.md": "x" * 20})
    for flag in ("rules-bytes", "shared-bytes"):
        assert run("nestwork-check", f"--{flag}", "10").code == 1, flag


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
    *lines, fix = done.out.splitlines(keepends=True)
    assert done.code == 1
    assert "```\n" + "".join(lines) + "```\n" in README
    assert fix.startswith("to fix: ")


def test_a_new_index_in_a_new_scope(nest: Repo, run: Run) -> None:
    nest.stage({"agents/h/i/memory.md": memory()})
    assert run("nestwork-check") == (0, "", "")
