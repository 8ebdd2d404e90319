"""What the environment says of a run. It is read here and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Mapping

from nestwork_hooks.frozen import Frozen

# A line for each committer that started this process, the innermost last (see own_commit).
COMMITTERS = "NESTWORK_COMMIT"


class Environment(Frozen):
    """Who started this process, and at what moment of a commit.

    `index_file` is what git names to the hooks of a commit or merge (GIT_INDEX_FILE), `""`
    elsewhere. `by_runner` says that pre-commit or prek started it, `range` the two revisions that
    they were given, `merge_heads` the commits that git names to a hook of a clean merge, and
    `committers` the mark of `nestwork-commit`.
    """

    index_file: str
    by_runner: bool
    range: tuple[str, str] | None
    merge_heads: tuple[str, ...]
    committers: str

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
        """Whether a hook runs for `git commit -a` or `-i`, whose index file no command finds later."""
        return os.path.basename(self.index_file) == "index.lock"


def read_environment(variables: Mapping[str, str] = os.environ) -> Environment:
    """What these variables say."""
    start, end = (variables.get(f"PRE_COMMIT_{end}_REF", "") for end in ("FROM", "TO"))
    by_runner = "PRE_COMMIT" in variables
    index_file = variables.get("GIT_INDEX_FILE", "")
    # Git leaves its names of heads to post-merge hooks too, where no commit is made any more.
    merges = index_file or (by_runner and "PRE_COMMIT_IS_SQUASH_MERGE" not in variables)
    heads = [name[8:] for name in variables if name.startswith("GITHEAD_")] if merges else []
    return Environment(
        by_runner=by_runner,
        committers=variables.get(COMMITTERS, ""),
        index_file=index_file,
        merge_heads=tuple(heads),
        range=(start, end) if start and end else None,
    )
