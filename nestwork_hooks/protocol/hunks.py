"""Merge conflicts: whole hunks, as git writes them into a text.

A hunk is whole with its lines `<<<<<<<`, `=======` and `>>>>>>>`, in this order; `|||||||` and what
both sides changed may stand before the middle (diff3, zdiff3). It counts if its first line is
outside code fences, whatever it does to a fence.
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.lines import BOM, deciding_lines, signs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# How long git makes a marker where no attribute says otherwise.
SIZE = 7
# No tool writes longer ones.
_LONGEST = 10_000
_ENDS = (b" ", b"\n", b"\r", b"")


def size_of(value: str) -> int:
    """How long markers are with this value of the attribute `conflict-marker-size`, as git reads it."""
    digits = value[: len(value) - len(value.lstrip("0123456789"))]
    return min(int(digits[:9] or 0), _LONGEST) or SIZE


class Hunk(Frozen):
    """A whole hunk: the lines of its markers, from 1.

    `base` is that of `|||||||`, 0 without one. `middles` are all lines `=======`: an underline looks
    like the marker.
    """

    first: int
    base: int
    middles: tuple[int, ...]
    last: int

    @property
    def signs(self) -> list[int]:
        """The lines that go away where both sides are kept: the signs, and what was there before."""
        middle = self.middles[-1]
        return [self.first, *range(self.base or middle, middle + 1), self.last]

    def __contains__(self, line: int) -> bool:
        return self.first <= line <= self.last


class _Open:
    __slots__ = ("base", "fenced", "first", "middles")

    def __init__(self, first: int, *, fenced: bool) -> None:
        self.first = first
        self.fenced = fenced
        self.base = 0
        self.middles: list[int] = []


class Hunks:
    """Follows the lines of one text. `found` are the whole hunks, without those inside another."""

    def __init__(self, size: int = SIZE) -> None:
        self.found: list[Hunk] = []
        self._size = size
        self._signs = {sign * size: sign for sign in (b"<", b"|", b"=", b">")}
        self._open: list[_Open] = []

    @property
    def begun(self) -> int:
        """The line in which a hunk begins that is not whole yet; 0 without one."""
        return self._open[0].first if self._open else 0

    def ended_by(self, number: int, line: bytes, *, fenced: bool) -> Hunk | None:
        """Take the next line that could be a marker; the whole hunk that it ends, if any."""
        sign = self._signs.get(line[: self._size])
        if sign is None or line[self._size : self._size + 1] not in _ENDS:
            return None
        while self._open and self._open[-1].fenced and not fenced:
            self._open.pop()  # An example that ends with its fence.
        if sign == b"<":
            self._open.append(_Open(number, fenced=fenced))
        elif self._open:
            return self._go_on(self._open[-1], number, sign)
        return None

    def _go_on(self, top: _Open, number: int, sign: bytes) -> Hunk | None:
        if sign == b"=":
            top.middles.append(number)
        elif sign == b"|" and not (top.base or top.middles):
            top.base = number
        elif sign == b">" and top.middles:
            self._open.pop()
            return None if top.fenced else self._whole(top, number)
        return None

    def _whole(self, top: _Open, last: int) -> Hunk:
        while self.found and self.found[-1].first > top.first:
            self.found.pop()
        hunk = Hunk(top.first, top.base, tuple(top.middles), last)
        self.found.append(hunk)
        return hunk


def hunks_of(lines: Iterable[tuple[int, bytes]]) -> list[Hunk]:
    """The whole hunks in these numbered lines of a text, in order."""
    lines = list(lines)
    if not any(b"<<<<<<<" in line for _, line in lines):
        return []
    from nestwork_hooks.protocol.fences import Fences  # Few runs meet a hunk.

    fences, hunks = Fences(), Hunks()
    for number, line in lines:
        hunks.ended_by(number, line, fenced=fences.cover(number, line))
    return hunks.found


def hunks_in(data: bytes, size: int = SIZE) -> list[Hunk]:
    """The whole hunks in a text, in order; `size` is the length of their markers.

    The time is linear in the number of bytes.
    """
    from nestwork_hooks.protocol.fences import Fences

    fences, hunks = Fences(), Hunks(size)
    start = len(BOM) if data.startswith(BOM) else 0
    for number, line, _ in deciding_lines(data, start, fences.item_indent, signs_of(size)):
        hunks.ended_by(number, line, fenced=fences.cover(number, line))
    return hunks.found
