"""The date of a topic: whether it is one, how old it is, and the line that sets it.

docs/rules.md, "bad-date" and "old-date". Dates are text, as `2026-09-27`; what day it is comes in.
"""

from __future__ import annotations

from nestwork_hooks.protocol.line_reader import Head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.topic import Topic

# Days by which a date may differ from today's in UTC: it is another day elsewhere.
LEEWAY = 1
_KEY = "updated"
_TIME = frozenset("0123456789:.,+-TZtz ")


def age(text: str, today: str) -> int | None:
    """Days from the date `text` to today; negative for one to come; None for no calendar date."""
    from datetime import date

    # Not all that fromisoformat reads: also weeks, and since Python 3.11 dates without dashes.
    if len(text) != len("YYYY-MM-DD") or not (text[:4] + text[5:7] + text[8:]).isdigit():
        return None
    try:
        return (date.fromisoformat(today) - date.fromisoformat(text)).days
    except ValueError:
        return None


def meant(text: str, today: str) -> str:
    """The date that a value names in another form: `2026-9-7`, or with a time; `""` for none."""
    day = text.replace("T", " ").split(" ")[0]
    parts = day.replace("/", "-").replace(".", "-").split("-")
    found = "-".join(part.zfill(2) for part in parts)
    days = age(found, today)
    is_one = days is not None and days >= -LEEWAY and _TIME.issuperset(text[len(day) :])
    return found if is_one and found != text else ""


def is_rewritten(topic: Topic, before: Topic) -> bool:
    """Whether the text below the front matter differs, in more than white space at line ends."""
    return _below(topic) != _below(before)


def _below(topic: Topic) -> list[str]:
    text, end = topic.text or "", topic.head.end
    if end >= 0:
        text = text[end + 1 :].partition("\n")[2]
    return [line.rstrip() for line in text.strip().split("\n")]


def line_to_set(head: Head) -> int:
    """The line, from 1, where a date can be put in place of the old one and nothing else is lost.

    0 where there is none: no date or two, one that goes on in the next line, or one with a comment.
    """
    from nestwork_hooks.protocol.value import find_values

    found = find_values(head).get(_KEY, [])
    if len(found) != 1 or not found[0].raw:
        return 0
    value = found[0]
    return 0 if value.goes_on or value.broken or "#" in value.raw else value.line


def dated(line: str, date: str) -> str:
    """The line of a date with another one: its key, spaces and quotes stay."""
    key, _, rest = line.partition(":")
    value = rest.strip()
    spaces = rest[: len(rest) - len(rest.lstrip())] or " "
    quote = value[0] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else ""
    return f"{key}:{spaces}{quote}{date}{quote}"


def with_date(data: bytes, was: str, date: str) -> bytes | None:
    """The bytes of a topic with another date; None if its date `was` not what it is.

    Every other line stays, and so do line endings. Raises ValueError where the date cannot be set.
    """
    lines, line, is_it = _found(data, was)
    if not is_it:
        return None
    if not line:
        raise ValueError("no line to set")
    text = lines[line - 1].rstrip(b"\r\n")
    lines[line - 1] = dated(text.decode(), date).encode() + lines[line - 1][len(text) :]
    return b"".join(lines)


def without_date(data: bytes) -> bytes:
    """The bytes of a topic without the line of its date, if that can be set."""
    try:
        lines, line, _ = _found(data, "")
    except ValueError:
        return data
    return b"".join(lines[: max(line - 1, 0)] + lines[line:])


def _found(data: bytes, was: str) -> tuple[list[bytes], int, bool]:
    """The lines of a topic, the one of its date, and whether the date is this. Raises ValueError."""
    from nestwork_hooks.protocol.topic import unix_lines

    head = Head(unix_lines(data.decode()))
    # Bytes are split where unix_lines has an LF, and nowhere else.
    return data.splitlines(keepends=True), line_to_set(head), head.fields.get(_KEY, "") == was
