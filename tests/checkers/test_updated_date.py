"""What `updated-date` says of the dates of topics, and what the fixer and the committer set."""

from __future__ import annotations

import json
import os

import pytest

from nestwork_hooks.checkers.optional.updated_date import Dated, fault_of
from nestwork_hooks.protocol.finding import Replace
from nestwork_hooks.protocol.topic import Topic, read_topic
from tests.conftest import BIN, Files, Repo, Run, entry, memory, topic
from tests.fixes import mend

TODAY = "2026-12-01"
CHECK = ("nestwork-check", "--select", "updated-date")
FIX = ("nestwork-check", "--fix", "--extend-select", "updated-date")
NONE = "no calendar date YYYY-MM-DD, so nobody can tell how old this is"
BY_HAND = f"write the day of the last change, updated: {TODAY} if that is today"


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is asked in two places that turn a command line into a run."""
    for module in ("console.run", "commands.keeping"):
        monkeypatch.setattr(f"nestwork_hooks.{module}.today", lambda: TODAY)


def _text(updated: str, body: str = "# T\n") -> str:
    return topic(body=body).replace("2026-09-27", updated)


def _topic(text: str) -> Topic:
    found = read_topic("t.md", [text.encode()], whole=True)
    assert isinstance(found, Topic)
    return found


def _fault(updated: str, before: str = "", most: int = 0) -> tuple[str, str, str]:
    """Rule, message and the date of the fix; `before` is the date of a topic with another text."""
    was = _topic(_text(before, "else\n")) if before else None
    fault = fault_of(Dated(_topic(_text(updated)), was, TODAY), most)
    if fault is None:
        return "", "", ""
    assert fault.line == 3
    assert (fault.level == "error") == (fault.rule == "bad-date")
    fixed = fault.fix.text if isinstance(fault.fix, Replace) else ""
    return fault.rule, fault.message, fixed


def _old(date: str, days: int) -> str:
    return (
        f"this commit changes the text and leaves updated at {date}, so readers take it for {days}"
        f" days old: write updated: {TODAY}"
    )


BAD = [
    ("2026-02-30", f"updated is 2026-02-30, {NONE}: {BY_HAND}", ""),
    ("last week", f"updated is last week, {NONE}: {BY_HAND}", ""),
    ("27.9.2026", f"updated is 27.9.2026, {NONE}: {BY_HAND}", ""),
    ("2026-9-7", f"updated is 2026-9-7, {NONE}: write updated: 2026-09-07", "2026-09-07"),
    (
        '"2026-09-27T10:00:00Z"',
        f"updated is 2026-09-27T10:00:00Z, {NONE}: write updated: 2026-09-27",
        '"2026-09-27"',
    ),
    (
        "2026-09-27 # a note",
        f"updated is 2026-09-27 # a note, {NONE}: {BY_HAND}",
        "",
    ),
    ("a\x1bb", f"updated is a\\x1bb, {NONE}: {BY_HAND}", ""),
    (
        "2026-12-03",
        f"updated is 2026-12-03, 2 days from now (today is {TODAY} in UTC): {BY_HAND}",
        "",
    ),
    (
        "9999-12-31",
        f"updated is 9999-12-31, 2,912,108 days from now (today is {TODAY} in UTC): {BY_HAND}",
        "",
    ),
]


@pytest.mark.parametrize(("updated", "message", "fixed"), BAD)
def test_bad_dates(updated: str, message: str, fixed: str) -> None:
    text = f"updated: {fixed}\n" if fixed else ""
    assert _fault(updated) == ("bad-date", message, text)
    assert _fault(updated, before="2026-01-01")[0] == "bad-date"


@pytest.mark.parametrize("updated", ["2026-09-27", "'2026-09-27'", "2026-12-02", "1999-01-01", ""])
def test_good_dates(updated: str) -> None:
    """A new topic may come from elsewhere, with its date; and a topic needs none."""
    assert _fault(updated) == ("", "", "")


@pytest.mark.parametrize(
    ("updated", "before", "days"),
    [
        ("2026-09-27", "2026-09-27", 65),
        ("2026-11-29", '"2026-11-29"', 2),
        ("2026-11-30", "2026-11-30", 0),
        ("2026-12-01", "2026-12-01", 0),
        ("2026-12-02", "2026-12-02", 0),
        ("2026-09-28", "2026-09-27", 0),
        ("2026-09-26", "2026-09-27", 0),
        ("2026-09-27", "last week", 0),
    ],
)
def test_old_dates(updated: str, before: str, days: int) -> None:
    said = "old-date", _old(updated, days), f"updated: {TODAY}\n"
    assert _fault(updated, before) == (said if days else ("", "", ""))


@pytest.mark.parametrize(("updated", "days"), [("2026-09-27", 65), ("2026-11-21", 0)])
def test_ages(updated: str, days: int) -> None:
    message = (
        f"updated {updated}, {days} days ago and over the 10 of --max-age-days: see if it is still"
        f" true, then write updated: {TODAY}"
    )
    assert _fault(updated, most=10) == (("old-date", message, "") if days else ("", "", ""))


def _line(date: str, days: int, path: str = "shared/hosts.md") -> str:
    return f"{path}:3: warning: {_old(date, days)} [old-date]\n"


MORE = "# T\n\nmore\n"
# The date stands in the index too.
OLD = (
    f"{_line('2026-09-27', 65)}if you edit what is warned of, git add it before you run the line below\n"
    "to fix: nestwork-fix-index --ok shared && git add -- shared/memory.md\n"
)


def test_a_commit_that_leaves_the_date(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": topic(body=MORE)})
    assert run(*CHECK) == (0, OLD, "")
    assert run(*CHECK, "--strict").code == 1
    assert run(*CHECK, "--all") == (0, "", "")
    assert run(*CHECK, "--max-age-days", "10") == (0, OLD, "")
    assert "old-date" not in run("nestwork-check").out
    nest.commit()
    assert run(*CHECK, "--base", "HEAD~1") == (0, OLD, "")


@pytest.mark.parametrize(
    "files",
    [
        {"shared/hosts.md": topic("Another description")},
        {"shared/hosts.md": topic().replace("\n", "\r\n")},
        {"shared/hosts.md": topic(body="# T   \n\n\n")},
        {"shared/hosts.md": _text(TODAY, MORE)},
        {"shared/hosts.md": None, "shared/renamed.md": topic()},
        {"shared/hosts.md": None, "shared/renamed.md": topic(body=MORE)},
        {"shared/new.md": topic(body=MORE)},
        {"shared/resident.md": topic(body=MORE), "shared/inbox/x.md": topic(body=MORE)},
        {"agents/a/b/memory.md": "# M\n", "agents/a/b/x.md": _text("nonsense")},
    ],
)
def test_what_makes_no_date_old(nest: Repo, run: Run, files: Files) -> None:
    """Nor is anything judged that is no topic of a scope with an index."""
    nest.stage(files)
    assert run(*CHECK) == (0, "", "")


def test_old_dates_of_everything(nest: Repo, run: Run) -> None:
    said = run(*CHECK, "--all", "--max-age-days", "64").out.splitlines()
    assert [line.split(":")[0] for line in said] == ["shared/hosts.md", "shared/ports.md"]
    assert run(*CHECK, "--all", "--max-age-days", "65") == (0, "", "")
    assert run(*CHECK, "shared", "--max-age-days", "64").out.splitlines() == said
    assert run(*CHECK, "--max-age-days", "0").code == 2
    nest.stage({"shared/hosts.md": topic("Another description")})
    assert run(*CHECK, "--max-age-days", "64") == (0, "", "")


def test_bad_files_hide_no_others(nest: Repo, run: Run) -> None:
    nest.stage(
        {
            "shared/a.md": "é".encode("latin-1"),
            "shared/b.md": b"\0GITCRYPT\0",
            "shared/c.md": "",
            "shared/d.md": "---\nupdated: [\n---\n",
            "shared/e.md": "---\nupdated: never",
        }
    )
    said = [
        line.split(":")[0] + line[line.rfind(" [") :] for line in run(*CHECK).out.splitlines()[:-2]
    ]
    assert said == ["shared/a.md [unreadable]", "shared/b.md [locked]", "shared/d.md [bad-date]"]


SET = "set updated, which was 2026-09-27, to 2026-12-01\n"


def test_the_fixer_sets_the_date_and_then_the_index(nest: Repo, run: Run) -> None:
    path = nest.path / "shared/hosts.md"
    nest.stage({"shared/hosts.md": topic(body=MORE)})
    path.chmod(0o600)
    index = (
        "shared/memory.md: rewrote the topic index, which was stale: a line for"
        " hosts.md unlike its front matter"
    )
    done = run(*FIX)
    assert done == (
        1,
        f"shared/hosts.md: {SET}{index}\nto fix: git add -- shared/hosts.md shared/memory.md\n",
        "",
    )
    assert nest.read("shared/hosts.md") == _text(TODAY, MORE)
    assert nest.read("shared/ports.md") == topic()
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(os.listdir(path.parent)) == ["hosts.md", "memory.md", "ports.md"]
    nest.git("add", "-A")
    assert run(*FIX) == (0, "", "")
    assert run(*CHECK) == (0, "", "")


@pytest.mark.parametrize(
    "flags",
    [
        ("--ignore", "old-date"),
        ("--exclude", "hosts"),
        ("--all",),
        ("--ignore", "updated-date"),
    ],
)
def test_what_is_not_chosen_is_not_set(nest: Repo, run: Run, flags: tuple[str, ...]) -> None:
    nest.stage({"shared/hosts.md": topic(body=MORE)})
    run(*FIX, *flags)
    assert nest.read("shared/hosts.md") == topic(body=MORE)


@pytest.mark.parametrize(
    ("updated", "becomes"),
    [
        ("2026-9-7", "2026-09-07"),
        ("nonsense", TODAY),
        ("2027-01-01", TODAY),
        ('"2026/9/7"', '"2026-09-07"'),
        ("2026-13-01 # a note", "2026-13-01 # a note"),
        ("2026-13-01\nupdated: 2026-13-01", "2026-13-01\nupdated: 2026-13-01"),
        ("2026-13-01\n  and on", "2026-13-01\n  and on"),
    ],
)
def test_bad_dates_are_set(nest: Repo, run: Run, updated: str, becomes: str) -> None:
    """But where more would be lost than a date."""
    nest.commit({"shared/hosts.md": _text(updated)})
    run(*FIX, "--all")
    assert nest.read("shared/hosts.md") == _text(becomes)
    assert run(*CHECK, "--all").code == (becomes == updated)


def test_a_new_date_for_a_bad_one_whose_text_changes(nest: Repo, run: Run) -> None:
    nest.commit({"shared/hosts.md": _text("2026-9-7")})
    nest.stage({"shared/hosts.md": _text("2026-9-7", MORE)})
    line, *_ = run(*CHECK).out.splitlines()
    assert line.endswith(f": write updated: {TODAY} [bad-date]")
    run(*FIX)
    assert nest.read("shared/hosts.md") == _text(TODAY, MORE)


def test_unstaged_edits_stay(nest: Repo) -> None:
    """What is staged is judged, the disk is written, and one paste makes the commit pass."""
    nest.plain_hook("nestwork-check --fix --extend-select updated-date")
    bad = _text("nonsense", MORE)
    nest.stage({"shared/hosts.md": bad})
    nest.write({"shared/hosts.md": f"{bad}\nunstaged\n"})
    done = nest.run("git", "commit", "-q", "-m", "change")
    assert done.code == 1
    first, fix = done.text.splitlines()[0], done.text.splitlines()[-1]
    assert first.startswith("shared/hosts.md: set updated, which was nonsense, to 2")
    set_ = nest.read("shared/hosts.md")
    assert set_.endswith("\nmore\n\nunstaged\n")
    assert fix == (
        f"to fix: cd {nest.path}; git add -- shared/hosts.md && {BIN}/nestwork-fix-index --ok"
        " --staged shared && git add -- shared/memory.md"
    )
    again = nest.run("git", "commit", "-q", "-m", "change")
    assert again.code == 1
    assert "the disk has another date already, but it is not staged: git add it" in again.text
    assert again.text.splitlines()[-1] == fix
    nest.run("sh", "-c", fix.removeprefix("to fix: "))
    assert nest.run("git", "commit", "-q", "-m", "change") == (0, "", "")
    assert nest.git("show", "HEAD:shared/hosts.md") == set_
    assert nest.git("status", "--porcelain") == ""


def test_a_program_can_set_it(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": topic(body=MORE)})
    done = run(*FIX[:1], *FIX[2:], "--format", "json")
    (found,) = (found for found in json.loads(done.out)["findings"] if "fix" in found)
    assert found["fix"] == {
        "kind": "replace",
        "first": 3,
        "last": 3,
        "text": f"updated: {TODAY}\n",
    }
    mend(nest, done.out)
    assert nest.git("show", "HEAD:shared/hosts.md") == _text(TODAY, MORE)


def test_a_file_that_cannot_be_written(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    nest.stage({"shared/hosts.md": topic(body=MORE)})
    monkeypatch.setattr(os, "fsync", refuse)
    done = run(*FIX, "--ignore", "stale-index")
    assert (done.code, done.out) == (2, OLD)
    assert done.err == ("nestwork-check: shared/hosts.md: not rewritten: No space left on device\n")
    assert nest.git("status", "--porcelain") == "M  shared/hosts.md\n"


def test_the_committer_sets_dates_where_it_is_told_to(nest: Repo) -> None:
    nest.write({"shared/hosts.md": topic(body=MORE), "shared/ports.md": topic("Else")})
    done = nest.call("nestwork-commit", "shared", "-m", "memory", "--today")
    assert done == (0, "", "")
    assert nest.git("show", "HEAD:shared/hosts.md") == _text(TODAY, MORE)
    assert nest.git("show", "HEAD:shared/ports.md") == topic("Else")
    index = memory(
        entry("hosts.md").replace("2026-09-27", TODAY), entry("ports.md", "Else", size="0.0")
    )
    assert nest.git("show", "HEAD:shared/memory.md") == index
    assert nest.git("status", "--porcelain") == ""
    nest.write({"shared/hosts.md": _text("2026-09-01", MORE)})
    assert nest.call("nestwork-commit", "shared", "-m", "memory", "--today") == (0, "", "")
    nest.write({"shared/hosts.md": _text("2026-09-01", f"{MORE}\nagain\n")})
    assert nest.call("nestwork-commit", "shared", "-m", "memory") == (0, "", "")
    assert "updated: 2026-09-01" in nest.git("show", "HEAD:shared/hosts.md")


def test_the_committer_leaves_what_is_excluded(nest: Repo) -> None:
    nest.write({"shared/hosts.md": topic(body=MORE)})
    nest.call("nestwork-commit", "shared", "-m", "memory", "--today", "--exclude", "hosts")
    assert nest.git("show", "HEAD:shared/hosts.md") == topic(body=MORE)


def test_todays_date_is_that_of_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    from nestwork_hooks.nest import request

    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    monkeypatch.setattr("time.gmtime", lambda: (2026, 1, 2, 3, 4, 5, 0, 1, 0))
    assert request.today() == "2026-01-02"
