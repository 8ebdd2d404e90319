"""Judge a topic's front matter: is there a description, and does every reader see all of it?

Where the line reader has the author's text whole, the index is right, and a difference from
YAML is a warning; where it has not, that is an error (docs/protocol.md, "The two readers").
"""

from __future__ import annotations

from nestwork_hooks.protocol import yaml_reader
from nestwork_hooks.protocol.conflicted import conflict
from nestwork_hooks.protocol.finding import Fault, error, warning
from nestwork_hooks.protocol.soundness import NULLS, is_plainly_sound
from nestwork_hooks.protocol.text import could_forge, escaped
from nestwork_hooks.protocol.value import (
    BAD,
    IN_PLACE,
    MISSING,
    NOUNS,
    WRITE,
    Value,
    find_values,
    is_block_indicator,
    loss,
    paste,
    this_line,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.line_reader import Head
    from nestwork_hooks.protocol.yaml_reader import Reading

MISMATCH = "yaml-mismatch"
# What YAML does not take for the first character of a plain value.
_SIGNS = tuple("*&!|>%@`?-,]}")


def judge(head: Head) -> Fault | None:
    """The gravest fault of a topic's front matter; None if there is none.

    Its rule is missing-description, bad-front-matter or yaml-mismatch.
    """
    if is_plainly_sound(head):
        return None
    torn = conflict(head)
    if torn:
        return torn
    values, reading = find_values(head), yaml_reader.Reading(head.text)
    if "description" not in values:
        from nestwork_hooks.protocol.undescribed import undescribed

        return undescribed(head, reading)
    for key, found in values.items():
        if len(found) > 1:
            lines = f"lines {found[0].line} and {found[1].line}"
            return error(found[1].line, BAD, f"{key} is given twice ({lines}): keep one of them")
        fault = _unless_whole(found[0], reading)
        if fault:
            return fault
    description = values["description"][0]
    if description.raw in NULLS:
        fact = f"the description is {description.raw}, YAML's word for nothing"
        return error(description.line, MISSING, f"{fact}: {WRITE}")
    return _compare(head, {key: found[0] for key, found in values.items()}, reading)


# Does the line reader see all of a value?


def _unless_whole(value: Value, reading: Reading) -> Fault | None:
    """The fault of a value that the line reader cannot show as its author wrote it."""
    noun = NOUNS[value.key]
    if value.broken:
        fact = f"the line of {noun} holds a character at which other readers end it (U+2028, say)"
        return error(value.line, BAD, f"{fact}: type the line anew")
    if value.is_blank and not value.goes_on:
        fault = _empty(value, reading)
        if fault or not could_forge(value.text):
            return fault
    fact = loss(value)
    return _unseen(value, fact, reading) if fact else None


def _empty(value: Value, reading: Reading) -> Fault | None:
    if not value.raw and reading.text(value.key):
        fact = f"{NOUNS[value.key]} starts below its key, which no index shows{IN_PLACE}"
        return _unseen(value, fact, reading)
    if value.key == "description":
        fact = "the description is empty, so nothing leads here"
        return error(value.line, MISSING, f"{fact}: {WRITE}")
    return None


def _unseen(value: Value, fact: str, reading: Reading) -> Fault:
    text = reading.text(value.key)
    if not text or not text.replace("\n", "").isprintable():
        text = "" if is_block_indicator(value.raw) else value.raw
    return error(value.line, BAD, f"{fact}: {paste(value.key, text)}")


# The line reader sees all of it: does YAML read the same?


def _compare(head: Head, values: dict[str, Value], reading: Reading) -> Fault | None:
    source = reading.source
    if source is None:
        line = head.text.count("\n", 0, head.end) + 2
        return error(line, BAD, "this line does not close the front matter for YAML: make it ---")
    closing = source.count("\n") + 3
    if any(value.line > closing for value in values.values()):
        fact = "for YAML the front matter ends at this line, above what the index shows"
        return warning(closing, MISMATCH, f"{fact}: take the line away")
    if reading.fault:
        return _not_yaml(head.text, values, reading.fault)
    keys = reading.keys
    if keys is None:
        fact = "YAML reads no keys in this front matter, so only the index sees it"
        return warning(1, MISMATCH, f"{fact}: write one key and value a line")
    differences = (_differs(key, values.get(key), keys.get(key), source) for key in NOUNS)
    return next(filter(None, differences), None)


def _not_yaml(text: str, values: dict[str, Value], line: int) -> Fault:
    for value in values.values():
        if value.line == line and _cause(value.raw):
            cause = f"YAML cannot read {NOUNS[value.key]} ({_cause(value.raw)})"
            fact = f"{cause}, so only the index sees it"
            return warning(line, MISMATCH, f"{fact}: {paste(value.key, value.text)}")
    fact = f"YAML cannot read {this_line(text, line)}, so only the index sees this front matter"
    return warning(line, MISMATCH, f'{fact}: write every line as key: "value"')


def _cause(raw: str) -> str:
    if ": " in raw or raw.endswith(":"):
        return "a colon in a value without quotes"
    if raw.startswith(("[", "{")):
        return f"it starts with {raw[0]}, a list or mapping for YAML"
    return f"it starts with {raw[0]}" if raw.startswith(_SIGNS) else ""


def _differs(key: str, value: Value | None, read: object, source: str) -> Fault | None:
    if value is None:
        if not read:
            return None
        line = yaml_reader.line_of(source, key)
        fact = f"only YAML sees {NOUNS[key]}, no index shows it"
        return error(line, BAD, f"{fact}: {paste(key, yaml_reader.as_text(read))}")
    if read == value.text or (not value.text and not read):
        return None
    fact = f"YAML reads {_kind(read)} as {NOUNS[key]}, the index shows the whole line"
    return warning(value.line, MISMATCH, f"{fact}: {paste(key, value.text)}")


def _kind(read: object) -> str:
    if isinstance(read, str):
        return f"'{escaped(read, 60)}'" if read else "nothing"
    if isinstance(read, list):
        return "a list"
    return "a mapping" if isinstance(read, dict) else "nothing"
