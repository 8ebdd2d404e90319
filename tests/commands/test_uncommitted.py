"""What `nestwork-check SCOPE --uncommitted` says at the start of an agent's session."""

from __future__ import annotations

import json

import pytest

from nestwork_hooks.console.streams import shortened
from tests.conftest import RULES, Files, Repo, Run, entry, memory, to_fix, topic

HOOK = "nestwork-check"
BOX = "agents/box/claude-a7k2"
SAID = (
    f"{BOX}/memory.md:1: warning: {{}} of this scope not committed: {{}};"
    " commit with nestwork-commit [uncommitted]\n"
)


@pytest.fixture
def box(repo: Repo) -> Repo:
    """A nest with one agent's scope of one topic."""
    repo.commit(
        {
            **RULES,
            f"{BOX}/memory.md": memory(entry("hosts.md")),
            f"{BOX}/hosts.md": topic(),
            "shared/memory.md": memory(),
        }
    )
    return repo


def test_all_is_committed(box: Repo, run: Run) -> None:
    box.write(
        {"shared/x.md": topic(), "agents/box/ab/x.md": topic(), f"{BOX}/.nestwork-fix-1": "x"}
    )
    assert run(HOOK, BOX, "--uncommitted") == (0, "", "")


WAITING: list[tuple[Files, Files, str, str]] = [
    ({}, {f"{BOX}/hosts.md": topic(body="# U\n")}, "1 file", "changed hosts.md"),
    ({}, {f"{BOX}/x.txt": "x"}, "1 file", "untracked x.txt"),
    ({f"{BOX}/hosts.md": topic(body="# U\n")}, {}, "1 file", "staged hosts.md"),
    ({f"{BOX}/x.txt": "x"}, {f"{BOX}/x.txt": "y"}, "1 file", "changed x.txt"),
    ({}, {f"{BOX}/memory.md": memory(entry("hosts.md")) + "x"}, "1 file", "changed memory.md"),
    (
        {f"{BOX}/a.txt": "", f"{BOX}/s/b.txt": ""},
        {f"{BOX}/{name}": "" for name in ("c", "d", "e", "f")},
        "6 files",
        "untracked c, d, e and 1 more; staged a.txt, s/b.txt",
    ),
]


@pytest.mark.parametrize(("staged", "written", "count", "names"), WAITING)
def test_memory_that_waits(
    box: Repo, run: Run, staged: Files, written: Files, count: str, names: str
) -> None:
    box.stage(staged)
    box.write(written)
    assert run(HOOK, BOX, "--uncommitted") == (0, SAID.format(count, names), "")
    assert run(HOOK, BOX) == (0, "", "")


def test_a_new_agents_first_files(box: Repo, run: Run) -> None:
    box.write({"agents/box/b/x.md": topic()})
    done = run(HOOK, "agents/box/b", "--uncommitted")
    assert (done.code, done.err) == (0, "")
    assert "1 file of this scope not committed: untracked x.md" in done.out


@pytest.mark.usefixtures("box")
def test_no_such_scope(run: Run) -> None:
    done = run(HOOK, "agents/box/nobody", "--uncommitted")
    assert done.code == 2
    assert "git lists no file in agents/box/nobody" in done.err


@pytest.mark.usefixtures("box")
@pytest.mark.parametrize("args", [[], ["--all"]])
def test_it_needs_a_scope(run: Run, args: list[str]) -> None:
    said = f"{HOOK}: --uncommitted needs the name of a scope (see {HOOK} --help)\n"
    assert run(HOOK, "--uncommitted", *args) == (2, "", said)


def test_a_change_that_is_staged_in_a_nest_below_the_top(repo: Repo) -> None:
    repo.commit({f"nest/{BOX}/hosts.md": topic()})
    repo.stage({f"nest/{BOX}/hosts.md": "x"})
    done = repo.run(HOOK, BOX, "--uncommitted", cwd="nest")
    assert "staged hosts.md" in done.out


def test_other_commands_do_not_have_it(box: Repo) -> None:
    assert "unrecognized" in box.run("nestwork-stale-index", BOX, "--uncommitted").err


def test_most_important_first_and_short(box: Repo, run: Run) -> None:
    box.stage({f"{BOX}/bare-{number:02}.md": "x\n" for number in range(40)})
    long: Files = {f"{BOX}/long.md": topic("x" * 301)}
    box.commit(long)
    box.write({f"{BOX}/hosts.md": topic(body="# U\n")})
    done = run(HOOK, BOX, "--uncommitted")
    assert done.code == 1
    lines = done.out.splitlines()
    assert len(done.out.encode()) <= 2_048
    assert lines[0].endswith("[uncommitted]")
    assert all("error" in line for line in lines[1:-3])
    assert f"{lines[-3]}\n{lines[-2]}\n" == to_fix(BOX, by_hand=True)
    assert lines[-1] == f"... and {43 - len(lines) + 3} more"


def test_as_json(box: Repo, run: Run) -> None:
    box.write({f"{BOX}/x.txt": "x"})
    (finding,) = json.loads(run(HOOK, BOX, "--uncommitted", "--format=json").out)["findings"]
    assert (finding["path"], finding["rule"]) == (f"{BOX}/memory.md", "uncommitted")


SHORT: list[tuple[list[str], str, list[str]]] = [
    ([], "", []),
    (["a", "b"], "fix", ["a", "b", "fix"]),
    (["x" * 999], "", ["x" * 317 + "..."]),
    (["a\x1b"] * 2, "", ["a\\x1b"] * 2),
    (["x" * 99] * 30, "fix", [*["x" * 99] * 20, "fix", "... and 10 more"]),
    (["a"], "x" * 999, ["a"]),
]


@pytest.mark.parametrize(("lines", "last", "kept"), SHORT)
def test_shortened(lines: list[str], last: str, kept: list[str]) -> None:
    assert shortened(lines, last) == kept


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_short_on_any_console(box: Repo, encoding: str) -> None:
    box.stage({f"{BOX}/机器-{number:02}.md": "x\n" for number in range(40)})
    done = box.run(HOOK, BOX, "--uncommitted", PYTHONIOENCODING=encoding)
    assert 1_700 < len(done.out.encode()) <= 2_048
