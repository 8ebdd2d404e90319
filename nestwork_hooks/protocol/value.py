"""The values of `description` and `updated` as they stand in a topic's source.

What matters is the author's text (docs/protocol.md, "The two readers"): this says whether the
line reader has all of it, and how to write it so that every reader has.
"""

from __future__ import annotations

from nestwork_hooks.frozen import Frozen
from nestwork_hooks.protocol import line_reader
from nestwork_hooks.protocol.text import could_forge, escaped, is_control

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.line_reader import Head

# The keys that count, and what they are called in a message.
NOUNS = {"description": "the description", "updated": "the date"}
# The rules that a front matter can break, and the remedy for having nothing to show.
MISSING = "missing-description"
BAD = "bad-front-matter"
WRITE = 'write description: "When to read this file"'
_QUOTE = "put the whole value in double quotes on one line, no double quote or backslash inside"
IN_PLACE = "; in place of all its lines"
# A line to paste is worth more than the rule for it, unless it fills the screen.
_LONGEST = 300


class Value(Frozen):
    """A key's value as it stands in the source.

    `raw` is the text after the colon without the white space around it; `broken` says that the
    line reader ends the line before the file does; `following` is the next line that is not
    empty.
    """

    key: str
    line: int
    raw: str
    broken: bool
    following: str

    @property
    def text(self) -> str:
        """What the line reader reads, and the index shows."""
        return line_reader.unquoted(self.raw)

    @property
    def is_blank(self) -> bool:
        """Whether it is nothing, or nothing but white space in a pair of quotes."""
        raw = self.raw
        in_quotes = len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'"
        return not raw or (in_quotes and not raw[1:-1].strip())

    @property
    def goes_on(self) -> bool:
        """Whether the next line continues the value: it is indented, and no comment."""
        below = self.following.lstrip()
        return below != self.following and not below.startswith("#")


def find_values(head: Head) -> dict[str, list[Value]]:
    """Every value that the line reader sees of the keys that count, in the source's order.

    Lines are taken from the last to the first, so that each knows what follows it.
    """
    found: dict[str, list[Value]] = {}
    inside = head.text[len(line_reader.OPENING) : head.end]
    lines = inside.split("\n") if head.end >= 0 else []
    following = ""
    for number in range(len(lines), 0, -1):
        parts = lines[number - 1].splitlines()
        for part in reversed(parts):
            pair = line_reader.cut(part)
            if pair and pair[0] in NOUNS:
                value = Value(pair[0], number + 1, pair[1], len(parts) > 1, following)
                found.setdefault(pair[0], []).append(value)
        following = lines[number - 1] if lines[number - 1].strip() else following
    return {key: found[key][::-1] for key in NOUNS if key in found}


def line_of(key: str, head: Head) -> int:
    """The line, from 1, of the value that the line reader reads for `key`; 1 if there is none."""
    found = find_values(head).get(key)
    return found[-1].line if found else 1


def this_line(text: str, line: int) -> str:
    """Line number `line` of a topic's first lines, escaped for a message."""
    return f"this line ({escaped(text.split(chr(10))[line - 1], 60)})"


def loss(value: Value) -> str:
    """Why the index cannot show the value as it is written; `""` if it can."""
    noun, raw = NOUNS[value.key], value.raw
    if could_forge(value.text):
        return f"{noun} holds <!--, --> or a control character, which could forge an index"
    if is_block_indicator(raw):
        return (
            f"{noun} is a block ({raw[0]}), of which an index shows only {escaped(raw)}{IN_PLACE}"
        )
    if value.goes_on:
        if not raw:
            return f"{noun} starts in the next line, which no index shows{IN_PLACE}"
        return f"{noun} goes on in the next line, which no index shows{IN_PLACE}"
    quote = raw[:1] if raw[:1] in ("'", '"') else ""
    if not quote:
        return f"{noun} ends with a quote, which the index drops" if value.text != raw else ""
    return _quote_loss(noun, raw, quote, value.text)


def _quote_loss(noun: str, raw: str, quote: str, text: str) -> str:
    inner = raw[1:-1]
    if len(raw) < 2 or raw[-1] != quote:
        return f"{noun} starts with a quote ({quote}) and does not end with it"
    if quote in inner:
        return f"{noun} holds a quote ({quote}) inside its quotes, which no index shows right"
    if quote == '"' and "\\" in inner:
        return f"{noun} holds a backslash in double quotes, which the index does not resolve"
    if inner != text:
        return f"{noun} has quotes just inside its quotes, which the index drops"
    return ""


def is_block_indicator(raw: str) -> bool:
    """Whether YAML takes this value for the head of a block that stands below it."""
    if raw[:1] not in ("|", ">"):
        return False
    indicator, _, comment = raw.partition(" ")
    signs = indicator[1:].lstrip("+-").lstrip("0123456789").lstrip("+-")
    return not signs and (not comment or comment.lstrip().startswith("#"))


def paste(key: str, text: str) -> str:
    """The edit that makes both readers read `text`: the line to write where that is possible."""
    for mark in ("<!--", "-->"):
        text = text.replace(mark, " ")
    text = "".join(" " if is_control(char) else char for char in text)
    text = " ".join(text.split()).replace('"', "'").replace("\\", "/")
    if text.startswith("'") or text.endswith("'"):
        text = text.replace("'", "")
    text = text.strip()
    if not text or not text.isprintable() or could_forge(text) or escaped(text, _LONGEST) != text:
        return _QUOTE
    return f'write {key}: "{text}"'
