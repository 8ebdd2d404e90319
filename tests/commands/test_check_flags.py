"""Which checkers and rules run, what a base is, and which warnings are news."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import MARKERS, RULES, entry, memory, topic

if TYPE_CHECKING:
    from tests.conftest import Files, Repo, Run

CHECK = "nestwork-check"
WARNED = topic(body="x" * 20_000)
LARGER = topic(body="x" * 21_000)
TOO_LARGE = topic(body="x" * 40_000)
# Broken in every way at once: the index of `shared` is not judged, since nobody can know it.
FAULTS: Files = {
    "shared/bare.md": "no front matter\n",
    "shared/large.md": TOO_LARGE,
    "shared/torn.md": b"---\ndescription: \xff\n---\n",
    "agents/box/a1/memory.md": MARKERS,
    "agents/box/a1/notes.md": topic(),
}
ALL = {"missing-description", "topic-size", "unreadable", "stale-index"}


@pytest.mark.parametrize(
    ("flags", "rules"),
    [
        ("", ALL),
        ("--select topic-size", {"topic-size"}),
        ("--select topic-size,stale-index", {"topic-size", "stale-index", "unreadable"}),
        # As often as the flag is given.
        ("--select topic-size --select stale-index", {"topic-size", "stale-index", "unreadable"}),
        ("--select topic-size --extend-select missing-description", ALL - {"stale-index"}),
        ("--select missing-description --ignore unreadable", {"missing-description"}),
        ("--select large-index", {"unreadable"}),
        # What could not be read is everything's.
        ("--select unreadable", {"unreadable"}),
        ("--select locked --ignore unreadable", set()),
        ("--ignore stale-index --ignore unreadable", {"missing-description", "topic-size"}),
        ("--ignore topic-size --extend-select all", ALL - {"topic-size"}),
        ("--select topic-size --ignore topic-size", set()),
    ],
)
def test_which_rules_are_said(nest: Repo, run: Run, flags: str, rules: set[str]) -> None:
    nest.commit(FAULTS)
    done = run(CHECK, "--all", *flags.split())
    lines = [
        line for line in done.out.partition("first make")[0].splitlines() if "to fix" not in line
    ]
    assert {line.rpartition("[")[2][:-1] for line in lines} == rules
    assert done.code == (1 if rules else 0)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--base", ""], "argument --base: it is empty"),
        (["--root", ""], "argument --root: it is empty"),
        (["--select", ""], "argument --select: expected names with commas between them, got ''"),
    ],
)
def test_a_variable_that_nobody_set(run: Run, args: list[str], said: str) -> None:
    done = run(CHECK, *args)
    assert (done.code, done.err) == (2, f"{CHECK}: {said} (see {CHECK} --help)\n")


@pytest.mark.parametrize(
    ("flags", "written"),
    [
        ("--fix", True),
        ("--fix --select stale-index", True),
        ("--fix --select topic-size", False),
        ("--fix --ignore stale-index", False),
        ("--fix --ignore broken-markers", True),
    ],
)
def test_fix_mends_what_is_judged(nest: Repo, run: Run, flags: str, written: bool) -> None:
    nest.stage({"shared/new.md": topic()})
    done = run(CHECK, *flags.split())
    line = "shared/memory.md: rewrote the topic index, which was stale: missing a line for new.md\n"
    said = f"{line}to fix: git add -- shared/memory.md\n" if written else ""
    assert (done.code, done.out) == (int(written), said)
    assert ("new.md" in nest.read("shared/memory.md")) is written


def test_fix_says_in_a_short_report_what_it_wrote(nest: Repo, run: Run) -> None:
    nest.stage({"shared/new.md": topic()})
    done = run(CHECK, "--fix", "--uncommitted", "shared")
    assert done.out == (
        "shared/memory.md:1: warning: 2 files of this scope not committed: changed memory.md;"
        " staged new.md; commit with nestwork-commit [uncommitted]\n"
        "shared/memory.md: rewrote the topic index, which was stale: missing a line for new.md\n"
        "to fix: git add -- shared/memory.md\n"
    )


@pytest.mark.parametrize("revision", ["nope", "-x", "HEAD~9", "HEAD:shared", "orphan"])
def test_a_base_that_this_clone_does_not_have(nest: Repo, run: Run, revision: str) -> None:
    nest.git("checkout", "-q", "--orphan", "orphan")
    nest.commit(message="orphan")
    nest.git("checkout", "-q", "main")
    lack = "commit that HEAD comes from too: fetch"
    if revision != "orphan":
        lack = "such commit: name another, or fetch"
    done = run(CHECK, f"--base={revision}")
    assert (done.code, done.err) == (
        2,
        f"{CHECK}: --base {revision}: this clone has no {lack} more of its history"
        " (actions/checkout: fetch-depth: 0)\n",
    )


@pytest.mark.quick(6)
@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (None, WARNED, "warning"),
        (WARNED, LARGER, ""),
        (WARNED, TOO_LARGE, "error"),
        (TOO_LARGE, WARNED, "warning"),
        (TOO_LARGE, TOO_LARGE + "\n", "error"),
    ],
    ids=["new", "old", "graver", "milder", "old error"],
)
@pytest.mark.parametrize("under", ["commit", "base", "range"])
def test_old_warnings_are_no_news(
    nest: Repo,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    before: str | None,
    now: str,
    said: str,
    under: str,
) -> None:
    nest.commit({"shared/big.md": before} if before else {})
    nest.git("tag", "before")
    nest.stage({"shared/big.md": now, "shared/memory.md": _index(now)})
    flags = ["--strict"]
    if under != "commit":
        nest.commit()
        # Not what the last commit had is what counts.
        nest.commit({"shared/big.md": now + "\n", "shared/memory.md": _index(now + "\n")})
    if under == "base":
        flags += ["--base", "before"]
    if under == "range":
        monkeypatch.setenv("PRE_COMMIT_FROM_REF", "before")
        monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    done = run(CHECK, *flags)
    lines = [line for line in done.out.splitlines() if line.startswith("shared/")]
    assert [line.split()[1] for line in lines] == ([f"{said}:"] if said else [])
    assert done.code == (1 if said else 0), done.out


def _index(text: str) -> str:
    big = entry("big.md", size=f"{len(text) / 1024:.1f}")
    return memory(big, entry("hosts.md"), entry("ports.md"))


def test_every_warning_of_a_first_commit_is_news(repo: Repo, run: Run) -> None:
    size = entry("big.md", size=f"{len(WARNED) / 1024:.1f}")
    repo.stage({**RULES, "shared/memory.md": memory(size), "shared/big.md": WARNED})
    done = run(CHECK)
    assert (done.code, done.out.count("[topic-size]")) == (0, 1)
