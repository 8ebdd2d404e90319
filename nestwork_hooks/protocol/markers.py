"""Find the index in a scope's memory.md: one pair of markers, or the reason why it must not be rewritten.

Works on bytes, so that a file in any encoding is preserved. Precedence (docs/protocol.md,
"Markers"): code fences first, then markers outside them, then whole conflict hunks outside them.
"""

from __future__ import annotations

from nestwork_hooks.frozen import Frozen
from nestwork_hooks.protocol.hunks import Conflict, Fence
from nestwork_hooks.protocol.lines import deciding_lines

BEGIN = b"<!-- nestwork:topic-index:begin -->"
END = b"<!-- nestwork:topic-index:end -->"
# The largest memory.md that is searched for markers, in bytes: far above any that anybody reads.
MOST_BYTES = 4 << 20
_MARKERS = (BEGIN, END)
_BOM = b"\xef\xbb\xbf"


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
    if BEGIN not in data and END not in data:
        return None
    scan = _Scan(data)
    fence = scan.fence if scan.hidden else None
    if not (scan.markers or fence):
        return None
    pair = [marker.text for marker in scan.markers]
    if pair != [BEGIN, END] or scan.conflicted:
        return Broken(fence)
    begin, end = scan.markers
    return Block(begin.offset, end.offset + len(END), begin.line, begin.newline)


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

    `markers` are those outside code fences; `conflicted` is the first line of the first whole
    conflict hunk that holds one of them (0: none); `fence` is a code fence that never closes,
    and `hidden` says whether a marker lies in it.
    """

    def __init__(self, data: bytes) -> None:
        self.markers: list[_Marker] = []
        self.conflicted = 0
        self.fence: Fence | None = None
        self.hidden = False
        self._conflicts = Conflict(), Conflict()
        start = len(_BOM) if data.startswith(_BOM) else 0
        for number, line, offset in deciding_lines(data, start, self._item_indent):
            self._take(number, line, offset)

    def _item_indent(self) -> int:
        """How far the text of a list item is indented that a code fence stands in; 0 without."""
        return self.fence.indent if self.fence and self.fence.in_list else 0

    def _take(self, number: int, line: bytes, offset: int) -> None:
        text = line.strip()
        if self.fence and self.fence.goes_on(line, text):
            self.hidden = self.hidden or text in _MARKERS
            if self.fence.is_closed_by(line, text):
                self.fence = None
            return
        self.fence, self.hidden = Fence.opened_by(number, line), False
        if text in _MARKERS:
            newline = line[len(line.rstrip(b"\r\n")) :]
            self.markers.append(_Marker(text, number, offset + line.index(text), newline))
            return
        self._follow(number, line)

    def _follow(self, number: int, line: bytes) -> None:
        """Follow conflicts in the whole text, and in the text as it is without its index.

        The lines of an index go away. What they hide must not be a conflict afterwards.
        """
        in_index = len(self.markers) == 1
        for conflict in self._conflicts[: 1 if in_index else 2]:
            hunk = conflict.ended_by(number, line)
            if hunk and self.markers and self.markers[-1].line > hunk.first:
                self.conflicted = self.conflicted or hunk.first
