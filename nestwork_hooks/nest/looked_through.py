"""A source that looks for merge conflicts in what is read from it, so that it is read once."""

from __future__ import annotations

from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.content import GIT_CRYPT, Unread, holds, locked, unreadable
from nestwork_hooks.protocol.hunks import SIZE, size_of
from nestwork_hooks.protocol.markers import MOST_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from nestwork_hooks.git.blobs import Blobs
    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.protocol.content import Content
    from nestwork_hooks.protocol.hunks import Hunk


_SIGN = b"<" * SIZE


class LookedThrough:
    """Reads from another source, and looks through those of `paths` that are memory files.

    `sizes` are the values of the attribute `conflict-marker-size` of paths that have it.
    """

    def __init__(self, source: Source, paths: Iterable[str], sizes: Mapping[str, str]) -> None:
        self._source = source
        self._signs = {path: b"<" * size_of(value) for path, value in sizes.items()}
        self._open = dict.fromkeys(filter(layout.is_memory_file, paths))
        self._suspect: dict[str, bytes] = {}
        self._too_large: list[str] = []

    def _sign(self, path: str) -> bytes:
        return self._signs.get(path, _SIGN)

    def close(self) -> None:
        """End the git process that reading may have started."""
        self._source.close()

    @property
    def blobs(self) -> Blobs:
        """Where the source reads blobs from."""
        return self._source.blobs

    def exists(self, path: str) -> bool:
        """Whether the source has the file."""
        return self._source.exists(path)

    def takes_staged(self, path: str) -> bool:
        """Whether the source reads the file as it is staged."""
        return self._source.takes_staged(path)

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, Content]]:
        """Yield each path with its content in chunks, or Unread, as the source does."""
        for path, content in self._source.read(paths):
            if path not in self._open or isinstance(content, Unread):
                yield path, content
            elif type(content) is tuple:
                (data,) = content
                if holds(data, self._sign(path)):
                    self._suspect[path] = data
                if not data.startswith(GIT_CRYPT):
                    del self._open[path]
                yield path, content
            else:
                yield path, self._passed(path, content)

    def _passed(self, path: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Pass the chunks on. A reader that stops early has not looked through the file."""
        kept, size, is_suspect, tail, sign = [], 0, False, b"", self._sign(path)
        for number, chunk in enumerate(chunks):
            yield chunk
            if number == 0 and chunk.startswith(GIT_CRYPT):
                return
            across = tail + chunk[: len(sign)]
            is_suspect = is_suspect or holds(across, sign) or holds(chunk, sign)
            tail = across[-len(sign) :] if len(chunk) < len(sign) else chunk[-len(sign) :]
            if size <= MOST_BYTES:
                kept.append(chunk)
            size += len(chunk)
        self._open.pop(path, None)
        if is_suspect and size > MOST_BYTES:
            self._too_large.append(path)
        elif is_suspect:
            self._suspect[path] = b"".join(kept)

    def look_through_others(self) -> Iterator[tuple[str, Unread]]:
        """Look through what nobody has read yet; yield what could not be."""
        for path, content in self.read(list(self._open)):
            if isinstance(content, Unread):
                yield path, content
            elif any(chunk.startswith(GIT_CRYPT) for chunk in content) and path in self._open:
                yield path, locked()
        for path in self._too_large:
            yield path, unreadable(f"over {MOST_BYTES:,} bytes, too much to find conflicts in")

    def conflicts(self, topics: Collection[str]) -> dict[str, list[Hunk]]:
        """The hunks in each file that has any, without those in the front matter of `topics`."""
        if not self._suspect:
            return {}
        from nestwork_hooks.protocol.hunks import hunks_in
        from nestwork_hooks.protocol.line_reader import front_lines
        from nestwork_hooks.protocol.markers import hunks_beside

        found: dict[str, list[Hunk]] = {}
        for path, data in self._suspect.items():
            find = hunks_beside if layout.is_memory(path) else hunks_in
            hunks = find(data, len(self._sign(path)))
            above = front_lines(data) if path in topics else 0
            if below := [hunk for hunk in hunks if hunk.first > above]:
                found[path] = below
        return found
