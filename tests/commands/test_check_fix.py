"""`nestwork-check --fix`: the fixer and the checks in one process and one hook."""

from __future__ import annotations

import json

import pytest

from tests.conftest import BIN, MARKERS, Repo, Run, entry, memory, to_fix, topic

CHECK = ("nestwork-check", "--fix")
THREE = memory(entry("hosts.md"), entry("new.md"), entry("ports.md"))
WROTE = "shared/memory.md: rewrote the topic index, which was stale: missing a line for new.md\n"
ADD = "to fix: git add -- shared/memory.md\n"


def test_what_it_rewrote_is_not_said_to_be_stale_too(nest: Repo, run: Run) -> None:
    nest.stage({"shared/new.md": topic()})
    assert run(*CHECK) == (1, WROTE + ADD, "")
    assert nest.read("shared/memory.md") == THREE
    nest.git("add", "-A")
    assert run(*CHECK) == (0, "", "")


def test_in_json(nest: Repo, run: Run) -> None:
    nest.stage({"shared/new.md": topic(), "shared/bad.md": "x\n"})
    done = run(*CHECK, "--format", "json")
    said = json.loads(done.out)
    assert (done.code, said["written"]) == (1, ["shared/memory.md"])
    assert [(found["path"], found["rule"]) for found in said["findings"]] == [
        ("shared/bad.md", "missing-description")
    ]
    # The index changes once more when the other topic has a description.
    assert said["remedy"] == to_fix("shared").removeprefix("to fix: ").strip()


@pytest.mark.parametrize("args", [(), ("--all",), ("shared",), ("--staged",)])
def test_nothing_to_fix(nest: Repo, run: Run, args: tuple[str, ...]) -> None:
    before = nest.git("status", "--porcelain")
    assert run(*CHECK, *args) == (0, "", "")
    assert nest.git("status", "--porcelain") == before == ""


def test_nothing_to_fix_and_something_to_say(nest: Repo, run: Run) -> None:
    index = nest.read("shared/memory.md")
    nest.stage({"shared/bad.md": "x\n"})
    done = run(*CHECK)
    assert done.code == 1
    assert done.out.startswith("shared/bad.md:1: error: ")
    assert done.out.endswith("\n" + to_fix("shared", by_hand=True))
    assert nest.read("shared/memory.md") == index


def test_broken_markers_are_said_once_and_nothing_is_written(nest: Repo, run: Run) -> None:
    broken = MARKERS + MARKERS
    nest.stage({"shared/memory.md": broken, "shared/new.md": topic()})
    done = run(*CHECK)
    assert (done.code, done.err) == (1, "")
    assert done.out.count("[broken-markers]") == 1
    assert done.out.endswith("\n" + to_fix("shared", by_hand=True))
    assert nest.read("shared/memory.md") == broken


def test_excluded_paths_are_not_written(nest: Repo, run: Run) -> None:
    nest.stage({"shared/new.md": topic()})
    index = nest.read("shared/memory.md")
    assert run(*CHECK, "--exclude", "^shared/memory") == (0, "", "")
    assert nest.read("shared/memory.md") == index


def test_the_index_is_made_of_what_is_staged(nest: Repo) -> None:
    """In a hook what is staged counts; the file on disk is where the index is put."""
    nest.plain_hook("nestwork-check --fix")
    nest.stage({"shared/new.md": topic()})
    nest.write({"shared/new.md": topic("Another"), "shared/loose.md": topic()})
    done = nest.run("git", "commit", "-q", "-m", "change")
    assert done.code == 1
    assert done.text.startswith(WROTE)
    assert nest.read("shared/memory.md") == THREE
    fix = done.text.splitlines()[-1].removeprefix("to fix: ")
    assert nest.run("sh", "-c", fix, PATH="/usr/bin:/bin").code == 0
    assert nest.run("git", "commit", "-q", "-m", "change") == (0, "", "")
    assert nest.git("show", "HEAD:shared/memory.md") == THREE
    assert nest.git("status", "--porcelain") == " M shared/new.md\n?? shared/loose.md\n"


def test_true_on_disk_and_stale_in_what_is_staged(nest: Repo) -> None:
    nest.plain_hook("nestwork-check --fix")
    nest.stage({"shared/new.md": topic()})
    nest.write({"shared/memory.md": THREE})
    done = nest.run("git", "commit", "-q", "-m", "change")
    assert done.code == 1
    assert done.text.count("shared/memory.md") >= 1
    fix = done.text.splitlines()[-1]
    assert fix == f"to fix: cd {nest.path}; git add -- shared/memory.md"
    nest.git("add", "shared/memory.md")
    assert nest.run("git", "commit", "-q", "-m", "change") == (0, "", "")


def test_by_hand_a_scope_with_unstaged_changes_is_mended(nest: Repo, run: Run) -> None:
    nest.write({"shared/hosts.md": topic("Else")})
    done = run(*CHECK)
    assert done.code == 1
    assert done.out.startswith("shared/memory.md: rewrote the topic index, which was stale: ")
    assert entry("hosts.md", "Else", "0.0") in nest.read("shared/memory.md")


def test_a_check_that_is_not_chosen_says_nothing_of_the_rest(nest: Repo, run: Run) -> None:
    nest.stage({"shared/new.md": topic(), "shared/bad.md": "x\n"})
    done = run(*CHECK, "--ignore", "missing-description")
    assert done == (1, WROTE + ADD, "")


def test_no_other_command_takes_it(nest: Repo, run: Run) -> None:
    for name in ("nestwork-stale-index", "nestwork-fix-index"):
        assert (BIN / name).exists()
        assert run(name, "--fix").code == 2
    assert nest
