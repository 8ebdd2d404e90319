"""The working tree on disk, read without following a symbolic link."""

from __future__ import annotations

import errno
import os
import stat

from nestwork_hooks.git.asking import to_bytes, to_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

# Flags to open a file for reading that follow no link and wait for no pipe.
READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
READ |= getattr(os, "O_BINARY", 0)


def kind_of(folder: str) -> str:
    """`link`, `folder` or `file`; `""` if nothing is there. Raises OSError if that is unknown."""
    try:
        mode = os.lstat(to_bytes(folder)).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if stat.S_ISLNK(mode):
        return "link"
    return "folder" if stat.S_ISDIR(mode) else "file"


def spelling(folder: str, name: str) -> str:
    """The name as the folder spells it; the same again unless it is there by another spelling."""
    try:
        names = [to_path(other) for other in os.listdir(to_bytes(folder))]
        if name not in names:
            status = os.lstat(to_bytes(f"{folder}/{name}"))
            for other in names:
                if os.path.samestat(status, os.lstat(to_bytes(f"{folder}/{other}"))):
                    return other
    except OSError:
        pass
    return name


def refuse_links(folder: str, known: set[str] | None = None) -> None:
    """Raise OSError for a folder that lies behind a symbolic link; add it to `known` if not."""
    known = {""} if known is None else known
    # From the outermost in: the first that is missing ends it, however many lie below.
    end = 0
    while folder not in known:
        end = folder.find("/", end + 1)
        part = folder if end < 0 else folder[:end]
        if part in known:
            continue
        if stat.S_ISLNK(os.lstat(to_bytes(part)).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        known.add(part)


def is_too_long(path: str) -> bool:
    """Whether this system can hold no file at `path`, as it or a name in it is too long."""
    for name in (path, max(path.split("/"), key=len)):
        try:
            os.lstat(to_bytes(name))
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return True
    return False


def recent_files(folder: str, depth: int, since: float, known: Container[str]) -> list[str]:
    """The regular files in a folder, and `depth` folders further down, that are not `known`.

    Only those that were written, or came here, at `since` (seconds since the epoch) or later, and
    none behind a link or in a repository of its own.
    """
    found: list[str] = []
    try:
        with os.scandir(to_bytes(folder)) as entries:
            for entry in entries:
                path = f"{folder}/{to_path(entry.name)}"
                if entry.is_dir(follow_symlinks=False):
                    if depth and not os.path.lexists(entry.path + b"/.git"):
                        found += recent_files(path, depth - 1, since, known)
                elif path not in known and entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    if max(status.st_mtime, status.st_ctime) >= since:
                        found.append(path)
    except OSError:
        pass
    return sorted(found)


def up_to_the_top() -> list[str]:
    """The folders from the current one up to the top of the working tree, or of the system."""
    found = [os.curdir]
    while not (os.path.lexists(f"{found[-1]}/.git") or os.path.samefile(found[-1], os.sep)):
        found.append(f"{found[-1]}/{os.pardir}")
    return found
