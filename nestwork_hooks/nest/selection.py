"""What a run judges: the paths of a commit or a range, named scopes or files, or everything."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.protocol import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Unusable(Exception):
    """What the command was given cannot be worked on; the message is one line that says why."""


class Request:
    """What a run was asked for.

    `names` are scopes or files. `resident`, `topics` and `index` say what the command judges:
    resident files, single topics, whole indexes. `staged` reads the staging area and not the
    working tree; a commit without a runner, which would have made the two equal, does the same.
    `part` is the one scope whose index is judged, with the `changes` of it that are judged.
    `fixes` says that the command writes into every memory.md as it lies on disk,
    `untracked` that a scope may hold nothing but files that git does not know yet.
    """

    def __init__(
        self,
        names: Sequence[str] = (),
        *,
        part: str | None = None,
        changes: Sequence[git.Change] = (),
        everything: bool = False,
        staged: bool = False,
        allow_locked: bool = False,
        resident: bool = False,
        topics: bool = False,
        index: bool = False,
        fixes: bool = False,
        untracked: bool = False,
    ) -> None:
        self.names = [tidy(name) for name in names]
        self.part = part
        self.changes = changes
        self.everything = everything
        self.allow_locked = allow_locked
        self.resident = resident
        self.topics = topics
        self.index = index
        self.in_commit = "GIT_INDEX_FILE" in os.environ
        self.partial = git.is_partial_commit()
        self.by_runner = "PRE_COMMIT" in os.environ
        self.staged = staged or (self.in_commit and not self.by_runner)
        self.fixes = fixes
        self.untracked = untracked
        self.by_hand = not (self.in_commit or self.by_runner)


def tidy(name: str) -> str:
    """A path from the command line as git would list it."""
    path = os.path.relpath(name) if os.path.isabs(name) else os.path.normpath(name)
    if path.startswith(os.pardir) and os.path.isabs(name):
        path = os.path.relpath(os.path.realpath(name))
    return git.to_path(os.fsencode(path)).replace(os.sep, "/")


class Selection:
    """What is to be judged.

    `paths` are judged themselves; None stands for all that is listed. The indexes of `scopes`
    are judged; None stands for those of all scopes. `removed` are the paths that go away, and
    `replaced` the blobs that were a scope's memory.md before this commit, in whichever parent.

    `merged` are those of the scopes of which a merge brings files together without changing one:
    their fault is the merge's only if nothing was wrong with their index in any of its `parents`.
    """

    def __init__(self, paths: set[str] | None = None, scopes: set[str] | None = None) -> None:
        self.paths = paths
        self.scopes = scopes
        self.removed: set[str] = set()
        self.replaced: dict[str, set[str]] = {}
        self.merged: set[str] = set()
        self.parents: list[str] = []
        self.of_commit = False

    def add(self, changes: Iterable[git.Change]) -> None:
        """Judge these changes of a commit too."""
        assert self.paths is not None
        assert self.scopes is not None
        for change in changes:
            (self.removed if change.new is None else self.paths).add(change.path)
            scope = _indexed(change.path)
            if scope:
                self.scopes.add(scope)
                self.add_replaced(change)

    def merge(self, scopes: set[str], parents: list[str]) -> None:
        """Judge the indexes of these scopes too, as far as this merge of `parents` made them false."""
        assert self.scopes is not None
        self.merged = scopes - self.scopes
        self.scopes |= scopes
        self.parents = parents

    def add_replaced(self, change: git.Change) -> None:
        """Remember what the change replaces, if that is the memory.md of a scope that is judged."""
        scope = layout.scope_of(change.path)
        if scope and scope in (self.scopes or ()) and layout.is_memory(change.path) and change.old:
            self.replaced.setdefault(scope, set()).add(change.old)

    @property
    def changes(self) -> set[str]:
        """The paths that a commit changes or takes away; empty where all is judged."""
        return {*(self.paths or ()), *self.removed}

    def judges(self, path: str) -> bool:
        """Whether the file at `path` is to be judged itself."""
        if self.paths is not None:
            return path in self.paths
        return self.scopes is None or layout.scope_of(path) in self.scopes

    def listing(self, request: Request) -> list[str]:
        """The paths that git has to list for this request; empty where nothing is judged."""
        if self.paths is None:
            if self.scopes is None:
                return list(layout.TOP_FOLDERS)
            return [*sorted(self.scopes), layout.QUEEN, layout.SHARED_RESIDENT]
        found: set[str] = set()
        if request.index:
            found.update(self.scopes or ())
        if request.topics:
            topics = [path for path in self.paths if layout.topic_name(path)]
            found.update(topics)
            found.update(layout.memory_of(layout.scope_of(path) or "") for path in topics)
        if request.resident:
            found.update(self._starts())
        return sorted(found)

    def _starts(self) -> Iterable[str]:
        """The resident files that go into a start of which a file is judged or goes away."""
        touched = [p for p in (*(self.paths or ()), *self.removed) if layout.is_resident(p)]
        if not touched:
            return ()
        every_start = layout.RULES in touched or layout.SHARED_RESIDENT in touched
        return (*touched, layout.QUEEN, layout.SHARED_RESIDENT, *(["agents"] * every_start))


def select(request: Request) -> Selection:
    """What this request judges. Raises GitError, and Unusable for a name that is none."""
    if request.names:
        return _named(request)
    if request.part:
        selection = _of_changes(request.changes)
        selection.scopes = {request.part}
        return selection
    return (None if request.everything else _commit(request)) or Selection()


def _named(request: Request) -> Selection:
    scopes = {name for name in request.names if layout.is_scope(name)}
    files = set(request.names) - scopes
    if not files:
        return Selection(scopes=scopes)
    if scopes:
        raise Unusable("name either scopes or files, not both")
    if request.index or request.resident:
        raise Unusable(f"{min(files)} is no scope: name shared or agents/<host>/<agent-id>")
    if git.merge_parents():
        made = _commit(request)
        files &= made.changes if made else set()
    selection = Selection(paths=files, scopes=set())
    selection.of_commit = True
    return selection


def _commit(request: Request) -> Selection | None:
    """What the commit or range is judged on; None where no commit is under way."""
    start, end = os.environ.get("PRE_COMMIT_FROM_REF"), os.environ.get("PRE_COMMIT_TO_REF")
    if start and end:
        return _of_changes(git.changes(f"{start}...{end}"))
    parents = git.merge_parents()
    changes = git.changes("--cached")
    if not (changes or parents or request.in_commit):
        return None
    selection = _of_merge(changes, parents) if parents else _of_changes(changes)
    if request.fixes and request.by_hand and not request.staged:
        selection.add(git.changes())
    return selection


def _of_merge(changes: list[git.Change], others: list[str]) -> Selection:
    """What a merge is judged on, from its changes to HEAD and the ids of its other parents.

    These are the paths that differ from every parent, since the rest was judged when it was made,
    and the indexes of the scopes that differ, as a whole, from every parent.
    """
    versions = [changes, *(git.changes("--cached", id_) for id_ in others)]
    paths = set.intersection(*({change.path for change in version} for version in versions))
    selection = _of_changes([change for change in changes if change.path in paths])
    scopes = set.intersection(
        *({_indexed(change.path) for change in version} for version in versions)
    )
    selection.merge({scope for scope in scopes if scope}, ["HEAD", *others])
    for version in versions:
        for change in version:
            selection.add_replaced(change)
    return selection


def _indexed(path: str) -> str | None:
    """The scope whose index depends on the file at `path`, or None."""
    return layout.scope_of(path) if layout.is_memory(path) or layout.topic_name(path) else None


def _of_changes(changes: Iterable[git.Change]) -> Selection:
    selection = Selection(set(), set())
    selection.of_commit = True
    selection.add(changes)
    return selection
