"""Read scopes: each memory.md, its topics, and what an index lists that is none."""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.git.disk import kind_of
from nestwork_hooks.light import closing
from nestwork_hooks.nest import listing as listings
from nestwork_hooks.nest.reading import Reading
from nestwork_hooks.nest.reads import (
    BEFORE,
    BLOCKS,
    BODIES,
    HEADS,
    INDEXES,
    MEMORIES,
    READ,
    WRITTEN,
)
from nestwork_hooks.nest.scope import (
    Memory,
    Scope,
    has_index,
    read_memories,
    read_memory,
    read_topics,
    scope_in,
)
from nestwork_hooks.protocol import layout, resident
from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.topic import Topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.nest.request import Request
    from nestwork_hooks.nest.selection import Selection


def selected_scopes(reading: Reading) -> list[str]:
    """The scopes that the selection names, or all, sorted."""
    if reading.selection.scopes is not None:
        return sorted(reading.selection.scopes)
    return sorted(reading.listing.scopes())


def judged_topics(reading: Reading) -> dict[str, list[str]]:
    """The topics that are judged themselves, by scope; whether they have an index or not."""
    listing = reading.listing
    found: dict[str, list[str]] = {}
    for path in reading.selection.judged(listing.names):
        found.setdefault(path[: -len(listing.names[path]) - 1], []).append(path)
    return found


def judged_memories(reading: Reading) -> list[str]:
    """The scopes whose memory.md is judged itself."""
    if not reading.reads & WRITTEN:
        return []
    judged = filter(layout.is_memory, reading.selection.judged(reading.listing.besides))
    return [layout.scope_of(path) or "" for path in judged]


def only_judged(reading: Reading, memories: dict[str, Memory | Unread]) -> dict[str, Memory]:
    """The memory.md that are judged themselves, by path."""
    found: dict[str, Memory] = {}
    for folder in judged_memories(reading):
        memory, path = memories.get(folder), layout.memory_of(folder)
        if isinstance(memory, Memory):
            found[path] = memory
        elif memory:
            reading.add_unread(path, memory)
    return found


def memories_of(reading: Reading, folders: set[str]) -> dict[str, Memory | Unread]:
    """The memory.md of these scopes; a fixer takes one in conflict from disk."""
    conflicted = {folder for folder in folders if _is_in_conflict(reading, folder)}
    by_hand = set(judged_memories(reading))
    return {
        **read_memories(reading.source, reading.listing, folders - conflicted, by_hand),
        **read_memories(reading.disk, reading.listing, conflicted, by_hand),
    }


def touched_memories(
    reading: Reading, touched: list[str], memories: dict[str, Memory | Unread]
) -> dict[str, Memory]:
    """Those of the scopes of which a file changes, not those that a merge only brings together."""
    found = {}
    for folder in touched if reading.reads & MEMORIES else ():
        memory = memories.get(folder)
        if folder in reading.selection.merged:
            continue
        if isinstance(memory, Unread):
            reading.add_unread(layout.memory_of(folder), memory)
        elif memory:
            found[folder] = memory
    return found


def _is_in_conflict(reading: Reading, folder: str) -> bool:
    entry = reading.listing.entries.get(layout.memory_of(folder))
    return reading.request.writes and entry is not None and entry.unmerged


def _memory(reading: Reading, folder: str) -> Memory | Unread | None:
    """The memory.md of one scope, however many others there are."""
    source = reading.disk if _is_in_conflict(reading, folder) else reading.source
    return read_memories(source, reading.listing, [folder]).get(folder)


