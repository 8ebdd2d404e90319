"""Judge a topic's front matter: is there a description, and does every reader see all of it?

Where the line reader has the author's text whole, the index is right, and a difference from
YAML is a warning; where it has not, that is an error (docs/protocol.md, "The two readers").
"""

from __future__ import annotations

from nestwork_hooks.protocol import yaml_reader
from nestwork_hooks.protocol.conflicted import conflict
from nestwork_hooks.protocol.finding import Fault, Replace, error, warning
from nestwork_hooks.protocol.offer import BAD, LINE, MISSING, offer, place, same_for_yaml
from nestwork_hooks.protocol.soundness import NULLS, PLACEHOLDER, is_plainly_sound
from nestwork_hooks.protocol.text import could_forge, escaped
from nestwork_hooks.protocol.unseen import closed_too_long, only_yaml_sees
from nestwork_hooks.protocol.value import (
    NOUNS,
    Value,
    find_values,
    loss,
    this_line,
)
from nestwork_hooks.protocol.words import words

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
    return None if is_plainly_sound(head) else first_fault(head)


def first_fault(head: Head) -> Fault | None:
    """The same, of front matter that is not plainly sound."""
    torn = conflict(head)
    if torn:
        return torn
    reading = yaml_reader.Reading(head.text)
    values = find_values(head, reading.source)
    if "description" not in values:
        from nestwork_hooks.protocol.undescribed import undescribed

        return undescribed(head, reading)
    for found in values.values():
        fault = _twice(found) if len(found) > 1 else _unless_whole(found[0], reading)
        if fault:
            return fault
    description = values["description"][0]
    fault = _says_nothing(description)
    return fault or _compare(head, {key: found[0] for key, found in values.items()}, reading)


def _twice(found: list[Value]) -> Fault:
    """Of two values of one key, the index shows the last."""
    one, other = found[:2]
    first, second = words(one), words(other)
    if first and second and first.text == second.text:
        fact = f"{one.key} is given twice, with one text (lines {one.line} and {other.line})"
        edit = f"delete {_lines(other)}"
        return error(other.line, BAD, f"{fact}: {edit}", Replace(other.line, other.last, ""))
    if len(found) > 2:
        fact = f"{one.key} is given {len(found)} times, first on lines {one.line} and {other.line}"
        return error(other.line, BAD, f"{fact}: put all that they say into one of them")
    shown = " and ".join(
        f"'{escaped(text.text if text else value.raw, 120)}' on line {value.line}"
        for value, text in ((one, first), (other, second))
    )
    keep = f"keep line {other.line}, which the index takes"
    if one.key == "description":
        keep = f"{keep}, add to it what only line {one.line} says, then delete {_lines(one)}"
    else:
        keep = f"keep the right one and delete the other; the index shows line {other.line}"
    return error(found[1].line, BAD, f"{one.key} is given twice, {shown}: {keep}")


def _lines(value: Value) -> str:
    many = value.last > value.line
    return f"lines {value.line} to {value.last}" if many else f"line {value.line}"


def _says_nothing(description: Value) -> Fault | None:
    if description.raw in NULLS:
        fact = f"the description is {description.raw}, YAML's word for nothing"
    elif description.text.strip() == PLACEHOLDER:
        fact = "the description still is the placeholder"
        write = "write in its place what the file holds, and when to read it"
        return error(description.line, MISSING, f"{fact}: {write}")
    else:
        return None
    return error(description.line, MISSING, f"{fact}: write {LINE}")


# Does the line reader see all of a value?


def _unless_whole(value: Value, reading: Reading) -> Fault | None:
    """The fault of a value that the line reader cannot show as its author wrote it."""
    noun = NOUNS[value.key]
    if value.broken:
        return _unseen(
            value, f"{noun} holds a character at which other readers end the line (U+2028, say)"
        )
    if value.is_blank and not value.goes_on:
        fault = _empty(value, reading)
        if fault or not could_forge(value.text):
            return fault
    fact = loss(value)
    return _unseen(value, fact) if fact else None


