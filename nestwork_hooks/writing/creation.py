"""Write several new files, all of them or none."""

from __future__ import annotations

import os

from nestwork_hooks.git import to_bytes
from nestwork_hooks.git.disk import refuse_links
from nestwork_hooks.git.interruption import TerminatedAsInterrupted
from nestwork_hooks.writing import leftovers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def create(files: Mapping[str, bytes], last: Callable[[], None]) -> None:
    """Create these files, their folders too, and then do what comes `last`.

    No file that exists is written to. Whatever fails, `last` included, takes all of it back and is
    raised again: OSError for an error of the system.
    """
    undo: list[Callable[[], None]] = []
    written: list[tuple[bytes, bytes]] = []
    try:
        with TerminatedAsInterrupted():
            for path, data in files.items():
                folder = os.path.dirname(path)
                _make_folders(folder, undo)
                temporary = os.path.join(to_bytes(folder), leftovers.name_to_write().encode())
                written.append((temporary, to_bytes(path)))
                _write(temporary, data)
            for temporary, name in written:
                _give_name(temporary, name)
                undo.append(lambda name=name: os.unlink(name))  # type: ignore[misc]
            last()
    except BaseException:
        for step in reversed([*undo]):
            try:
                step()
            except OSError:
                pass
        raise
    finally:
        for temporary, _ in written:
            leftovers.remove(temporary)


def _make_folders(folder: str, undo: list[Callable[[], None]]) -> None:
    """Make a folder of parts; the scope's own is there."""
    name = to_bytes(folder)
    if not os.path.lexists(name):
        refuse_links(os.path.dirname(folder))
        os.mkdir(name)
        undo.append(lambda: os.rmdir(name))
    refuse_links(folder)


def _write(name: bytes, data: bytes) -> None:
    with open(os.open(name, _CREATE, 0o666), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _give_name(temporary: bytes, name: bytes) -> None:
    """Give a finished file its name. Raises FileExistsError where that is taken."""
    try:
        os.link(temporary, name)
    except FileExistsError:
        raise
    except OSError:  # A file system without hard links.
        if os.path.lexists(name):
            raise
        os.rename(temporary, name)
