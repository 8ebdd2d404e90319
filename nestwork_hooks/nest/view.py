"""Everything that the checkers of one run read, read once and before they start."""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.git.disk import kind_of
from nestwork_hooks.light import Frozen, closing
from nestwork_hooks.nest import attributes, in_files, in_scopes
from nestwork_hooks.nest import listing as listings
from nestwork_hooks.nest.contents import Worktree
from nestwork_hooks.nest.everything import Everything, list_before, list_staged
from nestwork_hooks.nest.looked_through import LookedThrough
from nestwork_hooks.nest.old_indexes import OldIndexes
from nestwork_hooks.nest.reading import Reading
from nestwork_hooks.nest.reads import (
    ATTRIBUTES,
    BESIDE,
    CONFLICTS,
    INDEXES,
    LINES,
    MEMORIES,
    STORED,
    TOPICS,
)
from nestwork_hooks.nest.scope import (
    Memory,
    Scope,
    has_index,
)
from nestwork_hooks.protocol.attributes import FILTER, MARKER_SIZE
from nestwork_hooks.protocol.content import (
    Unread,
)
from nestwork_hooks.protocol.finding import Finding
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.topic import Topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.nest.listing import Listing
    from nestwork_hooks.nest.request import Request
    from nestwork_hooks.nest.selection import Selection
    from nestwork_hooks.nest.staged import Ready
    from nestwork_hooks.nest.texts import LineCount
    from nestwork_hooks.protocol.hunks import Hunk


class View(Frozen):
    """A nest, read. What no checker of this run reads is empty.

    `scopes` are those whose index is judged, sorted; `memories` the memory.md of each scope that is
    touched, by its folder, as far as it could be read. `names` are the paths of the topics, in scopes
    that have opted in, that are judged themselves and not gone; `topics` are these, read; `before`
    what they were before the commit. `indexed` are the scopes that have an index, or should, of
    those that something is judged in. `sizes` are the bytes of the resident files of each start that
    is judged, after CRLF became LF; `residents` those that are judged themselves. `rules` says where
    the rules file is not, None where it need not be said. `old_indexes` are the bytes that indexes
    which are large now had before the commit, by scope, 0 where that is not known. `written` are the memory.md that are judged
    themselves, by path. `conflicts` are the whole conflict hunks in the text of judged memory files,
    outside front matter that is judged and outside indexes. `markdown` is the text of every Markdown
    file that is judged. `attributes` maps each of `protocol.attributes` to its values by path.
    `stored` is how what is staged of each judged file begins that git-crypt is to encrypt; `sealed`
    are the judged scopes whose memory.md is such a file, and whether they have an index.
    `out_of_place` are the judged paths at which the protocol has no file, `others` maps judged paths
    in and above scopes to what is no regular file there. `guides` are the bytes of the instructions
    of the nest's root, where any of them is judged. `beside` are all topics, judged or not, of the
    scopes of judged ones, as far as they could be read; `lines` those of the texts of new topics and
    of the topics beside them. `line_counts` are those of judged Markdown files, `own_limits` is the text
    of the nest's own limits, None where it has none. `unread` are the findings of files that could
    not be read. `staged` are the paths that were read as they are staged.
    `everything` is all that git lists, of which a checker may ask for what it finds a way to.
    """

    request: Request
    selection: Selection
    listing: Listing
    scopes: list[Scope]
    memories: dict[str, Memory]
    names: list[str]
    topics: dict[str, Topic | Unread]
    before: dict[str, Topic | Unread]
    indexed: set[str]
    residents: list[str]
    sizes: dict[str, int | Unread]
    rules: str | None
    old_indexes: dict[str, int]
    written: dict[str, Memory]
    conflicts: dict[str, list[Hunk]]
    markdown: dict[str, str]
    attributes: dict[str, dict[str, str]]
    out_of_place: list[str]
    others: dict[str, str]
    guides: dict[str, bytes]
    stored: dict[str, bytes]
    sealed: dict[str, bool]
    beside: dict[str, Topic]
    lines: dict[str, set[str]]
    line_counts: dict[str, LineCount]
    own_limits: str | None
    unread: list[Finding]
    staged: frozenset[str]
    everything: Everything

    @property
    def depends_on_writing(self) -> bool:
        """Whether a request that does not write is to be answered by another view."""
        entries = self.listing.entries.values()
        return self.request.environment.by_hand or any(entry.unmerged for entry in entries)

    def escaped(self, path: str) -> str:
        """A path of the nest, relative to where the command was started, escaped."""
        return escaped(f"{self.request.root}{path}")

    def quoted(self, path: str) -> str:
        """The same as one word for a shell."""
        from nestwork_hooks.protocol.shell import quoted

        return quoted(f"{self.request.root}{path}")

    def restoring(self, path: str) -> str:
        """The command that brings back a file which a commit deletes; `""` where there is none."""
        if in_scopes.is_file(path):
            from nestwork_hooks.protocol import shell

            return shell.line("git", "add", "--", f"{self.request.root}{path}")
        return in_scopes.restoring(self.request, self.selection, path)

    def is_free(self, path: str) -> bool:
        """Whether nothing is at this path, on disk or listed: a file can be moved there."""
        try:
            return not (path in self.listing.entries or kind_of(path))
        except OSError:
            return False


