"""What keeps memory out of a distillation, which agents' memory goes through to reach `shared/`.

Source of every rule here: docs/protocol.md, "What the nest's scripts expect". Works on bytes:
neither rule depends on the encoding of the text around it.
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.content import CHUNK, holds

# What a line starts with that begins or ends a block of a distillation, inside code fences too.
BLOCK_SIGNS = (b"<<<FILE ", b">>>END")
# What the installer writes into a new agent's memory.md.
PLACEHOLDER = b"_No memory yet._"
_NO_TOPICS = b"_No topic files yet._"
_BOM = b"\xef\xbb\xbf"
_RULES = ({*b"-"}, {*b"*"}, {*b"_"})
# So much of a chunk is looked at again with the next: a sign, and what stands before it.
_OVERLAP = max(map(len, BLOCK_SIGNS)) + 1


def block_line(data: bytes) -> int:
    """The first line, from 1, that a distillation takes for its own; 0 for none."""
    found = BlockLine()
    found.add(data)
    return found.line


class BlockLine:
    """Finds that line, as `line`, in a file that is read in chunks."""

    __slots__ = ("_lines", "_rest", "line")

    def __init__(self) -> None:
        self.line = 0
        self._lines = 1
        self._rest = b""

    def add(self, chunk: bytes) -> None:
        """Look at one more chunk; only the last may be shorter than `CHUNK`."""
        data = self._rest + chunk
        for sign in BLOCK_SIGNS if not self.line else ():
            # Texts are full of spaces, so one in what is looked for slows it down.
            if holds(data, sign.rstrip()):
                self._find(sign, data)
        if len(chunk) == CHUNK:
            # A pair is one line end.
            cut = len(data) - _OVERLAP - data.startswith(b"\n", len(data) - _OVERLAP)
            self._lines += _line_ends(data, cut)
            self._rest = data[cut:]

    def _find(self, sign: bytes, data: bytes) -> None:
        start = -1 if self._rest else len(_BOM) * data.startswith(_BOM)
        at = data.find(sign)
        while at >= 0:
            if at == start or data[at - 1 : at] in (b"\n", b"\r"):
                line = self._lines + _line_ends(data, at)
                self.line = min(line, self.line or line)
                return
            at = data.find(sign, at + 1)


def _line_ends(data: bytes, stop: int) -> int:
    count = data.count
    if b"\r" not in data:
        return count(b"\n", 0, stop)
    return count(b"\n", 0, stop) + count(b"\r", 0, stop) - count(b"\r\n", 0, stop)


class Placeholder(Frozen):
    """Where PLACEHOLDER stands in a memory.md.

    `line` counts from 1; `alone` says that nothing else stands in that line, and in no other these
    words; `beside_text` that there is more than what the installer writes, or an entry of an index.
    """

    line: int
    alone: bool
    beside_text: bool


def find_placeholder(data: bytes) -> Placeholder | None:
    """The first PLACEHOLDER in the bytes of a memory.md, None without one."""
    if not holds(data, PLACEHOLDER):
        return None
    text = data.removeprefix(_BOM)
    lines = [line.strip() for line in text.splitlines()]
    number = next(number for number, line in enumerate(lines) if PLACEHOLDER in line)
    alone = lines[number] == PLACEHOLDER and text.count(PLACEHOLDER) == 1
    return Placeholder(number + 1, alone, any(_texts(_without_comments(text))))


def _texts(data: bytes) -> list[bytes]:
    """The lines that nobody but the owner, or an index, has written."""
    lines = [line.strip() for line in data.splitlines()]
    held = next((number for number, line in enumerate(lines) if PLACEHOLDER in line), 0)
    title = next((number for number, line in enumerate(lines) if line.startswith(b"#")), -1)
    return [
        line
        for number, line in enumerate(lines)
        if line not in (b"", PLACEHOLDER, _NO_TOPICS)
        if number != title and not (line.startswith(b">") and number < held)
        if not (len(line) > 2 and set(line) in _RULES)
    ]


def _without_comments(data: bytes) -> bytes:
    before, *others = data.split(b"<!--")
    return before + b"".join(other.partition(b"-->")[2] for other in others)
