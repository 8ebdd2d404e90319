"""What all commands have in common: flags, formats, exit codes, and how they fail."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from nestwork_hooks.checkers import missing_description
from nestwork_hooks.commands import check
from nestwork_hooks.console import streams
from nestwork_hooks.console.streams import print_lines
from nestwork_hooks.nest import looking
from tests.conftest import BIN, MARKERS, WARNED, Repo, Run, to_fix, topic
from tests.entry_points import judging

if TYPE_CHECKING:
    from pathlib import Path

# Those that judge a nest.
COMMANDS = sorted(judging())
COMMON = ["--all", "--base", "--staged", "--root", "--exclude", "--warn-only", "--strict",
          "--allow-locked", "--verbose", "--format"]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_help(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert (done.code, done.err) == (0, "")
    for flag in COMMON:
        assert flag in done.out
    assert f"example: {command}" in done.out
    assert "Traceback" not in done.out


@pytest.mark.parametrize("command", COMMANDS)
def test_version(run: Run, command: str) -> None:
    assert run(command, "--version") == (0, f"{command} {version('nestwork-hooks')}\n", "")


USAGE = [
    (["--max-bytes", "lots"], "argument --max-bytes: expected a positive whole number, got 'lots'"),
    (
        ["--max-bytes", "9" * 5_000],
        "argument --max-bytes: expected a positive whole number, got '".ljust(1_997, "9") + "...",
    ),
    (["--max-bytes", "0"], "argument --max-bytes: expected a positive whole number, got '0'"),
    (["--max-bytes", "-1"], "argument --max-bytes: expected a positive whole number, got '-1'"),
    (["--max-bytes", "٣"], "argument --max-bytes: expected a positive whole number, got '٣'"),
    (
        ["--exclude", "("],
        "argument --exclude: '(' is no regular expression: missing ), unterminated subpattern at"
        " position 0",
    ),
    (
        ["--format", "xml"],
        "argument --format: invalid choice: 'xml' (choose from 'text', 'json', 'github')",
    ),
    (["--nonsense"], "unrecognized arguments: --nonsense"),
    (["--nonsense", "shared", "--all"], "unrecognized arguments: --nonsense"),
    (["shared", "--nonsense", "x", "--all", "-y"], "unrecognized arguments: --nonsense x -y"),
    (["--strict=x"], "argument --strict: ignored explicit argument 'x'"),
    (["-hx"], "argument -h/--help: ignored explicit argument 'x'"),
    (["--base"], "argument --base: expected one argument"),
    (["--base", "--", "x"], "argument --base: expected one argument"),
    (["--base", "--all=a b"], "argument --base: expected one argument"),
    (["--", "--all"], None),
    (["--all", "shared"], "--all goes without names"),
    (["--stage"], "unrecognized arguments: --stage"),
]


@pytest.mark.usefixtures("nest")
@pytest.mark.parametrize(("args", "said"), USAGE)
def test_usage_error(run: Run, args: list[str], said: str | None) -> None:
    done = run("nestwork-check", *args)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    if said:
        assert done.err == f"nestwork-check: {said} (see nestwork-check --help)\n"


@pytest.mark.usefixtures("nest")
@pytest.mark.parametrize(
    ("command", "args", "said"),
    [
        ("check", ["queen"], "queen is no scope: name shared or agents/<host>/<agent-id>"),
        ("check", ["agents/box"], "agents/box is no scope: name shared or agents/<host>/<agent-id>"),
        ("check", ["shared/hosts.md"], "shared/hosts.md is no scope: name shared or agents/<host>/<agent-id>"),
        ("check", [".."], ".. is no scope: name shared or agents/<host>/<agent-id>"),
        ("check", ["agents/box/nobody"], "git lists no file in agents/box/nobody: name a scope of this nest"),
        ("topic-size", ["shared", "shared/hosts.md"], "name either scopes or files, not both"),
        ("check", ["a\x1b[31m"], "a\\x1b[31m is no scope: name shared or agents/<host>/<agent-id>"),
    ],
)  # fmt: skip
def test_names_that_cannot_be_judged(run: Run, command: str, args: list[str], said: str) -> None:
    assert run(f"nestwork-{command}", *args) == (2, "", f"nestwork-{command}: {said}\n")


NO_NEST = "no nest here: git lists no file below queen/, shared/, agents/; "
BY_HAND = "start in the nest's root, and git add new files first"
IN_HOOK = "start this hook in a nest's root, or take it out of this repository"
PLACES = [
    ({}, BY_HAND),
    ({"GIT_INDEX_FILE": ".git/index"}, IN_HOOK),
    ({"PRE_COMMIT": "1"}, IN_HOOK),
    ({"PRE_COMMIT": "1", "PRE_COMMIT_FROM_REF": "HEAD~", "PRE_COMMIT_TO_REF": "HEAD"}, IN_HOOK),
]


@pytest.mark.quick(7)
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("env", "remedy"), PLACES)
def test_no_nest(
    repo: Repo,
    run: Run,
    command: str,
    env: dict[str, str],
    remedy: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing to look at is no pass, whether nothing is staged, other files are, or a first commit."""
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    said = (2, "", f"{command}: {NO_NEST}{remedy}\n")
    repo.stage({"src/x.py": "x\n"})
    if "PRE_COMMIT_FROM_REF" not in env:
        assert run(command) == said
    repo.commit()
    repo.commit({"src/y.py": "y\n"})
    for args in ([], ["--all"], ["--staged"], ["shared"]):
        assert run(command, *args) == said


