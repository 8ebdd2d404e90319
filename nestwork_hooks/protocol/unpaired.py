"""Markers that form no block: what is wrong with them, and the exact edit that mends it.

Imported only where markers are broken. The edit loses no text: what it leaves between the markers
and nobody generated, the fixer moves below them. Lines are numbered from 1.
"""

from __future__ import annotations

from nestwork_hooks.protocol.fences import unfenced
from nestwork_hooks.protocol.finding import Fault, Replace, error
from nestwork_hooks.protocol.handwritten import between, is_boilerplate, items
from nestwork_hooks.protocol.hunks import Hunk, hunks_of
from nestwork_hooks.protocol.markers import BEGIN, END
from nestwork_hooks.protocol.text import numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.protocol.fences import Fence
    from nestwork_hooks.protocol.markers import Broken

_NAMES = {BEGIN: "begin", END: "end"}
# More markers than this are nobody's accident: no edit is searched for.
_MOST = 12


class Text:
    """The lines of a memory.md, and the markers among them (number and text) outside fences."""

    def __init__(self, data: bytes) -> None:
        self.lines = data.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
        self.outside = list(unfenced(self.lines))
        self.markers = [(n, line.strip()) for n, line in self.outside if line.strip() in _NAMES]


def fault(data: bytes, found: Broken) -> Fault:
    """Why the bytes of a memory.md hold no block, and the edit that mends it."""
    text, fence = Text(data), found.fence
    torn = _torn(text)
    if torn:
        return _conflicted(text, torn)
    if fence and len({marker for _, marker in text.markers}) < len(_NAMES):
        return _hidden(text, fence)
    lines: dict[bytes, list[int]] = {BEGIN: [], END: []}
    for number, marker in text.markers:
        lines[marker].append(number)
    kept = _pair(text, [])
    for marker, numbers in lines.items():
        if len(numbers) > 1:
            return _surplus(text, marker, numbers, kept)
    if not lines[END]:
        return _alone(text, lines[BEGIN][0], BEGIN)
    if not lines[BEGIN]:
        return _alone(text, lines[END][0], END)
    return _reversed(text, lines[BEGIN][0], lines[END][0])


def _error(line: int, reason: str, fix: Replace | None = None) -> Fault:
    return error(line, "broken-markers", reason, fix)


# Merge conflicts


def _torn(text: Text) -> list[Hunk]:
    """The whole conflicts that hold a marker, in the text or in what it is without its index."""
    numbers = [number for number, _ in text.markers]
    index = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
    lines = [(n, line) for n, line in enumerate(text.lines, 1) if n not in numbers[:_MOST]]
    for part in (lines, [(n, line) for n, line in lines if n not in index]):
        found = [
            hunk for hunk in hunks_of(part) if any(number in hunk for number in numbers[:_MOST])
        ]
        if found:
            return found
    return []


def _conflicted(text: Text, torn: list[Hunk]) -> Fault:
    signs = [number for hunk in torn for number in hunk.signs]
    where = numbered(range(torn[0].first, torn[0].last + 1))
    fact = f"a marker lies inside a merge conflict ({where})"
    kept = _pair(text, signs)
    if not kept:
        edit = (
            f"delete {numbered(signs)} (<<<<<<<, =======, >>>>>>>), keep the text of both sides,"
            f" and leave one line {BEGIN.decode()} and one line {END.decode()} below it"
        )
        return _error(torn[0].first, f"{fact}: {edit}")
    others = [number for number, _ in text.markers if number not in {*kept, *signs}]
    delete = sorted({*signs, *others})
    what = "its signs and the surplus marker" if others else "its signs"
    edit = (
        f"delete {numbered(delete, 9)} ({what}) and keep the rest, which is the text of both sides"
    )
    return _error(torn[0].first, f"{fact}: {edit}")


# Which markers to keep


