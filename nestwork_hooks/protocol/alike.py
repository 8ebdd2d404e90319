"""Front matter that the line reader and YAML provably read alike, so that no parser is asked.

Importing a YAML parser costs more than the rest of a run, and parsing a front matter more than
the rest of what a topic costs.
"""

from __future__ import annotations

# Of these two the readers have to read one text; other keys may have lists and mappings.
_TEXTS = ("description", "updated")
# What no plain scalar may start with (YAML 1.1, "Plain style"); a quote is no plain scalar.
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
# What no plain item of a flow list holds here; YAML allows some of them in places.
_IN_NO_ITEM = frozenset(":?[]{}'\"")
# A key has to end within so many characters of its line (YAML 1.1, "Simple keys").
_LONGEST_KEY = 1024


def reads_alike(source: str) -> bool:
    """Whether YAML provably reads a mapping in `source`, and every text in it as the line reader does.

    The proof. All characters are printable in the sense of `str.isprintable`: so none is a tab, a
    line break of either reader but LF, a byte order mark or a space but U+0020, and all are YAML's.
    Each line is one of these, which both readers see as one line:

    - empty, or a comment (`#` is its first character that is no space). YAML skips both, since no
      value here goes on over lines. The line reader finds no key that counts in a comment: none
      starts with `#` or a space.
    - `key: value` or `key:` at the start of the line. The key is an ASCII name (letters, digits,
      `_`, `-`), which is a plain scalar for YAML. Both readers take the last of equal keys.
    - behind a line `key:` at the start of the line, in a block of one indent: lines `key: value`
      or `key:`, indented by one space or more (a mapping in the mapping), or lines `- value`,
      indented by none or more (a list). The line reader skips indented lines, and finds no key that
      counts in a line that starts with `-`. The key of the block is neither `description` nor
      `updated`: its value is no text for YAML. A line of any other indent ends the block; it
      has to start at the start of the line, so to which mapping it belongs is never in doubt.

    Each value ends with its line, since no line continues it: what follows is a line as above, which
    for YAML is no deeper than the value's own mapping or list. So it is what its line says:

    - a plain value starts with no indicator, holds neither `: ` nor ` #` and does not end with
      `:`, which is all that ends a plain scalar in a line (YAML 1.1, "Plain style"); and it does not
      end with a quote, which the line reader would take off.
    - a value in double quotes has neither a double quote nor a backslash inside, so YAML takes it
      literally, and no single quote at the inner ends, which the line reader would take off.
    - a value in single quotes has none inside, so YAML takes it literally; the line reader takes off
      just these two.
    - a flow list of one line holds, between its commas, plain or quoted items, in which nothing
      could end an item, begin another collection or be a key. It is no text for YAML, so only keys
      that are neither `description` nor `updated` may have one.
    """
    if not source.replace("\n", "").isprintable():
        return False
    opened, block = False, ""
    for line in source.split("\n"):
        if line and line[0] not in " -#":
            key, colon, rest = line.partition(":")
            if not (colon and (key in _TEXTS or _is_name(key))):
                return False
            value = rest.strip(" ")
            opened, block = not value and key not in _TEXTS, ""
            if value and not (rest[0] == " " and (_is_text(value) or _is_list(key, value))):
                return False
        elif line:
            text = line.lstrip(" ")
            if text[:1] == "#":
                continue
            start = f"{line[: len(line) - len(text)]}{'- ' * text.startswith('- ')}"
            if not (opened and start and start == (block or start) and _is_entry(text)):
                return False
            block = start
    return True


def _is_name(key: str) -> bool:
    name = key.replace("-", "_")
    return name.isidentifier() and name.isascii() and key[0] != "-" and len(key) < _LONGEST_KEY


def _is_text(value: str) -> bool:
    """Whether a value is plain, or in quotes, as above."""
    first, last = value[0], value[-1]
    if first not in _INDICATORS:
        return not (last in ":\"'" or ": " in value or " #" in value)
    inner = value[1:-1]
    if first != last or len(value) == 1 or first in inner:
        return False
    return first == "'" or (
        first == '"' and "\\" not in inner and inner[:1] != "'" and inner[-1:] != "'"
    )


def _is_list(key: str, value: str) -> bool:
    """Whether a value is a list in a line, and its key may have one."""
    if key in _TEXTS or value[0] != "[" or value[-1] != "]":
        return False
    items = value[1:-1].split(",")
    return (not items[0] and len(items) == 1) or all(map(_is_item, items))


def _is_item(item: str) -> bool:
    item = item.strip(" ")
    return bool(item) and _is_text(item) and (item[0] in "'\"" or _IN_NO_ITEM.isdisjoint(item))


def _is_entry(text: str) -> bool:
    """Whether a line of a block, without its indent, is an item of a list, or a key and its value."""
    if text.startswith("- "):
        value = text[2:].strip(" ")
        return bool(value) and _is_text(value)
    key, colon, rest = text.partition(":")
    value = rest.strip(" ")
    if not (colon and _is_name(key)):
        return False
    return not value or (rest[0] == " " and (_is_text(value) or _is_list("", value)))