@pytest.mark.parametrize("command", ["nestwork-topic-size", "nestwork-missing-description"])
def test_no_nest_around_the_files_that_are_named(nest: Repo, run: Run, command: str) -> None:
    os.chdir(nest.path / "shared")
    assert run(command, "hosts.md") == (2, "", f"{command}: {NO_NEST}{BY_HAND}\n")


@pytest.mark.quick(3)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_nest_of_which_nothing_is_touched(nest: Repo, run: Run, command: str) -> None:
    """Neither where a sparse checkout leaves all of it out, nor where none of it is in git yet."""
    nest.stage({"a.txt": "a"})
    assert run(command) == (0, "", "")
    nest.git("sparse-checkout", "set", "--no-cone", "/a.txt")
    assert [path.name for path in nest.path.iterdir() if path.is_dir()] == [".git"]
    assert run(command) == (0, "", "")
    nest.git("read-tree", "HEAD")
    nest.git("rm", "-q", "-r", "--cached", "--sparse", ".")
    (nest.path / "queen").mkdir()
    nest.git("commit", "-q", "-m", "x")
    nest.git("add", "--sparse", "a.txt")
    assert run(command) == (0, "", "")


def test_a_commit_that_deletes_the_whole_nest(nest: Repo, run: Run) -> None:
    nest.git("rm", "-q", "-r", "queen", "shared")
    nest.write({"a.txt": "a"})
    assert run("nestwork-stale-index") == (2, "", f"nestwork-stale-index: {NO_NEST}{BY_HAND}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_not_a_repository(
    run: Run, repo: Repo, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A ceiling holds for the folders below it: temporary ones can lie in a repository.
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repo.path.parent.parent))
    monkeypatch.chdir(repo.path.parent)
    for args in ((), ("--all",), ("shared",)):
        assert run(command, *args) == (
            2,
            "",
            f"{command}: fatal: not a git repository (or any of the parent directories): .git\n",
        )


