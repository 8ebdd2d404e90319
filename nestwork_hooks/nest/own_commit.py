"""The mark by which `nestwork-commit` tells the hooks of its own commit that it has judged it.

The environment hands it on to all that the commit starts: other hooks, a push, a server's gate.
So it holds for no more than the commit that is under way.
"""

from __future__ import annotations

import os

from nestwork_hooks.git import is_partial_commit

# A line for each committer, the innermost last: its process, a blank, its clone's git folder.
VARIABLE = "NESTWORK_COMMIT"


def mark(git_folder: bytes) -> dict[str, str]:
    """What to add to the environment of a commit in this git folder."""
    line = f"{os.getpid()} {_real(git_folder)}"
    outer = os.environ.get(VARIABLE)
    return {VARIABLE: f"{outer}\n{line}" if outer else line}


def is_under_way(git_folder: bytes) -> bool:
    """Whether a living committer of this git folder has started this process."""
    return VARIABLE in os.environ and _real(git_folder) in _folders()


def is_judged() -> bool:
    """Whether this process is a hook of the very commit that a living committer makes."""
    if VARIABLE not in os.environ or not is_partial_commit():
        return False
    index = os.environ["GIT_INDEX_FILE"]
    return os.path.exists(index) and _real(os.fsencode(os.path.dirname(index))) in _folders()


def _real(folder: bytes) -> str:
    return os.fsdecode(os.path.realpath(folder))


def _folders() -> set[str]:
    """The git folders of the committers that have started this process and live."""
    found = set()
    for line in os.environ[VARIABLE].splitlines():
        process, _, folder = line.partition(" ")
        if process.isdigit() and _lives(int(process)):
            found.add(folder)
    return found


def _lives(process: int) -> bool:
    if os.name != "posix":
        return True  # Asking would end it there.
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True
