"""Processes that write in the same folder take turns."""

from __future__ import annotations

import os
from contextlib import contextmanager

try:
    import fcntl
except ImportError:  # pragma: no cover (Windows)
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# How often another process is waited for: some seconds in all.
RETRIES = 25
# Seconds: the first pause, which doubles up to the longest.
_PAUSE, _LONGEST_PAUSE = 0.02, 0.25
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)


class Patience:
    """How often another process is waited for."""

    def __init__(self, retries: int = RETRIES) -> None:
        self._retries = retries
        self._pause = _PAUSE

    def wait(self) -> bool:
        """Wait a little; False, at once, where that has been done often enough."""
        from random import uniform
        from time import sleep

        if not self._retries:
            return False
        self._retries -= 1
        sleep(uniform(self._pause / 2, self._pause))
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)
        return True


@contextmanager
def alone(folder: bytes, patience: Patience) -> Iterator[bool]:
    """Keep out the others that ask for the same folder; whether they are.

    Goes on all the same when patience ends, and where there are no such locks, so whoever uses
    this has to be right without it too. The lock is of the kernel: nothing is left of it when
    this process ends, in whatever way.
    """
    descriptor = _opened(folder)
    try:
        is_alone = descriptor is None or _take(descriptor)
        while descriptor is not None and not is_alone and patience.wait():
            is_alone = _take(descriptor)
        yield is_alone
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _opened(folder: bytes) -> int | None:
    try:
        return os.open(folder, _FOLDER) if fcntl else None
    except OSError:
        return None


def _take(descriptor: int) -> bool:
    """Take the lock; False where another process has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # A file system without such locks.
    return True
