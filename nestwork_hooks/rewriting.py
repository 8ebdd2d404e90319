"""A memory.md gets its new index whole or not at all, whoever else writes it at the time."""

from __future__ import annotations

import errno
import os
from time import time, time_ns

from nestwork_hooks import contents, git
from nestwork_hooks.protocol import index, layout, markers
from nestwork_hooks.turns import Patience, alone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Exchange: TypeAlias = Callable[[bytes, bytes], bool]

# Seconds after which a temporary file is no running fixer's any more.
_ABANDONED = 10
# How often a memory.md may change under the fixer before it gives up.
_TRIES = 5
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
# AT_FDCWD and RENAME_EXCHANGE of Linux.
_FROM_HERE, _EXCHANGE = -100, 2


class NotRewritten(Exception):
    """A memory.md does not hold its index; the message says why."""


def rewrite(path: str, expected: str, patience: Patience | None = None) -> bool:
    """Put the index into the memory.md at `path`, whole or not at all; False if it holds it already.

    The file keeps its mode and everything outside its markers, also what somebody else writes at
    the same time: of two such writers, what the last one wrote. Others who rewrite in the same
    folder are waited for with `patience`. Raises NotRewritten: for the system's reasons, for an
    index that would be too large to be read again, and where somebody else changes the file
    faster, or its markers are not those that were judged.
    """
    folder = os.path.dirname(path)
    try:
        contents.refuse_links(folder)
        with alone(git.to_bytes(folder), patience or Patience()):
            for _ in range(_TRIES):
                before = contents.read_whole(path)
                after = _with_index(before, expected)
                if after is None:
                    return False
                if _replace(path, before, after):
                    return True
    except OSError as error:
        raise NotRewritten(error.strerror or error) from error
    raise NotRewritten("somebody keeps changing it; run this again")


def _with_index(before: bytes, expected: str) -> bytes | None:
    """A memory.md's bytes with the index put in; None if it is there."""
    block = markers.find_block(before)
    if not isinstance(block, markers.Block):
        raise NotRewritten("its markers on disk are not those that were judged; run this again")
    if index.current(before, block) == expected:
        return None
    after = index.splice(before, block, expected)
    if len(after) > markers.MOST_BYTES:
        most = f"{markers.MOST_BYTES:,} bytes"
        raise NotRewritten(f"over {most} with its index: move topics to other scopes")
    return after


def _replace(path: str, before: bytes, after: bytes) -> bool:
    """Replace the file, unless it no longer holds `before`: then False, and it stays as it is.

    Where the system cannot exchange two files, a change between the last look and the
    replacement is lost; they are two system calls in a row.
    """
    name = git.to_bytes(path)
    exchange = _exchange()
    descriptor, temporary = _create(os.path.dirname(name))
    exchanged = replaced = False
    try:
        with open(descriptor, "wb") as file:
            file.write(after)
            file.flush()
            _take_after(name, temporary)
            os.fsync(descriptor)
        if contents.read_whole(path) != before:
            return False
        exchanged = exchange is not None
        if exchange and exchange(temporary, name):
            replaced = _holds(temporary, before)
        else:
            os.replace(temporary, name)
            replaced = True
        return replaced
    finally:
        if exchanged and not (replaced or _holds(temporary, after)):
            _give_back(name, temporary, after, exchange)
        _remove(temporary)


def _give_back(name: bytes, temporary: bytes, after: bytes, exchange: Exchange | None) -> None:
    """Put back what somebody wrote between the last look and the exchange.

    Raises OSError where that fails: then the temporary file, which is all of it, is left.
    """
    try:
        given = exchange is not None and exchange(temporary, name)
    except FileNotFoundError:
        given = False
    if not given:
        if os.path.lexists(temporary):
            os.replace(temporary, name)
    elif exchange and not _holds(temporary, after):
        # Somebody has written again in the meantime: the newer text stays.
        exchange(temporary, name)


def _holds(name: bytes, data: bytes) -> bool:
    try:
        return contents.read_whole(git.to_path(name)) == data
    except OSError:
        return False


def _exchange() -> Exchange | None:
    """What lets two files change places in one step; None where the system has no such thing.

    The callable returns False where the file system cannot, and raises FileNotFoundError where
    one of the two is gone. Source: renameat2(2), which the os module does not offer.
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


def _take_after(name: bytes, temporary: bytes) -> None:
    """Give the temporary file the other's mode, and its owner where this process may."""
    status = os.lstat(name)
    # One by one: the group may be free to choose where the owner is not.
    for owner, group in ((-1, status.st_gid), (status.st_uid, -1)) if hasattr(os, "chown") else ():
        try:
            os.chown(temporary, owner, group)
        except OSError:  # Also one that this user namespace does not know.
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
    folder = git.to_bytes(scope)
    try:
        contents.refuse_links(scope)
        with os.scandir(folder) as files:
            left = [file.path for file in files if _is_leftover(file)]
    except OSError:
        return
    if left:
        # A running fixer holds the old memory.md under such a name for a moment.
        with alone(folder, Patience(0)) as is_alone:
            for path in left if is_alone else ():
                _remove(path)


def _is_leftover(file: os.DirEntry[bytes]) -> bool:
    if not layout.is_temporary(git.to_path(file.name)):
        return False
    return time() - file.stat(follow_symlinks=False).st_mtime > _ABANDONED
