"""What a run judges: the paths of a commit or a range, named scopes or files, or everything."""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.git import ATTRIBUTE_FILE
from nestwork_hooks.light import Frozen, MappingProxyType
from nestwork_hooks.nest.reads import (
    ATTRIBUTES,
    BESIDE,
    CONFLICTS,
    GUIDES,
    INDEXES,
    LINES,
    MARKDOWN,
    MEMORIES,
    PLACES,
    RESIDENT,
    SIBLINGS,
    TOPICS,
    WRITTEN,
)
from nestwork_hooks.nest.request import Request, Unusable
from nestwork_hooks.protocol import layout, resident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence


class Selection(Frozen):
    """What is to be judged.

    `paths` are judged themselves; None stands for all that is listed. The indexes of `scopes`
    are judged; None stands for those of all scopes. `others` are judged too, and are links or
    submodules; `removed` are the paths that go away, each with the blob that it had. `added` are
    those that are new; None stands for all that are judged.
    `before` names the commit that a commit or a range changes.

    `old_memories` maps a scope to the blobs of its memory.md before the commit, in any parent.
    `merged` are the scopes whose files a merge brings together without changing one: a fault of
    their index is the merge's only if it was in order in each of its `parents`.
    """

    paths: Collection[str] | None = None
    scopes: Collection[str] | None = None
    others: Collection[str] = ()
    removed: Mapping[str, str] = MappingProxyType({})
    added: Collection[str] | None = None
    before: str = "HEAD"
    old_memories: Mapping[str, set[str]] = MappingProxyType({})
    merged: Collection[str] = ()
    parents: Sequence[str] = ()

    @property
    def of_commit(self) -> bool:
        """Whether files are judged one by one: what a commit or a range changes, or named ones."""
        return self.paths is not None

    @property
    def changed(self) -> set[str]:
        """The paths that a commit changes or takes away; empty where all is judged."""
        return {*(self.paths or ()), *self.others, *self.removed}

    def judges(self, path: str) -> bool:
        """Whether what is listed at `path` is to be judged itself."""
        if self.paths is not None:
            return path in self.paths or path in self.others
        return self.scopes is None or layout.scope_of(path) in self.scopes

    def judged(self, listed: Iterable[str]) -> Iterable[str]:
        """Those of the listed paths that are to be judged themselves, in their order."""
        if self.paths is not None:
            return filter({*self.paths, *self.others}.__contains__, listed)
        return listed if self.scopes is None else filter(self.judges, listed)

    def is_new(self, path: str) -> bool:
        """Whether a judged file was not there before, as far as that is known."""
        return self.added is None or path in self.added

    @property
    def attributed(self) -> set[str]:
        """The folders, each with a `/` or `""` for the nest's, whose attributes a commit changes."""
        files = (path for path in self.changed if f"/{path}".endswith(f"/{ATTRIBUTE_FILE}"))
        return {path.removesuffix(ATTRIBUTE_FILE) for path in files}

    def listing(self, reads: int) -> list[str]:
        """The paths that git has to list for what is read; empty where nothing is judged."""
        if self.paths is not None:
            wanted = (listed(self, reads) for read, listed in _OF_CHANGES if reads & read)
            return sorted({path for paths in wanted for path in paths})
        if self.scopes is not None:
            return [*sorted(self.scopes), layout.QUEEN, layout.SHARED_RESIDENT]
        if reads & (MARKDOWN | ATTRIBUTES | LINES):
            return ["."]
        folders = layout.FOLDERS if reads & CONFLICTS else layout.TOP_FOLDERS
        private = layout.PRIVATE if reads & PLACES else ()
        return [*folders, *private, *(layout.GUIDES if reads & GUIDES else ())]


def _attributed(selection: Selection, _: int) -> Iterator[str]:
    """All files that change or may have other attributes, and what is encrypted beside them."""
    paths = selection.paths or ()
    yield from paths
    yield from (folder[:-1] or "." for folder in selection.attributed)
    scopes = (layout.scope_of(path) for path in paths if layout.is_resident(path))
    yield from (layout.memory_of(scope) for scope in scopes if scope)


def _topics(selection: Selection, reads: int) -> Iterator[str]:
    """Topics with the memory.md of their scope, or with all of it."""
    topics = [path for path in selection.paths or () if layout.topic_name(path)]
    scopes = {layout.scope_of(path) or "" for path in topics}
    yield from topics
    yield from scopes if reads & (SIBLINGS | BESIDE) else map(layout.memory_of, scopes)


def _starts(selection: Selection, _: int) -> Iterator[str]:
    """The resident files of each start of which a file is judged or goes away."""
    touched = [path for path in selection.changed if layout.is_resident(path)]
    yield from touched
    yield from (layout.memory_of(resident.topics_scope(path)) for path in touched)
    if touched:
        yield from (layout.QUEEN, layout.SHARED_RESIDENT)
    if layout.RULES in touched or layout.SHARED_RESIDENT in touched:
        yield "agents"


def _places(selection: Selection, _: int) -> Iterator[str]:
    others = selection.others
    yield from filter(layout.is_out_of_place, (*(selection.paths or ()), *others))
    yield from filter(layout.may_be_memory, others)


def _guides(selection: Selection, _: int) -> Iterable[str]:
    return () if selection.changed.isdisjoint(layout.GUIDES) else layout.GUIDES


