"""The attributes that the staging area gives to paths.

Those of this clone alone (`info/attributes`) count too, those of a user or a machine do not: the
answer is the same in every clone.
"""

from __future__ import annotations

import os

from nestwork_hooks.git.asking import GitError, records, run, to_bytes, to_path
from nestwork_hooks.git.disk import up_to_the_top
from nestwork_hooks.protocol.attributes import NAMES, names_any
from nestwork_hooks.protocol.content import CHUNK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# So many paths are asked for at once.
_BATCH = 10_000
_NO_GLOBAL_FILE = ("-c", f"core.attributesFile={os.devnull}")


def of(paths: Sequence[str]) -> dict[str, dict[str, str]]:
    """The values of each attribute by path: `set`, `unset`, or what follows the `=`.

    A path for which it is unspecified is left out. Raises GitError.
    """
    found: dict[str, dict[str, str]] = {name: {} for name in NAMES}
    for start in range(0, len(paths), _BATCH):
        names = b"".join(to_bytes(path) + b"\0" for path in paths[start : start + _BATCH])
        words = (*_NO_GLOBAL_FILE, "check-attr", "--cached", "--stdin", "-z", *NAMES)
        fields = records(*words, stdin=names, GIT_ATTR_NOSYSTEM="1")
        for path, name, value in zip(fields[0::3], fields[1::3], fields[2::3], strict=True):
            if value != "unspecified":
                found[name][path] = value
    return found


def unread(path: str, reason: str) -> GitError:
    """The error for an attribute file that cannot be read: git would go on without it."""
    return GitError(f"{path}, which may say what is to be encrypted, cannot be read: {reason}")


def info_names_any() -> bool:
    """Whether this clone's own attribute file names one. Raises GitError if it cannot be read."""
    path = _info()
    try:
        with open(path, "rb") as file:
            return names_any(file.read(CHUNK))
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise unread(to_path(path), error.strerror or "") from None


def _info() -> bytes:
    """The path of this clone's own attribute file; git is asked only where it could be elsewhere."""
    top = to_bytes(up_to_the_top()[-1])
    if "GIT_DIR" not in os.environ and os.path.isdir(top + b"/.git"):
        return os.path.normpath(top + b"/.git/info/attributes")
    return run("rev-parse", "--git-path", "info/attributes").removesuffix(b"\n")