def _empty(value: Value, reading: Reading) -> Fault | None:
    if not value.raw and reading.text(value.key):
        where = f"lines {value.line} to {value.last}"
        fact = f"{NOUNS[value.key]} stands on {where} and the index reads only the first"
        return _unseen(value, f"{fact}, which is empty")
    if value.key == "description":
        fact = "the description is empty, so nothing leads here"
        return error(value.line, MISSING, f"{fact}: in its place write {LINE}")
    return None


def _unseen(value: Value, fact: str) -> Fault:
    edit = offer(place(value), words(value))
    return error(value.line, BAD, f"{fact}: {edit.words}", edit.fix)


# The line reader sees all of it: does YAML read the same?


def _compare(head: Head, values: dict[str, Value], reading: Reading) -> Fault | None:
    source = reading.source
    if source is None:
        return closed_too_long(head.text, head.text.count("\n", 0, head.end) + 2)
    closing = source.count("\n") + 3
    if any(value.line > closing for value in values.values()):
        fact = "for YAML the front matter ends at this line, above what the index shows"
        fix = Replace(closing, closing, "")
        return warning(closing, MISMATCH, f"{fact}: delete line {closing}", fix)
    if reading.fault:
        return _not_yaml(head, values, reading.fault)
    keys = reading.keys
    if keys is None:
        fact = "YAML reads no keys in this front matter, so only the index sees it"
        return warning(1, MISMATCH, f"{fact}: write one key and value a line")
    differences = (_differs(key, values.get(key), reading, head) for key in NOUNS)
    return next(filter(None, differences), None)


def _not_yaml(head: Head, values: dict[str, Value], line: int) -> Fault:
    for value in values.values():
        if value.line == line and _cause(value.raw):
            cause = f"YAML cannot read {NOUNS[value.key]} ({_cause(value.raw)})"
            edit = same_for_yaml(place(value), value.text)
            fact = f"{cause}, so only the index sees it"
            return warning(line, MISMATCH, f"{fact}: {edit.words}", edit.fix)
    from nestwork_hooks.protocol.neighbours import readable

    fact = f"YAML cannot read {this_line(head.text, line)}, so only the index sees the front matter"
    edit = readable(head, line)
    return warning(line, MISMATCH, f"{fact}: {edit.words}", edit.fix)


def _cause(raw: str) -> str:
    if ": " in raw or raw.endswith(":"):
        return "a colon in a value without quotes"
    if raw.startswith(("[", "{")):
        return f"it starts with {raw[0]}, a list or mapping for YAML"
    return f"it starts with {raw[0]}" if raw.startswith(_SIGNS) else ""


def _differs(key: str, value: Value | None, reading: Reading, head: Head) -> Fault | None:
    read = (reading.keys or {}).get(key)
    if value is None:
        return only_yaml_sees(key, f"only YAML sees {NOUNS[key]}", reading, head) if read else None
    if read == value.text or (not value.text and not read):
        return None
    line = yaml_reader.line_of(reading.source or "", key)
    if line > value.line:
        fact = f"YAML reads {_kind(read)} on line {line} as {NOUNS[key]}, the index shows this line"
        edit = f"put what only line {line} says into this line and delete line {line}"
        return warning(value.line, MISMATCH, f"{fact}: {edit}")
    fact = f"YAML reads {_kind(read)} as {NOUNS[key]}, the index shows the whole line"
    comment = _comment(value, read)
    if comment:
        move = f"put {escaped(comment)} on a line of its own (the index then shows the date alone)"
        return warning(value.line, MISMATCH, f"{fact}: {move} and write {key}: {read}")
    same = same_for_yaml(place(value), value.text)
    return warning(value.line, MISMATCH, f"{fact}: {same.words}", same.fix)


def _comment(value: Value, read: object) -> str:
    """What stands behind a date as a comment; a description is taken for one text."""
    if value.key != "updated" or not isinstance(read, str) or not value.raw.startswith(read):
        return ""
    rest = value.raw[len(read) :].strip() if read and escaped(read) == read else ""
    return rest if rest.startswith("#") else ""


def _kind(read: object) -> str:
    if isinstance(read, str):
        return f"'{escaped(read, 60)}'" if read else "nothing"
    if isinstance(read, list):
        return "a list"
    return "a mapping" if isinstance(read, dict) else "nothing"
