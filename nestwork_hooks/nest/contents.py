"""Contents as they lie in the working tree."""

from __future__ import annotations

import errno
import os
import stat

from nestwork_hooks import git
from nestwork_hooks.git.disk import READ, is_too_long, refuse_links
from nestwork_hooks.protocol.content import PIECE, Unread, unreadable
from nestwork_hooks.protocol.markers import MOST_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from nestwork_hooks.nest.staged import Staged
    from nestwork_hooks.protocol.content import Content

    Source: TypeAlias = "Staged | Worktree"


def read_whole(path: str) -> bytes:
    """All bytes of a memory.md on disk.

    Raises OSError, also behind a symbolic link and for a file of more than `MOST_BYTES`.
    """
    refuse_links(os.path.dirname(path))
    descriptor = os.open(git.to_bytes(path), READ)
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


class Worktree:
    """Contents as they lie on disk, of what the staging area lists.

    A file that is not there is gone, unless a sparse checkout left it out: then its staged
    content counts; or its path is too long for this system: then it cannot be read. Links are
    never followed, nor is anything opened but a regular file.

    `made_equal` says that a runner has made the files equal to what is staged. It does so only
    where git looks at the disk: what is staged counts for every other file.
    """

    def __init__(self, entries: dict[str, git.Entry], *, made_equal: bool = False) -> None:
        self._entries = entries
        self._made_equal = made_equal
        self._held: Staged | None = None
        self._real_folders = {""}

    def close(self) -> None:
        """Give back what reading took."""
        if self._held:
            self._held.close()

    def _staged(self) -> Staged:
        """What is staged, which few runs ask for."""
        if self._held is None:
            from nestwork_hooks.nest.staged import Staged

            self._held = Staged(self._entries)
        return self._held

    def exists(self, path: str) -> bool:
        """Whether the file at a listed path is not gone: also one that could not be written.

        A sparse checkout leaves files out, and so does a checkout of paths that are too long.
        """
        if self.takes_staged(path) or self._is_left_out(path) or is_too_long(path):
            return True
        return os.path.lexists(git.to_bytes(path))

    def takes_staged(self, path: str) -> bool:
        """Whether the file is read as it is staged, whatever lies on disk."""
        return self._made_equal and path in self._entries and self._entries[path].unlooked

    def _content(self, path: str, descriptor: int) -> Content:
        content = _pieces(descriptor)
        # One byte is found five times as fast as more, and few files have it.
        if isinstance(content, Unread) or (type(content) is tuple and b"$" not in content[0]):
            return content
        return self._staged().as_stored(path, iter(content))

    def _is_left_out(self, path: str) -> bool:
        return path in self._entries and self._entries[path].left_out

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, Content]]:
        """Each path with its content, in pieces, or the reason why it has none."""
        staged = []
        for path in paths:
            if self.takes_staged(path):
                staged.append(path)
                continue
            try:
                refuse_links(os.path.dirname(path), self._real_folders)
                descriptor = os.open(git.to_bytes(path), READ)
            except (FileNotFoundError, NotADirectoryError):
                if self._is_left_out(path):
                    staged.append(path)
                elif is_too_long(path):
                    yield path, unreadable(_why(OSError(errno.ENAMETOOLONG, "")))
            except OSError as error:
                yield path, unreadable(_why(error))
            else:
                try:
                    yield path, self._content(path, descriptor)
                finally:
                    os.close(descriptor)
        if staged:
            yield from self._staged().read(staged)


def _pieces(descriptor: int) -> Iterator[bytes] | tuple[bytes] | Unread:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
        return unreadable(f"{kind} here, but a file in git: put the file back, or git rm it")
    return _read(descriptor, status.st_size)


def _read(descriptor: int, size: int) -> Iterator[bytes] | tuple[bytes]:
    """Pieces as `read_topic` wants them, a tuple where there is only one.

    `size` is what the file had a moment ago.
    """
    piece = os.read(descriptor, min(size + 1, PIECE))
    return (piece,) if len(piece) == size < PIECE else _read_on(descriptor, piece)


def _read_on(descriptor: int, piece: bytes) -> Iterator[bytes]:
    at_end = False
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
    if error.errno == errno.ENAMETOOLONG:
        return "its path is too long for this system: rename it with git mv, or git rm --cached it"
    return f"cannot be read: {error.strerror}"
