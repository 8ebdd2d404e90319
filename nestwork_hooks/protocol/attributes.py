"""What git's attributes mean to a nest (docs/protocol.md, "Encrypted nests")."""

from __future__ import annotations

from nestwork_hooks.protocol.content import CHUNK, GIT_CRYPT

# The attributes that a check depends on.
FILTER, MARKER_SIZE = "filter", "conflict-marker-size"
NAMES = (FILTER, MARKER_SIZE)


def names_any(first: bytes) -> bool:
    """Whether an attribute file of which this is the `first` chunk may name one of the attributes.

    Also in a macro. Whatever has more than one chunk is taken to do so.
    """
    return len(first) == CHUNK or any(name.encode() in first for name in NAMES)


def is_git_crypt(value: str) -> bool:
    """Whether this value of the attribute `filter` is git-crypt's, for whichever of its keys."""
    return value == "git-crypt" or value.startswith("git-crypt-")


def is_leak(start: bytes) -> bool:
    """Whether a blob that starts so is not encrypted, and not empty either."""
    return start not in (b"", GIT_CRYPT)


def encrypting_line(folder: str, value: str) -> str:
    """The line of a `.gitattributes` by which this filter encrypts all Markdown of a folder."""
    pattern = "".join(f"\\{char}" if char in "*?[\\" else char for char in folder) + "/**/*.md"
    if any(map(str.isspace, pattern)) or pattern.startswith(('"', "#", "!")):
        pattern = '"' + pattern.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{pattern} filter={value} diff={value}"
