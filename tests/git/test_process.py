"""How a program is started, by the system's own means and by `subprocess` where it has none."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from nestwork_hooks.git import process

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Repo


@pytest.fixture(params=["posix_spawnp", "memfd_create", ""])
def without(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What this system does not have: nothing is missing, or one of the two."""
    missing = str(request.param)
    if missing:
        monkeypatch.delattr(os, missing)
    return missing


def _run(*words: str, stdin: bytes | None = None) -> tuple[int, bytes, bytes]:
    out, err = process.nameless_file(), process.nameless_file()
    given = None if stdin is None else process.nameless_file(stdin)
    started = process.start(
        list(map(os.fsencode, words)), os.environ, stdin=given, stdout=out, stderr=err
    )
    code = started.wait()
    assert started.wait() == started.poll() == code
    out.seek(0)
    err.seek(0)
    return code, out.read(), err.read()


PROGRAMS: list[tuple[str, bytes | None, tuple[int, bytes, bytes]]] = [
    ("exit 3", None, (3, b"", b"")),
    ("echo out; echo err >&2", None, (0, b"out\n", b"err\n")),
    ("cat", b"x" * 3_000_000, (0, b"x" * 3_000_000, b"")),
    ("cat", b"", (0, b"", b"")),
    ("cat", None, (0, b"", b"")),
    ("kill -TERM $$", None, (-signal.SIGTERM, b"", b"")),
    # What Python ignores, a program of the user's does not.
    ("kill -PIPE $$", None, (-signal.SIGPIPE, b"", b"")),
    ("kill -XFSZ $$", None, (-signal.SIGXFSZ, b"", b"")),
]


@pytest.mark.usefixtures("without")
@pytest.mark.parametrize(("script", "stdin", "expected"), PROGRAMS)
def test_what_a_program_gets_and_gives(
    script: str, stdin: bytes | None, expected: tuple[int, bytes, bytes]
) -> None:
    assert _run("sh", "-c", script, stdin=stdin) == expected


@pytest.mark.usefixtures("without")
def test_a_program_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        _run("no-such-program")


@pytest.mark.usefixtures("without")
def test_a_limit() -> None:
    started = process.start([b"sleep", b"60"], os.environ, own_session=True)
    assert os.getsid(started.pid) == started.pid
    assert started.poll() is None
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        started.wait(0.2)
    assert time.monotonic() - begun < 10
    started.kill()
    assert started.wait(60) == -signal.SIGKILL
    started.kill()


@pytest.mark.usefixtures("without")
def test_an_ignored_sigchld_is_no_failure(request: pytest.FixtureRequest) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    request.addfinalizer(lambda: signal.signal(signal.SIGCHLD, before))
    assert _run("sh", "-c", "echo out") == (0, b"out\n", b"")


@pytest.mark.parametrize("closed", ["0", "1", "2", "012"])
def test_closed_streams_take_no_other_file(nest: Repo, closed: str) -> None:
    """A file that is opened where a stream was closed would be that stream for git."""
    closing = " ".join(f"{number}>&-" for number in closed)
    check = f"{sys.executable} -m nestwork_hooks.commands.check --staged {closing}"
    assert nest.run("sh", "-c", check) == (0, "", "")


def test_what_was_inherited_goes_no_further(nest: Repo, tmp_path: Path) -> None:
    """A file that a process in the background held open would never end for its reader."""
    seen = tmp_path / "seen"
    program = tmp_path / "git"
    real = subprocess.run(["which", "git"], check=True, capture_output=True, text=True).stdout
    program.write_text(f'#!/bin/sh\n[ -e /dev/fd/7 ]; echo $? >>{seen}\nexec {real.strip()} "$@"\n')
    program.chmod(0o755)
    check = f"{sys.executable} -m nestwork_hooks.commands.check 7>/dev/null"
    assert nest.run("sh", "-c", check, PATH=f"{tmp_path}:{os.environ['PATH']}").code == 0
    assert set(seen.read_text().splitlines()) == {"1"}
