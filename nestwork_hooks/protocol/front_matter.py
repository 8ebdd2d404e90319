"""Judge a topic's front matter: is there a description, and does every reader see all of it?

The rules are those of PROTOCOL, "Two readers of the same front matter": what matters is the
author's text. Where the line reader has it whole, the index is right, and a difference from
YAML is a warning; where it has not, that is an error.
"""

from __future__ import annotations

from nestwork_hooks.protocol import line_reader, yaml_reader
from nestwork_hooks.protocol.finding import ERROR, WARNING, Fault
from nestwork_hooks.protocol.text import could_forge, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_JUDGED = ("description", "updated")
_NULLS = ("~", "null", "Null", "NULL")
_WRITE = 'write description: "When to read this file"'
_QUOTE = "put the whole value in double quotes on one line, no double quote or backslash inside"
# A line to paste is worth more than the rule for it, unless it fills the screen.
_LONGEST_PASTE = 300
_LFS_POINTER = "version https://git-lfs.github.com/spec/"


class _Value:
    """A key's value as it stands in the source.

    `raw` is the text after the colon without the white space around it; `broken` says that the
    line reader ends the line before the file does; `following` is the next line that is not
    empty.
    """

    __slots__ = ("broken", "following", "key", "line", "raw")

    def __init__(self, key: str, line: int, raw: str, broken: bool, following: str) -> None:
        self.key = key
        self.line = line
        self.raw = raw
        self.broken = broken
        self.following = following

    @property
    def text(self) -> str:
        """What the line reader reads, and the index shows."""
        return line_reader.unquoted(self.raw)

    @property
    def goes_on(self) -> bool:
        """Whether the next line continues the value: it is indented, and no comment."""
        below = self.following.lstrip()
        return below != self.following and not below.startswith("#")


def judge(head: str) -> Fault | None:
    """The gravest fault of the front matter in `head`, a topic's first lines; None for none.

    Of the rules missing-description, bad-front-matter and yaml-mismatch.
    """
    if _is_plainly_sound(head):
        return None
    values = _values(head)
    if "description" not in values:
        return _undescribed(head)
    for key, found in values.items():
        if len(found) > 1:
            lines = f"lines {found[0].line} and {found[1].line}"
            return _bad(found[1].line, f"{key} is given twice ({lines}): keep one of them")
        fault = _unless_whole(found[0], head)
        if fault:
            return fault
    description = values["description"][0]
    if description.raw in _NULLS:
        fact = f"the description is {description.raw}, YAML's word for nothing"
        return _missing(description.line, f"{fact}: {_WRITE}")
    return _compare(head, {key: found[0] for key, found in values.items()})


def _is_plainly_sound(head: str) -> bool:
    """Whether there is nothing to judge: one description, and a source that reads alike for all.

    True for nearly every topic, and quick; where it is False, nothing is said yet.
    """
    end = line_reader.closing_at(head)
    source = head[len(line_reader.OPENING) - 1 : max(end, 0)]
    return (
        source.count("\ndescription:") == 1
        and source.count("\nupdated:") <= 1
        and head[end : end + 5] in ("\n---\n", "\n---")
        and "<!--" not in source
        and "-->" not in source
        and yaml_reader.reads_alike(source)
        and line_reader.read_fields(head)["description"] not in ("", *_NULLS)
    )


def line_of(key: str, head: str) -> int:
    """The line in `head` of the value that the line reader reads for `key`; 1 without one."""
    found = _values(head).get(key)
    return found[-1].line if found else 1


def _missing(line: int, message: str) -> Fault:
    return Fault(line, ERROR, "missing-description", message)


def _bad(line: int, message: str) -> Fault:
    return Fault(line, ERROR, "bad-front-matter", message)


def _mismatch(line: int, message: str) -> Fault:
    return Fault(line, WARNING, "yaml-mismatch", message)


def _values(head: str) -> dict[str, list[_Value]]:
    """Every value that the line reader sees of the keys that count, in the source's order.

    Lines are taken from the last to the first, so that each knows what follows it.
    """
    found: dict[str, list[_Value]] = {}
    end = line_reader.closing_at(head)
    lines = head[len(line_reader.OPENING) : end].split("\n") if end >= 0 else []
    following = ""
    for number in range(len(lines), 0, -1):
        pieces = lines[number - 1].splitlines()
        for piece in reversed(pieces):
            pair = line_reader.cut(piece)
            if pair and pair[0] in _JUDGED:
                value = _Value(pair[0], number + 1, pair[1], len(pieces) > 1, following)
                found.setdefault(pair[0], []).append(value)
        following = lines[number - 1] if lines[number - 1].strip() else following
    return {key: found[key][::-1] for key in _JUDGED if key in found}


# The line reader sees a description: does it see all of it?


