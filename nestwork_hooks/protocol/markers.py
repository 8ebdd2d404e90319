"""Find the index in a scope's memory.md: one pair of markers, or the reason why it must not be rewritten.

Works on bytes, so that a file in any encoding is preserved. Precedence (docs/protocol.md,
"Markers"): code fences first, then markers outside them, then whole conflict hunks outside them.
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.content import holds
from nestwork_hooks.protocol.hunks import SIZE, Hunk, Hunks
from nestwork_hooks.protocol.lines import BOM, Lines, deciding_lines, signs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.fences import Fence

BEGIN = b"<!-- nestwork:topic-index:begin -->"
END = b"<!-- nestwork:topic-index:end -->"
# The largest memory.md that is searched for markers, in bytes: far above any that anybody reads.
MOST_BYTES = 4 << 20
_MARKERS = (BEGIN, END)
# Without the first two there is no code fence, without the third no conflict.
_SIGNS = (b"```", b"~~~", b"<" * SIZE)


class Block(Frozen):
    """Where the index lies in a memory.md.

    `start` and `stop` are byte offsets, from the first byte of the begin marker to behind the last
    byte of the end marker; `line` is the begin marker's line, from 1; `newline` is its line ending.
    """

    start: int
    stop: int
    line: int
    newline: bytes


class Broken(Frozen):
    """Markers that do not form exactly one block: `unpaired.fault` says why, and what mends it.

    `fence` is a code fence that never closes and hides a marker, if there is one.
    """

    fence: Fence | None


class _Marker:
    __slots__ = ("line", "newline", "offset", "text")

    def __init__(self, text: bytes, line: int, offset: int, newline: bytes) -> None:
        self.text = text
        self.line = line
        self.offset = offset
        self.newline = newline


def find_block(data: bytes) -> Block | Broken | None:
    """Find the one block in the bytes of a memory.md; None if its scope has not opted in."""
    begin, end = data.rfind(BEGIN), data.rfind(END)
    if begin < 0 and end < 0:
        return None
    if block := plain_block(data, begin, end):
        return block
    scan = _Scan(data)
    fence = scan.unclosed
    if not (scan.markers or fence):
        return None
    pair = [marker.text for marker in scan.markers]
    if pair != [BEGIN, END] or scan.conflicted:
        return Broken(fence)
    first, last = scan.markers
    return Block(first.offset, last.offset + len(END), first.line, first.newline)


def plain_block(data: bytes, start: int, last: int) -> Block | None:
    """The block of a text in which nothing but two markers could decide anything; None means nothing yet.

    `start` and `last` are where the last of each marker is. Each is there once and alone on its
    line, so no other line holds one. Without a sign of a fence there is no fence, and without one of
    those that begin a conflict no hunk.
    """
    if not 0 <= start < last or holds(data, BEGIN, start) or holds(data, END, last):
        return None
    if any(holds(data, sign) for sign in _SIGNS):
        return None
    lines, first = Lines(data), len(BOM) if data.startswith(BOM) else 0
    offset = lines.start(start, first)
    line = data[offset : lines.end(offset)]
    other = lines.start(last, offset)
    if line.strip() != BEGIN or data[other : lines.end(other)].strip() != END:
        return None
    newline = line[len(line.rstrip(b"\r\n")) :]
    return Block(start, last + len(END), lines.count(first, offset) + 1, newline)


def hand_written(data: bytes, block: Block | Broken | None) -> bytes:
    """The part of a memory.md that is not its index, with LF for CRLF."""
    if isinstance(block, Block):
        view = memoryview(data)  # It may be large: one copy is enough.
        data = b"".join((view[: block.start], view[block.stop :]))
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


def hunks_beside(data: bytes, size: int = SIZE) -> list[Hunk]:
    """The whole conflict hunks of a memory.md that are neither in its index nor around a marker."""
    from bisect import bisect

    scan = _Scan(data, size)
    lines = [marker.line for marker in scan.markers]
    index = range(*lines) if isinstance(find_block(data), Block) else ()
    return [
        hunk
        for hunk in scan.hunks
        if hunk.first not in index and bisect(lines, hunk.first) == bisect(lines, hunk.last)
    ]


def in_one_line(data: bytes) -> int:
    """The first line of a memory.md without an index that holds both markers, and more; or 0.

    So a migration guide prints them, and the nest's script takes them for an index.
    """
    return _Scan(data).in_one_line if BEGIN in data and END in data else 0


def hidden_by(data: bytes) -> str:
    """The wide encoding (`UTF-16`, `UTF-32`) that hides the markers of a memory.md, or `""`."""
    for width, name in ((2, "UTF-16"), (4, "UTF-32")) if b"\0" in data else ():
        found = []
        for encoding in (f"{name}-LE", f"{name}-BE"):
            at = max(data.find(marker.decode().encode(encoding)) for marker in (BEGIN, END))
            if at >= 0:
                found.append((at % width, encoding))
        # Zeros beside a marker make it one of the other byte order too, a byte further on.
        for shift, encoding in sorted(found)[:1]:
            if find_block(data[shift:].decode(encoding, "replace").encode()):
                return name
    return ""


class _Scan:
    """One pass over the lines of a memory.md that could decide anything.

    `markers` are those outside code fences; `hunks` the whole conflict hunks, and `conflicted` the
    first line of the first that holds a marker (0: none). `unclosed` is a code fence that never
    closes and hides a marker. `in_one_line` is the first line outside fences
    that holds both markers (0: none).
    """

    def __init__(self, data: bytes, size: int = SIZE) -> None:
        from nestwork_hooks.protocol.fences import Fences

        self.markers: list[_Marker] = []
        self.conflicted = 0
        self.in_one_line = 0
        self._hidden = False
        self._fences = Fences()
        self._hunks = Hunks(size), Hunks(size)
        start = len(BOM) if data.startswith(BOM) else 0
        lines = deciding_lines(data, start, self._fences.item_indent, signs_of(size))
        for number, line, offset in lines:
            self._take(number, line, offset)

    @property
    def hunks(self) -> list[Hunk]:
        return self._hunks[0].found

    @property
    def unclosed(self) -> Fence | None:
        return self._fences.open if self._hidden else None

    def _take(self, number: int, line: bytes, offset: int) -> None:
        fenced, text = self._fences.cover(number, line), line.strip()
        is_marker = text in _MARKERS
        self._hidden = fenced and (self._hidden or is_marker)
        if fenced or not is_marker:
            self._follow(number, line, fenced)
            if not (fenced or self.in_one_line) and BEGIN in line and END in line:
                self.in_one_line = number
            return
        newline = line[len(line.rstrip(b"\r\n")) :]
        self.markers.append(_Marker(text, number, offset + line.index(text), newline))

    def _follow(self, number: int, line: bytes, fenced: bool) -> None:
        """Follow conflicts in the whole text, and in the text as it is without its index.

        The lines of an index go away. What they hide must not be a conflict afterwards.
        """
        in_index = len(self.markers) == 1
        for hunks in self._hunks[: 1 if in_index else 2]:
            hunk = hunks.ended_by(number, line, fenced=fenced)
            if hunk and self.markers and self.markers[-1].line > hunk.first:
                self.conflicted = self.conflicted or hunk.first
