"""Code fences of Markdown: what stands in one is shown as code, and is nothing else.

Works on bytes, a line at a time, as `lines.deciding_lines` yields them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Fences:
    """Follows the code fences of one text. `open` is the one that goes on below the last line."""

    def __init__(self) -> None:
        self.open: Fence | None = None

    def item_indent(self) -> int:
        """How far the text of a list item is indented that a code fence stands in; 0 without."""
        return self.open.indent if self.open and self.open.in_list else 0

    def cover(self, number: int, line: bytes) -> bool:
        """Take the next line; whether it stands in a fence, or closes one."""
        text = line.strip()
        if self.open and self.open.goes_on(line, text):
            if self.open.is_closed_by(line, text):
                self.open = None
            return True
        self.open = Fence.opened_by(number, line)
        return False


def unfenced(lines: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines outside code fences, with their numbers from 1."""
    if not any(b"```" in line or b"~~~" in line for line in lines):
        yield from enumerate(lines, 1)
        return
    fences = Fences()
    for number, line in enumerate(lines, 1):
        if not (fences.cover(number, line) or fences.open):
            yield number, line


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
        """The fence that this line opens, outside any other, if it opens one."""
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
        """Whether the fence is not over above `line`, whose stripped text is `text`."""
        return not (self.in_list and text and _indent(line) < self.indent)

    def is_closed_by(self, line: bytes, text: bytes) -> bool:
        """Whether `line`, whose stripped text is `text`, is the fence's last."""
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
