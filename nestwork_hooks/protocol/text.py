"""Text that comes from a nest is untrusted: how to judge it and how to show it."""

from __future__ import annotations

# What a terminal, a log viewer or a reader's eye could take for something else: line and
# direction controls, the byte order mark, and the surrogates that stand for undecodable bytes.
_DECEPTIVE = frozenset("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\ufeff") | {
    chr(code) for code in range(0x2066, 0x206A)
}


def is_control(char: str) -> bool:
    """Whether `char` is of Unicode's category Cc."""
    return char < " " or "\x7f" <= char <= "\x9f"


def could_forge(text: str) -> bool:
    """Whether `text`, put into an index, could pass for a marker or break its line.

    `<!--`, `-->` and control characters are kept out of every index (PROTOCOL, "The index").
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
    if char in _DECEPTIVE or "\ud800" <= char <= "\udfff":
        return f"\\u{ord(char):04x}"
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


def named(names: list[str], most: int = 3) -> str:
    """The first names of a list, shown, and how many more there are."""
    few = ", ".join(shown(name) for name in names[:most])
    return few if len(names) <= most else f"{few} and {len(names) - most} more"
