"""Another key's line that YAML cannot read: the one line to write so that it can.

The value of such a key is its author's business, so its text stays as it is, and a list stays a list.
"""

from __future__ import annotations

from nestwork_hooks.protocol import line_reader, yaml_reader
from nestwork_hooks.protocol.finding import Replace
from nestwork_hooks.protocol.offer import Offer
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.value import NOUNS, QUOTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from nestwork_hooks.protocol.line_reader import Head

_ANY = 'make it a key and a value for YAML, a text as key: "text"'
# How far above the line that YAML points at its reason may stand.
_ABOVE = 3
_LONGEST = 400
_NO_TABS = "put spaces in place of its tabs"


def readable(head: Head, line: int) -> Offer:
    """The edit of one line after which YAML can read the front matter, or reads on at least."""
    lines = head.text.split("\n")
    edits = [
        (number, text)
        for number in range(line, max(line - _ABOVE, 1), -1)
        for text in _rewritten(lines[number - 1], goes_on=lines[number][:1] in (" ", "\t"))
    ]
    faults = [_fault_after(head, lines, *edit) for edit in edits]
    best = max(faults, default=0)
    return _said(*edits[faults.index(best)], line) if best > line else Offer(_ANY)


def _said(number: int, text: str, line: int) -> Offer:
    fix = Replace(number, number, f"{text}\n")
    where = "" if number == line else f"on line {number} "
    first, _, rest = text.partition("\n")
    if rest:
        return Offer(f"make it {first} and put its text on the next line", fix)
    if escaped(text, _LONGEST) != text:
        last = text.rstrip()[-1:]
        quoted = f"put its value in quotes ({last}) at both ends"
        return Offer(f"{where}{quoted if last in QUOTES else _NO_TABS}", fix)
    return Offer(f"{where}write {text}", fix)


def _fault_after(head: Head, lines: list[str], number: int, text: str) -> int:
    """The line that YAML cannot read after an edit, past the end if it reads all of them.

    0 if the index would show something else.
    """
    changed = "\n".join([*lines[: number - 1], *text.split("\n"), *lines[number:]])
    after = line_reader.Head(changed)
    if any(after.fields.get(key) != head.fields.get(key) for key in NOUNS):
        return 0
    reading = yaml_reader.Reading(changed)
    return 0 if reading.source is None else reading.fault or len(lines) + 1


def _rewritten(line: str, *, goes_on: bool) -> Iterator[str]:
    """What the line could be for YAML, the likeliest first.

    Where an indented line follows a key at the margin, its value may go on there.
    """
    if line.startswith(line_reader.CLOSING[1:]):
        yield f"---\n{line.lstrip('-').strip()}"
        return
    if "\t" in line:
        yield line.expandtabs(2)
        yield line.strip().replace("\t", " ")
    start = line[: len(line) - len(line.lstrip())]
    body = line[len(start) :].rstrip()
    while body.startswith("- "):
        start, body = f"{start}- ", body[2:].lstrip()
    if goes_on and start == line[:0]:
        return
    key, colon, raw = body.partition(":")
    if colon and key and not key.startswith(("#", '"', "'", "[", "{")) and key not in NOUNS:
        yield from _in_quotes(f"{start}{key}: ", raw.strip())
    if start.endswith("- "):
        yield from _in_quotes(start, body)


def _in_quotes(before: str, raw: str) -> Iterator[str]:
    if not raw or raw.startswith(("|", ">")) or (raw[0] in "[{" and not _ends_early(raw)):
        return
    if '"' not in raw and "\\" not in raw:
        yield f'{before}"{raw}"'
    else:
        doubled = raw.replace("'", "''")
        yield f"{before}'{doubled}'"


def _ends_early(raw: str) -> bool:
    """Whether text follows the list or mapping with which a value starts, so that it is a text."""
    depth = 0
    for at, char in enumerate(raw):
        depth += (char in "[{") - (char in "]}")
        if not depth:
            return at < len(raw) - 1
    return False
