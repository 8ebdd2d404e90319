"""What a run was asked for: its arguments and its environment, which is read here alone."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.light import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

# A line for each committer that started this process, the innermost last (see own_commit).
COMMITTERS = "NESTWORK_COMMIT"


class Unusable(Exception):
    """The command cannot work on what it was given; the message is one line that says why."""


class Environment(Frozen):
    """Who started this process, and at what moment of a commit.

    `index_file` is what git names to the hooks of a commit or merge (GIT_INDEX_FILE), `""`
    elsewhere. `by_runner` says that pre-commit or prek started it, `range` the two revisions that
    they were given, `merge_heads` the commits that git names to a hook of a clean merge, and
    `committers` the mark of `nestwork-commit`. `edited` says that an editor may have been open for
    the message of a commit.
    """

    index_file: str
    by_runner: bool
    range: tuple[str, str] | None
    merge_heads: tuple[str, ...]
    committers: str
    edited: bool = True

    @property
    def in_commit(self) -> bool:
        """Whether git runs this as a hook of a commit or merge."""
        return bool(self.index_file)

    @property
    def by_hand(self) -> bool:
        """Whether neither git nor a runner started this."""
        return not (self.in_commit or self.by_runner)

    @property
    def is_partial_commit(self) -> bool:
        """Whether a hook runs for `git commit -- PATH`, which git gives an index of its own."""
        return os.path.basename(self.index_file).startswith("next-index-")

    @property
    def index_vanishes(self) -> bool:
        """Whether a hook runs for `git commit -a` or `-i`, whose index file is gone afterwards."""
        return os.path.basename(self.index_file) == "index.lock"


def read_environment(variables: Mapping[str, str] = os.environ) -> Environment:
    """What these variables say of the run; by default those of this process."""
    start, end = (variables.get(f"PRE_COMMIT_{end}_REF", "") for end in ("FROM", "TO"))
    by_runner = "PRE_COMMIT" in variables
    index_file = variables.get("GIT_INDEX_FILE", "")
    # Git leaves its names of heads to post-merge hooks too, where no commit is made any more.
    merges = index_file or (by_runner and "PRE_COMMIT_IS_SQUASH_MERGE" not in variables)
    heads = [name[8:] for name in variables if name.startswith("GITHEAD_")] if merges else []
    return Environment(
        by_runner=by_runner,
        committers=variables.get(COMMITTERS, ""),
        edited=variables.get("GIT_EDITOR") != ":",  # so git says to hooks that none was
        index_file=index_file,
        merge_heads=tuple(heads),
        range=(start, end) if start and end else None,
    )


class Request(Frozen):
    """What is to be judged, and where its content is to be read.

    `names` are scopes or files, below the nest's root; `all` stands for everything. `base` is a
    revision: what changed since its merge base with HEAD is judged. `staged` reads the staging area
    and not the working tree. `root` is what a path of the nest begins with where the command was
    started (in the folder `start`): `""`, or the nest's folder with a `/`. `uncommitted` also names
    memory that no commit holds. No file whose path `exclude` matches is written. `writes` says that
    the command is a fixer, which takes a memory.md in conflict as it lies on disk. `today` is
    what dates are compared with, in UTC.
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
    today: str = ""

    @property
    def reads_staged(self) -> bool:
        """Whether the staging area is read, as it is also in a commit without a runner.

        A runner has made the working tree equal to it.
        """
        env = self.environment
        return self.staged or (env.in_commit and not env.by_runner)


def today() -> str:
    """The date in UTC, as `2026-09-27`: the one place where a run asks the clock for it."""
    from time import gmtime, strftime

    return strftime("%Y-%m-%d", gmtime())


def as_listed(name: str) -> str:
    """A path from the command line as git lists it from the current folder."""
    path = os.path.relpath(name) if os.path.isabs(name) else os.path.normpath(name)
    if path.startswith(os.pardir) and os.path.isabs(name):
        path = os.path.relpath(os.path.realpath(name))
    return git.to_path(os.fsencode(path)).replace(os.sep, "/")
