"""What is judged where names or a range say so; the situations hold the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FIRST, Repo, Run, topic

HOOK = "nestwork-missing-description"


def test_names_in_a_merge_are_judged_only_if_the_merge_made_them(nest: Repo, run: Run) -> None:
    nest.git("checkout", "-q", "-b", "other")
    nest.commit({"shared/theirs.md": "x\n", "shared/hosts.md": topic("Theirs")})
    nest.git("checkout", "-q", "main")
    nest.commit({"shared/hosts.md": topic("Ours")})
    assert nest.run("git", "merge", "-q", "other").code == 1
    nest.stage({"shared/hosts.md": "x\n"})
    done = run(HOOK, "shared/theirs.md", "shared/hosts.md")
    assert [line.partition(":")[0] for line in done.out.partition(FIRST)[0].splitlines()] == [
        "shared/hosts.md"
    ]


def test_a_range(nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    nest.commit({"shared/old.md": "x\n"})
    nest.commit({"shared/new.md": "x\n"})
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "HEAD~1")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    done = run(HOOK)
    assert [line.partition(":")[0] for line in done.out.partition(FIRST)[0].splitlines()] == [
        "shared/new.md"
    ]


def test_a_range_starts_where_its_ends_parted(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    nest.commit({"shared/old.md": "x\n"})
    nest.git("checkout", "-q", "-b", "other")
    nest.commit({"shared/old.md": topic()})
    nest.git("checkout", "-q", "main")
    nest.commit({"shared/new.md": "x\n"})
    monkeypatch.setenv("PRE_COMMIT_FROM_REF", "other")
    monkeypatch.setenv("PRE_COMMIT_TO_REF", "main")
    done = run(HOOK)
    assert [line.partition(":")[0] for line in done.out.partition(FIRST)[0].splitlines()] == [
        "shared/new.md"
    ]


@pytest.mark.parametrize("how", ["commit", "base", "range"])
def test_old_warnings_are_no_news_and_new_ones_are(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """What is new is new against the commit that the judged changes are changes to."""
    long, longer = topic("x" * 301), topic("y" * 302)
    nest.commit({"shared/hosts.md": long})
    nest.git("branch", "start")
    nest.stage({"shared/hosts.md": longer, "shared/ports.md": longer})
    if how != "commit":
        nest.git("commit", "-q", "-m", "both")
    if how == "range":
        monkeypatch.setenv("PRE_COMMIT_FROM_REF", "start")
        monkeypatch.setenv("PRE_COMMIT_TO_REF", "HEAD")
    done = run(HOOK, *(["--base", "start"] if how == "base" else []))
    assert done.code == 0
    said = "shared/ports.md:2: warning: description of 302 characters"
    assert [line[: len(said)] for line in done.out.splitlines()] == [said]


@pytest.mark.parametrize(
    ("flags", "env", "said"),
    [
        ([], {}, True),
        (["--base", "HEAD"], {}, True),
        # As of `pre-commit run --all-files`, which stashes nothing.
        ([], {"PRE_COMMIT": "1"}, True),
        # In a commit it makes the disk equal to what is staged: only a test does not.
        ([], {"PRE_COMMIT": "1", "GIT_INDEX_FILE": ".git/index"}, False),
        (["--staged"], {}, False),
        ([], {"GIT_INDEX_FILE": ".git/index"}, False),
    ],
    ids=["by hand", "base", "runner", "runner in a commit", "staged", "commit"],
)
def test_what_is_on_disk_alone_was_not_so_before(
    nest: Repo,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    flags: list[str],
    env: dict[str, str],
    said: bool,
) -> None:
    """A topic that is staged as it was may make the index large by what is on disk."""
    nest.stage({"shared/ports.md": topic("Ports")})
    nest.write({"shared/hosts.md": topic("x" * 300)})
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    done = run("nestwork-stale-index", "--max-index-bytes", "400", *flags)
    assert ("[large-index]" in done.out) is said
    assert "[stale-index]" in done.out


def test_a_link_is_not_followed_by_its_absolute_name_either(nest: Repo, run: Run) -> None:
    nest.commit({"shared/hosts.md": "x\n", "shared/link.md": Path("hosts.md")})
    assert run(HOOK, "shared/link.md") == (0, "", "")
    assert run(HOOK, str(nest.path / "shared/link.md")) == (0, "", "")
