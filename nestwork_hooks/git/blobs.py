"""Read blobs in chunks, and the attributes that change what a checkout writes."""

from __future__ import annotations

import os

from nestwork_hooks.git.asking import FATAL, GitError, ahead, command, records, start, to_bytes
from nestwork_hooks.light import cached_property, closing
from nestwork_hooks.protocol.attributes import is_git_crypt
from nestwork_hooks.protocol.content import CHUNK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import IO

# So many ids are asked for at once: fewer than fill a pipe, so that neither side has to wait.
_BATCH = 100
_ENDED = "git cat-file ended before it had sent every blob"
# What is left of a blob is read and thrown away up to so many bytes; a new git costs less than more.
_MOST_SKIPPED = 8 << 20
# Values of the attribute `filter` that leave a blob as it is, or are dealt with by themselves.
_NO_FILTERS = ("unspecified", "unset", "set", "lfs")


class Blobs:
    """Reads blobs through one `git cat-file --batch`, which the first read starts."""

    def __init__(self) -> None:
        self._git: _CatFile | None = None
        self._owes = False

    def read(self, ids: Sequence[str]) -> Iterator[Iterator[bytes]]:
        """Each blob in chunks of `CHUNK` bytes and a shorter last one.

        A blob that is not there has no chunk at all. What the caller leaves of a blob is
        skipped, however large it is; and so is the rest where it asks for others before the last.
        Raises GitError where git ends too early.
        """
        done = 0
        while done < len(ids):
            batch = ids[done : done + _BATCH]
            answers = self._ask(batch)
            for _ in batch:
                done += 1
                header = answers.readline().split()
                if not header:
                    self._refuse_other_ends()
                    yield iter(())
                    break
                chunks = _chunks(header, answers)
                yield chunks
                if next(chunks, None) and int(header[-1]) > _MOST_SKIPPED:
                    self.close()
                    break
                for _ in chunks:
                    pass
            self._owes = False

    def tree(self, name: str) -> tuple[bytes, int] | None:
        """The tree object of this name as git stores it, and how many bytes an id has there.

        None where no object, or another one, has this name. Raises GitError where git ends too early.
        """
        answers = self._ask([name])
        header = answers.readline().split()
        if not header:
            raise GitError(_ENDED)
        data = b"".join(_chunks(header, answers))
        self._owes = False
        is_tree = header[-1] != b"missing" and header[1] == b"tree"
        return (data, len(header[0]) // 2) if is_tree else None

    def get_ready(self) -> None:
        """Start git, unless it runs, so that it can begin while something else is done."""
        try:
            self._started()
        except (GitError, OSError):
            pass  # Whoever reads is told.

    def _started(self) -> _CatFile:
        if not self._git:
            self._git = _CatFile("--batch")
        return self._git

    def _ask(self, ids: Sequence[str]) -> IO[bytes]:
        """Request these objects; return the stream on which they arrive."""
        if self._owes:  # What was asked for before would be taken for the answer.
            self.close()
        git = self._started()
        self._owes = True
        try:
            git.requests.write(to_bytes("".join(f"{name}\n" for name in ids)))
        except BrokenPipeError:
            raise GitError(_ENDED) from None
        return git.answers

    def _refuse_other_ends(self) -> None:
        """Raise GitError, unless git gave up on a blob: some do that in a partial clone."""
        assert self._git
        code = self._git.process.wait()
        self.close()
        if code != FATAL:
            raise GitError(_ENDED)

    def close(self) -> None:
        """Kill the process, whatever it is doing."""
        if self._git:
            self._git.close()
            self._git = None
        self._owes = False


class _CatFile:
    """A `git cat-file` with a stream for `requests` and one of its `answers`."""

    def __init__(self, *args: str) -> None:
        asked, self.requests = _pipe()
        self.answers, answering = _pipe()
        with asked, answering:
            self.process = start(command("cat-file", *args), asked, answering)

    def close(self) -> None:
        """Kill it, whatever it is doing."""
        self.process.kill()
        self.requests.close()
        self.answers.close()
        self.process.wait()


def _pipe() -> tuple[IO[bytes], IO[bytes]]:
    """The end of a pipe to read from, and the one to write to."""
    ours, theirs = os.pipe()
    return open(ours, "rb"), open(theirs, "wb", buffering=0)


def _chunks(header: list[bytes], stream: IO[bytes]) -> Iterator[bytes]:
    if header[-1] == b"missing":
        return
    left = int(header[-1])
    while True:
        chunk = stream.read(min(left, CHUNK))
        if len(chunk) < min(left, CHUNK):
            raise GitError("git cat-file ended in the middle of a blob")
        left -= len(chunk)
        if len(chunk) < CHUNK:
            break
        yield chunk
    stream.read(1)
    yield chunk


def filtered(path: str, commit: str = "") -> Iterator[bytes]:
    """The content of `path` as a checkout would write it, in chunks as of `Blobs`.

    Taken from the commit, else as staged, filters of the clone applied. Raises GitError where
    one fails.
    """
    with closing(_CatFile("--filters", f"{commit}:./{path}")) as git:
        chunk = git.answers.read(CHUNK)
        while len(chunk) == CHUNK:
            yield chunk
            chunk = git.answers.read(CHUNK)
        if git.process.wait():
            raise GitError(f"a filter of this clone fails on {path}")
        yield chunk


class Attributes:
    """Which of some paths a checkout writes otherwise than their blobs are; git looks until it is asked.

    `filtered` are those that go through a filter; left out are those of git-crypt, whose blobs
    tell by themselves whether they are encrypted, and of Git LFS, which would ask the network.
    `expanded` are those into which the id of their blob is written (attribute `ident`).
    """

    _WORDS = ("check-attr", "-z", "--stdin", "filter", "ident")

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = frozenset(paths)
        self._names = _each_ended(paths)
        ahead(*self._WORDS, stdin=self._names)

    def covers(self, paths: Iterable[str]) -> bool:
        """Whether it is known of all these paths."""
        return self._paths.issuperset(paths)

    @cached_property
    def _values(self) -> list[tuple[str, str, str]]:
        fields = records(*self._WORDS, stdin=self._names)
        return [*zip(fields[0::3], fields[1::3], fields[2::3], strict=True)]

    @cached_property
    def expanded(self) -> set[str]:
        """Those with `ident`. Raises GitError, as the other does."""
        return {path for path, name, value in self._values if (name, value) == ("ident", "set")}

    @cached_property
    def filtered(self) -> set[str]:
        """Those with a filter of this clone's own."""
        return {
            path
            for path, name, value in self._values
            if name == "filter" and not (value in _NO_FILTERS or is_git_crypt(value))
        }


def _each_ended(paths: Iterable[str]) -> bytes:
    return b"".join(to_bytes(path) + b"\0" for path in paths)
