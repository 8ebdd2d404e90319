"""What a run was asked for: its arguments and its environment, as one value."""

from __future__ import annotations

import os
from collections.abc import Sequence

from nestwork_hooks import git
from nestwork_hooks.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from nestwork_hooks.nest.environment import Environment


class Unusable(Exception):
    """The command cannot work on what it was given; the message is one line that says why."""


class Request(Frozen):
    """What is to be judged, and where its content is to be read.

    `names` are scopes or files, below the nest's root; `all` stands for everything. `base` is a
    revision: what changed since its merge base with HEAD is judged. `staged` reads the staging area
    and not the working tree. `root` is what a path of the nest begins with where the command was
    started (in the folder `start`): `""`, or the nest's folder with a `/`. `uncommitted` also names
    memory that no commit holds. `exclude` are paths that nothing is written to. `writes` says that the command is a fixer,
    which takes a memory.md in conflict as it lies on disk.
    """

    environment: Environment
    names: Sequence[str] = ()
    all: bool = False
    base: str = ""
    staged: bool = False
    root: str = ""
    start: str = ""
    allow_locked: bool = False
    uncommitted: bool = False
    exclude: re.Pattern[str] | None = None
    writes: bool = False

    @property
    def reads_staged(self) -> bool:
        """Whether the staging area is read, as it is also in a commit without a runner.

        A runner has made the working tree equal to it.
        """
        env = self.environment
        return self.staged or (env.in_commit and not env.by_runner)


def as_listed(name: str) -> str:
    """A path from the command line as git lists it from the current folder."""
    path = os.path.relpath(name) if os.path.isabs(name) else os.path.normpath(name)
    if path.startswith(os.pardir) and os.path.isabs(name):
        path = os.path.relpath(os.path.realpath(name))
    return git.to_path(os.fsencode(path)).replace(os.sep, "/")