def topics_of(
    reading: Reading, scopes: list[str], opted_in: set[str], names: list[str]
) -> dict[str, Topic | Unread]:
    """The topics of these scopes that have opted in, and those of `names` as far as a checker reads them."""
    folders = filter(opted_in.__contains__, scopes)
    wanted = [path for folder in folders for path in reading.listing.topics.get(folder, ())]
    judged = dict.fromkeys(names if reading.reads & READ else ())
    known = {path: topic for path, topic in reading.known.items() if path not in judged}
    others = [path for path in wanted if not (path in judged or path in known)]
    whole, blocks = bool(reading.reads & BODIES), bool(reading.reads & BLOCKS)
    return {
        **known,
        **read_topics(reading.source, reading.listing, others),
        **read_topics(reading.source, reading.listing, [*judged], whole=whole, blocks=blocks),
    }


def scopes_of(
    reading: Reading,
    selected: list[str],
    memories: dict[str, Memory | Unread],
    topics: dict[str, Topic | Unread],
) -> list[Scope]:
    """The selected scopes, each with its index and its topics."""
    found = []
    for folder in selected:
        memory, paths = memories.get(folder), reading.listing.topics.get(folder, [])
        if isinstance(memory, Memory) and memory.index is None:
            memory = _memory(reading, folder)
        own = {path: topics[path] for path in paths if path in topics}
        orphaned = _is_orphaned(reading, folder, memory, paths)
        scope = Scope(
            folder,
            memory,
            paths,
            own if has_index(memory) else {},
            orphaned=orphaned,
            is_meant=_is_meant(reading, memory, paths),
        )
        if folder in reading.selection.merged and _is_old_fault(reading, scope):
            continue
        _name_unread_in(reading, scope)
        if scope.gone:
            _explain_gone(reading, scope)
        found.append(scope)
    return found


def _is_orphaned(
    reading: Reading, folder: str, memory: Memory | Unread | None, paths: list[str]
) -> bool:
    """Whether the scope has topics, and the commit takes away the markers of their index."""
    if isinstance(memory, Unread) or (memory and memory.block) or not paths:
        return False
    ids = sorted(reading.selection.old_memories.get(folder, ()))
    if not ids:
        return False
    from nestwork_hooks.git.blobs import Blobs

    with closing(Blobs()) as blobs:
        before = list(map(read_memory, blobs.read(ids)))
    return any(isinstance(memory, Memory) and memory.block for memory in before)


def _is_meant(reading: Reading, memory: Memory | Unread | None, paths: list[str]) -> bool:
    """Whether markers in one line were to be those of an index: a topic has a description."""
    if not (isinstance(memory, Memory) and memory.in_one_line):
        return False
    topics = read_topics(reading.source, reading.listing, paths).values()
    return any(isinstance(topic, Topic) and topic.description for topic in topics)


def _is_old_fault(reading: Reading, scope: Scope) -> bool:
    """Whether something is wrong with the index that was wrong in a parent of this merge too."""
    parents = reading.selection.parents
    return scope.has_fault and not all(_was_in_order(parent, scope) for parent in parents)


def not_gone(reading: Reading, names: list[str], topics: dict[str, Topic | Unread]) -> list[str]:
    """Those of the topics that are still there."""
    if reading.reads & (INDEXES | READ):
        return [path for path in names if path in topics]
    return list(filter(reading.source.exists, names))


def topics_before(reading: Reading, names: list[str]) -> dict[str, Topic | Unread]:
    """What these topics were before the commit, those that are new left out."""
    before = reading.selection.before
    if not (reading.reads & BEFORE and reading.selection.of_commit and names):
        return {}
    try:
        entries = git.committed(before, names)
    except git.GitError:
        return {}
    from nestwork_hooks.nest.staged import Staged

    listing = listings.Listing({path: entries[path] for path in names if path in entries})
    with closing(Staged(listing.entries, before)) as source:
        return read_topics(source, listing, list(listing.names), whole=True)


def indexed_scopes(
    reading: Reading,
    memories: dict[str, Memory | Unread],
    scopes: list[Scope],
    residents: list[str],
) -> set[str]:
    """The scopes that have an index, or should; where residents are judged, theirs too."""
    own = {resident.topics_scope(path) for path in residents} - memories.keys()
    known = {**memories, **read_memories(reading.source, reading.listing, own)}
    found = {folder for folder, memory in known.items() if _is_indexed(memory)}
    return found | {scope.folder for scope in scopes if scope.orphaned}


