"""The lines of texts: those of topics, to be compared, and how many a Markdown file has."""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.content import (
    GIT_CRYPT,
    TO_FIND_AN_INDEX,
    Unread,
    locked,
    whole_or_unread,
)
from nestwork_hooks.protocol.markers import MOST_BYTES, Block, find_block, hand_written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.protocol.content import Content


class LineCount(Frozen):
    """How many lines a file has; of a memory.md, those that are not its index.

    `has_index` says that there are more. `mark` differs where the lines of a memory.md do that count.
    """

    lines: int
    has_index: bool = False
    mark: int | None = None


def read_lines(
    source: Source, new: Sequence[str], others: Callable[[list[str]], list[str]]
) -> dict[str, set[str]]:
    """The lines of the `new` topics that are long enough to be copies, and of those to compare with.

    `others` gives the latter. What cannot be read, or is too large to be looked through, is left out.
    """
    from nestwork_hooks.protocol.likeness import is_long_enough

    found = {path: lines for path, lines in _lines(source, new) if is_long_enough(lines)}
    if found:
        found.update(_lines(source, others(list(found))))
    return found


def _lines(source: Source, paths: Sequence[str]) -> Iterable[tuple[str, set[str]]]:
    from nestwork_hooks.protocol.likeness import lines_of

    for path, content in source.read(paths):
        data = whole_or_unread(content, MOST_BYTES, "to be looked through")
        if data and not isinstance(data, Unread):
            yield path, lines_of(data.decode(errors="replace"))


def count_lines(path: str, content: Content) -> LineCount | Unread:
    """Count the lines of a Markdown file, whatever its line endings and its encoding."""
    if isinstance(content, Unread):
        return content
    return _beside_index(content) if layout.is_memory(path) else _in_all(content)


def _in_all(chunks: Iterable[bytes]) -> LineCount | Unread:
    count = _Count()
    for number, chunk in enumerate(chunks):
        if number == 0 and chunk.startswith(GIT_CRYPT):
            return locked()
        count.add(chunk)
    return LineCount(count.total)


def _beside_index(chunks: Iterable[bytes]) -> LineCount | Unread:
    data = whole_or_unread(chunks, MOST_BYTES, TO_FIND_AN_INDEX)
    if isinstance(data, Unread):
        return data
    block, count, index = find_block(data), _Count(), _Count()
    count.add(data)
    if isinstance(block, Block):
        index.add(data[block.start : block.stop])
    mark = hash(hand_written(data, block))
    return LineCount(count.total - index.total, bool(index.total), mark)


class _Count:
    """Counts the lines of a text that comes in chunks: LF, CRLF and CR end one, and so does the end."""

    def __init__(self) -> None:
        self._ends = 0
        self._last = b""

    def add(self, chunk: bytes) -> None:
        chunk = chunk.replace(b"\0", b"") if b"\0" in chunk else chunk  # as of UTF-16
        returns = chunk.count(b"\r")
        pairs = chunk.count(b"\r\n") if returns else 0
        self._ends += chunk.count(b"\n") + returns - pairs
        self._ends -= self._last == b"\r" and chunk.startswith(b"\n")
        self._last = chunk[-1:] or self._last

    @property
    def total(self) -> int:
        return self._ends + (self._last not in (b"", b"\r", b"\n"))