def _unless_whole(value: _Value, head: str) -> Fault | None:
    """The fault of a value that the line reader cannot show as its author wrote it."""
    key = value.key
    if not value.text and not value.goes_on and value.raw in ("", '""', "''"):
        return _empty(value, head)
    if value.goes_on and not value.raw:
        return _unseen(value, f"the {key} starts in the next line, which no index shows", head)
    fact = _loss(value)
    return _unseen(value, fact, head) if fact else None


def _empty(value: _Value, head: str) -> Fault | None:
    if value.raw == "" and _yaml_text(head, value.key):
        return _unseen(value, f"the {value.key} starts below its key, which no index shows", head)
    if value.key == "description":
        return _missing(value.line, f"the description is empty, so nothing leads here: {_WRITE}")
    return None


def _loss(value: _Value) -> str:
    """What keeps the index from showing the value as written; `""` where nothing does."""
    key, raw = value.key, value.raw
    if could_forge(value.text):
        return f"the {key} holds <!--, --> or a control character, which could forge an index"
    if value.broken:
        return f"the {key} holds a character that ends its line for some readers"
    if _is_block_indicator(raw):
        return f"the {key} is a block ({raw[0]}), of which an index shows only {shown(raw)}"
    if value.goes_on:
        return f"the {key} goes on in the next line, which no index shows"
    quote = raw[:1] if raw[:1] in ("'", '"') else ""
    if not quote:
        eaten = value.text != raw
        return f"the {key} ends with a quote, which the index drops" if eaten else ""
    return _quote_loss(key, raw, quote, value.text)


def _quote_loss(key: str, raw: str, quote: str, text: str) -> str:
    inner = raw[1:-1]
    if len(raw) < 2 or raw[-1] != quote:
        return f"the {key} starts with a quote ({quote}) and does not end with it"
    if quote in inner:
        return f"the {key} holds a quote ({quote}) inside its quotes, which no index shows right"
    if quote == '"' and "\\" in inner:
        return f"the {key} holds a backslash in double quotes, which the index does not resolve"
    if inner != text:
        return f"the {key} has quotes just inside its quotes, which the index drops"
    return ""


def _is_block_indicator(raw: str) -> bool:
    if raw[:1] not in ("|", ">"):
        return False
    indicator, _, comment = raw.partition(" ")
    signs = indicator[1:].lstrip("+-").lstrip("0123456789").lstrip("+-")
    return not signs and (not comment or comment.lstrip().startswith("#"))


def _unseen(value: _Value, fact: str, head: str) -> Fault:
    text = _yaml_text(head, value.key) or value.text
    return _bad(value.line, f"{fact}: {_paste(value.key, text)}")


def _paste(key: str, text: str) -> str:
    """The edit that makes both readers read `text`: the line to write where that is possible."""
    text = " ".join(text.split()).replace('"', "'").replace("\\", "/")
    if text.startswith("'") or text.endswith("'"):
        text = text.replace("'", "")
    text = text.strip()
    if not text or len(text) > _LONGEST_PASTE or not text.isprintable() or could_forge(text):
        return _QUOTE
    return f'write {key}: "{shown(text, _LONGEST_PASTE)}"'


# The line reader sees the whole description: does YAML read the same?


def _compare(head: str, values: dict[str, _Value]) -> Fault | None:
    source = yaml_reader.front_matter(head)
    if source is None:
        line = head.count("\n", 0, line_reader.closing_at(head)) + 2
        return _bad(line, "this line does not close the front matter for YAML: make it ---")
    try:
        keys = yaml_reader.mapping(yaml_reader.read_yaml(source))
    except yaml_reader.YamlFault as fault:
        return _not_yaml(head, values, fault.line + 2)
    if keys is None:
        return _mismatch(1, f"YAML reads no keys in this front matter: {_QUOTE}")
    for key in _JUDGED:
        difference = _differs(key, values.get(key), keys.get(key), head)
        if difference:
            return difference
    return None


def _not_yaml(head: str, values: dict[str, _Value], line: int) -> Fault:
    lost = "so only the index sees it"
    for value in values.values():
        if value.line == line:
            fact = f"YAML cannot read the {value.key} ({_cause(value.raw)}), {lost}"
            return _mismatch(line, f"{fact}: {_paste(value.key, value.text)}")
    lines = head.split("\n")
    line = min(line, len(lines))
    source = shown(lines[line - 1], 60)
    fact = f"YAML cannot read this front matter at this line ({source}), {lost}"
    return _mismatch(line, f"{fact}: put the line's value in double quotes")


def _cause(raw: str) -> str:
    if ": " in raw:
        return "a colon and a space in a value without quotes"
    if raw[:1] in "[{":
        return f"it starts with {raw[0]}, a list or mapping for YAML"
    return f"it starts with {shown(raw[:1])}" if raw[:1] in "*&!|>%@`?-,]}" else "it is not YAML"


