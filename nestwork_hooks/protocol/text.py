"""Text that comes from a nest is untrusted: how to judge it and how to show it."""

from __future__ import annotations

# What a terminal, a log viewer or a reader's eye could take for something else, or not see at
# all, as first and last code point: line and direction controls, invisible characters (the
# joiners of scripts and emoji are none), surrogates that stand for undecodable bytes, tags.
_DECEPTIVE = (
    *((0xAD, 0xAD), (0x61C, 0x61C), (0x180E, 0x180E), (0x200B, 0x200B), (0x200E, 0x200F)),
    *((0x2028, 0x202E), (0x2060, 0x206F), (0xD800, 0xDFFF), (0xFEFF, 0xFEFF)),
    *((0xFFF9, 0xFFFB), (0xE0000, 0xE0FFF)),
)


def is_control(char: str) -> bool:
    """Whether `char` is of Unicode's category Cc."""
    return char < " " or "\x7f" <= char <= "\x9f"


def could_forge(text: str) -> bool:
    """Whether `text`, put into an index, could pass for a marker or break its line.

    `<!--`, `-->` and control characters stay out of every index
    (docs/protocol.md, "What is left out").
    """
    if "<!--" in text or "-->" in text:
        return True
    return not text.isprintable() and any(map(is_control, text))


def has_surrogate(text: str) -> bool:
    """Whether `text` holds bytes that were not UTF-8 (as `os.fsdecode` keeps them)."""
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)


def _visible(char: str) -> str:
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"
    if is_control(char):
        return f"\\x{ord(char):02x}"
    code = ord(char)
    if any(first <= code <= last for first, last in _DECEPTIVE):
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return char


def shown(text: str, limit: int = 200) -> str:
    """`text` on one line, with nothing in it that a terminal or a log viewer would obey.

    Longer text than `limit` characters is cut and ends with `...`. `##[` begins a command
    anywhere in a log of GitHub Actions or Azure Pipelines, so it is taken apart.
    """
    if len(text) > limit:
        text = text[: limit - 3] + "..."
    if not text.isprintable():
        text = "".join(map(_visible, text))
    return text.replace("##[", "#\\x23[")


def decodable(text: str) -> str:
    r"""`text` with bytes that were not UTF-8 as `\xff`: JSON has no other way to hold them."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def named(names: list[str], most: int = 3) -> str:
    """The first names of a list, shown, and how many more there are."""
    few = ", ".join(shown(name) for name in names[:most])
    return few if len(names) <= most else f"{few} and {len(names) - most} more"
