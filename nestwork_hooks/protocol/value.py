"""The values of `description` and `updated` as they stand in a topic's source.

What matters is the author's text (docs/protocol.md, "The two readers"): this says where a value
stands, and whether the line reader has all of it.
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol import line_reader, yaml_reader
from nestwork_hooks.protocol.text import could_forge, escaped, forging

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.line_reader import Head

# The keys that count, and what they are called in a message.
NOUNS = {"description": "the description", "updated": "the date"}
QUOTES = ("'", '"')
# More lines than a value in quotes ever goes on for without white space before them.
_MOST_LINES = 40
# As many values of one key as are looked at.
_MOST_VALUES = 2


class Value(Frozen):
    """A key's value as it stands in the source.

    `raw` is the text after the colon without the white space around it; `broken` says that the
    line reader ends the line before the file does; `lines` are all lines of the file that belong
    to it, the key's own first, and `line` is the number of that one.
    """

    key: str
    line: int
    raw: str
    broken: bool
    lines: tuple[str, ...]

    @property
    def last(self) -> int:
        """The number of its last line."""
        return self.line + len(self.lines) - 1

    @property
    def text(self) -> str:
        """What the line reader reads, and the index shows."""
        return line_reader.unquoted(self.raw)

    @property
    def is_blank(self) -> bool:
        """Whether it is nothing, or nothing but white space in a pair of quotes."""
        raw = self.raw
        in_quotes = len(raw) > 1 and raw[0] == raw[-1] and raw[0] in QUOTES
        return not raw or (in_quotes and not raw[1:-1].strip())

    @property
    def goes_on(self) -> bool:
        """Whether the next line that is not empty continues it: indented, and no comment."""
        following = next((line for line in self.lines[1:] if line.strip()), "")
        return following[:1].isspace() and not following.lstrip().startswith("#")


def find_values(head: Head, source: str | None = None) -> dict[str, list[Value]]:
    """Every value that the line reader sees of the keys that count, in the source's order.

    `source` is YAML's front matter, where it is known.
    """
    found: dict[str, list[Value]] = {}
    inside = head.text[len(line_reader.OPENING) : head.end] if head.end >= 0 else ""
    lines = max(inside, source or yaml_reader.front_matter(head.text) or "", key=len).split("\n")
    one, other = NOUNS
    for at, line in enumerate(inside.split("\n")):
        if one not in line and other not in line:
            continue
        parts = line.splitlines()
        for part in parts:
            pair = line_reader.cut(part)
            if pair and pair[0] in NOUNS:
                many = found.setdefault(pair[0], [])
                end = _end(lines, at, pair[1]) if len(many) < _MOST_VALUES else at + 1
                own = tuple(lines[at:end])
                many.append(Value(pair[0], at + 2, pair[1], len(parts) > 1, own))
    return {key: found[key] for key in NOUNS if key in found}


def value_at(key: str, lines: list[str], line: int) -> Value:
    """The value of a key that stands at the start of line number `line`, in quotes or not."""
    own = lines[line - 1]
    raw = own.partition(":")[2].strip()
    own_lines = (own, *lines[line : _end(lines, line - 1, raw)])
    return Value(key, line, raw, broken=False, lines=own_lines)


def _end(lines: list[str], at: int, raw: str) -> int:
    """The offset behind the last line of the value whose key is on the line at offset `at`."""
    end, listed = at + 1, False
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if end == at + 1 and line.lstrip().startswith("#") and not is_block_indicator(raw):
            break
        listed = not raw and (end == at + 1 or listed) and (line + " ").startswith("- ")
        if line[:1].isspace() or listed:
            end = number + 1 if line.strip() else end
        elif line:
            break
    if end == at + 1 and raw[:1] in QUOTES and not _is_text(lines[at]):
        return _closing(lines, at, raw[0])
    return end


def _closing(lines: list[str], at: int, quote: str) -> int:
    """As `_end`, of a value whose quote YAML looks for in lines that are not indented."""
    end = at + 1
    for number in range(end, min(len(lines), at + _MOST_LINES)):
        line = lines[number].rstrip()
        if line.endswith(quote) and _is_text("\n".join(lines[at : number + 1])):
            return number + 1
    if lines[at].rstrip().endswith(quote):
        return end
    while end < len(lines) and lines[end] and not (is_pair(lines[end]) or lines[end][0] in "#-"):
        end += 1
    return end


def _is_text(source: str) -> bool:
    """Whether YAML reads one key and a text."""
    try:
        read = yaml_reader.read_yaml(source)
    except yaml_reader.YamlFault:
        return False
    return isinstance(read, dict) and [type(value) for value in read.values()] == [str]


def is_pair(line: str) -> bool:
    """Whether a line looks like a key and its value, indented or not."""
    key, colon, rest = line.strip().partition(":")
    return bool(colon) and rest[:1] in ("", " ") and key.replace("-", "_").isidentifier()


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
        return f"{noun} holds {forging(value.text)}, which could forge an index"
    where = f"lines {value.line} to {value.last}"
    if is_block_indicator(raw):
        if value.last == value.line:
            return f"{noun} is a block ({raw[0]}) without a line, of which an index shows {raw}"
        return f"{noun} is a block on {where}, of which the index shows only {escaped(raw)}"
    if value.goes_on:
        if not raw:
            return f"{noun} stands on {where} and the index reads only the first, which is empty"
        return f"{noun} goes on to line {value.last}, and the index reads only line {value.line}"
    quote = raw[:1] if raw[:1] in QUOTES else ""
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
