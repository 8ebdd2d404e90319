"""Why a topic has no description for the index: there is none, or only YAML sees one."""

from __future__ import annotations

from difflib import SequenceMatcher

from nestwork_hooks.protocol import line_reader, yaml_reader
from nestwork_hooks.protocol.finding import Fault, error
from nestwork_hooks.protocol.soundness import NULLS
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.value import BAD, MISSING, WRITE, paste, this_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.line_reader import Head
    from nestwork_hooks.protocol.yaml_reader import Reading

_ADD = 'add a line description: "When to read this file"'
_BEGIN = 'start it with a line ---, a line description: "When to read this file", a line ---'
_LFS_POINTER = "version https://git-lfs.github.com/spec/"


def undescribed(head: Head, reading: Reading) -> Fault:
    """The fault of a topic, by its first lines, in which the line reader sees no description."""
    if not yaml_reader.opens(head.text):
        return error(1, MISSING, _no_front_matter(head.text))
    if reading.source is None:
        fact = "the front matter that starts here never closes"
        return error(1, BAD, f"{fact}: end it with a line ---")
    if reading.fault:
        line = this_line(head.text, reading.fault)
        fact = f"no description for the index, and YAML cannot read {line}"
        return error(reading.fault, BAD, f"{fact}: mend it, and {_ADD}")
    if reading.is_list:
        return error(2, BAD, f"the front matter is a list, not keys and values: {WRITE}")
    described = (reading.keys or {}).get("description")
    if described and described not in NULLS:
        return _invisible(head, reading.source, reading.text("description"))
    return _no_description(head.text, reading.source)


def _no_front_matter(head: str) -> str:
    start = head.lstrip("\ufeff").lstrip()
    if not start:
        return f"the file is empty: {_BEGIN}"
    if head.startswith(_LFS_POINTER):
        return "this is a Git LFS pointer and not the text: keep memory out of LFS, or git lfs pull"
    if start.startswith("----"):
        return "more than three dashes open no front matter: open and close it with a line ---"
    if start.startswith("---\n"):
        return "front matter has to start at the first byte: take away what stands before it"
    return f"no YAML front matter at the first byte: {_BEGIN}"


def _invisible(head: Head, source: str, text: str) -> Fault:
    """YAML sees a description, and the line reader does not."""
    if head.text.startswith("\ufeff"):
        fact = "a byte order mark hides the front matter from the index"
        return error(1, BAD, f"{fact}: save the file without it")
    if not head.text.startswith(line_reader.OPENING):
        fact = "blanks after the opening --- hide the front matter from the index"
        return error(1, BAD, f"{fact}: take them away")
    if head.end < 0:
        fact = "the index sees no end of the front matter that starts here"
        return error(1, BAD, f"{fact}: close it with a line ---")
    fact = "only YAML sees this description (its key has to start the line, without quotes)"
    line = yaml_reader.line_of(source, "description")
    return error(line, BAD, f"{fact}: {paste('description', text)}")


def _no_description(text: str, source: str) -> Fault:
    second = _second_block(text)
    if second:
        fact = "only the first front matter counts, and it has no description"
        return error(1, MISSING, f"{fact}: move the one of line {second} into it")
    for number, line in enumerate(source.split("\n"), 2):
        pair = line_reader.cut(line)
        if pair and _is_near_miss(pair[0]):
            fact = f"no description, but {escaped(pair[0], 40)}"
            return error(number, MISSING, f"{fact}: rename it to description")
        if line[:1] in (" ", "\t") and line.lstrip().startswith("description:"):
            fact = "the description is not at the top level, where no tool looks for it"
            return error(number, MISSING, f"{fact}: take the white space before it away")
    return error(1, MISSING, f"no description in the front matter: {_ADD}")


def _is_near_miss(key: str) -> bool:
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
