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
# How `$Id$` starts where a checkout has put a blob's id into it.
_EXPANDED = b"$Id:"


class Staged:
    """Contents as they are staged, or as a commit holds them."""

    def __init__(self, entries: dict[str, git.Entry], commit: str = "") -> None:
        self._entries = entries
        self._commit = commit
        self._blobs = blobs.Blobs()
        self._attributes: blobs.Attributes | None = None

    def close(self) -> None:
        """Give back what reading took."""
        self._blobs.close()

    def exists(self, path: str) -> bool:
        """Whether the file at a listed path is there."""
        return path in self._entries

    def takes_staged(self, path: str) -> bool:
        """Whether the file is read as it is staged: always."""
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
        if not (first.startswith(GIT_CRYPT) or path in self.attributes().filtered):
            return self.as_stored(path, _chained(first, pieces))
        plain = blobs.filtered(path, self._commit)
        try:
            return self.as_stored(path, _chained(next(plain), plain))
        except git.GitError:
            if first.startswith(GIT_CRYPT):
                return locked()
            return unreadable("the filter that its attributes name fails on what is staged")

    def attributes(self) -> blobs.Attributes:
        """The attributes of the listed paths, asked for once."""
        if self._attributes is None:
            self._attributes = blobs.Attributes(list(self._entries))
        return self._attributes

    def as_stored(self, path: str, pieces: Iterator[bytes]) -> Iterable[bytes]:
        """The content with `$Id$` as git stores it, not as the attribute `ident` expands it.

        A clone would else have other sizes than the one in which a file was written.
        """
        first = next(pieces)
        whole = _chained(first, pieces) if len(first) == PIECE else (first,)
        may_be_expanded = len(first) == PIECE or _EXPANDED in first
        if may_be_expanded and path in self.attributes().expanded:
            return _collapsed(whole)
        return whole


def _chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _collapsed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The content, in pieces as before, without what stands in each `$Id: ... $`.

    No line end lies in one; in a line longer than a piece not every one is found.
    """
    import re  # Few nests have such a file, and loading it takes as long as a git process.

    done, rest = bytearray(), b""
    for piece in pieces:
        rest += piece
        cut = len(rest) if len(piece) < PIECE else rest.rfind(b"\n") + 1 or len(rest)
        done += re.sub(rb"\$Id:[^$\n]*\$", b"$Id$", rest[:cut])
        rest = rest[cut:]
        while len(done) >= PIECE:
            yield bytes(done[:PIECE])
            del done[:PIECE]
    yield bytes(done)


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
    # From the outermost in: the first that is missing ends it, however many lie below.
    end = 0
    while folder not in known:
        end = folder.find("/", end + 1)
        part = folder if end < 0 else folder[:end]
        if part in known:
            continue
        if stat.S_ISLNK(os.lstat(git.to_bytes(part)).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        known.add(part)


def _is_too_long(path: str) -> bool:
    """Whether this system can hold no file at `path`, as it or a name in it is too long."""
    return any(map(_is_no_name, (path, max(path.split("/"), key=len))))


def _is_no_name(path: str) -> bool:
    try:
        os.lstat(git.to_bytes(path))
    except OSError as error:
        return error.errno == errno.ENAMETOOLONG
    return False


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
        self._staged = Staged(entries)
        self._real_folders = {""}

    def close(self) -> None:
        """Give back what reading took."""
        self._staged.close()

    def exists(self, path: str) -> bool:
        """Whether the file at a listed path is not gone: also one that could not be written.

        A sparse checkout leaves files out, and so does a checkout of paths that are too long.
        """
        if self.takes_staged(path) or self._is_left_out(path) or _is_too_long(path):
            return True
        return os.path.lexists(git.to_bytes(path))

    def takes_staged(self, path: str) -> bool:
        """Whether the file is read as it is staged, whatever lies on disk."""
        return self._made_equal and self._entries[path].unlooked

    def _content(self, path: str, descriptor: int) -> Content:
        content = _pieces(descriptor)
        # One byte is found five times as fast as more, and few files have it.
        if isinstance(content, Unread) or (type(content) is tuple and b"$" not in content[0]):
            return content
        return self._staged.as_stored(path, iter(content))

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
                descriptor = os.open(git.to_bytes(path), _READ)
            except (FileNotFoundError, NotADirectoryError):
                if self._is_left_out(path):
                    staged.append(path)
                elif _is_too_long(path):
                    yield path, unreadable(_why(OSError(errno.ENAMETOOLONG, "")))
            except OSError as error:
                yield path, unreadable(_why(error))
            else:
                try:
                    yield path, self._content(path, descriptor)
                finally:
                    os.close(descriptor)
        yield from self._staged.read(staged)


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
