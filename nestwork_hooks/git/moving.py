"""Bring a clone from the commit it has checked out to another, past the work of everybody else.

Nothing is stashed, checked out or reset: git replaces the files that differ between the two
commits, unless one of them is changed, staged or in the way here. Then nothing changes at all.
"""

from __future__ import annotations

import os
import stat

from nestwork_hooks import git
from nestwork_hooks.git.acting import Refused, act
from nestwork_hooks.git.asking import to_bytes
from nestwork_hooks.git.private_index import Item, PrivateIndex, is_gone, staged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# More files than this are not looked at one by one.
_MOST = 200
# So many pairs are read of those that are remembered.
_NEWEST = 50


class Records:
    """What was put on top of something else, as a file in the git folder remembers it.

    A line holds two ids: of the commit that was checked out, and of the one that was made of it.
    Until the clone is brought there, both are needed: to know what of the clone's commits is
    pushed already, and what a run that was killed had done by then.
    """

    def __init__(self, git_folder: bytes) -> None:
        self._path = os.path.join(os.path.abspath(git_folder), b"nestwork-pushed")

    def pairs(self) -> list[tuple[str, str]]:
        """The newest pairs, each once, the newest first."""
        try:
            with open(self._path, "rb") as file:
                lines = file.read().decode("ascii", "replace").splitlines()
        except OSError:
            return []
        words = (line.split(" ") for line in reversed(lines))
        found = [(pair[0], pair[1]) for pair in words if len(pair) == 2 and all(map(_is_id, pair))]
        return list(dict.fromkeys(found))[:_NEWEST]

    def add(self, old: str, made: str) -> None:
        """Remember one more pair, whatever other processes add at the same time."""
        line = f"{old} {made}\n".encode()
        how = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        descriptor = os.open(self._path, how, 0o666)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)

    def forget(self) -> None:
        """The clone is where it should be: hold none."""
        try:
            os.unlink(self._path)
        except FileNotFoundError:
            pass


def _is_id(text: str) -> bool:
    return len(text) in (40, 64) and not text.strip("0123456789abcdef")


def standing(index: PrivateIndex, head: str, moves: Iterable[tuple[str, str]]) -> str:
    """The tree that the clone's files stand at: what is checked out, but for a move half done.

    A run that was killed, or was overtaken by somebody's commit, has brought files from the first
    of a pair of commits to the second, and not the branch.
    """
    differing = staged(head)
    arrived: dict[str, Item] = {}
    for start, end in moves if differing else ():
        try:
            changes = index.changed(start, end)
        except git.GitError:
            continue  # One of them is gone.
        same = differing.keys() & changes.keys()
        arrived.update({path: differing[path] for path in same if differing[path] == changes[path]})
    if not arrived:
        return head
    index.read(head)
    index.put(arrived)
    return index.write()


def move(
    index: PrivateIndex,
    head: str,
    end: str,
    earlier: list[tuple[str, str]],
    attempt: Callable[..., object],
) -> bool:
    """Bring files and staging area from `head` to the commit `end`; False if anything is in the way.

    `earlier` are moves that may be half done. `attempt` calls a function again where somebody holds
    a lock. The branch stays where it is. Raises GitError.
    """
    for again in (True, False):
        start = standing(index, head, [*earlier, (head, end)])
        changes = index.changed(start, end)
        if not changes:
            return True
        if not _is_in_the_way(index, start, end, changes):
            try:
                attempt(act, "read-tree", "-m", "-u", "--no-recurse-submodules", start, end)
                return True
            except Refused as refusal:
                if refusal.passing:
                    return False
        if not (again and _adopt(index, changes)):
            return False
    return False


def _is_in_the_way(index: PrivateIndex, start: str, end: str, changes: dict[str, Item]) -> bool:
    """Whether git would replace an ignored file, or bring back one that was just deleted."""
    added = (path for path, item in index.changed(end, start).items() if is_gone(item))
    if any(_kind(index, path) not in (0, stat.S_IFDIR) for path in added):
        return True
    words = ("ls-files", "-d", "-z", "--full-name", "--", ":/")
    deleted = git.to_path(git.run(*words, literal=False)).split("\0")
    return any(path in changes and not is_gone(changes[path]) for path in deleted)


def _kind(index: PrivateIndex, path: str) -> int:
    """The type of the file at a path, as in its mode; 0 where there is none."""
    try:
        return stat.S_IFMT(os.lstat(to_bytes(f"{index.up}{path}")).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _adopt(index: PrivateIndex, changes: dict[str, Item]) -> bool:
    """Stage the files that are on disk already as they are to become; whether there are any."""
    new = {path: item for path, item in changes.items() if git.is_file(item[0])}
    same = [
        path
        for path in list(new)[:_MOST]
        if _kind(index, path) == stat.S_IFREG and index.hashed(path) == new[path][1]
    ]
    entries = [word for path in same for word in ("--cacheinfo", f"{','.join(new[path])},{path}")]
    try:
        act("update-index", "-q", "--add", "--replace", "--refresh", *entries)
    except Refused:
        return False
    return bool(same)
