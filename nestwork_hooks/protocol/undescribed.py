"""Why a topic has no description for the index: there is none, or only YAML sees one."""

from __future__ import annotations

from nestwork_hooks.protocol import line_reader, yaml_reader
from nestwork_hooks.protocol.finding import Fault, Replace, error
from nestwork_hooks.protocol.offer import BAD, LINE, MISSING, Offer, Place, offer, place
from nestwork_hooks.protocol.soundness import NULLS
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.unseen import closed_too_long, invisible
from nestwork_hooks.protocol.value import NOUNS, this_line, value_at
from nestwork_hooks.protocol.words import Words, one_line, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.line_reader import Head
    from nestwork_hooks.protocol.yaml_reader import Reading

_BELOW = f"insert below line 1 the line {LINE}"
_BEGIN = f"start it with three lines: ---, then {LINE}, then ---"
_LFS_POINTER = "version https://git-lfs.github.com/spec/"
_KEY = "description"
# Keys whose `description` says what a value of a tool or a form is, not what the file is.
_SCHEMAS = (
    *("properties", "parameters", "params", "inputs", "input", "outputs", "output", "arguments"),
    *("args", "options", "fields", "schema", "schemas", "inputschema", "input_schema", "tools"),
    *("variables", "definitions", "$defs", "items", "env", "commands", "secrets", "steps"),
)


def undescribed(head: Head, reading: Reading) -> Fault:
    """The fault of a topic, by its first lines, in which the line reader sees no description."""
    if not yaml_reader.opens(head.text):
        return _no_front_matter(head.text)
    if reading.source is None:
        return _never_closes(head.text)
    if reading.fault:
        line = this_line(head.text, reading.fault)
        fact = f"no description for the index, and YAML cannot read {line}"
        edit = _mended(head, reading.fault)
        return error(reading.fault, BAD, f"{fact}: {edit.words}", edit.fix)
    if reading.is_list:
        fact = "the front matter is a list, not keys and values"
        return error(2, BAD, f"{fact}: {_BELOW}, and make keys and values of the list")
    described = (reading.keys or {}).get(_KEY)
    if described and described not in NULLS:
        return invisible(head, reading)
    return _no_description(head.text, reading)


# No front matter


def _no_front_matter(head: str) -> Fault:
    start = head.lstrip("\ufeff").lstrip()
    if not start:
        return error(1, MISSING, f"the file is empty: {_BEGIN}")
    if head.startswith(_LFS_POINTER):
        fact = "this is a Git LFS pointer and not the text"
        return error(1, MISSING, f"{fact}: keep memory out of LFS, or git lfs pull")
    if start.startswith("----"):
        return _long_dashes(head)
    if start.startswith(line_reader.OPENING):
        return _too_low(head[: len(head) - len(start)].count("\n"))
    lower = _lower_front_matter(head)
    if lower:
        first, last = lower
        fact = f"front matter stands on lines {first} to {last}, and readers look for it on line 1"
        lines = head.split("\n")
        moved = "".join(f"{line}\n" for line in lines[first - 1 : last] + lines[: first - 1])
        edit = "move these lines to the top of the file"
        return error(1, MISSING, f"{fact} alone: {edit}", Replace(1, last, moved))
    return error(1, MISSING, f"no YAML front matter at the first byte: {_BEGIN}")


def _too_low(above: int) -> Fault:
    """Front matter behind white space alone, with so many lines above it."""
    fix = Replace(1, above + 1, "---\n")
    if not above:
        fact = "white space before the opening --- hides the front matter from every reader"
        return error(1, MISSING, f"{fact}: make line 1 --- without it", fix)
    lines = "line 1" if above == 1 else f"lines 1 to {above}"
    fact = f"front matter stands on line {above + 1}, and readers look for it on line 1 alone"
    return error(1, MISSING, f"{fact}: delete {lines}", fix)


def _lower_front_matter(head: str) -> tuple[int, int] | None:
    """First and last line of front matter with a description below other text, if there is one."""
    lines = head.split("\n")
    if "---" not in lines:
        return None
    first = lines.index("---")
    for at in range(first + 1, len(lines)):
        if lines[at] == "---":
            inside = lines[first + 1 : at]
            return (first + 1, at + 1) if any(map(_is_description, inside)) else None
        if not (line_reader.cut(lines[at]) or lines[at][:1].isspace()):
            break
    return None


def _is_description(line: str) -> bool:
    pair = line_reader.cut(line)
    return bool(pair and pair[0] == _KEY and pair[1])


def _long_dashes(head: str) -> Fault:
    lines = head.split("\n")
    closing = next((at for at, line in enumerate(lines) if at and line.startswith("---")), 0)
    fact = "more than three dashes open no front matter"
    if not closing or lines[0].strip("-") or not any(map(_is_description, lines[1:closing])):
        return error(1, MISSING, f"{fact}: open and close it with a line ---")
    if lines[closing].strip("-") or len(lines[closing]) == 3:
        return error(1, MISSING, f"{fact}: make line 1 ---", Replace(1, 1, "---\n"))
    inside = "".join(f"{line}\n" for line in lines[1:closing])
    fix = Replace(1, closing + 1, f"---\n{inside}---\n")
    return error(1, MISSING, f"{fact}: make lines 1 and {closing + 1} ---", fix)


