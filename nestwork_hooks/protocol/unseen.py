"""Front matter of which the line reader, or YAML, does not see all that the other sees."""

from __future__ import annotations

from nestwork_hooks.protocol import line_reader, yaml_reader
from nestwork_hooks.protocol.finding import FILE, Fault, Replace, error
from nestwork_hooks.protocol.offer import BAD, Place, offer, place
from nestwork_hooks.protocol.value import value_at
from nestwork_hooks.protocol.words import Words, one_line, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.line_reader import Head
    from nestwork_hooks.protocol.yaml_reader import Reading


def invisible(head: Head, reading: Reading) -> Fault:
    """YAML sees a description, and the line reader does not."""
    if head.text.startswith("\ufeff"):
        fact = "a byte order mark hides the front matter from the index"
        command = rf"perl -pi -e 's/^\xEF\xBB\xBF// if $. == 1' {FILE}"
        return error(1, BAD, f"{fact}: take it off ({command})", Replace(1, 1, "---\n"))
    if not head.text.startswith(line_reader.OPENING):
        fact = "blanks after the opening --- hide the front matter from the index"
        return error(1, BAD, f"{fact}: make line 1 --- without them", Replace(1, 1, "---\n"))
    if head.end < 0:
        line = (reading.source or "").count("\n") + 3
        fact = "the index sees no end of the front matter that starts here"
        return error(1, BAD, f"{fact}: make line {line} ---", Replace(line, line, "---\n"))
    fact = "only YAML sees this description (its key has to start the line, without quotes)"
    return only_yaml_sees("description", fact, reading, head)


def closed_too_long(text: str, line: int) -> Fault:
    """The fault of a line that closes the front matter and is more than three dashes."""
    rest = text.split("\n")[line - 1].lstrip("-").strip()
    below = f"{rest}\n" if rest else ""
    fact = "this line does not close the front matter for YAML"
    edit = "make it ---" + (" and put its text on the next line" if rest else "")
    return error(line, BAD, f"{fact}: {edit}", Replace(line, line, f"---\n{below}"))


def only_yaml_sees(key: str, fact: str, reading: Reading, head: Head) -> Fault:
    """The fault of a key in a shape (in quotes, in braces) that the line reader does not know."""
    line = yaml_reader.line_of(reading.source or "", key)
    lines = head.text.split("\n")[: (reading.source or "").count("\n") + 2]
    is_text = isinstance((reading.keys or {})[key], str)
    if is_text and lines[line - 1].startswith((key, f'"{key}"', f"'{key}'")):
        value = value_at(key, lines, line)
        edit = offer(place(value), words(value))
    else:
        text = "" if " #" in lines[line - 1] else one_line(reading.text(key))
        edit = offer(Place(key, line, line), Words(text, is_exact=False))
        edit = edit.replace(words=f"on a line of its own {edit.words}")
    return error(line, BAD, f"{fact}, no index shows it: {edit.words}", edit.fix)
