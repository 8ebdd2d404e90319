"""Ask git, by a process for each question: what it says, or why it does not."""

from __future__ import annotations

import os

from nestwork_hooks.git import process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO

# The oldest git that is known to do all of this; an older one is named when something fails.
OLDEST = (2, 20)
# The exit code of a git that gave up.
FATAL = 128
# A diff, and a commit, end where the file that this names is missing.
NO_ORDER = ("-c", f"diff.orderFile={os.devnull}")
_PATHSPECS = {f"GIT_{how}_PATHSPECS" for how in ("LITERAL", "GLOB", "NOGLOB", "ICASE")}


class GitError(Exception):
    """Git could not do what was asked; the message is one line, mostly in git's own words."""


def to_path(name: bytes) -> str:
    """Decode a file name of git or the system; bytes that are not UTF-8 become surrogates."""
    return name.decode("utf-8", "surrogateescape")


def to_bytes(path: str) -> bytes:
    """The inverse of `to_path`."""
    return path.encode("utf-8", "surrogateescape")


def run(*args: str, stdin: bytes = b"", literal: bool = True, **env: str) -> bytes:
    """Run git; return its standard output. Raises GitError if it fails or is not installed.

    `literal` says that a pathspec is a path and nothing else.
    """
    return answer(*args, stdin=stdin, literal=literal, **env)[0]


def records(*args: str, stdin: bytes = b"", literal: bool = True, **env: str) -> list[str]:
    """Run git as `run` does; return what it prints with a NUL behind each."""
    return to_path(run(*args, stdin=stdin, literal=literal, **env)).split("\0")[:-1]


def answer(*args: str, stdin: bytes = b"", literal: bool = True, **env: str) -> tuple[bytes, bytes]:
    """Run git; return its standard output and error. Raises GitError as `run` does."""
    asked = None if env else _ASKED.pop((args, stdin), None)
    code, out, said = (asked or _Question(command(*args, literal=literal), stdin, env)).answer()
    if code:
        raise GitError(_reason(args[0], code, said))
    return out, said


def start(
    words: list[bytes],
    stdin: IO[bytes] | None,
    stdout: IO[bytes],
    stderr: IO[bytes] | None = None,
    env: Mapping[str, str] | None = None,
) -> process.Started:
    """Start a git that only reads, as of `command`. Raises GitError where git is not installed."""
    env = {**environment(), **(env or {})}
    try:
        return process.start(words, env, stdin=stdin, stdout=stdout, stderr=stderr)
    except OSError as error:
        raise GitError(f"cannot run git: {error.strerror}") from None


class _Question:
    """A git that was started, and will answer and end."""

    def __init__(self, words: list[bytes], stdin: bytes, env: Mapping[str, str]) -> None:
        self._out, self._said = process.nameless_file(), process.nameless_file()
        given = process.nameless_file(stdin) if stdin else None
        try:
            self._process = start(words, given, self._out, self._said, env)
        except GitError:
            self._close()
            raise
        finally:
            if given:
                given.close()

    def drop(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        self._out.close()
        self._said.close()

    def answer(self) -> tuple[int, bytes, bytes]:
        """Wait for its exit code, standard output and standard error."""
        try:
            code = self._process.wait()
            self._out.seek(0)
            self._said.seek(0)
            return code, self._out.read(), self._said.read()
        except BaseException:
            self._process.kill()
            raise
        finally:
            self._close()


# The questions that git was asked before the answer was needed: words and standard input.
_ASKED: dict[tuple[tuple[str, ...], bytes], _Question] = {}


def ahead(*args: str, stdin: bytes = b"", literal: bool = True) -> None:
    """Let git look for the answer until `run` asks for the same."""
    try:
        question = _Question(command(*args, literal=literal), stdin, {})
    except GitError:
        return  # Whoever needs the answer is told.
    older = _ASKED.pop((args, stdin), None)
    if older:
        older.drop()
    _ASKED[args, stdin] = question


def forget_questions() -> None:
    """End what was asked ahead, and then not needed."""
    while _ASKED:
        _ASKED.popitem()[1].drop()


def command(*args: str, literal: bool = True) -> list[bytes]:
    """The command line of a git that only reads."""
    # A diff would else write the refreshed index, and its lock stop somebody else's commit.
    no_lock = ("--no-optional-locks", "-c", "diff.autoRefreshIndex=false")
    literally = ["--literal-pathspecs"] * literal
    return list(map(to_bytes, ("git", *no_lock, *NO_ORDER, *literally, *args)))


def literal_environment() -> dict[str, str]:
    """The environment without what would change the meaning of a path on a command line."""
    return {name: value for name, value in os.environ.items() if name not in _PATHSPECS}


def environment() -> dict[str, str]:
    """The environment of a git that only reads.

    A partial clone fetches nothing (before git 2.44 it may), objects are read as they are (what
    `git replace` puts in their place stays in this clone), and no warning is translated, since its
    words tell what it is about.
    """
    more = {"GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1", "LANGUAGE": "en"}
    return literal_environment() | more


def _reason(command: str, code: int, stderr: bytes) -> str:
    if code == 129:
        _, version, _ = _Question([b"git", b"--version"], b"", {}).answer()
        numbers = version.decode("utf-8", "replace").removeprefix("git version ").split(".")
        if tuple(int(number) for number in numbers[:2] if number.isdigit()) < OLDEST:
            needed = ".".join(map(str, OLDEST))
            return f"git {'.'.join(numbers).strip()} is too old: {needed} or newer is needed"
    words = " ".join(stderr.decode("utf-8", "replace").split())[:400]
    return words or f"git {command} failed with code {code}"