def _differs(key: str, value: _Value | None, read: object, head: str) -> Fault | None:
    if value is None:
        if not read:
            return None
        line = _line_with(head, key)
        fact = f"only YAML sees this {key}, no index shows it"
        return _bad(line, f"{fact}: {_paste(key, _as_text(read))}")
    if read == value.text or (not value.text and not read):
        return None
    fact = f"YAML reads {_kind(read)} as the {key}, the index shows the whole line"
    return _mismatch(value.line, f"{fact}: {_paste(key, value.text)}")


def _kind(read: object) -> str:
    if isinstance(read, str):
        return f"'{shown(read, 60)}'" if read else "nothing"
    kinds = {list: "a list", dict: "a mapping", type(None): "nothing"}
    return kinds.get(type(read), "something else")


# The line reader sees no description: is there one for YAML, or none at all?


def _undescribed(head: str) -> Fault:
    if not yaml_reader.opens(head):
        return _missing(1, f"{_no_front_matter(head)}: begin the file with the lines ---, {_LINES}")
    source = yaml_reader.front_matter(head)
    if source is None:
        return _bad(1, "the front matter that starts here never closes: end it with a line ---")
    try:
        read = yaml_reader.read_yaml(source)
    except yaml_reader.YamlFault as fault:
        fact = "neither YAML nor the index can read a description in this front matter"
        return _bad(fault.line + 2, f"{fact}: {_WRITE}")
    if isinstance(read, list):
        return _bad(2, f"the front matter is a list, not keys and values: {_WRITE}")
    described = (yaml_reader.mapping(read) or {}).get("description")
    if described and described not in _NULLS:
        return _bad(*_invisible(head, _as_text(described)))
    return _missing(*_no_description(head, source))


_LINES = 'description: "When to read this file", ---'


def _no_front_matter(head: str) -> str:
    start = head.lstrip("\ufeff").lstrip()
    if not start:
        return "the file is empty"
    if head.startswith(_LFS_POINTER):
        return "this is a Git LFS pointer, not the text (git lfs pull brings it)"
    if start.startswith("----"):
        return "more than three dashes open no front matter"
    if start.startswith("---\n"):
        return "empty lines stand before the front matter, which has to start at the first byte"
    return "no front matter at the first byte"


def _invisible(head: str, text: str) -> tuple[int, str]:
    """Line and message for a description that YAML sees and the line reader does not."""
    if head.startswith("\ufeff"):
        return 1, "a byte order mark hides the front matter from the index: save without it"
    if not head.startswith(line_reader.OPENING):
        return 1, "blanks after the opening --- hide the front matter from the index: remove them"
    if line_reader.closing_at(head) < 0:
        return 1, "the index sees no end of this front matter: close it with a line ---"
    line = _line_with(head, "description")
    fact = "only YAML sees this description (the key has to start its line, without quotes)"
    return line, f"{fact}: {_paste('description', text)}"


def _no_description(head: str, source: str) -> tuple[int, str]:
    second = _second_block(head)
    if second:
        fact = "only the first front matter counts, and it has no description"
        return 1, f"{fact}: move the one of line {second} into it"
    for number, line in enumerate(source.split("\n"), 2):
        pair = line_reader.cut(line)
        if pair and _is_near_miss(pair[0]):
            return number, f"no description, but {shown(pair[0])}: rename that key to description"
        if line.lstrip().startswith("description:") and line[:1] in (" ", "\t"):
            fact = "the description is not at the top level, where no tool looks for it"
            return number, f"{fact}: take the white space before it away"
    return 1, f"no description in the front matter: {_WRITE}"


def _is_near_miss(key: str) -> bool:
    from difflib import SequenceMatcher

    key = key.lower()
    return key[:4] == "desc" or SequenceMatcher(None, key[:40], "description").ratio() > 0.7


def _second_block(head: str) -> int:
    """The line on which a second front matter with a description starts; 0 for none."""
    _, closing, below = head.partition(line_reader.CLOSING + "\n")
    if not closing or not below.lstrip("\n").startswith(line_reader.OPENING):
        return 0
    blank = len(below) - len(below.lstrip("\n"))
    start = head.count("\n", 0, len(head) - len(below) + blank) + 1
    return start if "\ndescription:" in below else 0


def _line_with(head: str, key: str) -> int:
    return next((n for n, line in enumerate(head.split("\n"), 1) if key in line), 1)


def _yaml_text(head: str, key: str) -> str:
    """What YAML reads as this key's value, as text; `""` where it reads nothing or no YAML."""
    source = yaml_reader.front_matter(head)
    try:
        keys: Mapping[str, object] | None = yaml_reader.mapping(yaml_reader.read_yaml(source or ""))
    except yaml_reader.YamlFault:
        return ""
    return _as_text((keys or {}).get(key))


def _as_text(read: object) -> str:
    if isinstance(read, list):
        return "; ".join(item for item in read if isinstance(item, str))
    return read if isinstance(read, str) else ""
