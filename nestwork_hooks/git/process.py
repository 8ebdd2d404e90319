"""Start a process: the one place that does.

`subprocess` and what it loads take as long as Python itself. Where the system can start a program
by `posix_spawn` and hold a file without a name in memory, it is not loaded.
"""

from __future__ import annotations

import os

from nestwork_hooks.light import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Collection, Mapping
    from typing import IO

# Seconds between two looks at a process that is waited for: the first, and the longest.
_PAUSE, _LONGEST_PAUSE = 0.0005, 0.05


class Started:
    """A process that was started: its id, and how it ended."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        """Its exit code, a negative signal that ended it, or None while it runs."""
        return self._ended(waits=False)

    def wait(self, limit: float | None = None) -> int:
        """Its exit code once it has ended. Raises TimeoutError after `limit` seconds."""
        if limit is None:
            code = self._ended(waits=True)
            assert code is not None
            return code
        from time import monotonic

        end, pause = monotonic() + limit, _PAUSE
        while (code := self.poll()) is None:
            left = end - monotonic()
            if left <= 0:
                raise TimeoutError
            self._pass_time(left, min(pause, left))
            pause = min(pause * 1.5, _LONGEST_PAUSE)
        return code

    def _pass_time(self, most: float, pause: float) -> None:
        """Wait until it ends, `most` seconds at most; a `pause` where the system cannot tell."""
        try:
            descriptor = os.pidfd_open(self.pid)  # type: ignore[attr-defined, unused-ignore]
        except (AttributeError, OSError):
            from time import sleep

            sleep(pause)
            return
        from select import select

        try:
            select([descriptor], [], [], most)
        finally:
            os.close(descriptor)

    def kill(self) -> None:
        """End it, whatever it is doing."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _ended(self, *, waits: bool) -> int | None:
        if self._code is None:
            try:
                pid, status = os.waitpid(self.pid, 0 if waits else os.WNOHANG)
            except ChildProcessError:
                pid, status = self.pid, 0  # Nobody can know where SIGCHLD is ignored.
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code


class _Opened(Started):
    """One that `subprocess` has started."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        super().__init__(process.pid)
        self._process = process

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()

    def _ended(self, *, waits: bool) -> int | None:
        return self._process.wait() if waits else self._process.poll()


# The signals that waited already when others were made to.
_WAITING: list[Collection[int]] = []


class SignalsHeld:
    """Inside of it the signals that ask a process to end wait, where the system can make them.

    Else one could come between the start of a program and the line that knows of it, or be lost
    while a module is loaded. For a program that is started in it they do not wait.
    """

    def __enter__(self) -> None:
        self._is_done = _spawns() and hasattr(signal, "pthread_sigmask")
        if self._is_done:
            held = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)
            _WAITING.append(signal.pthread_sigmask(signal.SIG_BLOCK, held))

    def __exit__(self, *_: object) -> None:
        if self._is_done:
            signal.pthread_sigmask(signal.SIG_SETMASK, _WAITING.pop())


def start(
    words: list[bytes],
    env: Mapping[str, str],
    *,
    stdin: IO[bytes] | None = None,
    stdout: IO[bytes] | None = None,
    stderr: IO[bytes] | None = None,
    own_session: bool = False,
) -> Started:
    """Start a program with these files as its standard streams; nothing is there for None.

    `own_session` puts it, and what it starts, into a session of its own. Raises OSError where it
    cannot be started.
    """
    files = (stdin, stdout, stderr)
    if not _spawns():
        return _opened(words, env, files, own_session)
    streams: list[tuple[object, ...]] = [
        (os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0)
        if file is None
        else (os.POSIX_SPAWN_DUP2, file.fileno(), number)
        for number, file in enumerate(files)
    ]
    # Python ignores these two.
    ignored = (signal.SIGPIPE, signal.SIGXFSZ)
    how: dict[str, object] = {"setsid": own_session, "setsigdef": ignored}
    if _WAITING:
        how["setsigmask"] = _WAITING[0]
    return Started(os.posix_spawnp(words[0], words, env, file_actions=streams, **how))  # type: ignore[arg-type]


def _opened(
    words: list[bytes],
    env: Mapping[str, str],
    files: tuple[IO[bytes] | None, ...],
    own_session: bool,
) -> _Opened:
    import subprocess

    stdin, stdout, stderr = (subprocess.DEVNULL if file is None else file for file in files)
    return _Opened(
        subprocess.Popen(
            words,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=env,
            start_new_session=own_session,
        )
    )


def _spawns() -> bool:
    """Whether this system has what `start` uses in place of `subprocess`."""
    return hasattr(os, "posix_spawnp") and hasattr(os, "memfd_create")


def nameless_file(content: bytes = b"") -> IO[bytes]:
    """A file without a name that holds `content`, and is read from its beginning."""
    if _spawns():
        file: IO[bytes] = open(os.memfd_create("nestwork"), "w+b", buffering=0)  # noqa: SIM115
    else:
        from tempfile import TemporaryFile

        file = TemporaryFile(buffering=0)  # noqa: SIM115
    if content:
        file.write(content)
        file.seek(0)
    return file


def keep_exit_codes() -> None:
    """Let the system keep the exit codes of processes, also below a parent that ignores SIGCHLD."""
    if hasattr(signal, "SIGCHLD") and signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def keep_files_apart() -> None:
    """Let no file be a standard stream by chance, nor what this process inherited go any further.

    Whoever started it may have closed a stream, whose number the next file would take; and may have
    left files open, which a process that git leaves in the background would hold for ever.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    try:
        inherited = [number for number in map(int, os.listdir("/dev/fd")) if number > 2]
    except OSError:
        return
    for number in inherited:
        try:
            os.set_inheritable(number, False)  # noqa: FBT003
        except OSError:
            pass  # The folder's own.
