"""Temporary files that a killed run has left in a scope: removed, restored, or kept.

A temporary file has one of three names. While it is written it has the first, and holds nothing
that anybody else wrote. Before it is exchanged with memory.md it gets the second, with a checksum of
what both hold outside the index; before it is exchanged with a topic the third, with a checksum of
what both hold beside the date. So a later run recognises what a fixer read or wrote. Anything
else under these names was written by somebody else at the last moment, and may be the only copy.
"""

from __future__ import annotations

import os
from time import time, time_ns

from nestwork_hooks import git
from nestwork_hooks.git.disk import refuse_links
from nestwork_hooks.nest import contents
from nestwork_hooks.protocol import dates, layout, markers
from nestwork_hooks.protocol.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Seconds after which a temporary file is no running fixer's any more.
_ABANDONED = 10
_NEW = f"{layout.TEMPORARY}new-"
INDEX = f"{layout.TEMPORARY}swap-"
DATE = f"{layout.TEMPORARY}date-"


def name_to_write() -> str:
    """A new name for a temporary file that is being written."""
    # The tempfile module would take longer to load than all the rest of a replacement.
    return f"{_NEW}{os.getpid()}-{time_ns()}"


def name_to_exchange(data: bytes, kind: str = INDEX) -> str:
    """A new name for a temporary file with these bytes, to be exchanged with another file.

    That is a memory.md with another `INDEX`, or a topic with another `DATE`.
    """
    return f"{kind}{os.getpid()}-{time_ns()}-{_checksum(data, kind)}"


def _checksum(data: bytes, kind: str) -> str:
    """A checksum of what a memory.md holds outside its index, or a topic beside its date."""
    from zlib import crc32

    block = markers.find_block(data) if kind == INDEX else None
    if kind == DATE:
        data = dates.without_date(data)
    elif isinstance(block, markers.Block):
        data = data[: block.start] + data[block.stop :]
    return f"{len(data):x}.{crc32(data):08x}"


def clear(scope: str) -> tuple[bool, list[str]]:
    """Remove or restore the leftovers in a scope's folder, unless another run holds its lock.

    Returns whether one was restored as memory.md, whose index may be stale then; and the paths of
    those that are kept: no fixer wrote them, and memory.md has changed since or their origin is
    unknown.
    """
    left = _abandoned(scope)
    if not left:
        return False, []
    from nestwork_hooks.writing.lock import Backoff, Locked

    # A running fixer holds the old memory.md under such a name for a moment.
    with Locked(git.to_bytes(scope), Backoff(0)) as acquired:
        return _clear(left, layout.memory_of(scope)) if acquired else (False, [])


def describe(path: str) -> str:
    """The message about a leftover that is kept."""
    target = "the topic" if _name(path).startswith(DATE) else "memory.md"
    remedy = f"take over into {target} what is missing there, then delete it"
    return f"{escaped(path)}: kept, since no fixer wrote what it holds: {remedy}"


def _abandoned(scope: str) -> list[str]:
    try:
        refuse_links(scope)
        with os.scandir(git.to_bytes(scope)) as files:
            ours = [file for file in files if layout.is_temporary(git.to_path(file.name))]
        ages = ((file, time() - file.stat(follow_symlinks=False).st_mtime) for file in ours)
        return sorted(git.to_path(file.path) for file, age in ages if age > _ABANDONED)
    except OSError:
        return []


def _clear(left: Iterable[str], memory: str) -> tuple[bool, list[str]]:
    given_back, kept = False, []
    for path in left:
        if _is_ours(path):
            remove(git.to_bytes(path))
        elif _name(path).startswith(INDEX) and _give_back(path, memory):
            given_back = True
        else:
            kept.append(path)
    return given_back, kept


def _is_ours(path: str) -> bool:
    """Whether the file holds only what a fixer wrote, or read and replaced."""
    if _name(path).startswith(_NEW):
        return True
    try:
        return _agrees(path, contents.read_whole(path))
    except OSError:
        return False


def _name(path: str) -> str:
    return os.path.basename(path)


def _agrees(leftover: str, data: bytes) -> bool:
    """Whether these bytes are, beside index or date, what the name of the leftover says."""
    name = _name(leftover)
    return any(
        name.startswith(kind) and name.endswith(f"-{_checksum(data, kind)}")
        for kind in (INDEX, DATE)
    )


def _give_back(path: str, memory: str) -> bool:
    """Restore the file as memory.md, if only fixers have written memory.md since."""
    from nestwork_hooks.writing import exchange

    name, temporary = git.to_bytes(memory), git.to_bytes(path)
    try:
        ours = contents.read_whole(memory)
        if not _agrees(path, ours):
            return False
        exchange.give_back(name, temporary, ours, exchange.load())
    except OSError:
        return False
    if exchange.holds(temporary, ours):
        remove(temporary)
    return True


def remove(name: bytes) -> None:
    """Remove a temporary file; do nothing if that fails."""
    try:
        os.unlink(name)
    except OSError:
        pass