def _explain_gone(reading: Reading, scope: Scope) -> None:
    """Say of each topic that is listed, and is none, what there is instead."""
    for name in set(scope.gone) - scope.absent.keys():
        path = scope.path_of(name)
        kind = reading.listing.in_place_of(path)
        if path in reading.listing.intent_to_add:
            scope.absent[name] = "only announced to git (git add -N): git add it first"
        elif kind:
            back = restoring(reading.request, reading.selection, path)
            more = f" ({back} brings its text back)" if back else ""
            scope.absent[name] = f"{kind} now, and so no topic{more}"
        elif is_file(path):
            scope.absent[name] = "on disk and unknown to git: git add it first"


def topics_beside(
    reading: Reading, scopes: set[str], topics: dict[str, Topic | Unread]
) -> dict[str, Topic]:
    """All topics of these scopes, as far as they could be read."""
    paths = (path for folder in sorted(scopes) for path in reading.listing.topics[folder])
    read = ((path, topics.get(path)) for path in paths)
    return {path: topic for path, topic in read if isinstance(topic, Topic)}


def lines_of(reading: Reading, names: list[str], beside: dict[str, Topic]) -> dict[str, set[str]]:
    """The lines of new topics, and of those that they may repeat."""
    from nestwork_hooks.nest.texts import read_lines

    def others(found: list[str]) -> list[str]:
        scopes = set(map(layout.scope_of, found))
        return [path for path in beside if layout.scope_of(path) in scopes and path not in new]

    new = {path for path in names if path in beside and reading.selection.is_new(path)}
    return read_lines(reading.source, sorted(new), others)


def _name_unread_in(reading: Reading, scope: Scope) -> None:
    if isinstance(scope.memory, Unread):
        reading.add_unread(scope.memory_path, scope.memory)
    for path, topic in scope.topics.items():
        if isinstance(topic, Unread):
            reading.add_unread(path, topic)


def name_unread_topics(
    reading: Reading,
    judged: dict[str, list[str]],
    memories: dict[str, Memory | Unread],
    names: list[str],
    topics: dict[str, Topic | Unread],
) -> None:
    """Name the judged topics that were not read, and what keeps others from being judged."""
    for folder in judged:
        memory = memories.get(folder)
        if isinstance(memory, Unread):
            reading.add_unread(layout.memory_of(folder), memory)
    for path in names:
        topic = topics.get(path)
        # The size of a file that is not UTF-8 is known.
        if isinstance(topic, Unread) and (reading.reads & (HEADS | BODIES) or topic.size is None):
            reading.add_unread(path, topic)


def _was_in_order(commit: str, scope: Scope) -> bool:
    """Whether nothing was wrong with the scope's index in this commit.

    Nothing was in a scope without an index. But where there is none now either, its topics may
    have been left without one already.
    """
    try:
        before = scope_in(commit, scope.folder)
    except git.GitError:
        return False
    memory = before.memory
    if not memory or (isinstance(memory, Memory) and not memory.block):
        return scope.opted_in or not before.paths
    return before.is_true


def _is_indexed(memory: Memory | Unread) -> bool:
    if isinstance(memory, Unread):
        return memory.fault.rule != "locked"
    return memory.block is not None


def is_file(path: str) -> bool:
    """Whether a regular file lies on disk at this path."""
    try:
        return kind_of(path) == "file"
    except OSError:
        return False


def restoring(request: Request, selection: Selection, path: str) -> str:
    """The command that takes a file from the commit before, if that has it."""
    try:
        if path not in git.committed(selection.before, [path]):
            return ""
    except git.GitError:
        return ""
    from nestwork_hooks.protocol import shell

    return shell.line("git", "checkout", selection.before, "--", f"{request.root}{path}")