def read(
    request: Request,
    selection: Selection,
    listing: Listing,
    reads: int,
    ready: Ready | None = None,
) -> View:
    """Read what is judged, what is staged by what is `ready` for it. Raises GitError."""
    disk = Worktree(listing.entries, made_equal=request.environment.by_runner)
    source = _staged(listing.entries, ready=ready) if request.reads_staged else disk
    with closing(source), closing(disk):
        by_runner = request.environment.by_runner and source is disk
        given = attributes.read(listing, source, made_equal=by_runner) if reads & ATTRIBUTES else {}
        if reads & CONFLICTS:
            paths = selection.judged(listing.entries)
            source = LookedThrough(source, paths, given.get(MARKER_SIZE, {}))
        everything = Everything(list_staged, lambda entries: _source(request, entries))
        reading = Reading(request, selection, listing, reads, source, disk, given, everything, [])
        return _view(reading)


def _source(request: Request, entries: dict[str, git.Entry]) -> Source:
    """Where this run reads entries from."""
    if request.reads_staged:
        return _staged(entries)
    return Worktree(entries, made_equal=request.environment.by_runner)


def _staged(entries: dict[str, git.Entry], commit: str = "", ready: Ready | None = None) -> Source:
    """The staged contents, or those of a commit. A run that reads the disk never imports this."""
    from nestwork_hooks.nest.staged import Staged

    return Staged(entries, commit, ready)


def read_before(view: View, reads: int) -> View | None:
    """The same paths and scopes as they were before; None where there is no commit yet."""
    selection = view.selection
    try:
        others: dict[str, str] = {}
        entries = git.committed(selection.before, selection.listing(reads), others)
    except git.GitError:
        return None
    # What attributes were before is not known where the commit changes them.
    files = {} if selection.attributed else view.listing.attribute_files
    listing = listings.Listing(entries, others, attribute_files=files)
    known = {} if selection.attributed else _unchanged(view, entries)
    with closing(_staged(entries, selection.before)) as source:
        given = attributes.read(listing, source, made_equal=False) if reads & ATTRIBUTES else {}
        everything = Everything(
            list_before(view), lambda entries: _staged(entries, selection.before)
        )
        reading = Reading(
            *(view.request, selection, listing, reads, source, source, given, everything, []),
            known=known,
            is_before=True,
        )
        return _view(reading)


def _unchanged(view: View, before: dict[str, git.Entry]) -> dict[str, Topic | Unread]:
    """The topics of a view whose blobs were the same before.

    On disk they may be others, unless a runner has made it equal: in a commit each does, with
    `--all-files` none.
    """
    if not (view.request.staged or view.request.environment.in_commit):
        return {}
    now = view.listing.entries
    return {
        path: topic
        for scope in view.scopes
        for path, topic in scope.topics.items()
        if path in before and before[path].blob == now[path].blob and isinstance(topic, Topic)
    }


def _view(reading: Reading) -> View:
    """First every memory.md, then topics, then what else is asked for; each file once."""
    filters = reading.attributes.get(FILTER, {})
    sealed = in_files.sealed_scopes(reading, filters) if reading.reads & STORED else set()
    touched = in_scopes.selected_scopes(reading) if reading.reads & (INDEXES | MEMORIES) else []
    selected = touched if reading.reads & INDEXES else []
    judged = in_scopes.judged_topics(reading) if reading.reads & TOPICS else {}
    memories = in_scopes.memories_of(
        reading, {*touched, *judged, *sealed, *in_scopes.judged_memories(reading)}
    )
    opted_in = {folder for folder, memory in memories.items() if has_index(memory)}
    names = [path for folder, paths in judged.items() if folder in opted_in for path in paths]
    around = {folder for folder in judged if reading.reads & BESIDE}.intersection(opted_in)
    old_indexes = OldIndexes(reading, selected, memories)
    topics = in_scopes.topics_of(
        reading, [*dict.fromkeys((*selected, *sorted(around)))], opted_in, names
    )
    scopes = in_scopes.scopes_of(reading, selected, memories, topics)
    names = in_scopes.not_gone(reading, names, topics)
    in_scopes.name_unread_topics(reading, judged, memories, names, topics)
    residents, sizes, rules = in_files.residents_of(reading)
    beside = in_scopes.topics_beside(reading, around, topics)
    return View(
        request=reading.request,
        selection=reading.selection,
        listing=reading.listing,
        scopes=scopes,
        memories=in_scopes.touched_memories(reading, touched, memories),
        names=names,
        topics={path: topics[path] for path in names if path in topics},
        before=in_scopes.topics_before(reading, names),
        indexed=in_scopes.indexed_scopes(reading, memories, scopes, residents),
        residents=residents,
        sizes=sizes,
        rules=rules,
        old_indexes=old_indexes.sizes(),
        written=in_scopes.only_judged(reading, memories),
        conflicts=in_files.conflicts_in(reading, names),
        markdown=in_files.markdown_of(reading, topics),
        attributes=reading.attributes,
        stored=in_files.stored_starts(reading, filters) if reading.reads & STORED else {},
        sealed={folder: has_index(memories.get(folder)) for folder in sorted(sealed)},
        out_of_place=in_files.out_of_place(reading),
        others=in_files.odd_ones(reading),
        guides=in_files.guides_of(reading),
        beside=beside,
        lines=in_scopes.lines_of(reading, names, beside) if beside else {},
        line_counts=in_files.line_counts(reading) if reading.reads & LINES else {},
        own_limits=in_files.own_limits(reading) if reading.reads & LINES else None,
        unread=reading.unread,
        staged=frozenset(filter(reading.source.takes_staged, [s.memory_path for s in scopes])),
        everything=reading.everything,
    )
