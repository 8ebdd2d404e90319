"""A memory.md gets its new index whole or not at all, whoever else writes it at the time."""

from __future__ import annotations

import errno
import os
from time import time, time_ns

from nestwork_hooks import contents, git
from nestwork_hooks.protocol import index, layout, markers

# Seconds after which a temporary file is no running fixer's any more.
_ABANDONED = 10
# How often a memory.md may change under the fixer before it gives up.
_TRIES = 5
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_CREATE |= getattr(os, "O_CLOEXEC", 0)


class Moving(Exception):
    """A memory.md is not what it was when its scope was judged; the message says in what way."""


def rewrite(path: str, expected: str) -> bool:
    """Put the index into the memory.md at `path`, whole or not at all; False if it is there.

    The file keeps its mode and everything outside its markers. Raises OSError, also for an index
    that would be too large to be read again, and Moving where somebody else changes the file
    faster, or its markers are not those that were judged.
    """
    for _ in range(_TRIES):
        before = contents.read_whole(path)
        block = markers.find_block(before)
        if not isinstance(block, markers.Block):
            raise Moving("its markers on disk are not those that were judged; run this again")
        if index.current(before, block) == expected:
            return False
        after = index.splice(before, block, expected)
        if len(after) > markers.MOST_BYTES:
            most = f"{markers.MOST_BYTES:,} bytes"
            raise OSError(errno.EFBIG, f"over {most} with its index: move topics to other scopes")
        if _replace(path, before, after):
            return True
    raise Moving("somebody keeps changing it; run this again")


def _replace(path: str, before: bytes, after: bytes) -> bool:
    """Replace the file, unless it no longer holds `before`: then False, and nothing is done.

    What remains possible is a change between that last look and the replacement itself, which
    are two system calls in a row.
    """
    name = git.to_bytes(path)
    descriptor, temporary = _create(os.path.dirname(name))
    try:
        with open(descriptor, "wb") as file:
            file.write(after)
            file.flush()
            _take_after(name, temporary)
            os.fsync(descriptor)
        seen = _identity(name)
        unchanged = contents.read_whole(path) == before
        if unchanged and _identity(name) == seen:
            os.replace(temporary, name)
            return True
        return False
    finally:
        _remove(temporary)


def _identity(name: bytes) -> tuple[int, ...]:
    """What changes with a file: cheaper to compare than its bytes, so closer to the replacement."""
    status = os.lstat(name)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _take_after(name: bytes, temporary: bytes) -> None:
    """Give the temporary file the other's mode, and its owner where this process may."""
    status = os.lstat(name)
    if hasattr(os, "chown"):
        try:
            os.chown(temporary, status.st_uid, status.st_gid)
        except PermissionError:
            pass
    os.chmod(temporary, status.st_mode & 0o7777)


def _create(folder: bytes) -> tuple[int, bytes]:
    # The tempfile module would take longer to load than all the rest of a replacement.
    name = f"{layout.TEMPORARY}{os.getpid()}-{time_ns()}"
    temporary = os.path.join(folder, name.encode())
    return os.open(temporary, _CREATE, 0o600), temporary


def _remove(temporary: bytes) -> None:
    try:
        os.unlink(temporary)
    except OSError:
        pass


def remove_leftovers(scope: str) -> None:
    """Remove the temporary files that a fixer left in the scope's folder when it was killed."""
    try:
        with os.scandir(git.to_bytes(scope)) as files:
            for file in files:
                if layout.is_temporary(git.to_path(file.name)) and _is_abandoned(file):
                    _remove(file.path)
    except OSError:
        pass


def _is_abandoned(file: os.DirEntry[bytes]) -> bool:
    return time() - file.stat(follow_symlinks=False).st_mtime > _ABANDONED