# Front matter that does not end


def end_of_front_matter(head: str) -> int:
    """The last line of what stands as keys and values below an opening line; 1 for none."""
    lines, last = head.split("\n"), 1
    for number, line in enumerate(lines[1:], 2):
        item = (line + " ").startswith("- ")
        if not line.strip() or not (line_reader.cut(line) or line[0].isspace() or item):
            break
        if line.lstrip().startswith("#"):
            continue
        last = number
    return last


def _never_closes(head: str) -> Fault:
    last = end_of_front_matter(head)
    fact = "the front matter that starts here never closes"
    if last == 1:
        return error(1, BAD, f"{fact}, and holds nothing: insert below it {LINE} and a line ---")
    lines = head.split("\n")
    if last < len(lines) and lines[last].startswith("---"):
        return closed_too_long(head, last + 1)
    more = "" if any(map(_is_description, lines[1:last])) else f", and {_BELOW}"
    follows = lines[last] if last < len(lines) else ""
    certain = not more and (not follows.strip() or follows.startswith("#"))
    fix = None
    if certain and last == len(lines):
        fix = Replace(last, last, f"{lines[-1]}\n---\n")
    elif certain:
        fix = Replace(last + 1, last, "---\n")
    return error(1, BAD, f"{fact}: insert a line --- below line {last}{more}", fix)


# Front matter that YAML alone reads, or nobody


def _mended(head: Head, line: int) -> Offer:
    """What to do about a line that YAML cannot read, the description perhaps, by its key."""
    lines = head.text.split("\n")
    pair = line_reader.cut(lines[line - 1])
    if pair and (pair[0] in (f'"{_KEY}"', f"'{_KEY}'") or _is_near_miss(pair[0])):
        value = value_at(_KEY, lines, line)
        return offer(place(value), words(value))
    if pair and pair[0] in NOUNS:
        value = value_at(pair[0], lines, line)
        return Offer(f"{offer(place(value), words(value)).words}, and {_BELOW}")
    from nestwork_hooks.protocol.neighbours import readable

    return Offer(f"{readable(head, line).words}, and {_BELOW}")


# Front matter without a description


def _no_description(text: str, reading: Reading) -> Fault:
    source = reading.source or ""
    second = _second_block(text)
    if second:
        fact = "only the first front matter counts, and it has no description"
        return error(1, MISSING, f"{fact}: move line {second} to below line 1")
    lines = text.split("\n")[: source.count("\n") + 2]
    for number, line in enumerate(lines[1:], 2):
        pair = line_reader.cut(line)
        if pair and pair[1] and _is_near_miss(pair[0]):
            return _misspelt(pair[0], number, lines)
    nested = _nested(reading)
    if nested:
        edit = offer(Place(_KEY, 2, 1), Words(one_line(nested[1])))
        at = _line_in(nested[0], lines, source)
        fact = f"no description at the top level, only this one in {escaped(nested[0], 40)}"
        return error(at, MISSING, f"{fact}: leave that, and below line 1 {edit.words}", edit.fix)
    return error(1, MISSING, f"no description in the front matter: {_BELOW}")


def _misspelt(key: str, line: int, lines: list[str]) -> Fault:
    value = value_at(_KEY, lines, line)
    edit = offer(place(value), words(value))
    fact = f"no description, but {escaped(key, 40)}, which no reader takes for it"
    return error(line, MISSING, f"{fact}: {edit.words}", edit.fix)


def _is_near_miss(key: str) -> bool:
    """Whether a key is `desc`, or no more than two letters away from `description`."""
    key = key.lower()
    return key == "desc" or (abs(len(key) - len(_KEY)) <= 2 and _distance(key, _KEY) <= 2)


def _distance(one: str, other: str) -> int:
    """How many letters have to be put in, taken away or exchanged to make one word of the other."""
    row = list(range(len(other) + 1))
    for number, char in enumerate(one, 1):
        left, row = row, [number]
        for at, wanted in enumerate(other):
            row.append(min(left[at] + (char != wanted), left[at + 1] + 1, row[at] + 1))
    return row[-1]


def _nested(reading: Reading) -> tuple[str, str] | None:
    """The key of the only mapping at the top with a description of the file, and that text."""
    keys = reading.keys or {}
    found = [
        (str(name), value[_KEY])
        for name, value in keys.items()
        if isinstance(value, dict)
        and str(name).lower() not in _SCHEMAS
        and isinstance(value.get(_KEY), str)
        and value[_KEY].strip()
    ]
    return found[0] if len(found) == 1 else None


def _line_in(name: str, lines: list[str], source: str) -> int:
    """The line of the description in the mapping of a key, or that of the key."""
    first = yaml_reader.line_of(source, name)
    for number in range(first, len(lines)):
        if lines[number].strip().startswith(f"{_KEY}:"):
            return number + 1
    return first


def _second_block(head: str) -> int:
    """The line of the description in a second front matter right below the first; 0 for none."""
    _, closing, below = head.partition(line_reader.CLOSING + "\n")
    if not closing or not below.lstrip("\n").startswith(line_reader.OPENING):
        return 0
    at = below.find("\ndescription:")
    return head.count("\n", 0, len(head) - len(below) + at) + 2 if at >= 0 else 0
