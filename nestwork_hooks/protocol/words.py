"""The author's words: what a value was meant to say, whichever reader has lost some of it.

That is what YAML reads, if it reads the value and loses none of it, else the raw words. Where it can't
be known (a key on an indented line, escapes that YAML does not know), there are none.
"""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol import blocks, line_reader, yaml_reader
from nestwork_hooks.protocol.held import OPENING_AFTER
from nestwork_hooks.protocol.value import QUOTES, is_block_indicator, is_pair

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.value import Value

# What a backslash in double quotes is in text that a program wrote. In a path or a regular
# expression, YAML would take others away, or make control characters of them.
_WRITTEN = frozenset('"\\/ntuxU ')
# What an apostrophe stands in front of, in English.
_ELISIONS = ("tis", "twas", "n'", "em ", "cause", "til")
_BREAKS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"


class Words(Frozen):
    """The text of a value on one line, and the comment behind it (`""` for none).

    `is_exact` says that nothing of it was guessed.
    """

    text: str
    comment: str = ""
    is_exact: bool = True


def words(value: Value) -> Words | None:
    """What the author wrote as this value; None where nobody can know."""
    raw = value.raw
    if value.broken:
        return _unbroken(value)
    if raw[:1] in QUOTES:
        return _quoted(value)
    if is_block_indicator(raw) or not raw:
        return _below(value)
    if len(value.lines) == 1 or not value.goes_on:
        return Words(raw)
    return _wrapped(value)


def one_line(text: str) -> str:
    """`text` with each line break, and the white space around it, as one space; tabs as spaces."""
    parts = (part.strip(" ") for part in text.replace("\t", " ").split("\n"))
    return " ".join(filter(None, parts))


def _folded(lines: tuple[str, ...]) -> str:
    return " ".join(filter(None, (line.strip() for line in lines)))


def _read(value: Value) -> object:
    """What YAML reads for the value, whatever stands around it; None if it cannot read it."""
    try:
        read = yaml_reader.read_yaml("\n".join(value.lines))
    except yaml_reader.YamlFault:
        return None
    if isinstance(read, dict) and len(read) == 1:
        return next(iter(read.values()))
    return None


def _unbroken(value: Value) -> Words | None:
    """Of a line that holds other line breaks: the text with spaces in their place."""
    raw = value.lines[0].partition(":")[2]
    if len(value.lines) > 1 or any(line_reader.cut(part) for part in raw.splitlines()[1:]):
        return None
    for sign in _BREAKS:
        raw = raw.replace(sign, "\n")
    raw = one_line(raw)
    return None if raw[:1] in QUOTES else Words(raw)


def _below(value: Value) -> Words | None:
    """Of a block, or of a value that starts below its key."""
    if text := blocks.on_one_line(value.key, value.lines):
        return Words(text)
    read = _read(value)
    if isinstance(read, list):
        if _cuts_comment(value):
            return None
        return Words(one_line(yaml_reader.as_text(read)), is_exact=False)
    if isinstance(read, str) and value.raw:
        return Words(one_line(read))
    return None if isinstance(read, dict) else _wrapped(value)


def _wrapped(value: Value) -> Words | None:
    """Of plain lines: all of them, also what YAML takes for a comment."""
    first = "" if is_block_indicator(value.raw) else value.raw
    more = value.lines[1:]
    if any(line.lstrip().startswith("#") or is_pair(line) for line in more):
        return None
    text = _folded((first, *more))
    if text[:1] not in QUOTES:
        return Words(text)
    read = _read(value)
    return Words(one_line(read)) if isinstance(read, str) and not _cuts_comment(value) else None


def _cuts_comment(value: Value) -> bool:
    return any(" #" in line or line.lstrip().startswith("#") for line in value.lines)


# Text in quotes


