"""Consoles, pipes and environments of every kind: no traceback, and the right exit code."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys

import pytest

from tests.conftest import BIN, MARKERS, RULES, Done, Files, Repo, topic

COMMANDS = sorted(path.name for path in BIN.glob("nestwork-*"))
FEW = ["nestwork-check", "nestwork-fix-index", "nestwork-nesting-depth"]
ONE_OF_FEW = [FEW[0], *(pytest.param(name, marks=pytest.mark.slow) for name in FEW[1:])]


@pytest.fixture
def faulty(repo: Repo) -> Repo:
    """A nest with faults of many kinds, in which there is something to fix."""
    repo.commit(
        {
            **RULES,
            "shared/memory.md": MARKERS,
            "shared/hosts.md": topic("Für Menschen \u202e und \x1b[31m ##[error]"),
            "shared/é\n::error::.md": topic("a: b"),
            "agents/ü/$(touch ran)/memory.md": MARKERS,
            "agents/ü/$(touch ran)/a'b;c.md": topic(),
        }
    )
    return repo


def _shell(repo: Repo, script: str, **env: str) -> Done:
    return repo.run("bash", "-c", script, **env)


def _is_quiet(done: Done) -> None:
    for word in ("Traceback", "Exception", "Error", "Warning", "\x1b", "\u202e"):
        assert word not in done.text, done.text


@pytest.mark.quick(3)
@pytest.mark.parametrize("command", ONE_OF_FEW)
@pytest.mark.parametrize(
    "pipe",
    [
        "{} --all 2>&1 | true; exit ${{PIPESTATUS[0]}}",
        "{} --all 2>&1 | head -1; exit ${{PIPESTATUS[0]}}",
        "{} --all >&-",
        "{} --all 2>&-",
        "{} --all <&- >&- 2>&-",
        "{} --help 2>&1 | true",
        "{} --bad 2>&1 | true",
    ],
)
def test_whoever_listens(faulty: Repo, command: str, pipe: str) -> None:
    done = _shell(faulty, pipe.format(command))
    _is_quiet(done)
    assert done.code in (0, 1, 2)


@pytest.mark.quick(2)
@pytest.mark.parametrize("command", ["nestwork-check", "nestwork-fix-index"])
@pytest.mark.parametrize("stream", ["", "2>/dev/full"])
def test_a_report_that_cannot_be_written_is_no_pass(
    faulty: Repo, command: str, stream: str
) -> None:
    done = _shell(faulty, f"{command} --all >/dev/full {stream}")
    assert done.code == 2
    assert done.err == ("" if stream else f"{command}: No space left on device\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "1"},
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"PYTHONIOENCODING": "utf-16"},
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati"},
        {"PYTHONHASHSEED": "4294967295", "TZ": "Etc/GMT+12"},
        {"PYTHONOPTIMIZE": "2"},
        {"HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent"},
        {"TMPDIR": "/nonexistent", "TEMP": "/nonexistent", "TMP": "/nonexistent"},
    ],
    ids=lambda env: " ".join(f"{key}={value}" for key, value in env.items()),
)
def test_the_result_is_the_same_everywhere(faulty: Repo, env: dict[str, str]) -> None:
    text = faulty.run("nestwork-check", "--all", **env)
    _is_quiet(text)
    assert text.code == 1
    if "utf-16" in env.values():
        return
    assert text.out.count("\n") == faulty.run("nestwork-check", "--all").out.count("\n")
    told = ("nestwork-check", "--all", "--staged", "--format", "json")
    assert faulty.run(*told, **env) == faulty.run(*told)
    fixed = faulty.run("nestwork-fix-index", "--all", "--format", "github", **env)
    _is_quiet(fixed)
    assert fixed.code == 1
    assert faulty.run("nestwork-stale-index", "--all").code == 0


SPOKEN = ["##[error]a", "##vso[task.complete]b", "##teamcity[c", "::error::d", "%0A::error::e"]


@pytest.fixture
def commanding(repo: Repo) -> Repo:
    """A nest with commands of CI services in names, texts, and the words of a hook of another."""
    files: Files = {
        **RULES,
        "shared/memory.md": MARKERS,
        "shared/many.md": topic(f"x: {' '.join(SPOKEN)}"),
    }
    for number, command in enumerate(SPOKEN):
        files[f"shared/{command} {number}.md"] = topic(f"{command}: a")
        files[f"agents/box/{command}/memory.md"] = MARKERS
        files[f"agents/box/{command}/{command}.md"] = f"---\n{command}\n---\n"
        files[f"agents/box/{command}/resident.md"] = "x" * 5_000
    repo.commit(files)
    hook = repo.path / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    lines = "\n".join(f" {command}\n{command}\r{command}" for command in SPOKEN)
    hook.write_text(f"#!/bin/sh\ncat >&2 <<'.'\n{lines}\n.\nexit 1\n")
    hook.chmod(0o755)
    return repo


@pytest.mark.quick(5)
@pytest.mark.parametrize(
    "command",
    [
        "nestwork-check --all",
        "nestwork-check --all --staged",
        "nestwork-check --all --format json",
        "nestwork-check --all --format github",
        "nestwork-check --uncommitted shared agents/box/*",
        "nestwork-check '::error::x' '##vso[x'",
        "nestwork-check --exclude '##vso[('",
        "nestwork-check '--##vso[x'",
        "nestwork-measure",
        "nestwork-measure --json",
        "nestwork-measure --rev '##vso[x'",
        "nestwork-measure --svg /dev/stdout",
        "nestwork-measure --agent '##vso[x'",
        "nestwork-fix-index --all",
        "nestwork-fix-index --all --format github",
        "echo >> shared/many.md; nestwork-commit shared -m m",
        "nestwork-commit '##vso[x' -m m",
    ],
)
def test_nothing_printed_is_a_command_to_a_ci_service(commanding: Repo, command: str) -> None:
    in_a_shell = any(word in command for word in (";", "*", "/dev/stdout"))
    done = _shell(commanding, command) if in_a_shell else commanding.call(*shlex.split(command))
    assert done.text
    assert not re.search(r"##[a-z]*\[", done.text, re.IGNORECASE)
    starts = [line.lstrip() for line in re.split(r"[\r\n]", done.text)]
    ours = ("::error file=", "::warning file=", "::notice file=")
    for line in starts:
        if line.startswith("::"):
            assert "--format github" in command
            assert line.startswith(ours)
            assert not re.search("%(?!25|0A|0D|3A|2C)|%0[AD]", line)
    if "json" in command:
        assert "##vso[task.complete]b" in str(json.loads(done.out))


def test_without_home_or_path_of_its_own(faulty: Repo) -> None:
    script = f"env -i PATH=/usr/bin:/bin {BIN}/nestwork-check --all"
    done = _shell(faulty, script)
    _is_quiet(done)
    assert done.code in (1, 2)


@pytest.mark.parametrize("command", ONE_OF_FEW)
def test_no_warning_of_python(faulty: Repo, command: str) -> None:
    flags = ("-X", "dev", "-bb", "-W", "error")
    for args in (["--all"], ["--all", "--staged", "--format", "json"], ["--help"], ["--bad"]):
        done = faulty.run(sys.executable, *flags, str(BIN / command), *args)
        _is_quiet(done)
        assert done.code in (0, 1, 2)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_an_ascii_console(repo: Repo, command: str) -> None:
    done = repo.call(command, "--help")
    assert done.code == 0
    assert done.text.isascii()


@pytest.fixture
def many(repo: Repo) -> Repo:
    """A report of more lines than fit into a pipe."""
    topics = {f"shared/{number:05}-{'n' * 150}.md": "no front matter" for number in range(1500)}
    repo.commit({**RULES, "shared/memory.md": MARKERS, **topics})
    return repo


def test_a_reader_that_goes_away(many: Repo) -> None:
    for form in ("text", "github", "json"):
        command = [str(BIN / "nestwork-check"), "--all", "--format", form]
        process = subprocess.Popen(
            command, cwd=many.path, env=many.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout
        assert process.stderr
        process.stdout.read(100)
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait() == 2
