"""What stands between the markers: index entries in any layout, and lines that nobody generated.

Imported only where an index is not what it should be, or is written. Lines are bytes with their line ends, numbered
from 1, which is the begin marker's (docs/protocol.md, "Markers").
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.fences import unfenced
from nestwork_hooks.protocol.hunks import Hunk, hunks_of
from nestwork_hooks.protocol.index import EMPTY, SIZE_END
from nestwork_hooks.protocol.markers import BEGIN, END, Block, find_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NO_TOPICS = EMPTY.strip("_").encode()
# No system has longer paths; a line without an end is looked at no further.
_LONGEST_NAME = 4_096


class Item:
    """An index entry: its topic's name, what stands behind its link, its first and last line."""

    __slots__ = ("first", "last", "name", "rest")

    def __init__(self, name: str, rest: str, first: int) -> None:
        self.name = name
        self.rest = rest
        self.first = self.last = first


def link(line: str) -> tuple[str, str] | None:
    """The Markdown file that text and target of a list item's link name, and what stands behind it.

    Any bullet counts, and the ways in which formatters write such a link.
    """
    bullet, space, text = line.strip().partition(" ")
    text = text.lstrip()
    if bullet not in ("-", "*", "+") or not space or not text.startswith("["):
        return None
    at = text.find("](")
    while 0 < at <= _LONGEST_NAME:
        label = text[1:at]
        quoted = len(label) > 2 and label[0] == label[-1] == "`"
        name = label[1:-1] if quoted else label.replace("\\", "")
        for target in (name, label, f"<{name}>", name.replace(" ", "%20")):
            if name.endswith(".md") and text.startswith(f"{target})", at + 2):
                return name, text[at + 3 + len(target) :]
        at = text.find("](", at + 1)
    return None


def items(lines: Sequence[tuple[int, bytes]]) -> list[Item]:
    """The entries in these numbered lines; a wrapped one takes the lines to its size with it."""
    found: list[Item] = []
    open_item: Item | None = None
    wrapped: list[str] = []
    for number, raw in lines:
        # A large text has few lines that could be entries.
        if not open_item and raw.lstrip()[:1] not in (b"-", b"*", b"+"):
            continue
        line = raw.decode("utf-8", "surrogateescape")
        entry = link(line)
        if entry:
            item = Item(*entry, number)
            found.append(item)
            open_item, wrapped = (None if item.rest.endswith(SIZE_END) else item), []
        elif open_item:
            wrapped.append(line.strip())
            if not (line.strip() and line[0] in " \t") or number != open_item.first + len(wrapped):
                open_item = None
            elif wrapped[-1].endswith(SIZE_END):
                open_item.rest = " ".join([open_item.rest, *wrapped])
                open_item.last, open_item = number, None
    return found


class Between(Frozen):
    """The lines of a block, its markers' included, sorted out.

    `items` are its entries, `hunks` its whole merge conflicts. `foreign` are the numbers of the lines
    that nobody generated; `is_generated` says that somebody generated any but the markers.
    """

    items: list[Item]
    hunks: list[Hunk]
    foreign: list[int]
    is_generated: bool


def between(lines: Sequence[bytes]) -> Between:
    """Sort out the lines of a block.

    Generated are blank lines, comments, the line for no topics, whole merge conflicts, and entries.
    What stands in a code fence is text, whatever it looks like.
    """
    outside = list(unfenced(lines))
    generated = {number for number, line in outside if is_boilerplate(line)}
    has_note = any(lines[number - 1].strip() for number in generated - {1, len(lines)})
    found, hunks = items(outside), hunks_of(enumerate(lines, 1))
    runs: list[Item | Hunk] = [*found, *hunks]
    for run in runs:
        generated.update(range(run.first, run.last + 1))
    foreign = [number for number in range(1, len(lines) + 1) if number not in generated]
    return Between(found, hunks, foreign, bool(found or hunks or has_note))


def splice(memory: bytes, block: Block, index: str) -> tuple[bytes, list[int]]:
    """Replace the block of `memory` by `index`, in the line ending of the begin marker's line.

    Lines in it that nobody generated are moved, with the blank lines between them, right below the
    end marker; their numbers in `memory` are returned too.
    """
    new = index.encode().replace(b"\n", block.newline)
    lines = memory[block.start : block.stop].splitlines(keepends=True)
    numbers = between(lines).foreign
    text = b"".join(_moved(lines, numbers))
    after = memory[block.stop :]
    if text:
        end, *rest = after.splitlines(keepends=True) or [b""]
        if not end.endswith((b"\n", b"\r")):
            end, text = end + block.newline, text.removesuffix(b"\n").removesuffix(b"\r")
        after = b"".join([end, text, *rest])
    return memory[: block.start] + new + after, [block.line + number - 1 for number in numbers]


def emptied(memory: bytes) -> bytes:
    """A memory.md with nothing between its markers; as it is without one block of them.

    So two of them merge as far as what was written by hand does.
    """
    block = find_block(memory)
    if not isinstance(block, Block):
        return memory
    return splice(memory, block, f"{BEGIN.decode()}\n{END.decode()}")[0]


def _moved(lines: Sequence[bytes], numbers: list[int]) -> list[bytes]:
    kept = set(numbers)
    between = range(numbers[0], numbers[-1] + 1) if numbers else ()
    return [lines[n - 1] for n in between if n in kept or not lines[n - 1].strip()]


def is_boilerplate(line: bytes) -> bool:
    """Whether this line is blank, a comment, or what stands for no topics."""
    text = line.strip()
    if not text or (text[-1:] in b"_*." and text.strip(b"_*") == _NO_TOPICS):
        return True
    return len(text) >= 7 and text.startswith(b"<!--") and text.find(b"-->") == len(text) - 3
