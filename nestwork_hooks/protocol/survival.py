"""What became of the lines of a memory.md in the files that it was split into."""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol import line_reader
from nestwork_hooks.protocol.headings import headings, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Fate(Frozen):
    """A line of the old file: its number, its text, whether it is a heading, and where it is now.

    `wanted` is how often the old file has it, `places` the file of each copy that there is now.
    """

    line: int
    text: str
    is_heading: bool
    wanted: int
    places: list[str]


def lost_or_doubled(old: bytes, new: Mapping[str, bytes]) -> list[Fate]:
    """The lines that are not in the new files as often as they were in the old one, in order.

    White space at their ends does not count, nor do blank lines and those of nothing but signs,
    unless they are gone. `new` maps paths to contents.
    """
    marked = {heading.line for heading in headings(old)}
    first: dict[bytes, int] = {}
    wanted: dict[bytes, int] = {}
    for number, line in enumerate(map(bytes.rstrip, lines(old)), 1):
        if line:
            first.setdefault(line, number)
            wanted[line] = wanted.get(line, 0) + 1
    places: dict[bytes, list[str]] = {line: [] for line in first}
    for path, content in new.items():
        for line in map(bytes.rstrip, lines(content)):
            if line in places:
                places[line].append(path)
    return [
        Fate(number, _text(line), number in marked, wanted[line], places[line])
        for line, number in first.items()
        if len(places[line]) < wanted[line]
        or (len(places[line]) > wanted[line] and any(map(str.isalnum, _text(line))))
    ]


def _text(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def below_front_matter(topic: bytes) -> bytes:
    """A topic without its front matter, whatever its line endings."""
    text = topic.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")
    end = line_reader.closing_at(text)
    if end < 0:
        return topic
    rest = text[end + 1 :]
    return rest[rest.find("\n") + 1 :].encode("utf-8", "surrogateescape") if "\n" in rest else b""
