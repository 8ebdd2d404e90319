"""Exchange two files atomically, and undo that."""

from __future__ import annotations

import errno
import os

from nestwork_hooks import git
from nestwork_hooks.nest import contents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Exchange = Callable[[bytes, bytes], bool]

# AT_FDCWD and RENAME_EXCHANGE of Linux.
_FROM_HERE, _EXCHANGE = -100, 2


def load() -> Exchange | None:
    """The function that exchanges two files atomically; None if the system has none.

    It returns False if the file system does not support it, and raises FileNotFoundError if one of
    the two is missing. It is renameat2(2), which the os module does not offer.
    """
    try:
        import ctypes

        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (ImportError, OSError, AttributeError, TypeError):
        return None

    def exchange(one: bytes, other: bytes) -> bool:
        if rename(_FROM_HERE, one, _FROM_HERE, other, _EXCHANGE) == 0:
            return True
        if ctypes.get_errno() == errno.ENOENT:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return False

    return exchange


def give_back(name: bytes, temporary: bytes, ours: bytes, exchange: Exchange | None) -> None:
    """Move `temporary`, which somebody else wrote, back to `name`, where we put our file.

    `ours` is the content that we put there. What was written there since is newer, and stays.
    Raises OSError if the move fails: the temporary file, then the only copy, is left.
    """
    try:
        given = exchange is not None and exchange(temporary, name)
    except FileNotFoundError:
        given = False
    if not given:
        if os.path.lexists(temporary):
            os.replace(temporary, name)
    elif exchange and not holds(temporary, ours):
        exchange(temporary, name)


def holds(name: bytes, data: bytes) -> bool:
    """Whether this is a readable regular file with exactly this content."""
    try:
        return contents.read_whole(git.to_path(name)) == data
    except OSError:
        return False
