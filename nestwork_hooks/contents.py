"""Where a file's bytes come from: the working tree, the staging area, or a commit."""

from __future__ import annotations

import errno
import os
import stat

from nestwork_hooks import git
from nestwork_hooks.protocol.content import GIT_CRYPT, PIECE, Unread, locked, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    Content: TypeAlias = Iterable[bytes] | Unread

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_READ |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Staged:
    """Contents as they are staged, or as a commit holds them."""

    def __init__(self, entries: dict[str, git.Entry], commit: str = "") -> None:
        self._entries = entries
        self._commit = commit
        self._blobs = git.Blobs()
        self._filtered: set[str] | None = None

    def close(self) -> None:
        """Give back what reading took."""
        self._blobs.close()

    def exists(self, path: str) -> bool:
        """Whether the file at a listed path is there."""
        return path in self._entries

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, Content]]:
        """Each path with its content, in pieces, or the reason why it has none."""
        readable = []
        for path in paths:
            if self._entries[path].unmerged:
                yield path, unreadable("in an unsolved merge conflict: solve it, then git add it")
            else:
                readable.append(path)
        blobs = self._blobs.read([self._entries[path].blob for path in readable])
        for path, pieces in zip(readable, blobs, strict=True):
            yield path, self._content(path, pieces)

    def _content(self, path: str, pieces: Iterator[bytes]) -> Content:
        first = next(pieces, None)
        if first is None:
            return unreadable("its blob is not in this clone")
        if not (first.startswith(GIT_CRYPT) or path in self._filtered_paths()):
            return _chained(first, pieces)
        plain = git.filtered(path, self._commit)
        if plain is None:
            if first.startswith(GIT_CRYPT):
                return locked()
            return unreadable("the filter that its attributes name fails on what is staged")
        return [plain[at : at + PIECE] for at in range(0, len(plain) + 1, PIECE)]

    def _filtered_paths(self) -> set[str]:
        if self._filtered is None:
            self._filtered = git.filtered_paths(list(self._entries))
        return self._filtered


def _chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def read_whole(path: str) -> bytes:
    """All bytes of a regular file on disk. Raises OSError, also for a link or a folder."""
    with open(os.open(git.to_bytes(path), _READ), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "no regular file")
        return file.read()


class Worktree:
    """Contents as they lie on disk, of what the staging area lists.

    A file that is not there is gone, unless a sparse checkout left it out: then its staged
    content counts. Links are never followed, nor is anything opened but a regular file.
    """

    def __init__(self, entries: dict[str, git.Entry]) -> None:
        self._staged = Staged(entries)
        self._real_folders = {""}

    def close(self) -> None:
        """Give back what reading took."""
        self._staged.close()

    def exists(self, path: str) -> bool:
        """Whether the file at a listed path is there, or was left out by a sparse checkout."""
        return os.path.lexists(git.to_bytes(path)) or path in git.skipped([path])

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, Content]]:
        """Each path with its content, in pieces, or the reason why it has none."""
        missing = []
        for path in paths:
            try:
                self._refuse_links(os.path.dirname(path))
                descriptor = os.open(git.to_bytes(path), _READ)
            except (FileNotFoundError, NotADirectoryError):
                missing.append(path)
            except OSError as error:
                yield path, unreadable(_why(error))
            else:
                try:
                    yield path, _pieces(descriptor)
                finally:
                    os.close(descriptor)
        if missing:
            skipped = git.skipped(missing)
            yield from self._staged.read([path for path in missing if path in skipped])

    def _refuse_links(self, folder: str) -> None:
        if folder in self._real_folders:
            return
        self._refuse_links(os.path.dirname(folder))
        if stat.S_ISLNK(os.lstat(git.to_bytes(folder)).st_mode):
            raise OSError(errno.ELOOP, "")
        self._real_folders.add(folder)


def _pieces(descriptor: int) -> Content:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
        return unreadable(f"{kind} here, but a file in git: put the file back, or git rm it")
    return _read(descriptor, status.st_size)


def _read(descriptor: int, size: int) -> Iterator[bytes]:
    while True:
        piece = os.read(descriptor, min(size + 1, PIECE))
        yield piece
        if len(piece) < PIECE:
            return


def _why(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "a symbolic link here, but a file in git: put the file back, or git rm it"
    return f"cannot be read: {error.strerror}"
