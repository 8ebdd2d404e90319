"""The content of one file in chunks: its size, and the reasons for not reading it."""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.finding import ERROR, Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Content: TypeAlias = Iterable[bytes] | "Unread"

# The size of the chunks in which a file is read, in bytes: more than any memory.md that is searched.
CHUNK = 5 << 20
# The first bytes of every file that git-crypt has encrypted.
GIT_CRYPT = b"\0GITCRYPT\0"
# How `$Id$` starts where a checkout has put a blob's id into it (the attribute `ident`).
EXPANDED = b"$Id:"
# In a text of more bytes, so many places of one byte are looked at before all is searched for more.
_LONG, _FEW = 1 << 16, 100
# What a memory.md is read for, as a message ends that says it is too large.
TO_FIND_AN_INDEX = "to find an index in"


def holds(data: bytes, sign: bytes, stop: int | None = None) -> bool:
    """As `sign in data[:stop]`, and quicker where it is not.

    One byte is found ten times as fast as more, and Python looks from the end in a third of the time.
    """
    if sign[:1] not in data:
        return False
    at = -1
    for _ in range(_FEW if len(data) > _LONG else 0):
        at = data.find(sign[:1], at + 1, stop)
        if at < 0 or data.startswith(sign, at):
            return at >= 0 and (stop is None or at + len(sign) <= stop)
    return data.rfind(sign, 0, stop) >= 0


def unix_size(data: bytes) -> int:
    """How many bytes a whole file has, a CRLF counted as one."""
    return len(data) - (data.count(b"\r\n") if b"\r" in data else 0)


class ByteCount:
    """Counts the bytes of a file that is read in chunks, a CRLF as one (docs/protocol.md, "Sizes")."""

    __slots__ = ("_after_cr", "total")

    def __init__(self) -> None:
        self.total = 0
        self._after_cr = False

    def add(self, chunk: bytes) -> None:
        """Count one more chunk; a CRLF split between two chunks counts as one byte too."""
        split_pair = self._after_cr and chunk.startswith(b"\n")
        pairs = chunk.count(b"\r\n") if b"\r" in chunk else 0
        self.total += len(chunk) - pairs - split_pair
        self._after_cr = chunk.endswith(b"\r")


def whole(chunks: Iterable[bytes], most: int) -> bytes | None:
    """Join the chunks of a file; None if they are more than `most` bytes."""
    found, size = [], 0
    for chunk in chunks:
        found.append(chunk)
        size += len(chunk)
        if size > most:
            return None
    return b"".join(found)


class Unread(Frozen):
    """A file that could not be read, as the fault to report.

    `size` is its bytes after CRLF became LF, None unless at least those could be counted.
    """

    fault: Fault
    size: int | None = None


def unreadable(reason: str, line: int = 1, size: int | None = None) -> Unread:
    """A file that exists and cannot be read, or is not UTF-8; `reason` goes into the message."""
    return Unread(Fault(line, ERROR, "unreadable", reason), size)


def too_large(most: int) -> Unread:
    """A memory.md of more than `most` bytes."""
    return unreadable(f"over {most:,} bytes, too much {TO_FIND_AN_INDEX}")


def whole_or_unread(content: Content, most: int, purpose: str) -> bytes | Unread:
    """All bytes of a file; Unread if they are encrypted, or too many for this `purpose`."""
    if isinstance(content, Unread):
        return content
    data = whole(content, most)
    if data is None:
        return unreadable(f"over {most:,} bytes, too much {purpose}")
    return locked() if data.startswith(GIT_CRYPT) else data


def locked() -> Unread:
    """A file that is encrypted with git-crypt and not unlocked in this clone."""
    message = "encrypted with git-crypt and not unlocked here, so not checked: run git-crypt unlock"
    return Unread(Fault(1, ERROR, "locked", message))
