"""The bytes of one file: how many they are, and why they could not be read."""

from __future__ import annotations

from nestwork_hooks.protocol.finding import ERROR, Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Content: TypeAlias = Iterable[bytes] | "Unread"

# How much of a file is held at once, in bytes.
PIECE = 1 << 20
# What every file starts with that git-crypt encrypted.
GIT_CRYPT = b"\0GITCRYPT\0"


class ByteCount:
    """The size of a file that comes in pieces, in bytes after CRLF became LF."""

    __slots__ = ("_after_cr", "total")

    def __init__(self) -> None:
        self.total = 0
        self._after_cr = False

    def add(self, piece: bytes) -> None:
        """Count one more piece; a CRLF that lies across two pieces is one byte as well."""
        split_pair = self._after_cr and piece.startswith(b"\n")
        pairs = piece.count(b"\r\n") if b"\r" in piece else 0
        self.total += len(piece) - pairs - split_pair
        self._after_cr = piece.endswith(b"\r")


def whole(pieces: Iterable[bytes], most: int) -> bytes | None:
    """All bytes of a file; None where they are more than `most`."""
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > most:
            return None
    return bytes(data)


class Unread:
    """A file that could not be read, and the fault that this is.

    `size` is its bytes after CRLF became LF, where at least those could be counted.
    """

    __slots__ = ("fault", "size")

    def __init__(self, fault: Fault, size: int | None = None) -> None:
        self.fault = fault
        self.size = size


def unreadable(reason: str, line: int = 1, size: int | None = None) -> Unread:
    """A file that is there and not to be read, or not UTF-8."""
    return Unread(Fault(line, ERROR, "unreadable", reason), size)


def too_large(most: int) -> Unread:
    """A memory.md of more than `most` bytes."""
    return unreadable(f"over {most:,} bytes, too much to find an index in")


def locked() -> Unread:
    """A file that git-crypt encrypted and that is not unlocked here."""
    message = "encrypted with git-crypt and not unlocked here, so not checked: run git-crypt unlock"
    return Unread(Fault(1, ERROR, "locked", message))
