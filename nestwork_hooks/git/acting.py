"""Run a git command that changes a clone, with a time limit, and end it on an interrupt."""

from __future__ import annotations

import os

from nestwork_hooks.git import process
from nestwork_hooks.git.asking import FATAL, NO_ORDER, GitError, literal_environment, to_bytes
from nestwork_hooks.git.interruption import TerminatedAsInterrupted
from nestwork_hooks.light import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# What git says where another process was quicker: it holds a lock or has just moved the branch,
# or it wrote or removed a file while git read it.
_PASSING = (
    ".lock': File exists",
    "but expected",
    "short read while indexing",
    "No such file or directory",
)
# Seconds for a hook, a signer or a filter to answer, and for git to clean up when it is ended.
LONGEST = 300
_CLEANING_UP = 5
# Bytes that are read of what a command wrote.
_MOST_SAID = 1 << 20


class Refused(GitError):
    """A command that changes something ended without having done it.

    `said` is what git, or the hook that git ran, wrote on standard error, line by line; `passing`
    says that it may go well a little later, since another process was only quicker; `outdated`
    that another process has taken a named file off the staging area.
    """

    def __init__(self, code: int, stderr: str) -> None:
        self.code = code
        self.said = [line for line in map(str.rstrip, stderr.splitlines()) if line]
        super().__init__(" ".join(stderr.split())[:400])
        self.passing = code == FATAL and any(words in stderr for words in _PASSING)
        self.outdated = "did not match any file(s) known to git" in stderr


class Interrupted(GitError):
    """This process was asked to end while such a command ran; `done` says that it was just done."""

    def __init__(self, command: str, *, done: bool) -> None:
        self.done = done
        super().__init__(
            f"interrupted; git {command} {'had just been done' if done else 'was ended'}"
        )


def act(*args: str, limit: float = 0, **env: str) -> list[str]:
    """Run a git command that changes something; return the lines of its standard error.

    It runs in a session of its own: whoever kills this process kills its process group, and a git
    that is killed leaves its lock behind. On SIGTERM it removes the lock.

    Raises Refused where it fails or takes longer than `limit` seconds (0: `LONGEST`), Interrupted
    where this process is asked to end, and GitError without git.
    """
    return act_beside(lambda: None, *args, limit=limit, **env)


def act_beside(
    meanwhile: Callable[[], object], *args: str, limit: float = 0, **env: str
) -> list[str]:
    """The same; `meanwhile` is called while git works, and raises nothing."""
    name = next(word for word in args if word != "-c" and "." not in word)
    words = [to_bytes(word) for word in ("git", *NO_ORDER, *args)]
    # Whether it may go well a little later is told by words that git would translate.
    env = {**literal_environment(), **env, "LANGUAGE": "en"}
    with process.nameless_file() as stderr:

        def start() -> process.Started:
            try:
                return process.start(words, env, stderr=stderr, own_session=True)
            except OSError as error:
                raise GitError(f"cannot run git: {error.strerror}") from None

        code = _wait(name, start, limit or LONGEST, meanwhile)
        stderr.seek(0)
        said = stderr.read(_MOST_SAID).decode("utf-8", "surrogateescape")
    if code < 0:
        said += f"\ngit {name} was ended by signal {-code}"
    if code:
        raise Refused(code, said)
    return said.splitlines()


def _wait(
    name: str,
    start: Callable[[], process.Started],
    limit: float,
    meanwhile: Callable[[], object],
) -> int:
    """Start git, and wait for its exit code. Whoever ends this process from then on ends git too."""
    git = None
    with TerminatedAsInterrupted():
        try:
            with process.SignalsHeld():
                git = start()
                meanwhile()
            return git.wait(limit)
        except TimeoutError:
            assert git
            _end(git)
            late = f"git {name}, or what it runs or asks, gave no answer for"
            raise Refused(FATAL, f"{late} {limit:.0f} seconds, and was ended") from None
        except KeyboardInterrupt:
            if not git:
                raise
            raise Interrupted(name, done=not _end(git)) from None


def _end(git: process.Started) -> bool:
    """Ask git, and the hook that it runs, to end; False where it was done all the same."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        _signal(git.pid, number)
        try:
            return git.wait(_CLEANING_UP) != 0
        except (TimeoutError, KeyboardInterrupt):
            pass
    return git.poll() != 0


def _signal(pid: int, number: int) -> None:
    try:
        (os.killpg if hasattr(os, "killpg") else os.kill)(pid, number)
    except OSError:
        pass
