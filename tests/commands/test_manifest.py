"""nestwork-manifest, as the start of a session runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import MARKERS, RULES, Files, Repo, topic

AGENT = "agents/box/claude-a7k2"
WHOLE: Files = {
    **RULES,
    "queen/strategy.md": "# Plan\n",
    "shared/resident.md": "# Shared\n",
    "shared/memory.md": MARKERS,
    "shared/hosts.md": topic(),
    f"{AGENT}/resident.md": "# Me\n",
    f"{AGENT}/memory.md": "# Memory\n",
    "agents/lab/other/memory.md": "# Memory\n",
    "projects/one.md": "# One\n",
    "projects/deep/no.md": "# No\n",
    "projects/no.txt": "no\n",
    "workflow/release.md": "# Release\n",
    "local/recent.md": "# Recent\n",
}
START = ("queen/agent-rules.md", "shared/resident.md", f"{AGENT}/resident.md", "local/recent.md")
DEMAND = (
    *("queen/strategy.md", f"{AGENT}/memory.md", "shared/memory.md"),
    *("projects/one.md", "workflow/release.md"),
)


def manifest(repo: Repo, *args: str, agent: str = "box/claude-a7k2", cwd: str = ".") -> list[str]:
    done = repo.call("nestwork-manifest", "--agent", agent, *args, cwd=cwd)
    assert (done.code, done.err) == (0, "")
    assert len(done.out.encode()) <= 2_048
    return done.out.splitlines()


def expected(repo: Repo, start: tuple[str, ...], demand: tuple[str, ...]) -> list[str]:
    first, second = ([f"{repo.path}/{path}" for path in paths] for paths in (start, demand))
    return ["READ-ON-START", *first, "READ-ON-DEMAND", *second]


def test_both_lists_without_git(repo: Repo) -> None:
    repo.write(WHOLE)
    env = {"PATH": "/nowhere"}
    done = repo.call("nestwork-manifest", "--agent", "box/claude-a7k2", **env)
    assert done == (0, "\n".join([*expected(repo, START, DEMAND), ""]), "")


def test_only_what_is_there(repo: Repo) -> None:
    repo.write({"shared/resident.md": "x", "queen/agent-rules.md": Path("../shared/resident.md")})
    assert manifest(repo) == expected(repo, ("shared/resident.md",), ())


def test_an_agent_may_be_named_by_its_folder(repo: Repo) -> None:
    repo.write(WHOLE)
    assert manifest(repo, agent=f"{AGENT}/") == expected(repo, START, DEMAND)


def test_a_large_nest_is_said_by_folders(repo: Repo) -> None:
    repo.write(WHOLE | {f"projects/project-{number}.md": "#\n" for number in range(300)})
    lines = manifest(repo)
    assert lines[-2:] == [f"{repo.path}/workflow/release.md", f"{repo.path}/projects/ (301 files)"]
    assert lines[:-2] == expected(repo, START, DEMAND[:3])
    repo.write({f"workflow/{number}{'x' * 180}.md": "#\n" for number in range(300)})
    folders = ["workflow/ (301 files)", "projects/ (301 files)"]
    assert manifest(repo)[-2:] == [f"{repo.path}/{folder}" for folder in folders]


def test_findings_come_first_and_in_the_same_two_kilobytes(repo: Repo) -> None:
    repo.commit(WHOLE | {f"{AGENT}/memory.md": MARKERS})
    assert manifest(repo, "--findings")[0].startswith(f"{AGENT}/memory.md:3: error: ")
    repo.write({f"{AGENT}/{'x' * 100}{number}.md": "# No front matter\n" for number in range(60)})
    repo.git("add", "-A")
    repo.write({f"{AGENT}/new.md": topic()})
    lines = manifest(repo, "--findings")
    assert lines[0].startswith(
        f"{AGENT}/memory.md:1: warning: 61 files of this scope not committed"
    )
    assert any(line.startswith("... and ") for line in lines)
    assert lines[lines.index("READ-ON-START") :] == expected(repo, START, DEMAND)


def test_a_sound_nest_has_only_the_lists(nest: Repo) -> None:
    nest.commit({f"{AGENT}/resident.md": "# Me\n"})
    start = ("queen/agent-rules.md", f"{AGENT}/resident.md")
    assert manifest(nest, "--findings") == expected(nest, start, ("shared/memory.md",))


def test_from_the_folder_above_the_nest(repo: Repo) -> None:
    repo.commit({f"nest/{path}": text for path, text in WHOLE.items()})
    lines = manifest(repo, "--root", "nest", "--findings")
    assert lines[1] == f"{repo.path}/nest/queen/agent-rules.md"


COULD_NOT_LOOK = {
    "no agent": ([], "the following arguments are required: --agent"),
    "no name": (["--agent", "box"], "--agent box: expected HOST/ID, as in box/claude-a7k2"),
    "no flag": (["--agent", "a/b", "--x"], "unrecognized arguments: --x"),
    "no folder": (["--agent", "a/b", "--root", "x"], "--root x: no such folder"),
    "no nest": (
        ["--agent", "a/b"],
        "no nest here: there is no queen/, shared/, agents/; start in the nest's root",
    ),
}


@pytest.mark.parametrize(("args", "reason"), COULD_NOT_LOOK.values(), ids=COULD_NOT_LOOK)
def test_a_session_starts_whatever_is_wrong(repo: Repo, args: list[str], reason: str) -> None:
    done = repo.call("nestwork-manifest", *args)
    assert done == (0, f"nestwork-manifest: could not look: {reason}\n", "")


def test_findings_that_cannot_be_had_hide_no_path(repo: Repo) -> None:
    repo.write(WHOLE)
    lines = manifest(repo, "--findings", agent="nobody/here")
    assert lines[0] == (
        "nestwork-check: git lists no file in agents/nobody/here: name a scope of this nest"
    )
    assert lines[1] == "READ-ON-START"
