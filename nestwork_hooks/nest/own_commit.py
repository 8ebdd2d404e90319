"""The mark by which `nestwork-commit` tells the hooks of its own commit that it has judged it.

The environment hands it on to all that the commit starts: other hooks, a push, a server's gate.
So it holds for no more than the commit that is under way.
"""

from __future__ import annotations

import os

from nestwork_hooks.nest.request import COMMITTERS, Environment


def mark(git_folder: bytes, environment: Environment) -> dict[str, str]:
    """What to add to the environment of a commit in this git folder."""
    line = f"{os.getpid()} {_real(git_folder)}"
    outer = environment.committers
    return {COMMITTERS: f"{outer}\n{line}" if outer else line}


def is_under_way(git_folder: bytes, environment: Environment) -> bool:
    """Whether a living committer of this git folder has started this process."""
    return _real(git_folder) in _folders(environment)


def is_judged(environment: Environment) -> bool:
    """Whether this process is a hook of the very commit that a living committer makes."""
    index = environment.index_file
    if not (environment.committers and environment.is_partial_commit and os.path.exists(index)):
        return False
    return _real(os.fsencode(os.path.dirname(index))) in _folders(environment)


def _real(folder: bytes) -> str:
    return os.fsdecode(os.path.realpath(folder))


def _folders(environment: Environment) -> set[str]:
    """The git folders of the committers that have started this process and live."""
    lines = (line.partition(" ") for line in environment.committers.splitlines())
    return {folder for id_, _, folder in lines if id_.isdigit() and _lives(int(id_))}


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
