"""Code fences and merge conflicts: which lines of a Markdown file are not what they seem."""

from __future__ import annotations

from nestwork_hooks.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Fence:
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
    def opened_by(cls, number: int, line: bytes) -> Fence | None:
        """The fence that this line opens, if any."""
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
        """Whether a line, `text` without white space around it, is still code or its end."""
        return not (self.in_list and text and _indent(line) < self.indent)

    def is_closed_by(self, line: bytes, text: bytes) -> bool:
        """Whether such a line closes it."""
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


class Hunk(Frozen):
    """A whole merge conflict: the lines, from 1, of its signs.

    These are `<<<<<<<`, `|||||||` (0: none), `=======` and `>>>>>>>`.
    """

    first: int
    base: int
    middle: int
    last: int

    @property
    def signs(self) -> list[int]:
        """The lines that go away where both sides are kept: the signs, and what was there before."""
        return [self.first, *range(self.base or self.middle, self.middle + 1), self.last]

    def __contains__(self, line: int) -> bool:
        return self.first <= line <= self.last


class Conflict:
    """Follows the lines of a merge conflict; only a whole one counts."""

    def __init__(self) -> None:
        self.first = 0
        self._base = 0
        self._middle = 0

    def ended_by(self, number: int, line: bytes) -> Hunk | None:
        """The conflict that `line` ends; None where it ends none."""
        sign, after = line[:7], line[7:8]
        if after not in (b" ", b"\n", b"\r", b""):
            return None
        if sign == b"<<<<<<<":
            self.first, self._base, self._middle = number, 0, 0
        elif sign == b"|||||||" and self.first and not self._middle:
            self._base = number
        elif sign == b"=======" and self.first:
            self._middle = number
        elif sign == b">>>>>>>" and self._middle:
            found = Hunk(self.first, self._base, self._middle, number)
            self.first = self._base = self._middle = 0
            return found
        return None


def unfenced(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines outside code fences, with their numbers from 1."""
    fence: Fence | None = None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if fence and fence.goes_on(line, text):
            if fence.is_closed_by(line, text):
                fence = None
            continue
        fence = Fence.opened_by(number, line)
        if not fence:
            yield number, line


def hunks(lines: Iterable[tuple[int, bytes]]) -> list[Hunk]:
    """The whole merge conflicts in these numbered lines."""
    conflict = Conflict()
    return [hunk for number, line in lines if (hunk := conflict.ended_by(number, line))]
