"""Let two files change places in one step, and take that back."""

from __future__ import annotations

import errno
import os

from nestwork_hooks import git
from nestwork_hooks.nest import contents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Exchange: TypeAlias = Callable[[bytes, bytes], bool]

# AT_FDCWD and RENAME_EXCHANGE of Linux.
_FROM_HERE, _EXCHANGE = -100, 2


def load() -> Exchange | None:
    """The function that exchanges two files; None where the system has no such thing.

    It returns False where the file system cannot, and raises FileNotFoundError where one of the
    two is gone. Source: renameat2(2), which the os module does not offer.
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
    """Put what stands at `temporary`, written by somebody else, back in the place of our file.

    `ours` is what we wrote at `name`. What has been written there since stays, being newer.
    Raises OSError where it cannot be given back: then the temporary file, which is all of it, is
    left.
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
    """Whether there is a regular file with just this content, and it can be read."""
    try:
        return contents.read_whole(git.to_path(name)) == data
    except OSError:
        return False
