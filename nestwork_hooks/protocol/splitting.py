"""Plan how a single memory.md becomes topics, text word for word.

docs/protocol.md, "From one memory.md to topics". Works on bytes: the header and the pieces,
in order, are the original.
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.content import ByteCount
from nestwork_hooks.protocol.headings import Heading, headings
from nestwork_hooks.protocol.soundness import PLACEHOLDER
from nestwork_hooks.protocol.topic import WARN_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from nestwork_hooks.protocol.markers import Block
    from nestwork_hooks.protocol.titles import Names


class Piece(Frozen):
    """One topic file to be: its name below the scope, its heading, and the author's bytes."""

    name: str
    heading: str
    body: bytes

    def content(self, front: bytes) -> bytes:
        """The file: its front matter and the author's bytes."""
        return front + self.body

    def size(self, front: bytes) -> int:
        """Bytes of the file, after CRLF became LF."""
        count = ByteCount()
        count.add(self.content(front))
        return count.total


class Plan(Frozen):
    """How a memory.md is split at the headings of `level`.

    `parts` are the stretches of hand-written text, one, or two around an index: for each what stays
    in memory.md, and the pieces. `front` is the front matter of every file.
    """

    level: int
    parts: list[tuple[bytes, list[Piece]]]
    front: bytes

    @property
    def pieces(self) -> list[Piece]:
        """All pieces, in the order of the text."""
        return [piece for _, pieces in self.parts for piece in pieces]

    @property
    def stays(self) -> bytes:
        """What stays in memory.md."""
        return b"".join(header for header, _ in self.parts)


class NothingToSplit(Exception):
    """The text has no headings to be split at; the message says what it has."""


def newline_of(data: bytes) -> bytes:
    """The line ending of the first line; LF where there is none."""
    end = data.find(b"\n")
    if end > 0 and data[end - 1 : end] == b"\r":
        return b"\r\n"
    return b"\r" if end < 0 and b"\r" in data else b"\n"


def front_matter(newline: bytes, today: str) -> bytes:
    """The front matter of a new topic: a placeholder for its description, and a date."""
    lines = ("---", f'description: "{PLACEHOLDER}"', f"updated: {today}", "---", "", "")
    return newline.join(line.encode() for line in lines)


def plan(texts: list[bytes], names: Names, front: bytes, level: int, *, numbered: bool) -> Plan:
    """Plan the split of these stretches of text at headings of `level`; 0 chooses it.

    Raises NothingToSplit.
    """
    found = [headings(text) for text in texts]
    level = level or _level([heading for some in found for heading in some])
    if not any(heading.level == level for some in found for heading in some):
        raise NothingToSplit(f"it has no heading of level {level}")
    planner = _Planner(names, front, numbered=numbered)
    parts = []
    for text, some in zip(texts, found, strict=True):
        header, sections = cut(text, some, level)
        parts.append((header, [p for s in sections for p in planner.pieces(*s)]))
    return Plan(level, parts, front)


def _level(found: list[Heading]) -> int:
    """The highest level that occurs more than once."""
    if not found:
        raise NothingToSplit("it has no headings")
    levels = [heading.level for heading in found]
    often = [level for level in levels if levels.count(level) > 1]
    if not often:
        raise NothingToSplit("no level of heading occurs twice in it; --level N splits at one")
    return min(often)


def cut(data: bytes, found: list[Heading], level: int) -> tuple[bytes, list[tuple[Heading, bytes]]]:
    """Cut a text at its first heading of `level`, and from there on at each that is no lower."""
    starts = [heading for heading in found if heading.level <= level]
    while starts and starts[0].level < level:
        starts.pop(0)
    ends = [heading.offset for heading in starts[1:]] + [len(data)]
    sections = [(head, data[head.offset : end]) for head, end in zip(starts, ends, strict=True)]
    return data[: starts[0].offset] if starts else data, sections


class _Planner:
    """Makes pieces of sections, and numbers them."""

    def __init__(self, names: Names, front: bytes, *, numbered: bool) -> None:
        self._names = names
        self._front = front
        self._numbered = numbered
        self._count = 0

    def pieces(self, heading: Heading, body: bytes) -> Iterator[Piece]:
        """One topic, or a topic and its parts where it is over the advice and has headings."""
        self._count += 1
        name = self._name(heading, self._count)
        whole = Piece(f"{name}.md", heading.text, body)
        inner = headings(body)[1:] if whole.size(self._front) > WARN_BYTES else []
        if not inner:
            yield whole
            return
        intro, sections = cut(body, inner, min(found.level for found in inner))
        yield Piece(f"{name}.md", heading.text, intro)
        for number, (found, part) in enumerate(sections, 1):
            yield Piece(f"{self._name(found, number, f'{name}/', 'part')}.md", found.text, part)

    def _name(self, heading: Heading, number: int, folder: str = "", kind: str = "topic") -> str:
        text = "" if self._numbered else heading.text
        return self._names.give(text, number, folder, kind)


def fault(plan: Plan, texts: list[bytes]) -> str:
    """What makes a plan no split of these texts; `""` if it is one.

    Proves it of the bytes that are to be written: what stays and the pieces, in order, are the
    texts, and the headings of all files are those of the texts, in the same order.
    """
    for text, (header, pieces) in zip(texts, plan.parts, strict=True):
        files = [header, *(piece.content(plan.front) for piece in pieces)]
        if b"".join([header, *(file[len(plan.front) :] for file in files[1:])]) != text:
            return "its pieces are not the whole text"
        if [found for file in files for found in _said(file)] != _said(text):
            return "a heading is not one where it is cut off"
    return ""


def _said(text: bytes) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in headings(text)]


def with_index(plan: Plan, block: bytes, newline: bytes) -> bytes:
    """The memory.md to be: what stays, and the index, below it or where it was."""
    first, *rest = [header for header, _ in plan.parts]
    if rest:
        return first + block + rest[0]
    gap = b"" if not first or first.endswith((b"\n", b"\r")) else newline
    blank = (first + gap).endswith(newline * 2) or not first.strip()
    return first + gap + (b"" if blank else newline) + block + newline


def hand_written(data: bytes, block: Block | None) -> list[bytes]:
    """The stretches of a memory.md that are not its index."""
    return [data[: block.start], data[block.stop :]] if block else [data]
