"""The lines of a memory.md that decide where its index is; the others are skipped unsplit.

Line ends are those of `bytes.splitlines`. The time is linear in the number of bytes.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

BOM = b"\xef\xbb\xbf"
# Bytes in which text is looked for first, below blank lines.
_NEAR = 64


def signs_of(size: int) -> tuple[bytes, ...]:
    """What a line holds that is a marker, begins or ends a code fence, or is part of a conflict.

    `size` is the length of a conflict's markers.
    """
    conflict = (sign * size for sign in (b"<", b"|", b"=", b">"))
    return (b"```", b"<!-- nestwork:topic-index:", *conflict, b"~~~")


def deciding_lines(
    data: bytes, offset: int, indent: Callable[[], int], signs: Iterable[bytes]
) -> Iterator[tuple[int, bytes, int]]:
    """Yield each line that holds a sign, from `offset` on: its number from 1, the line, its offset.

    While `indent` is not 0, also lines with text that could be indented by fewer spaces.
    """
    lines, places = Lines(data), [_Places(data, sign) for sign in signs]
    number = 1
    while offset < len(data):
        start = stop = lines.end(offset)
        line = data[offset:stop]
        if _has_sign(line, signs):
            yield number, line, offset
        elif spaces := b" " * indent():
            if not line.strip():
                start = lines.start(lines.text(stop), stop)
            elif not line.startswith(spaces):
                yield number, line, offset
        else:
            start = lines.start(min(place.following(stop) for place in places), stop)
        number += 1
        if start > stop:
            number += lines.count(stop, start)
        offset = start


def _has_sign(line: bytes, signs: Iterable[bytes]) -> bool:
    for sign in signs:  # noqa: SIM110 (three times as quick as any)
        if sign in line:
            return True
    return False


class _Places:
    """Where a text occurs in `data`, queried from left to right: each byte is searched once."""

    __slots__ = ("_at", "_data", "_text")

    def __init__(self, data: bytes, text: bytes) -> None:
        self._data = data
        self._text = text
        self._at = -1

    def following(self, start: int) -> int:
        """The first place from `start` on; the end of all where there is none."""
        if self._at < start:
            at = self._data.find(self._text, start)
            self._at = len(self._data) if at < 0 else at
        return self._at


class Lines:
    """Where lines start and end, queried from left to right."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._feeds = _Places(data, b"\n")
        self._returns = _Places(data, b"\r")

    def end(self, offset: int) -> int:
        """The offset behind the line that `offset` lies in, line ending included."""
        feed, end = self._feeds.following(offset), self._returns.following(offset)
        if feed <= end + 1:
            end = feed
        return min(end + 1, len(self._data))

    def start(self, at: int, least: int) -> int:
        """Where the line starts that has the place `at`; `least` is where one does before."""
        if at == len(self._data):
            return at
        feed, back = (self._data.rfind(end, least, at) for end in (b"\n", b"\r"))
        return max(feed + 1, back + 1, least)

    def count(self, start: int, stop: int) -> int:
        """How many lines there are from one start of a line to another."""
        count = self._data.count
        feeds = count(b"\n", start, stop)
        # Found in a tenth of the time that it takes to count them.
        if self._data.find(b"\r", start, stop) < 0:
            return feeds
        return feeds + count(b"\r", start, stop) - count(b"\r\n", start, stop)

    def text(self, start: int) -> int:
        """The first place from `start` on that is no white space; the end of all without one."""
        size = _NEAR
        while start < len(self._data):
            chunk = self._data[start : start + size]
            text = chunk.lstrip()
            if text:
                return start + len(chunk) - len(text)
            start, size = start + size, 2 * size
        return len(self._data)
