"""List a folder of a commit from its tree objects, by a git that is ready to read them.

To start `git ls-tree` takes ten times as long.
"""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.git.asking import to_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from nestwork_hooks.git.blobs import Blobs

_FOLDER = "40000"


def committed(objects: Blobs, revision: str, folder: str) -> dict[str, git.Entry]:
    """The regular files that a revision holds below a folder. Raises GitError as `git.committed` does."""
    found: dict[str, git.Entry] = {}
    open_folders = [(folder, f"{revision}:./{folder}")]
    while open_folders:
        above, name = open_folders.pop()
        tree = _tree(objects, name)
        if not tree:  # There is none, or another git knows why it cannot be read.
            return git.committed(revision, [folder])
        for mode, file, id_ in _records(*tree):
            path = f"{above}/{file}"
            if mode == _FOLDER:
                open_folders.append((path, id_))
            elif git.is_file(mode):
                found[path] = git.Entry(id_)
    return found


def _tree(objects: Blobs, name: str) -> tuple[bytes, int] | None:
    if "\n" in name:  # This would be more than one question.
        return None
    try:
        return objects.tree(name)
    except git.GitError:
        return None  # It was ended while it waited.


def _records(tree: bytes, size: int) -> Iterator[tuple[str, str, str]]:
    """Mode, name and id of each record of a tree object whose ids have so many bytes."""
    at = 0
    while at < len(tree):
        space, end = tree.index(b" ", at), tree.index(b"\0", at) + 1
        yield (
            tree[at:space].decode(),
            to_path(tree[space + 1 : end - 1]),
            tree[end : end + size].hex(),
        )
        at = end + size
