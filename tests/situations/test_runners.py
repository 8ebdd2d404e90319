"""Runs that are no commit: everything, named files, ranges, pushes, workspaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import BIN, RULES, Repo, entry, memory, topic
from tests.situations.hooked import COMMIT, GROWN, OTHER, Hooked, config, errors, written

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Done

pytestmark = pytest.mark.slow
HOSTS, PORTS = entry("hosts.md"), entry("ports.md")
HOSTS_GROWN = entry("hosts.md", size="2.1")
CHECK, FIX = "nestwork-check", "nestwork-fix-index"
EVERY_OLD_FAULT = {
    "agents/box/old/huge.md topic-size",
    "agents/box/old/memory.md stale-index",
    "agents/box/old/quoted.md bad-front-matter",
    "agents/box/old/resident.md resident-budget",
    "agents/box/torn/memory.md broken-markers",
    "shared/aged.md topic-size",
    "shared/bare.md missing-description",
    "shared/deep/er/est.md nesting-depth",
}


@pytest.fixture(params=["pre-commit", "prek"])
def runner(request: pytest.FixtureRequest) -> str:
    """A program that runs hooks."""
    return str(request.param)


@pytest.fixture
def checked(tmp_path: Path, runner_env: dict[str, str], runner: str) -> Hooked:
    """A sound nest with nestwork-check."""
    return _nest(tmp_path, runner_env, runner, CHECK)


@pytest.fixture
def fixed(tmp_path: Path, runner_env: dict[str, str], runner: str) -> Hooked:
    """A sound nest with nestwork-fix-index."""
    return _nest(tmp_path, runner_env, runner, FIX)


@pytest.fixture
def both(tmp_path: Path, runner_env: dict[str, str], runner: str) -> Hooked:
    """A sound nest with nestwork-fix-index, then nestwork-check, as most people install them."""
    return _nest(tmp_path, runner_env, runner, FIX, CHECK)


@pytest.fixture
def faulty(tmp_path: Path, runner_env: dict[str, str], runner: str) -> Hooked:
    """A nest with old faults and nestwork-check."""
    return _nest(tmp_path, runner_env, runner, CHECK, old_faults=True)


def _nest(
    path: Path, env: dict[str, str], runner: str, *commands: str, old_faults: bool = False
) -> Hooked:
    nest = Hooked(path / "nest", env, runner, commands, old_faults=old_faults)
    nest.path.mkdir()
    nest.begin()
    nest.fill()
    return nest


def _run(nest: Hooked, *args: str, cwd: str = ".") -> Done:
    return nest.run(nest.runner, "run", *args, cwd=cwd)


def test_fixer_and_check_together(both: Hooked) -> None:
    both.stage({"shared/hosts.md": GROWN})
    both.stops(*COMMIT, stale=["shared"])


def test_fixer_and_check_together_with_commit_all(both: Hooked) -> None:
    both.write({"shared/hosts.md": GROWN})
    both.stops(*COMMIT, "-a", stale=["shared"])


def test_fixer_and_check_together_with_a_partial_commit(both: Hooked) -> None:
    both.write({"shared/hosts.md": GROWN, "shared/ports.md": GROWN})
    both.stops(*COMMIT, "--", "shared/hosts.md", "shared/memory.md", stale=["shared"])


def test_everything(faulty: Hooked) -> None:
    done = _run(faulty, "--all-files")
    assert (done.code, errors(done)) == (1, EVERY_OLD_FAULT), done.text


def test_everything_in_a_sound_nest(checked: Hooked) -> None:
    done = _run(checked, "--all-files")
    assert done.code == 0, done.text


def test_everything_from_a_sub_folder(faulty: Hooked) -> None:
    done = _run(faulty, "--all-files", cwd="shared")
    assert (done.code, errors(done)) == (1, EVERY_OLD_FAULT), done.text


def test_everything_with_the_fixer(fixed: Hooked) -> None:
    fixed.commit({"shared/hosts.md": GROWN})
    done = _run(fixed, "--all-files")
    assert written(done) == {"shared/memory.md"}, done.text
    fixed.paste(done)
    fixed.passes(*COMMIT)
    fixed.assert_true_index("shared")


def test_everything_mended_by_the_line_of_the_check(checked: Hooked) -> None:
    checked.commit({"shared/hosts.md": GROWN})
    done = _run(checked, "--all-files")
    assert errors(done) == {"shared/memory.md stale-index"}, done.text
    checked.paste(done)
    checked.passes(*COMMIT)
    checked.assert_true_index("shared")


def test_everything_while_something_is_staged(faulty: Hooked) -> None:
    """No hook can see `--all-files`: what is staged is judged, the same as in its commit."""
    faulty.stage({"shared/hosts.md": GROWN, "shared/memory.md": faulty.index(HOSTS_GROWN, PORTS)})
    done = _run(faulty, "--all-files")
    assert done.code == 0, done.text


def test_everything_when_the_entry_asks_for_it(faulty: Hooked) -> None:
    text = config([CHECK]).replace(f"{BIN}/{CHECK}", f"{BIN}/{CHECK} --all")
    faulty.commit({".pre-commit-config.yaml": text})
    faulty.stage({"a.txt": "a"})
    done = _run(faulty, "--all-files")
    assert (done.code, errors(done)) == (1, EVERY_OLD_FAULT), done.text


def test_run_by_hand_with_something_staged(checked: Hooked) -> None:
    checked.stage({"shared/hosts.md": GROWN})
    checked.write({"shared/hosts.md": GROWN * 3})
    done = _run(checked)
    assert errors(done) == {"shared/memory.md stale-index"}, done.text
    checked.paste(done)
    checked.passes(*COMMIT)
    checked.assert_true_index("shared")


def test_run_by_hand_with_something_changed_and_nothing_staged(faulty: Hooked) -> None:
    """Nothing is staged, so everything is judged, as it was committed."""
    faulty.write({"shared/hosts.md": GROWN})
    done = _run(faulty)
    assert errors(done) == EVERY_OLD_FAULT, done.text


def test_named_files(faulty: Hooked) -> None:
    """Runners match files to hooks; a hook that always runs judges what it would without them."""
    faulty.stage({"shared/hosts.md": GROWN})
    done = _run(faulty, "--files", "shared/hosts.md")
    assert errors(done) >= {"shared/memory.md stale-index"}, done.text


def _pushed(nest: Hooked) -> tuple[str, str]:
    """A sound range of commits on top of old faults."""
    start = nest.head().strip()
    nest.commit({"shared/hosts.md": GROWN, "shared/memory.md": nest.index(HOSTS_GROWN, PORTS)})
    nest.commit({f"{OTHER}/more.md": topic(), f"{OTHER}/memory.md": _more()})
    return start, nest.head().strip()


def _more() -> str:
    return memory(entry("more.md"), entry("notes.md"))


def test_range(faulty: Hooked) -> None:
    start, end = _pushed(faulty)
    done = _run(faulty, "--from-ref", start, "--to-ref", end)
    assert done.code == 0, done.text


def test_range_at_fault(faulty: Hooked) -> None:
    start, _ = _pushed(faulty)
    faulty.commit({"shared/new.md": topic()})
    done = _run(faulty, "--from-ref", start, "--to-ref", "HEAD")
    assert (done.code, errors(done)) == (1, {"shared/memory.md stale-index"}), done.text
    faulty.paste(done)
    faulty.passes(*COMMIT)


def test_range_with_a_branch_that_went_on(faulty: Hooked) -> None:
    """Only the side of TO counts, since the two parted."""
    start, _ = _pushed(faulty)
    faulty.git("switch", "-q", "-c", "side", start)
    faulty.commit({"shared/ports.md": topic(), "a.txt": "a"})
    done = _run(faulty, "--from-ref", "main", "--to-ref", "side")
    assert done.code == 0, done.text


def _pushable(nest: Hooked, tmp_path: Path) -> None:
    """Have the hook run at push instead, towards a remote that has everything up to here."""
    nest.write({".pre-commit-config.yaml": config(nest.commands, stages="[pre-push]")})
    nest.git("add", "-A")
    nest.git("commit", "-q", "--no-verify", "-m", "config")
    nest.git("init", "-q", "--bare", "-b", "main", str(tmp_path / "remote.git"))
    nest.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    nest.git("push", "-q", "--no-verify", "-u", "origin", "main")
    done = nest.run(nest.runner, "install", "--hook-type", "pre-push")
    assert done.code == 0, done.text


def test_push(faulty: Hooked, tmp_path: Path) -> None:
    _pushable(faulty, tmp_path)
    _pushed(faulty)
    done = faulty.run("git", "push", "-q")
    assert done.code == 0, done.text


def test_push_at_fault(faulty: Hooked, tmp_path: Path) -> None:
    _pushable(faulty, tmp_path)
    faulty.commit({"shared/new.md": topic()})
    done = faulty.run("git", "push", "-q")
    assert (done.code, errors(done)) == (1, {"shared/memory.md stale-index"}), done.text


def test_push_while_something_at_fault_is_staged(faulty: Hooked, tmp_path: Path) -> None:
    _pushable(faulty, tmp_path)
    _pushed(faulty)
    faulty.stage({"shared/new.md": "no front matter\n"})
    done = faulty.run("git", "push", "-q")
    assert "missing-description" not in done.text, done.text


def test_workspace(tmp_path: Path, runner_env: dict[str, str]) -> None:
    """prek starts the hook in the folder of its configuration, here a nest below the root."""
    outer = Hooked(tmp_path / "outer", runner_env, "prek", [CHECK])
    outer.path.mkdir()
    outer.begin()
    files = {
        **RULES,
        "shared/memory.md": memory(HOSTS),
        "shared/hosts.md": topic(),
        ".pre-commit-config.yaml": config([CHECK]),
    }
    outer.write({".pre-commit-config.yaml": "repos: []\n"})
    outer.commit({f"memory/{name}": text for name, text in files.items()})
    outer.stage({"memory/shared/hosts.md": GROWN, "shared/stray.md": "no front matter\n"})
    done = outer.run("git", *COMMIT)
    assert errors(done) == {"shared/memory.md stale-index"}, done.text
    outer.paste(done)
    outer.passes(*COMMIT)
    outer.assert_true_index("memory/shared")


def test_repository_of_somebody_else(tmp_path: Path, runner_env: dict[str, str]) -> None:
    """git refuses, and so do the commands: with its words, and 2."""
    nest = _nest(tmp_path, runner_env, "plain", CHECK, FIX)
    for command in (CHECK, FIX, "nestwork-topic-size"):
        done = nest.run(command, GIT_TEST_ASSUME_DIFFERENT_OWNER="1")
        assert done.code == 2
        assert "dubious ownership" in done.err
        assert done.out == ""
        assert done.err.count("\n") == 1


def test_repository_of_somebody_else_that_is_trusted(
    tmp_path: Path, runner_env: dict[str, str]
) -> None:
    nest = _nest(tmp_path, runner_env, "plain", CHECK)
    (tmp_path / "gitconfig").write_text(f"[safe]\n\tdirectory = {nest.path}\n")
    trusting = {
        "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1",
        "GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig"),
    }
    done = nest.run(CHECK, **trusting)
    assert done.code == 0, done.text


def test_no_repository(tmp_path: Path, runner_env: dict[str, str]) -> None:
    done = Repo(tmp_path, runner_env).run(CHECK)
    assert done.code == 2
    assert "not a git repository" in done.err
