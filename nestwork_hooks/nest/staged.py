"""Contents as git holds them: of the staging area, or of a commit. Loaded only where it is read."""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.git import blobs
from nestwork_hooks.protocol.content import GIT_CRYPT, PIECE, locked, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from nestwork_hooks.protocol.content import Content

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