@pytest.mark.usefixtures("nest")
def test_no_git(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = "nestwork-check: cannot run git: No such file or directory\n"
    assert run("nestwork-check") == (2, "", said)


def test_formats(nest: Repo, run: Run) -> None:
    nest.stage(
        {
            "shared/a:b,c%.md": b"x\n",
            "shared/\udcff##[.md".encode("utf-8", "surrogateescape").decode(
                "utf-8", "surrogateescape"
            ): topic(),
        }
    )
    found = json.loads(run("nestwork-nesting-depth", "--format", "json").out)
    assert found["version"] == 1
    assert found["written"] == []
    paths = [finding["path"] for finding in found["findings"]]
    assert paths == ["shared/a:b,c%.md", "shared/\\xff##[.md"]
    assert run("nestwork-missing-description", "--format", "github").out.startswith(
        "::error file=shared/a%3Ab%2Cc%25.md,line=1,title=missing-description::no YAML front matter"
    )
    assert (
        run("nestwork-nesting-depth", "--format", "github")
        .out.splitlines()[1]
        .startswith("::error file=shared/\\xff#\\x23[.md,line=1,title=topic-name::")
    )


def test_an_annotation_has_its_percent_signs_and_no_line_break_of_another(
    nest: Repo, run: Run
) -> None:
    text = "---\ndescription: 100%, 50%25\nupdated: [%0A::error::x%0D\n---\n"
    nest.stage({"shared/a%0A,b.md": text})
    assert run("nestwork-missing-description", "--format", "github").out == (
        "::warning file=shared/a%250A%2Cb.md,line=3,title=yaml-mismatch::YAML cannot read the date"
        " (it starts with [, a list or mapping for YAML), so only the index sees it: write updated:"
        ' "[%250A::error::x%250D"\n'
    )


def test_a_line_to_write_that_would_be_a_command_is_not_offered(nest: Repo, run: Run) -> None:
    for command in ("##vso[a]", "##[b]", "##teamcity[c", "d\ufe0fe"):
        nest.stage({"shared/a.md": f"---\ndescription: Ports: {command}\n---\n"})
        assert run("nestwork-missing-description").out == (
            "shared/a.md:2: warning: YAML cannot read the description (a colon in a value without"
            ' quotes), so only the index sees it: put a double quote (") before the text and one'
            f" behind it [yaml-mismatch]\n{WARNED}{to_fix('shared')}"
        )


def test_json_where_all_is_well(nest: Repo, run: Run) -> None:
    assert nest
    said = '{"version": 1, "findings": [], "written": [], "remedy": ""}\n'
    assert run("nestwork-check", "--format", "json") == (0, said, "")


def test_findings_are_sorted(nest: Repo, run: Run) -> None:
    nest.stage(
        {
            "shared/b.md": "x\n",
            "shared/a.md": "---\ndescription: x: y\n---\n" + "x" * 40_000,
            "agents/h/i/memory.md": MARKERS,
        }
    )
    places = [line.split(" ")[0] for line in run("nestwork-check").out.splitlines()]
    assert places == [
        "agents/h/i/memory.md:3:",
        "shared/a.md:1:",
        "shared/a.md:2:",
        "shared/b.md:1:",
        "shared/memory.md:3:",
        "first",
        "to",
    ]


def test_exclude_and_warn_only(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": "x\n", "shared/b.md": "x\n"})
    hook_id = "nestwork-missing-description"
    assert run(hook_id, "--exclude", "a.md$").out.startswith("shared/b.md:1: error")
    assert run(hook_id, "--exclude", "^shared/[ab]") == (0, "", "")
    done = run(hook_id, "--warn-only", "a.md$")
    assert (done.code, "shared/a.md:1: warning" in done.out) == (1, True)
    assert run(hook_id, "--warn-only", "shared").code == 0
    assert run(hook_id, "--warn-only", "shared", "--strict").code == 1


def test_the_committers_own_hooks_do_not_judge_again(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    nest.stage({"shared/memory.md": MARKERS})
    index = nest.path / ".git/next-index-1.lock"
    shutil.copy(nest.path / ".git/index", index)
    monkeypatch.setenv("GIT_INDEX_FILE", str(index))
    monkeypatch.setenv("NESTWORK_COMMIT", f"{os.getpid()} {nest.path}/.git")
    assert run("nestwork-check") == (0, "", "")
    assert run("nestwork-fix-index") == (0, "", "")
    assert nest.read("shared/memory.md") == MARKERS


@pytest.mark.usefixtures("nest")
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyboardInterrupt(), "interrupted"),
        (PermissionError(13, "Permission denied"), "Permission denied"),
        (OSError("odd"), "odd"),
        (MemoryError(), "internal error in nest/looking.py, line "),
    ],
)
def test_no_failure_is_a_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, said: str
) -> None:
    def explode(*_: object) -> None:
        raise error

    monkeypatch.setattr(looking, "select", explode)
    done = run("nestwork-check")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"nestwork-check: {said}")
    assert len(done.err.splitlines()) == 1


