"""Where a file's bytes come from: the working tree, the staging area, or a commit."""

from __future__ import annotations

import errno
import os
import stat

from nestwork_hooks import git
from nestwork_hooks.git import blobs
from nestwork_hooks.protocol.content import GIT_CRYPT, PIECE, Unread, locked, unreadable
from nestwork_hooks.protocol.markers import MOST_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    Content: TypeAlias = Iterable[bytes] | Unread

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_READ |= getattr(os, "O_BINARY", 0)


class Staged:
    """Contents as they are staged, or as a commit holds them."""

    def __init__(self, entries: dict[str, git.Entry], commit: str = "") -> None:
        self._entries = entries
        self._commit = commit
        self._blobs = blobs.Blobs()
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
        contents = self._blobs.read([self._entries[path].blob for path in readable])
        for path, pieces in zip(readable, contents, strict=True):
            yield path, self._content(path, pieces)

    def _content(self, path: str, pieces: Iterator[bytes]) -> Content:
        first = next(pieces, None)
        if first is None:
            return unreadable("its blob is not in this clone")
        if not (first.startswith(GIT_CRYPT) or path in self._filtered_paths()):
            return _chained(first, pieces)
        plain = blobs.filtered(path, self._commit)
        try:
            return _chained(next(plain), plain)
        except git.GitError:
            if first.startswith(GIT_CRYPT):
                return locked()
            return unreadable("the filter that its attributes name fails on what is staged")

    def _filtered_paths(self) -> set[str]:
        if self._filtered is None:
            self._filtered = blobs.filtered_paths(list(self._entries))
        return self._filtered


def _chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def read_whole(path: str) -> bytes:
    """All bytes of a memory.md on disk.

    Raises OSError, also behind a symbolic link and for a file of more than `MOST_BYTES`.
    """
    refuse_links(os.path.dirname(path))
    descriptor = os.open(git.to_bytes(path), _READ)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "no regular file")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(MOST_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


def kind_of(folder: str) -> str:
    """`link`, `folder` or `file`; `""` for nothing at all. Raises OSError where no look is to be had."""
    try:
        mode = os.lstat(git.to_bytes(folder)).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if stat.S_ISLNK(mode):
        return "link"
    return "folder" if stat.S_ISDIR(mode) else "file"


def spelling(folder: str, name: str) -> str:
    """The name as the folder spells it; the same again unless it is there by another spelling."""
    path = os.path.join(git.to_bytes(folder), git.to_bytes(name))
    try:
        names = os.listdir(git.to_bytes(folder))
        if git.to_bytes(name) in names:
            return name
        status = os.lstat(path)
        for other in names:
            if os.path.samestat(status, os.lstat(os.path.join(git.to_bytes(folder), other))):
                return git.to_path(other)
    except OSError:
        pass
    return name


def refuse_links(folder: str, known: set[str] | None = None) -> None:
    """Raise OSError for a folder that lies behind a symbolic link; add it to `known` if not."""
    known = {""} if known is None else known
    unknown = []
    while folder not in known:
        unknown.append(folder)
        folder = os.path.dirname(folder)
    for folder in reversed(unknown):
        if stat.S_ISLNK(os.lstat(git.to_bytes(folder)).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        known.add(folder)


class Worktree:
    """Contents as they lie on disk, of what the staging area lists.

    A file that is not there is gone, unless a sparse checkout left it out: then its staged
    content counts. Links are never followed, nor is anything opened but a regular file.
    """

    def __init__(self, entries: dict[str, git.Entry]) -> None:
        self._staged = Staged(entries)
        self._real_folders = {""}
        self._left_out: set[str] | None = None

    def close(self) -> None:
        """Give back what reading took."""
        self._staged.close()

    def exists(self, path: str) -> bool:
        """Whether the file at a listed path is there, or was left out by a sparse checkout."""
        if os.path.lexists(git.to_bytes(path)):
            return True
        if self._left_out is None:
            self._left_out = git.skipped([])
        return path in self._left_out

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, Content]]:
        """Each path with its content, in pieces, or the reason why it has none."""
        missing = []
        for path in paths:
            try:
                refuse_links(os.path.dirname(path), self._real_folders)
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


def _pieces(descriptor: int) -> Content:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
        return unreadable(f"{kind} here, but a file in git: put the file back, or git rm it")
    return _read(descriptor, status.st_size)


def _read(descriptor: int, size: int) -> Iterator[bytes]:
    """Pieces as `read_topic` wants them; `size` is what the file had a moment ago."""
    piece = os.read(descriptor, min(size + 1, PIECE))
    at_end = len(piece) == size < PIECE
    while not at_end:
        if len(piece) == PIECE:
            yield piece
            piece = b""
        more = os.read(descriptor, PIECE - len(piece))
        piece += more
        at_end = not more
    yield piece


def _why(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "a symbolic link here, but a file in git: put the file back, or git rm it"
    return f"cannot be read: {error.strerror}"
