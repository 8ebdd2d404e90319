"""Read files from the staging area or a commit. Imported only by runs that do."""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.git import blobs
from nestwork_hooks.protocol.content import CHUNK, EXPANDED, GIT_CRYPT, locked, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from nestwork_hooks.protocol.content import Content

    # What was started before it was known what there is to read.
    Ready: TypeAlias = tuple[blobs.Blobs, blobs.Attributes]


class Staged:
    """The staged contents of index entries, or those of a commit; `blobs` reads others too.

    `ready` reads them where git has been started for it already; whoever did that ends it.
    """

    def __init__(
        self, entries: dict[str, git.Entry], commit: str = "", ready: Ready | None = None
    ) -> None:
        self._entries = entries
        self._commit = commit
        self._is_own = not ready
        self._attributes: blobs.Attributes | None
        self.blobs, self._attributes = ready or (blobs.Blobs(), None)

    def close(self) -> None:
        """End the git process that reading may have started."""
        if self._is_own:
            self.blobs.close()

    def exists(self, _: str) -> bool:
        """Whether what is listed at a path is there: always."""
        return True

    def takes_staged(self, path: str) -> bool:
        """Whether the file is read as it is staged: always."""
        return path in self._entries

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, Content]]:
        """Yield each path with its content in chunks, or Unread."""
        readable = []
        for path in paths:
            if self._entries[path].unmerged:
                yield path, unreadable("in an unsolved merge conflict: solve it, then git add it")
            else:
                readable.append(path)
        if readable:
            self._look_at(readable)
        contents = self.blobs.read([self._entries[path].blob for path in readable])
        for path, chunks in zip(readable, contents, strict=True):
            yield path, self._content(path, chunks)

    def _content(self, path: str, chunks: Iterator[bytes]) -> Content:
        first = next(chunks, None)
        if first is None:
            return unreadable("its blob is not in this clone")
        if not (first.startswith(GIT_CRYPT) or path in self._look_at([path]).filtered):
            return self.as_stored(path, _chained(first, chunks))
        plain = blobs.filtered(path, self._commit)
        try:
            return self.as_stored(path, _chained(next(plain), plain))
        except git.GitError:
            if first.startswith(GIT_CRYPT):
                return locked()
            return unreadable("the filter that its attributes name fails on what is staged")

    def _look_at(self, paths: list[str]) -> blobs.Attributes:
        """The attributes of these paths: of all, where they are not known of each."""
        if not (self._attributes and self._attributes.covers(paths)):
            self._attributes = blobs.Attributes(self._entries)
        return self._attributes

    def as_stored(self, path: str, chunks: Iterator[bytes]) -> Iterable[bytes]:
        """The content with `$Id$` as git stores it, not as the attribute `ident` expands it.

        A clone would else have other sizes than the one in which a file was written.
        """
        first = next(chunks)
        whole = _chained(first, chunks) if len(first) == CHUNK else (first,)
        may_be_expanded = len(first) == CHUNK or EXPANDED in first
        if may_be_expanded and path in self._look_at([path]).expanded:
            return _collapsed(whole)
        return whole


def _chained(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _collapsed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Collapse each `$Id: ... $` to `$Id$`, in chunks of the same size.

    None spans a line end; in a line longer than a chunk not every one is found.
    """
    import re  # Few nests have such a file, and loading it takes as long as a git process.

    done, rest = bytearray(), b""
    for chunk in chunks:
        rest += chunk
        cut = len(rest) if len(chunk) < CHUNK else rest.rfind(b"\n") + 1 or len(rest)
        done += re.sub(rb"\$Id:[^$\n]*\$", b"$Id$", rest[:cut])
        rest = rest[cut:]
        while len(done) >= CHUNK:
            yield bytes(done[:CHUNK])
            del done[:CHUNK]
    yield bytes(done)
