"""Programs that call our commands, such as a git with its hook: this process runs the commands.

A command by that name in front of `PATH` hands its arguments, folder and environment to this
process, and says and returns what the command's `main` did here. It costs a tenth of a start of
Python. Without a listening process it starts the real command.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from tests.conftest import BIN, Done, called
from tests.entry_points import commands

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The request ends with an empty field, which no other field is.
_ASK = """\
#!/bin/sh
name=${{0##*/}}
[ "$SERVED" ] || exec {folder}/"$name" "$@"
served=$SERVED
unset SERVED
{{
    printf '%s\\0' "$PWD" "$name" "$#"
    for word; do printf '=%s\\0' "$word"; done
    env -0
    printf '\\0'
}} >"$served/asked"
read -r code <"$served/answer"
[ -s "$served/out" ] && cat "$served/out"
[ -s "$served/err" ] && cat "$served/err" >&2
exit "$code"
"""


def write_commands(folder: Path) -> None:
    """Write the commands that ask this process."""
    for name in commands():
        (folder / name).write_text(_ASK.format(folder=shlex.quote(str(BIN))))
        (folder / name).chmod(0o755)


def run(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> Done:
    """Run a program, and here each command of ours that it starts."""
    with tempfile.TemporaryDirectory() as served:
        asked, answer = pipes = [_pipe(f"{served}/{name}") for name in ("asked", "answer")]
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env={**env, "SERVED": served},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            with ThreadPoolExecutor(1) as pool:
                said = pool.submit(_wait, process, asked)
                try:
                    _serve(Path(served), asked, answer)
                except BaseException:  # Nobody may wait for an answer.
                    os.killpg(process.pid, signal.SIGKILL)
                    raise
        finally:
            for pipe in pipes:
                os.close(pipe)
    out, err = (text.decode("utf-8", "backslashreplace") for text in said.result())
    return Done(process.returncode, out, err)


def _serve(served: Path, asked: int, answer: int) -> None:
    while request := _request(asked):
        folder, name, count, *rest = request
        words, variables = rest[: int(count)], rest[int(count) :]
        env = dict(variable.split("=", 1) for variable in variables)
        done = called(name, [word[1:] for word in words], Path(folder), env)
        (served / "out").write_bytes(done.out.encode())
        (served / "err").write_bytes(done.err.encode())
        os.write(answer, b"%d\n" % done.code)


def _pipe(path: str) -> int:
    """A named pipe that nobody waits to open, since this process holds both of its ends."""
    os.mkfifo(path)
    return os.open(path, os.O_RDWR)


def _wait(process: subprocess.Popen[bytes], asked: int) -> tuple[bytes, bytes]:
    try:
        return process.communicate()
    finally:
        os.write(asked, b"\0")


def _request(asked: int) -> list[str]:
    """The fields of a request; none where the program has ended."""
    data = b""
    while data != b"\0" and not data.endswith(b"\0\0"):
        data += os.read(asked, 1 << 16)
    return [os.fsdecode(field) for field in data.split(b"\0")[:-2]]