def _quoted(value: Value) -> Words | None:
    read, quote = _read(value), value.raw[0]
    raw = value.raw if len(value.lines) == 1 else _folded((value.raw, *value.lines[1:]))
    if any(is_pair(line) and not line[0].isspace() for line in value.lines[1:]):
        return None
    if isinstance(read, str):
        inner, comment = _without_comment(raw, quote)
        if comment and (quote in comment or not comment.startswith("# ")):
            return None
        if quote == '"' and "\\" in inner and not _is_written(inner):
            return None if _is_half_written(inner) else Words(inner, comment)
        return Words(one_line(read), comment)
    if any(map(is_pair, value.lines[1:])):
        return None
    return _of_quotes(raw, quote, is_wrapped=len(value.lines) > 1)


def _without_comment(raw: str, quote: str) -> tuple[str, str]:
    """Text in quotes that YAML reads, without the quotes, and the comment that follows it."""
    at = 1
    while at < len(raw):
        if raw[at] == quote and (quote == '"' or raw[at + 1 : at + 2] != quote):
            break
        at += 2 if raw[at] == quote or (raw[at] == "\\" and quote == '"') else 1
    return raw[1:at], raw[at + 1 :].strip()


def _escapes(text: str) -> set[str]:
    found, at = set(), text.find("\\")
    while at >= 0:
        found.add(text[at + 1 : at + 2])
        at = text.find("\\", at + 2)
    return found


def _is_written(text: str) -> bool:
    """Whether the backslashes in double quotes are escapes, and not those of a path or pattern."""
    return _escapes(text) <= _WRITTEN and not _holds_drive(text)


def _is_half_written(text: str) -> bool:
    """Whether some of the backslashes surely are escapes, so that the raw text would be wrong."""
    return not _escapes(text).isdisjoint('"\\uxU')


def _holds_drive(text: str) -> bool:
    """Whether a drive's path is in the text, with single backslashes."""
    at = text.find(":\\")
    while at >= 0:
        if text[at - 1 : at].isalpha() and text[at + 2 : at + 3] not in ("\\", '"', ""):
            return not text[max(at - 2, 0) : at - 1].isalpha()
        at = text.find(":\\", at + 1)
    return False


def _of_quotes(raw: str, quote: str, *, is_wrapped: bool) -> Words | None:
    """Of text that starts with a quote and that YAML cannot read, or reads as something else."""
    inner = raw[1:-1]
    if len(raw) < 2 or raw[-1] != quote:
        if is_wrapped:
            return None
        if quote == '"' and '"' not in raw[1:]:
            return None if "\\" in raw else Words(raw[1:].strip())  # it was never closed
        return Words(raw)
    if "\\" in inner and quote == '"' and _is_half_written(inner):
        return None
    if quote == "'" and "''" in inner:
        return None
    kinds = _quotations(inner, quote)
    if kinds[:1] == ["closes"]:
        return Words(raw) if kinds[-1] == "opens" else None
    return Words(inner.strip()) if kinds.count("opens") == kinds.count("closes") else None


def _quotations(inner: str, quote: str) -> list[str]:
    """Whether each quote inside quotes `opens` or `closes` a quotation; apostrophes are neither."""
    kinds = []
    for at, char in enumerate(inner):
        before, after = inner[at - 1 : at] if at else "", inner[at + 1 : at + 2]
        opens = not before or before.isspace() or before in OPENING_AFTER
        if char == quote and not _is_sign(quote, before, inner[at + 1 :], opens=opens):
            kinds.append("opens" if opens and after and not after.isspace() else "closes")
    return kinds


def _is_sign(quote: str, before: str, after: str, *, opens: bool) -> bool:
    """Whether a quote is an apostrophe, or feet or inches behind a digit."""
    if quote == '"' or before.isdigit():
        return before.isdigit()
    if opens:
        return after[:1].isdigit() or after.lower().startswith(_ELISIONS)
    return before in "nsxz" or (before.isalnum() and after[:1].isalnum())
