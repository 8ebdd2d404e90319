"""What `nestwork-resident-budget` says, word for word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import BEGINS, memory, to_fix

if TYPE_CHECKING:
    from tests.conftest import Files, Repo, Run

HOOK = "nestwork-resident-budget"
AGENT = "agents/box/claude/resident.md"
OTHER = "agents/box/codex/resident.md"
RULES = "queen/agent-rules.md"
SHARED = "shared/resident.md"
MOVE = "move what is not needed at every start to"
MISSING = (
    f"{RULES}:1: error: the rules file is missing, and every start reads it: add it"
    " [missing-rules]\n"
)
DELETED = MISSING.replace(": add it", f": put it back: git checkout HEAD -- {RULES}")


def _over(path: str, size: str, more: str, budget: str) -> str:
    """What is said; `shared` has an index, and the agent has none."""
    scope = path.removesuffix("/resident.md") if path in (AGENT, OTHER) else "shared"
    place, line = f"{scope}/memory.md", ""
    if scope == "shared":
        place = f"a new topic {scope}/<topic>.md, which begins with {BEGINS}"
        line = to_fix(scope, by_hand=True)
    return (
        f"{path}:1: error: {size} bytes, {more} over the {budget}-byte budget: {MOVE} {place}"
        f" [resident-budget]\n{line}"
    )


@pytest.mark.parametrize(
    ("path", "size", "said"),
    [
        (RULES, 4_096, ""),
        (RULES, 4_097, _over(RULES, "4,097", "1", "4,096")),
        (SHARED, 5_000, _over(SHARED, "5,000", "904", "4,096")),
        (AGENT, 2_048, ""),
        (AGENT, 2_050, _over(AGENT, "2,050", "2", "2,048")),
    ],
)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_a_file(nest: Repo, run: Run, path: str, size: int, said: str, newline: bytes) -> None:
    nest.stage({path: (b"x" * (size - 1)) + newline})
    assert run(HOOK) == (int(bool(said)), said, "")


def test_a_start(nest: Repo, run: Run) -> None:
    nest.commit({RULES: "x" * 4_096, OTHER: "x" * 10})
    nest.stage({SHARED: "x" * 4_096, AGENT: "x" * 2_049})
    said = (
        f"{AGENT}:1: error: one start is 10,241 bytes (4,096 + 4,096 + 2,049: rules, shared, this"
        f" agent), 1 over the 10,240-byte budget: {MOVE} agents/box/claude/memory.md [resident-budget]\n"
    )
    assert run(HOOK, "--agent-bytes", "3000") == (1, said, "")
    assert run(HOOK, "--agent-bytes", "3000", "--start-bytes", "10241") == (0, "", "")


def test_a_start_with_a_file_over_its_own_budget_is_said_once(nest: Repo, run: Run) -> None:
    nest.stage({RULES: "x" * 9_000, AGENT: "x" * 2_000})
    assert run(HOOK) == (1, _over(RULES, "9,000", "4,904", "4,096"), "")


def test_a_neighbour_is_judged_only_with_everything(nest: Repo, run: Run) -> None:
    nest.commit({OTHER: "x" * 3_000})
    nest.stage({AGENT: "x"})
    assert run(HOOK) == (0, "", "")
    assert run(HOOK, "--all") == (1, _over(OTHER, "3,000", "952", "2,048"), "")
    assert run(HOOK, "agents/box/claude") == (0, "", "")
    assert run(HOOK, "agents/box/codex").code == 1


def test_the_rules_are_missing(nest: Repo, run: Run) -> None:
    nest.stage({RULES: None})
    assert run(HOOK) == (1, DELETED, "")
    nest.commit()
    assert run(HOOK) == (1, MISSING, "")
    nest.stage({"shared/hosts.md": "x"})
    assert run(HOOK) == (0, "", "")
    nest.stage({AGENT: "x"})
    assert run(HOOK) == (1, MISSING, "")


@pytest.mark.parametrize(
    ("files", "fact"),
    [
        ({RULES: None, f"{RULES}/rules.md": "x\n"}, "is a folder"),
        ({RULES: None, f"{RULES}/rules.md": Path("x")}, "is a folder"),
        ({RULES: None, "queen": Path("shared")}, "is behind a symbolic link"),
    ],
)
def test_the_rules_are_no_file(nest: Repo, run: Run, files: Files, fact: str) -> None:
    said = (
        f"{RULES}:1: error: the rules file {fact}, and every start reads it: put the file itself"
        " here [missing-rules]\n"
    )
    nest.write({RULES: None})
    if "queen" in files:
        (nest.path / "queen").rmdir()
    nest.stage(files)
    assert run(HOOK) == (1, said, "")
    assert run(HOOK, "--staged") == (1, said, "")
    assert run(HOOK, "--all") == (1, said, "")
    nest.commit({AGENT: "x"})
    assert run(HOOK, "agents/box/claude") == (1, said, "")
    assert run(HOOK) == (1, said, "")


def test_the_rules_are_a_submodule(nest: Repo, run: Run) -> None:
    nest.git("rm", "-q", RULES)
    head = nest.git("rev-parse", "HEAD").strip()
    nest.git("update-index", "--add", "--cacheinfo", f"160000,{head},{RULES}")
    assert "the rules file is a submodule, and every start reads it" in run(HOOK).out


def test_the_rules_are_gone_from_disk(nest: Repo, run: Run) -> None:
    said = (
        f"{RULES}:1: error: the rules file is gone from disk, and every start reads it: put it back:"
        f" git checkout -- {RULES} [missing-rules]\n"
    )
    nest.write({RULES: None})
    assert run(HOOK) == (1, said, "")
    assert run(HOOK, "--all", "--staged") == (0, "", "")
    nest.git("checkout", "-q", "--", RULES)
    nest.git("update-index", "--skip-worktree", RULES)
    nest.write({RULES: None})
    assert run(HOOK, "--all") == (0, "", "")


def test_a_commit_deletes_the_last_resident_file(nest: Repo, run: Run) -> None:
    nest.commit({SHARED: "x", RULES: None})
    nest.stage({SHARED: None})
    assert run(HOOK) == (1, MISSING, "")


def test_a_locked_file_leaves_the_start_unjudged(nest: Repo, run: Run) -> None:
    nest.stage({AGENT: b"\0GITCRYPT\0"})
    done = run(HOOK)
    assert done.code == 0
    assert done.out.startswith(f"{AGENT}:1: warning: encrypted with git-crypt")


def test_a_file_that_is_gone_from_disk_costs_nothing(nest: Repo, run: Run) -> None:
    nest.stage({AGENT: "x" * 3_000})
    nest.write({AGENT: None})
    assert run(HOOK) == (0, "", "")


def test_what_is_too_much_goes_into_a_topic_of_the_scope(nest: Repo, run: Run) -> None:
    nest.commit({"agents/box/claude/memory.md": memory()})
    nest.stage({AGENT: "x" * 2_050})
    assert run(HOOK) == (
        1,
        f"{AGENT}:1: error: 2,050 bytes, 2 over the 2,048-byte budget: {MOVE} a new topic"
        f" agents/box/claude/<topic>.md, which begins with {BEGINS} [resident-budget]\n"
        + to_fix("agents/box/claude", by_hand=True),
        "",
    )


@pytest.mark.parametrize("target", ["../shared/hosts.md", "nowhere"])
def test_a_commit_puts_a_link_in_the_place_of_the_rules(nest: Repo, run: Run, target: str) -> None:
    nest.stage({RULES: Path(target)})
    done = run(HOOK, "--format", "json")
    (finding,) = json.loads(done.out)["findings"]
    assert finding["message"].startswith("the rules file is a symbolic link")
    assert finding["fix"] == {"kind": "run", "argv": ["git", "checkout", "HEAD", "--", RULES]}
    nest.git(*finding["fix"]["argv"][1:])
    assert run(HOOK) == (0, "", "")