def _pair(text: Text, deleted: Sequence[int]) -> tuple[int, int] | None:
    """A begin and an end marker below it that best enclose the entries, and little else."""
    markers = [(n, marker) for n, marker in text.markers if n not in set(deleted)]
    if len(markers) > _MOST:
        return None
    entries = [item.first for item in items(text.outside)]
    away = set(deleted)
    left = [b"\n" if n in away else line for n, line in enumerate(text.lines, 1)]
    others = between(left).foreign
    pairs = [
        (begin, end)
        for begin, marker in markers
        for end, other in markers
        if (marker, other) == (BEGIN, END) and begin < end
    ]

    def cost(pair: tuple[int, int]) -> int:
        block = range(*pair)
        return sum(n in block for n in others) + 2 * sum(n not in block for n in entries)

    return min(pairs, key=cost, default=None)


def _surplus(text: Text, marker: bytes, numbers: list[int], kept: tuple[int, int] | None) -> Fault:
    name = _NAMES[marker]
    if kept is None:
        fact = f"a second {name} marker; line {numbers[0]} has it already"
        edit = f"keep one line {BEGIN.decode()} and, below it, one line {END.decode()}"
        return _error(numbers[1], f"{fact}: {edit}")
    delete = [number for number, _ in text.markers if number not in kept]
    own = [number for number in numbers if number in delete]
    fact = f"a second {name} marker; the block is {numbered(range(kept[0], kept[1] + 1))}"
    fix = Replace(delete[0], delete[0], "") if len(delete) == 1 else None
    return _error(own[0], f"{fact}: delete {numbered(delete)}", fix)


# Markers without the other, or in the wrong order


def _generated_from(text: Text, start: int, step: int) -> int:
    """The last line of what was generated right beside a marker; the marker's own for nothing.

    `step` is 1 for below the marker, -1 for above it.
    """
    entries = {n for item in items(text.outside) for n in range(item.first, item.last + 1)}
    lines = dict(text.outside)
    last = number = start
    while (number := number + step) in lines:
        line = lines[number]
        if line.strip() in _NAMES or not (number in entries or is_boilerplate(line)):
            break
        last = number if line.strip() else last
    return last


def _alone(text: Text, number: int, marker: bytes) -> Fault:
    below = marker == BEGIN
    other = END if below else BEGIN
    last = _generated_from(text, number, 1 if below else -1)
    side = "below" if below else "above"
    place = f"right {side} it"
    if last != number:
        place = (
            f"right {side} line {last}, where what was generated {'ends' if below else 'begins'}"
        )
    at = last + 1 if below else last
    end = _line_end(text, last)
    fix = Replace(at, at - 1, f"{other.decode()}{end}") if end else None
    reason = f"the {_NAMES[marker]} marker is alone: put a line {other.decode()} {place}"
    return _error(number, reason, fix)


def _line_end(text: Text, number: int) -> str:
    line = text.lines[number - 1]
    return line[len(line.rstrip(b"\r\n")) :].decode()


def _reversed(text: Text, begin: int, end: int) -> Fault:
    fact = f"the end marker is above the begin marker (line {begin})"
    if any(end < item.first < begin for item in items(text.outside)):
        edit = f"make line {end} {BEGIN.decode()} and line {begin} {END.decode()}"
        return _error(end, f"{fact}: {edit}")
    last = _generated_from(text, begin, 1)
    place = f"line {last}" if last != begin else "the begin marker"
    edit = f"delete line {end} and put a line {END.decode()} right below {place}"
    return _error(end, f"{fact}: {edit}")


# Code fences


def _hidden(text: Text, fence: Fence) -> Fault:
    hidden = [
        n for n, line in enumerate(text.lines, 1) if line.strip() in _NAMES and n > fence.line
    ]
    run = fence.run.decode()
    edit = f"close it with a line {run} above line {hidden[0]}"
    if not text.markers:
        fact = "this code fence never closes, so the markers below it count as code"
        return _error(fence.line, f"{fact}: {edit}")
    number, marker = text.markers[0]
    other = END if marker == BEGIN else BEGIN
    fact = (
        f"the {_NAMES[marker]} marker is alone: the code fence of line {fence.line} never closes, so"
        f" the {_NAMES[other]} marker counts as code"
    )
    return _error(number, f"{fact}: {edit}")
