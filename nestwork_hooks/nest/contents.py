"""Read files from the working tree."""

from __future__ import annotations

import errno
import os
import stat

from nestwork_hooks import git
from nestwork_hooks.git.disk import READ, is_too_long, refuse_links
from nestwork_hooks.protocol.content import CHUNK, EXPANDED, holds, unreadable
from nestwork_hooks.protocol.markers import MOST_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from nestwork_hooks.git.blobs import Blobs
    from nestwork_hooks.nest.looked_through import LookedThrough
    from nestwork_hooks.nest.staged import Staged
    from nestwork_hooks.protocol.content import Content

    Source: TypeAlias = "LookedThrough | Staged | Worktree"


def read_whole(path: str) -> bytes:
    """Read a whole memory.md from disk.

    Raises OSError, also for a path through a symbolic link and more than `MOST_BYTES` bytes.
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
    """The files on disk for the index entries given.

    A file that is missing is deleted, unless a sparse checkout left it out: then its staged content
    counts; or its path is too long for this system: then it cannot be read. Symbolic links are
    never followed, and only regular files are opened.

    `made_equal` says that a runner has made the working tree equal to the staging area. It does so
    only for files that git compares: for those assumed unchanged, the staged content is read.
    """

    def __init__(self, entries: dict[str, git.Entry], *, made_equal: bool = False) -> None:
        self._entries = entries
        self._made_equal = made_equal
        self._held: Staged | None = None
        self._real_folders = {""}

    def close(self) -> None:
        """End the git process that reading may have started."""
        if self._held:
            self._held.close()

    @property
    def blobs(self) -> Blobs:
        """Reads whatever blob git has."""
        return self._staged().blobs

    def _staged(self) -> Staged:
        """The staged contents, which few runs need."""
        if self._held is None:
            from nestwork_hooks.nest.staged import Staged

            self._held = Staged(self._entries)
        return self._held

    def exists(self, path: str) -> bool:
        """Whether the file at a listed path has not been deleted.

        A file that a checkout did not write (sparse, or too long a path) has not been deleted.
        """
        if self.takes_staged(path) or self._is_left_out(path) or is_too_long(path):
            return True
        return os.path.lexists(git.to_bytes(path))

    def takes_staged(self, path: str) -> bool:
        """Whether the file is read as it is staged, whatever lies on disk."""
        return self._made_equal and path in self._entries and self._entries[path].unlooked

    def _content(self, path: str, descriptor: int) -> Content:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
            return unreadable(f"{kind} here, but a file in git: put the file back, or git rm it")
        content = _read(descriptor, status.st_size)
        if type(content) is tuple and not holds(content[0], EXPANDED):
            return content
        return self._staged().as_stored(path, iter(content))

    def _is_left_out(self, path: str) -> bool:
        return path in self._entries and self._entries[path].left_out

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, Content]]:
        """Yield each path with its content in chunks, or Unread; deleted files are left out."""
        staged = []
        for path in paths:
            if self._made_equal and self.takes_staged(path):
                staged.append(path)
                continue
            folder = path.rpartition("/")[0]
            try:
                if folder not in self._real_folders:
                    refuse_links(folder, self._real_folders)
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


def _read(descriptor: int, size: int) -> Iterator[bytes] | tuple[bytes]:
    """Chunks as `read_topic` expects them, a tuple if there is only one.

    `size` is the file's, in bytes, as of a moment ago: it may have grown or shrunk since.
    """
    chunk = os.read(descriptor, min(size + 1, CHUNK))
    return (chunk,) if len(chunk) == size < CHUNK else _read_on(descriptor, chunk)


def _read_on(descriptor: int, chunk: bytes) -> Iterator[bytes]:
    at_end = False
    while not at_end:
        if len(chunk) == CHUNK:
            yield chunk
            chunk = b""
        more = os.read(descriptor, CHUNK - len(chunk))
        chunk += more
        at_end = not more
    yield chunk


def _why(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "a symbolic link here, but a file in git: put the file back, or git rm it"
    if error.errno == errno.ENAMETOOLONG:
        return "its path is too long for this system: rename it with git mv, or git rm --cached it"
    return f"cannot be read: {error.strerror}"