def _lines(selection: Selection, _: int) -> Iterator[str]:
    paths = [path for path in selection.paths or () if path.endswith(".md")]
    yield from paths
    yield from (layout.LIMITS,) if paths else ()


def _those(is_wanted: Callable[[str], bool]) -> Callable[[Selection, int], Iterable[str]]:
    """The files of a commit of which `is_wanted` is true."""
    return lambda selection, _: filter(is_wanted, selection.paths or ())


# What git lists in a commit for each sort of reading.
_OF_CHANGES: tuple[tuple[int, Callable[[Selection, int], Iterable[str]]], ...] = (
    (ATTRIBUTES, _attributed),
    (INDEXES | MEMORIES | ATTRIBUTES, lambda selection, _: selection.scopes or ()),
    (TOPICS, _topics),
    (RESIDENT, _starts),
    (WRITTEN, _those(layout.is_memory)),
    (CONFLICTS, _those(layout.is_memory_file)),
    (LINES, _lines),
    (MARKDOWN, _those(lambda path: path.endswith(".md"))),
    (PLACES, _places),
    (GUIDES, _guides),
)


def select(request: Request, reads: int) -> Selection:
    """What this request judges. Raises GitError, and Unusable for a name that is none."""
    if request.names:
        return _named(request, reads)
    return (None if request.all else _under_way(request)) or Selection()


def _named(request: Request, reads: int) -> Selection:
    scopes = {name for name in request.names if layout.is_scope(name)}
    files = set(request.names) - scopes
    if not files:
        return Selection(scopes=scopes)
    if scopes:
        raise Unusable("name either scopes or files, not both")
    if reads & (INDEXES | RESIDENT):
        raise Unusable(f"{min(files)} is no scope: name shared or agents/<host>/<agent-id>")
    if git.merge_parents(request.environment.merge_heads):
        made = _under_way(request)
        files &= made.changed if made else set()
    return Selection(files, ())


def _under_way(request: Request) -> Selection | None:
    """What the commit or range is judged on; None where no commit is under way."""
    if request.base:
        base = _merge_base(request.base)
        return of_changes(git.changes("--cached", base), before=base)
    if request.environment.range:
        start, end = request.environment.range
        base = git.merge_base(start, end)
        return of_changes(git.changes(f"{start}...{end}"), before=base)
    parents = git.merge_parents(request.environment.merge_heads)
    changes = git.changes("--cached")
    if not (changes or parents or request.environment.in_commit):
        # Beside a nest that is a folder of the repository other files can be staged.
        return of_changes([]) if request.root and git.stages_anything() else None
    on_disk = request.writes and request.environment.by_hand and not request.staged
    more = git.changes(below=layout.TOP_FOLDERS) if on_disk else []
    return _of_merge(changes, parents, more) if parents else of_changes([*changes, *more])


def _merge_base(revision: str) -> str:
    fault = "this clone has no such commit: name another, or fetch"
    try:
        found = git.merge_base(git.commit_id(revision))
        fault = "this clone has no commit that HEAD comes from too: fetch"
    except git.GitError:
        found = ""
    if not found:
        raise Unusable(
            f"--base {revision}: {fault} more of its history (actions/checkout: fetch-depth: 0)"
        )
    return found


def _of_merge(changes: list[git.Change], others: list[str], more: list[git.Change]) -> Selection:
    """What a merge is judged on, from its changes to HEAD and the ids of its other parents.

    These are the paths that differ from every parent, since the rest was judged when it was made,
    and the indexes of the scopes that differ, as a whole, from every parent.
    """
    versions = [changes, *(git.changes("--cached", id_) for id_ in others)]
    paths = set.intersection(*({change.path for change in version} for version in versions))
    own = [change for change in changes if change.path in paths]
    scopes = set.intersection(*(set(_indexed(version)) for version in versions))
    earlier = [change for version in versions for change in version]
    return of_changes([*own, *more], (), scopes, ["HEAD", *others], earlier)


def of_changes(
    changes: Iterable[git.Change],
    scopes: Iterable[str] = (),
    merging: Collection[str] = (),
    parents: Sequence[str] = (),
    earlier: Iterable[git.Change] = (),
    *,
    before: str = "HEAD",
) -> Selection:
    """What these changes to the commit `before` are judged on, and the indexes of these scopes.

    `merging` are scopes that a merge of `parents` brings together, `earlier` its changes to each.
    """
    changes = list(changes)
    added = {change.path for change in changes if change.old is None}
    touched = {*_indexed(changes), *scopes}
    judged = touched.union(merging)
    old_memories: dict[str, set[str]] = {}
    for change in (*changes, *earlier):
        scope = layout.scope_of(change.path)
        if scope in judged and layout.is_memory(change.path) and change.old:
            old_memories.setdefault(scope, set()).add(change.old)
    return Selection(
        {change.path for change in changes if change.new is not None},
        judged,
        others={change.path for change in changes if change.kind},
        removed={
            change.path: change.old
            for change in changes
            if change.new is None and change.old is not None
        },
        added=added,
        old_memories=old_memories,
        before=before,
        merged=judged - touched,
        parents=parents,
    )


def _indexed(changes: Iterable[git.Change]) -> Iterator[str]:
    """The scopes whose index depends on a path that changes."""
    for change in changes:
        if change.old is None and change.new is None:
            continue
        scope = layout.scope_of(change.path)
        if scope and (layout.is_memory(change.path) or layout.topic_name(change.path)):
            yield scope
