"""The nest's own reader of front matter, which every index is made with.

It is no YAML reader (docs/protocol.md, "The two readers"). Text comes in with CRLF and lone CR
already turned into LF.
"""

from __future__ import annotations

OPENING = "---\n"
CLOSING = "\n---"


class Head:
    """The first lines of a topic, parsed once.

    `text` is as much of them as any reader looks at, with LF line endings; `end` is the offset at
    which the front matter ends in it, -1 without any, and looked for unless it is given; `fields` are
    its keys and values. `newline` is how a line ends in the file, `""` where some end in a lone CR.
    """

    __slots__ = ("end", "fields", "newline", "text")

    def __init__(self, text: str, newline: str = "\n", end: int | None = None) -> None:
        self.text = text
        self.newline = newline
        self.end = closing_at(text) if end is None else end
        self.fields = read_fields(text, self.end)


def closing_at(text: str) -> int:
    """Where the front matter ends (the LF before its closing dashes); -1 where there is none.

    Any three dashes at a line's start close it, `----` and `--- text` too; those on the second
    line do not.
    """
    return text.find(CLOSING, len(OPENING)) if text.startswith(OPENING) else -1


def front_lines(data: bytes) -> int:
    """How many lines the front matter of a file has, its dashes included; 0 where there is none.

    Also where only YAML sees it, behind a byte order mark or blanks.
    """
    lines = data.decode(errors="replace").removeprefix("\ufeff")
    first, _, rest = lines.replace("\r\n", "\n").replace("\r", "\n").partition("\n")
    text = OPENING + rest if first.rstrip() == "---" else ""
    end = closing_at(text)
    return text.count("\n", 0, end) + 2 if end >= 0 else 0


def cut(line: str) -> tuple[str, str] | None:
    """Key and value of a line, white space around both taken off; None where it has no key."""
    key, colon, value = line.partition(":")
    if not colon or line[0] in " \t":
        return None
    key = key.strip()
    return (key, value.strip()) if key else None


def unquoted(value: str) -> str:
    """`value` as the index shows it: all double, then all single quotes at its ends are gone."""
    return value.strip('"').strip("'")


def read_fields(text: str, end: int) -> dict[str, str]:
    """The keys and values of a front matter that ends at `end`; the last of equal keys wins."""
    fields: dict[str, str] = {}
    for line in text[len(OPENING) : max(end, 0)].splitlines():
        found = cut(line)
        if found:
            fields[found[0]] = unquoted(found[1])
    return fields