def test_an_internal_error_names_its_place_and_the_path_at_work(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    nest.stage({"shared/a\n##[b.md": "x\n"})
    error = ValueError("odd\n" + "x" * 5_000)

    def explode(*_: object) -> None:
        raise error

    monkeypatch.setattr(missing_description, "faults", explode)
    done = run("nestwork-missing-description")
    assert (done.code, done.out) == (2, "")
    assert re.fullmatch(
        r"nestwork-missing-description: internal error in checkers/missing_description\.py, line \d+, at"
        r" shared/a\\x0a#\\x23\[b\.md; please report it: ValueError\('odd\\nx{600,}\.\.\.\n",
        done.err,
    )


def test_closed_standard_output(nest: Repo) -> None:
    nest.stage({"shared/a.md": "x\n"})
    assert nest.run("sh", "-c", f"{BIN}/nestwork-check >&-") == (1, "", "")


@pytest.mark.quick(1)
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_console(nest: Repo, encoding: str) -> None:
    nest.stage({"shared/机器 ü.md": "x\n"})
    done = nest.run("nestwork-check", PYTHONIOENCODING=encoding)
    assert done.code == 1
    assert "Traceback" not in done.text
    assert done.out.isascii() or encoding != "ascii"


@pytest.mark.parametrize("how", ["LITERAL", "GLOB", "NOGLOB", "ICASE"])
@pytest.mark.parametrize("command", ["nestwork-check", "nestwork-fix-index"])
def test_paths_mean_what_they_say_whatever_the_environment(
    nest: Repo, how: str, command: str
) -> None:
    nest.stage({"shared/ports.md": topic(body="x\n")})
    assert nest.call(command, "--all", **{f"GIT_{how}_PATHSPECS": "1"}) == (0, "", "")


def test_a_console_that_names_no_encoding(nest: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    nest.stage({"agents/box/ü/memory.md": MARKERS, "agents/box/ü/a.md": topic()})
    with redirect_stdout(io.StringIO()) as said:
        assert check.main([]) == 1
    assert (
        "topic index is stale: never generated, so it lists none of its topics (a.md)"
        in said.getvalue()
    )
    assert "$(printf 'agents/box/\\303\\274')" in said.getvalue()
    assert capsys.readouterr().err == ""


def test_in_another_thread(nest: Repo) -> None:
    nest.stage({"shared/ports.md": topic(body="x\n")})
    with ThreadPoolExecutor() as pool:
        assert pool.submit(check.main, []).result() == 0


def test_the_fixer_of_a_check_that_is_linked_to(nest: Repo, tmp_path: Path) -> None:
    """As on the offline machine of docs/agents.md; what lies in the nest is no module of ours."""
    (tmp_path / "bin").mkdir()
    linked = tmp_path / "bin/nestwork-check"
    linked.symlink_to(BIN / "nestwork-check")
    nest.stage({"shared/memory.md": MARKERS, "nestwork_hooks/__init__.py": "raise SystemExit(9)"})
    done = nest.run(str(linked), PATH="/usr/bin:/bin")
    fix = done.out.splitlines()[-1].removeprefix("to fix: ")
    assert fix.startswith(f"{BIN}/nestwork-fix-index ")
    env = {**nest.env, "PATH": "/usr/bin:/bin"}
    subprocess.run(fix, shell=True, cwd=nest.path, env=env, check=True, capture_output=True)
    assert nest.call("nestwork-check") == (0, "", "")


def test_a_runner_hands_names_to_a_hook_for_everything(nest: Repo) -> None:
    nest.commit({"shared/old.md": topic(body="x" * 40_000)})
    done = nest.call("nestwork-topic-size", "--all", "shared/hosts.md", PRE_COMMIT="1")
    assert done.code == 1
    assert "shared/old.md:1: error:" in done.out


def test_a_hook_after_a_merge_judges_everything(nest: Repo) -> None:
    nest.git("checkout", "-q", "-b", "side")
    nest.commit({"shared/new.md": topic()})
    nest.git("checkout", "-q", "main")
    hook = nest.path / ".git/hooks/post-merge"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexec nestwork-check >&2\n")
    hook.chmod(0o755)
    assert (
        "stale: missing a line for new.md"
        in nest.run("git", "merge", "-q", "--no-edit", "side").err
    )


def test_a_scope_by_its_full_path_through_a_link(nest: Repo, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(nest.path)
    nest.commit({"shared/new.md": topic()})
    done = nest.call("nestwork-stale-index", f"{tmp_path}/link/shared")
    assert "shared/memory.md:3: error: topic index is stale: missing a line for new.md" in done.out


def test_as_a_module(nest: Repo) -> None:
    nest.stage({"shared/memory.md": MARKERS})
    done = nest.run(sys.executable, "-m", "nestwork_hooks.checkers.stale_index")
    assert done.code == 1
    fix = done.out.splitlines()[-1].removeprefix("to fix: ")
    words = [
        sys.executable,
        *["-P"] * (sys.version_info >= (3, 11)),
        "-m nestwork_hooks.commands.fix_index",
    ]
    assert fix == " ".join(words) + " --ok shared && git add -- shared/memory.md"
    subprocess.run(fix, shell=True, cwd=nest.path, env=nest.env, check=True, capture_output=True)
    assert nest.call("nestwork-check") == (0, "", "")


def test_nobody_hears_a_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    streams.complain("nestwork-check", "x")
    streams.drop(None)


def test_a_stream_without_an_encoding() -> None:
    stream = io.StringIO()
    print_lines(["ü"], stream)
    assert stream.getvalue() == "ü\n"
