"""Replace an index or a date in its file atomically, and lose nothing that others write meanwhile."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.git.disk import READ, refuse_links
from nestwork_hooks.git.interruption import TerminatedAsInterrupted
from nestwork_hooks.light import Frozen
from nestwork_hooks.nest import contents
from nestwork_hooks.protocol import dates, handwritten, index, markers
from nestwork_hooks.protocol.text import numbered
from nestwork_hooks.writing import leftovers
from nestwork_hooks.writing.lock import Backoff, Locked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# How often a file may change under the fixer before it gives up.
_TRIES = 5
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class Rewritten(Frozen):
    """A memory.md was rewritten; `moved` are the lines, from 1, that were moved below its markers."""

    moved: list[int]


class NotRewritten(Exception):
    """A file was not rewritten; the message says why."""


def rewrite(path: str, expected: str, backoff: Backoff | None = None) -> Rewritten | None:
    """Put the index into the memory.md at `path`, atomically; None if it is there already.

    The file keeps its mode and everything outside its markers, also what somebody else writes at the
    same time: of several such writes, the last. Other fixers in the same folder are waited for
    with `backoff`. Raises NotRewritten for errors of the system, if the file would be too large to
    be read again, if somebody else keeps changing it, and if its markers are no longer those that
    were judged.
    """
    return _edit(path, lambda before: _with_index(before, expected), leftovers.INDEX, backoff)


def set_date(path: str, was: str, date: str, backoff: Backoff | None = None) -> bool:
    """Put a date into the topic at `path` in place of what it `was`, in the same way as `rewrite`.

    False if it is another one on disk.
    """
    edited = _edit(path, lambda before: _with_date(before, was, date), leftovers.DATE, backoff)
    return edited is not None


def _edit(
    path: str,
    change: Callable[[bytes], tuple[bytes, list[int]] | None],
    kind: str,
    backoff: Backoff | None,
) -> Rewritten | None:
    folder = os.path.dirname(path)
    try:
        refuse_links(folder)
        with TerminatedAsInterrupted(), Locked(git.to_bytes(folder), backoff or Backoff()):
            for _ in range(_TRIES):
                before = contents.read_whole(path)
                after = change(before)
                if after is None:
                    return None
                if replace(path, before, after[0], kind):
                    return Rewritten(after[1])
    except OSError as error:
        raise NotRewritten(error.strerror or error) from error
    raise NotRewritten("somebody keeps changing it; run this again")


def _with_index(before: bytes, expected: str) -> tuple[bytes, list[int]] | None:
    """Splice the index into a memory.md: its bytes and the lines moved; None if it is there."""
    block = markers.find_block(before)
    if not isinstance(block, markers.Block):
        raise NotRewritten("its markers on disk are not those that were judged; run this again")
    if index.current(before, block) == expected:
        return None
    after, moved = handwritten.splice(before, block, expected)
    again = markers.find_block(after) if moved else block
    if not isinstance(again, markers.Block):
        raise NotRewritten(
            f"moving {numbered(moved)} below the end marker would break the markers: do that by hand"
        )
    if len(after) > markers.MOST_BYTES:
        most = f"{markers.MOST_BYTES:,} bytes"
        raise NotRewritten(f"over {most} with its index: move topics to other scopes")
    return after, moved


def _with_date(before: bytes, was: str, date: str) -> tuple[bytes, list[int]] | None:
    try:
        after = dates.with_date(before, was, date)
    except ValueError:
        reason = "its front matter on disk is not what was judged; run this again"
        raise NotRewritten(reason) from None
    return None if after is None else (after, [])


def replace(path: str, before: bytes, after: bytes, kind: str = leftovers.INDEX) -> bool:
    """Replace the file at `path` whole; False, and leave it as it is, if it no longer holds `before`.

    `kind` says what of the file is replaced, as leftovers know it.

    On a system that cannot exchange two files, a change between the last comparison and the
    replacement is lost; these are two consecutive system calls.
    """
    from nestwork_hooks.writing import exchange

    name = git.to_bytes(path)
    folder = os.path.dirname(name)
    swap = exchange.load()
    written = temporary = os.path.join(folder, leftovers.name_to_write().encode())
    exchanged = replaced = False
    try:
        _write_like(name, written, after)
        if swap:
            temporary = os.path.join(folder, leftovers.name_to_exchange(after, kind).encode())
            os.rename(written, temporary)
        if contents.read_whole(path) != before:
            return False
        exchanged = swap is not None
        if swap and swap(temporary, name):
            replaced = exchange.holds(temporary, before)
        else:
            os.replace(temporary, name)
            replaced = True
        return replaced
    finally:
        if exchanged and not (replaced or exchange.holds(temporary, after)):
            exchange.give_back(name, temporary, after, swap)
        leftovers.remove(written)
        leftovers.remove(temporary)


def _write_like(name: bytes, temporary: bytes, data: bytes) -> None:
    """Write a new file, and sync it, with the permissions of the one at `name`."""
    from nestwork_hooks.writing import rights

    def write(mode: int) -> None:
        with open(os.open(temporary, _CREATE, mode), "wb") as file:
            file.write(data)
            file.flush()
            rights.copy(like, file.fileno())
            os.fsync(file.fileno())

    like = os.open(name, READ)
    try:
        write(rights.PRIVATE)
    except rights.ModeRefused as refused:
        os.unlink(temporary)
        write(refused.mode)
    finally:
        os.close(like)
