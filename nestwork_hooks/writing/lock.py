"""An advisory lock on a folder, and the pauses between two attempts to get one."""

from __future__ import annotations

import os

try:
    import fcntl
except ImportError:  # pragma: no cover (Windows)
    fcntl = None  # type: ignore[assignment]


# Retries by default; their pauses take some seconds in all.
RETRIES = 25
# The first pause in seconds, which doubles with each retry, and the longest.
_PAUSE, _LONGEST_PAUSE = 0.02, 0.25
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)


class Backoff:
    """Pauses between the attempts of one process, growing and random, `retries` of them."""

    def __init__(self, retries: int = RETRIES) -> None:
        self._retries = retries
        self._pause = _PAUSE

    def wait(self) -> bool:
        """Sleep until the next attempt; return False at once if no retry is left."""
        from random import uniform
        from time import sleep

        if not self._retries:
            return False
        self._retries -= 1
        sleep(uniform(self._pause / 2, self._pause))
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)
        return True


class Locked:
    """Hold an advisory lock on `folder`; `with` it says whether no other process holds it.

    The body runs either way, also on a system without such locks, so it has to be correct without
    the lock. The kernel releases the lock when this process ends, in whatever way.
    """

    def __init__(self, folder: bytes, backoff: Backoff) -> None:
        self._folder = folder
        self._backoff = backoff

    def __enter__(self) -> bool:
        self._descriptor = _open(self._folder)
        if self._descriptor is None:
            return True
        try:
            acquired = _acquire(self._descriptor)
            while not acquired and self._backoff.wait():
                acquired = _acquire(self._descriptor)
        except BaseException:
            os.close(self._descriptor)
            raise
        return acquired

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)


def _open(folder: bytes) -> int | None:
    try:
        return os.open(folder, _FOLDER) if fcntl else None
    except OSError:
        return None


def _acquire(descriptor: int) -> bool:
    """Try to get the lock; return False if another process holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # A file system without such locks.
    return True
