"""Find the index in a scope's memory.md: one pair of markers, or the reason why it must not be rewritten.

Works on bytes, so that a file in any encoding is preserved. Precedence (docs/protocol.md,
"Markers"): code fences first, then markers outside them, then whole conflict hunks outside them.
"""

from __future__ import annotations

from nestwork_hooks.frozen import Frozen
from nestwork_hooks.protocol.lines import deciding_lines

BEGIN = b"<!-- nestwork:topic-index:begin -->"
END = b"<!-- nestwork:topic-index:end -->"
# The largest memory.md that is searched for markers, in bytes: far above any that anybody reads.
MOST_BYTES = 4 << 20
_NAMES = {BEGIN: "begin", END: "end"}
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
    """Markers that do not form exactly one block: the line of the fault, from 1, and the remedy."""

    line: int
    reason: str


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
    if not scan.markers:
        return _unclosed_fence(scan.fence.line) if scan.fence and scan.hidden else None
    if scan.conflicted:
        return Broken(scan.conflicted, "a marker lies inside a merge conflict: resolve it by hand")
    return _pair(scan.markers, scan.fence.line if scan.fence and scan.hidden else 0)


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


def _pair(markers: list[_Marker], fence_line: int) -> Block | Broken:
    begins = [marker for marker in markers if marker.text == BEGIN]
    ends = [marker for marker in markers if marker.text == END]
    for found in (begins, ends):
        if len(found) > 1:
            reason = f"line {found[0].line} has it already: keep one begin and one end marker"
            return Broken(found[1].line, f"a second {_NAMES[found[0].text]} marker; {reason}")
    if not ends:
        return _unpaired(begins[0], END, "below", fence_line)
    if not begins:
        return _unpaired(ends[0], BEGIN, "above", fence_line)
    begin, end = begins[0], ends[0]
    if end.line < begin.line:
        return Broken(end.line, f"the end marker is above the begin marker (line {begin.line})")
    return Block(begin.offset, end.offset + len(END), begin.line, begin.newline)


def _unpaired(marker: _Marker, other: bytes, where: str, fence_line: int) -> Broken:
    name = _NAMES[marker.text]
    if fence_line:
        return Broken(
            marker.line,
            f"the {name} marker is alone: the code fence of line {fence_line} never closes, so the"
            f" {_NAMES[other]} marker counts as code",
        )
    reason = f"the {name} marker is alone: put a line {other.decode()} {where} it"
    return Broken(marker.line, reason)


def _unclosed_fence(line: int) -> Broken:
    return Broken(line, "this code fence never closes, so the markers below it count as code")


class _Scan:
    """One pass over the lines of a memory.md that could decide anything.

    `markers` are those outside code fences; `conflicted` is the first line of the first whole
    conflict hunk that holds one of them (0: none); `fence` is a code fence that never closes,
    and `hidden` says whether a marker lies in it.
    """

    def __init__(self, data: bytes) -> None:
        self.markers: list[_Marker] = []
        self.conflicted = 0
        self.fence: _Fence | None = None
        self.hidden = False
        self._conflicts = _Conflict(), _Conflict()
        start = len(_BOM) if data.startswith(_BOM) else 0
        for number, line, offset in deciding_lines(data, start, self._item_indent):
            self._take(number, line, offset)

    def _item_indent(self) -> int:
        """How far the text of a list item is indented that a code fence stands in; 0 without."""
        return self.fence.indent if self.fence and self.fence.in_list else 0

    def _take(self, number: int, line: bytes, offset: int) -> None:
        text = line.strip()
        if self.fence and self.fence.goes_on(line, text):
            self.hidden = self.hidden or text in _NAMES
            if self.fence.is_closed_by(line, text):
                self.fence = None
            return
        self.fence, self.hidden = _Fence.opened_by(number, line), False
        if text in _NAMES:
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
            hunk = conflict.begun_where_it_ends(number, line)
            if hunk and self.markers and self.markers[-1].line > hunk:
                self.conflicted = self.conflicted or hunk


class _Fence:
    """A code fence: its line, its run of backticks or tildes, how far it is indented.

    One that stands in a list item (behind a bullet, or indented by four and more) ends with
    the item, at the first text that is indented less.
    """

    def __init__(self, line: int, run: bytes, indent: int, in_list: bool) -> None:
        self.line = line
        self.run = run
        self.indent = indent
        self.in_list = in_list

    @classmethod
    def opened_by(cls, number: int, line: bytes) -> _Fence | None:
        text = line.lstrip()
        in_list = False
        run = _run(text)
        bullet = 0 if run else _bullet(text)
        if bullet:
            text, in_list = text[bullet:].lstrip(), True
            run = _run(text)
        if not run or (run[:1] == b"`" and b"`" in text[len(run) :]):
            return None
        indent = len(line.expandtabs(4)) - len(text.expandtabs(4))
        return cls(number, run, indent, in_list or indent >= 4)

    def goes_on(self, line: bytes, text: bytes) -> bool:
        return not (self.in_list and text and _indent(line) < self.indent)

    def is_closed_by(self, line: bytes, text: bytes) -> bool:
        run = _run(text)
        return run == text and run.startswith(self.run) and _indent(line) <= self.indent + 3


def _indent(line: bytes) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip(b" "))


def _run(text: bytes) -> bytes:
    """The three or more backticks or tildes that `text` starts with, or b""."""
    char = text[:1]
    if char not in (b"`", b"~"):
        return b""
    run = text[: len(text) - len(text.lstrip(char))]
    return run if len(run) >= 3 else b""


def _bullet(text: bytes) -> int:
    """The length of the list bullet or number that `text` starts with; 0 without one."""
    if text.startswith((b"- ", b"* ", b"+ ")):
        return 2
    digits = len(text) - len(text.lstrip(b"0123456789"))
    return digits + 2 if 0 < digits < 10 and text[digits : digits + 2] in (b". ", b") ") else 0


class _Conflict:
    """Follows the lines of a merge conflict; only a whole one counts."""

    def __init__(self) -> None:
        self._first = 0
        self._middle = 0

    def begun_where_it_ends(self, number: int, line: bytes) -> int:
        """The first line of the conflict that `line` ends; 0 where it ends none."""
        sign, after = line[:7], line[7:8]
        if after not in (b" ", b"\n", b"\r", b""):
            return 0
        first = self._first
        if sign == b"<<<<<<<":
            self._first, self._middle = number, 0
        elif sign == b"=======" and first:
            self._middle = number
        elif sign == b">>>>>>>" and self._middle:
            self._first = self._middle = 0
            return first
        return 0
