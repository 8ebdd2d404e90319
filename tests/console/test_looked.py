"""`--verbose`: one line says what was judged, and what came of it."""

from __future__ import annotations

import json

import pytest

from tests.conftest import MARKERS, Files, Repo, Run, entry, memory, topic

BOX = "agents/box/claude-a7k2"
AGENT: Files = {
    f"{BOX}/memory.md": memory(entry("a.md")),
    f"{BOX}/a.md": topic(),
    f"{BOX}/resident.md": "# Me\n",
    "shared/resident.md": "# All\n",
}
# command, what it says of a nest where all is well
ALL = [
    ("nestwork-check --all", "2 scopes, 3 topics, 3 resident files"),
    ("nestwork-check", "2 scopes, 3 topics, 3 resident files"),
    ("nestwork-check --all --staged", "2 scopes, 3 topics, 3 resident files"),
    ("nestwork-check --fix --all", "2 scopes, 3 topics, 3 resident files"),
    (f"nestwork-check {BOX}", "1 scope, 1 topic, 1 resident file"),
    (f"nestwork-check {BOX} --uncommitted", "1 scope, 1 topic, 1 resident file"),
    ("nestwork-check --all --exclude ^shared/", "1 scope, 1 topic, 2 resident files"),
    ("nestwork-check --all --select topic-size", "3 topics"),
    ("nestwork-fix-index --all", "2 scopes"),
    ("nestwork-stale-index --all", "2 scopes"),
    ("nestwork-missing-description --all", "3 topics"),
    ("nestwork-nesting-depth --all", "3 topics"),
    ("nestwork-topic-size shared/hosts.md", "1 topic"),
    ("nestwork-resident-budget --all", "3 resident files"),
]


@pytest.mark.parametrize(("line", "looked"), ALL)
def test_where_nothing_is_wrong(nest: Repo, run: Run, line: str, looked: str) -> None:
    nest.commit(AGENT)
    command, *args = line.split()
    assert run(command, *args) == (0, "", "")
    assert run(command, *args, "--verbose") == (0, f"{looked}: nothing wrong\n", "")


def _only_other_files(nest: Repo) -> None:
    nest.stage({"x.txt": "x"})


def _a_topic(nest: Repo) -> None:
    nest.stage({"shared/hosts.md": topic(body="# U\n")})


def _a_topic_is_gone(nest: Repo) -> None:
    nest.stage({"shared/ports.md": None, "shared/memory.md": memory(entry("hosts.md"))})


def _a_resident_file(nest: Repo) -> None:
    nest.stage({"shared/resident.md": "# All\n"})


def _no_index(nest: Repo) -> None:
    nest.stage({"agents/a/b/memory.md": "# Mine\n", "agents/a/b/x.md": "x\n"})


@pytest.mark.parametrize(
    ("change", "looked"),
    [
        (_only_other_files, "no scope, topic or resident file"),
        (_a_topic, "1 scope, 1 topic"),
        (_a_topic_is_gone, "1 scope"),
        (_a_resident_file, "1 resident file"),
        (_no_index, "1 scope"),  # whose files are no topics for want of an index
    ],
)
def test_a_commit_is_said_as_far_as_it_is_judged(
    nest: Repo, run: Run, change: object, looked: str
) -> None:
    assert callable(change)
    change(nest)
    assert run("nestwork-check", "--verbose") == (0, f"{looked}: nothing wrong\n", "")


def test_with_findings_it_comes_before_the_line_to_paste(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": topic("A: b"), "shared/b.md": topic("B: c"), "shared/c.md": topic()})
    *findings, looked, _, fix = run("nestwork-check", "--verbose").out.splitlines()
    assert [line.split(": ")[1] for line in findings] == ["warning", "warning", "error"]
    assert looked == "1 scope, 3 topics: 1 error, 2 warnings"
    assert fix.startswith("to fix: ")


def test_a_rewritten_index(nest: Repo, run: Run) -> None:
    nest.stage({"shared/new.md": topic(), f"{BOX}/memory.md": MARKERS})
    said = run("nestwork-check", "--fix", "--verbose").out.splitlines()
    assert said[-2] == "2 scopes, 1 topic: 2 indexes rewritten"
    nest.git("add", "-A")
    nest.write({f"{BOX}/memory.md": MARKERS})
    said = run("nestwork-fix-index", BOX, "--verbose").out.splitlines()
    assert said[-2] == "1 scope: 1 index rewritten"


def test_what_could_not_be_read_is_not_counted(nest: Repo, run: Run) -> None:
    latin = topic(body="Küche\n").encode("latin-1")
    nest.stage({"shared/hosts.md": latin, "shared/resident.md": b"\0GITCRYPT\0x"})
    looked = run("nestwork-check", "--verbose").out.splitlines()[-3]
    assert looked == "no scope, topic or resident file: 1 error, 1 warning"
    ignored = run("nestwork-check", "--all", "--verbose", "--ignore", "unreadable,locked")
    assert ignored == (0, "1 topic, 1 resident file: nothing wrong\n", "")


def test_other_formats_stay_as_they_are(nest: Repo, run: Run) -> None:
    assert nest
    assert json.loads(run("nestwork-check", "--verbose", "--format", "json").out)["findings"] == []
    assert run("nestwork-check", "--verbose", "--format", "github") == (0, "", "")


def test_files_outside_of_the_nest(repo: Repo, run: Run) -> None:
    repo.commit({"nest/queen/agent-rules.md": "# R\n", "shared.md": "x\n"})
    args = ["--root", "nest", "shared.md"]
    said = "no scope, topic or resident file: nothing wrong\n"
    assert run("nestwork-topic-size", *args) == (0, "", "")
    assert run("nestwork-topic-size", *args, "--verbose") == (0, said, "")
    empty = {"version": 1, "findings": [], "written": [], "remedy": ""}
    assert json.loads(run("nestwork-topic-size", *args, "--format", "json").out) == empty
