"""Everything that the checkers of one run read, read once and before they start."""

from __future__ import annotations

from contextlib import closing

from nestwork_hooks import git
from nestwork_hooks.frozen import Frozen
from nestwork_hooks.git.disk import kind_of
from nestwork_hooks.nest import attributes
from nestwork_hooks.nest import listing as listings
from nestwork_hooks.nest.contents import Worktree
from nestwork_hooks.nest.looked_through import LookedThrough
from nestwork_hooks.nest.reads import (
    ATTRIBUTES,
    BEFORE,
    BESIDE,
    BLOCKS,
    BODIES,
    CONFLICTS,
    GUIDES,
    HEADS,
    INDEXES,
    LINES,
    MARKDOWN,
    MEMORIES,
    PLACES,
    READ,
    RESIDENT,
    STORED,
    TOPICS,
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
from nestwork_hooks.nest.selection import select
from nestwork_hooks.protocol import layout, resident, shell
from nestwork_hooks.protocol.attributes import FILTER, MARKER_SIZE, is_git_crypt
from nestwork_hooks.protocol.content import (
    GIT_CRYPT,
    ByteCount,
    Unread,
    locked,
    unreadable,
    whole,
)
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding
from nestwork_hooks.protocol.markers import MOST_BYTES
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.topic import Topic, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.nest.listing import Listing
    from nestwork_hooks.nest.request import Request
    from nestwork_hooks.nest.selection import Selection
    from nestwork_hooks.nest.texts import LineCount
    from nestwork_hooks.protocol.content import Content
    from nestwork_hooks.protocol.hunks import Hunk


class View(Frozen):
    """A nest, read. What no checker of this run reads is empty.

    `scopes` are those whose index is judged, sorted; `memories` the memory.md of each scope that is
    touched, by its folder, as far as it could be read. `names` are the paths of the topics, in scopes
    that have opted in, that are judged themselves and not gone; `topics` are these, read; `before`
    what they were before the commit. `indexed` are the scopes that have an index, or should, of
    those that something is judged in. `sizes` are the bytes of the resident files of each start that
    is judged, after CRLF became LF; `residents` those that are judged themselves. `rules` says where
    the rules file is not, None where it need not be said. `written` are the memory.md that are judged
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

    def escaped(self, path: str) -> str:
        """A path of the nest, relative to where the command was started, escaped."""
        return escaped(f"{self.request.root}{path}")

    def quoted(self, path: str) -> str:
        """The same as one word for a shell."""
        return shell.quoted(f"{self.request.root}{path}")

    def restoring(self, path: str) -> str:
        """The command that brings back a file which a commit deletes; `""` where there is none."""
        if _is_file(path):
            return shell.line("git", "add", "--", f"{self.request.root}{path}")
        return _restoring(self.request, self.selection, path)

    def is_free(self, path: str) -> bool:
        """Whether nothing is at this path, on disk or for git: a file can be moved there."""
        try:
            if path in self.listing.entries or kind_of(path):
                return False
        except OSError:
            return False
        return not (self.selection.of_commit and git.lists_any([path]))


def look(request: Request, reads: int) -> View:
    """Select, list and read what is judged. Raises GitError, and Unusable where nothing is there."""
    selection = select(request, reads)
    listing = listings.staged(selection.listing(reads), attributes=bool(reads & ATTRIBUTES))
    listings.refuse_emptiness(request, selection, listing)
    return read(request, selection, listing, reads)


def read(request: Request, selection: Selection, listing: Listing, reads: int) -> View:
    """Read what is judged. Raises GitError."""
    disk = Worktree(listing.entries, made_equal=request.environment.by_runner)
    source = _staged(listing) if request.reads_staged else disk
    with closing(source), closing(disk):
        by_runner = request.environment.by_runner and source is disk
        given = attributes.read(listing, source, made_equal=by_runner) if reads & ATTRIBUTES else {}
        if reads & CONFLICTS:
            paths = filter(selection.judges, listing.entries)
            source = LookedThrough(source, paths, given.get(MARKER_SIZE, {}))
        return _Reading(request, selection, listing, reads, source, disk, given, []).view()


def _staged(listing: Listing, commit: str = "") -> Source:
    """The staged contents, or those of a commit. A run that reads the disk never imports this."""
    from nestwork_hooks.nest.staged import Staged

    return Staged(listing.entries, commit)


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
    with closing(_staged(listing, selection.before)) as source:
        given = attributes.read(listing, source, made_equal=False) if reads & ATTRIBUTES else {}
        reading = _Reading(view.request, selection, listing, reads, source, source, given, [])
        return reading.view()


class _Reading(Frozen):
    """Reads each file once: first every memory.md, then topics, then what else is asked for.

    `unread` takes in the findings of files that could not be read.
    """

    request: Request
    selection: Selection
    listing: Listing
    reads: int
    source: Source
    disk: Source
    attributes: dict[str, dict[str, str]]
    unread: list[Finding]

    def view(self) -> View:
        filters = self.attributes.get(FILTER, {})
        sealed = self._sealed(filters) if self.reads & STORED else set()
        touched = self._selected_scopes() if self.reads & (INDEXES | MEMORIES) else []
        selected = touched if self.reads & INDEXES else []
        judged = self._judged_topics() if self.reads & TOPICS else {}
        memories = self._memories({*touched, *judged, *sealed, *self._judged_memories()})
        opted_in = {folder for folder, memory in memories.items() if has_index(memory)}
        names = [path for folder, paths in judged.items() if folder in opted_in for path in paths]
        around = {folder for folder in judged if self.reads & BESIDE}.intersection(opted_in)
        topics = self._topics([*dict.fromkeys((*selected, *sorted(around)))], opted_in, names)
        scopes = self._scopes(selected, memories, topics)
        names = self._not_gone(names, topics)
        self._name_unread_topics(judged, memories, names, topics)
        residents, sizes, rules = self._residents()
        beside = self._beside(around, topics)
        return View(
            request=self.request,
            selection=self.selection,
            listing=self.listing,
            scopes=scopes,
            memories=self._touched_memories(touched, memories),
            names=names,
            topics={path: topics[path] for path in names if path in topics},
            before=self._before(names),
            indexed=self._indexed(memories, scopes, residents),
            residents=residents,
            sizes=sizes,
            rules=rules,
            written=self._only_judged(memories),
            conflicts=self._conflicts(names),
            markdown=self._markdown(topics),
            attributes=self.attributes,
            stored=self._stored(filters) if self.reads & STORED else {},
            sealed={folder: has_index(memories.get(folder)) for folder in sorted(sealed)},
            out_of_place=self._there(layout.is_out_of_place),
            others={path: self.listing.others[path] for path in self._there(self._is_odd)},
            guides=self._guides(),
            beside=beside,
            lines=self._lines(names, beside) if beside else {},
            line_counts=self._line_counts() if self.reads & LINES else {},
            own_limits=self._own_limits() if self.reads & LINES else None,
            unread=self.unread,
            staged=frozenset(filter(self.source.takes_staged, [s.memory_path for s in scopes])),
        )

    # Scopes and topics

    def _selected_scopes(self) -> list[str]:
        if self.selection.scopes is not None:
            return sorted(self.selection.scopes)
        return sorted(self.listing.scopes())

    def _judged_topics(self) -> dict[str, list[str]]:
        """The topics that are judged themselves, by scope; whether they have an index or not."""
        judged = self.selection.judges
        by_scope = (
            (folder, [path for path in paths if judged(path)])
            for folder, paths in self.listing.topics.items()
        )
        return {folder: paths for folder, paths in by_scope if paths}

    def _judged_memories(self) -> list[str]:
        """The scopes whose memory.md is judged itself."""
        if not self.reads & WRITTEN:
            return []
        judged = filter(self.selection.judges, filter(layout.is_memory, self.listing.entries))
        return [layout.scope_of(path) or "" for path in judged]

    def _only_judged(self, memories: dict[str, Memory | Unread]) -> dict[str, Memory]:
        found: dict[str, Memory] = {}
        for folder in self._judged_memories():
            memory, path = memories.get(folder), layout.memory_of(folder)
            if isinstance(memory, Memory):
                found[path] = memory
            elif memory:
                self._add_unread(path, memory)
        return found

    def _memories(self, folders: set[str]) -> dict[str, Memory | Unread]:
        """The memory.md of these scopes; a fixer takes one in conflict from disk."""
        conflicted = set(filter(self._is_in_conflict, folders))
        return {
            **read_memories(self.source, self.listing, folders - conflicted),
            **read_memories(self.disk, self.listing, conflicted),
        }

    def _touched_memories(
        self, touched: list[str], memories: dict[str, Memory | Unread]
    ) -> dict[str, Memory]:
        """Those of the scopes of which a file changes, not those that a merge only brings together."""
        found = {}
        for folder in touched if self.reads & MEMORIES else ():
            memory = memories.get(folder)
            if folder in self.selection.merged:
                continue
            if isinstance(memory, Unread):
                self._add_unread(layout.memory_of(folder), memory)
            elif memory:
                found[folder] = memory
        return found

    def _is_in_conflict(self, folder: str) -> bool:
        entry = self.listing.entries.get(layout.memory_of(folder))
        return self.request.writes and entry is not None and entry.unmerged

    def _memory(self, folder: str) -> Memory | Unread | None:
        """The memory.md of one scope, however many others there are."""
        source = self.disk if self._is_in_conflict(folder) else self.source
        return read_memories(source, self.listing, [folder]).get(folder)

    def _topics(
        self, scopes: list[str], opted_in: set[str], names: list[str]
    ) -> dict[str, Topic | Unread]:
        """The topics of these scopes that have opted in, and those of `names` as far as a checker reads them."""
        folders = filter(opted_in.__contains__, scopes)
        wanted = [path for folder in folders for path in self.listing.topics.get(folder, ())]
        if not self.reads & READ:
            return read_topics(self.source, self.listing, wanted)
        whole, blocks = bool(self.reads & BODIES), bool(self.reads & BLOCKS)
        judged = set(names)
        others = [path for path in wanted if path not in judged]
        return {
            **read_topics(self.source, self.listing, others),
            **read_topics(self.source, self.listing, names, whole=whole, blocks=blocks),
        }

    def _scopes(
        self,
        selected: list[str],
        memories: dict[str, Memory | Unread],
        topics: dict[str, Topic | Unread],
    ) -> list[Scope]:
        found = []
        for folder in selected:
            memory, paths = memories.get(folder), self.listing.topics.get(folder, [])
            if isinstance(memory, Memory) and memory.index is None:
                memory = self._memory(folder)
            own = {path: topics[path] for path in paths if path in topics}
            orphaned = self._is_orphaned(folder, memory, paths)
            scope = Scope(
                folder,
                memory,
                paths,
                own if has_index(memory) else {},
                orphaned=orphaned,
                is_meant=self._is_meant(memory, paths),
            )
            if folder in self.selection.merged and self._is_old_fault(scope):
                continue
            self._name_unread_in(scope)
            if scope.gone:
                self._explain_gone(scope)
            found.append(scope)
        return found

    def _is_orphaned(self, folder: str, memory: Memory | Unread | None, paths: list[str]) -> bool:
        """Whether the scope has topics, and the commit takes away the markers of their index."""
        if isinstance(memory, Unread) or (memory and memory.block) or not paths:
            return False
        ids = sorted(self.selection.old_memories.get(folder, ()))
        if not ids:
            return False
        from nestwork_hooks.git.blobs import Blobs

        with closing(Blobs()) as blobs:
            before = list(map(read_memory, blobs.read(ids)))
        return any(isinstance(memory, Memory) and memory.block for memory in before)

    def _is_meant(self, memory: Memory | Unread | None, paths: list[str]) -> bool:
        """Whether markers in one line were to be those of an index: a topic has a description."""
        if not (isinstance(memory, Memory) and memory.in_one_line):
            return False
        topics = read_topics(self.source, self.listing, paths).values()
        return any(isinstance(topic, Topic) and topic.description for topic in topics)

    def _is_old_fault(self, scope: Scope) -> bool:
        """Whether something is wrong with the index that was wrong in a parent of this merge too."""
        parents = self.selection.parents
        return scope.has_fault and not all(_was_in_order(parent, scope) for parent in parents)

    def _not_gone(self, names: list[str], topics: dict[str, Topic | Unread]) -> list[str]:
        if self.reads & (INDEXES | READ):
            return [path for path in names if path in topics]
        return list(filter(self.source.exists, names))

    def _before(self, names: list[str]) -> dict[str, Topic | Unread]:
        """What these topics were before the commit, those that are new left out."""
        before = self.selection.before
        if not (self.reads & BEFORE and self.selection.of_commit and names):
            return {}
        try:
            entries = git.committed(before, names)
        except git.GitError:
            return {}
        listing = listings.Listing({path: entries[path] for path in names if path in entries})
        with closing(_staged(listing, before)) as source:
            return read_topics(source, listing, list(listing.names), whole=True)

    def _indexed(
        self, memories: dict[str, Memory | Unread], scopes: list[Scope], residents: list[str]
    ) -> set[str]:
        """The scopes that have an index, or should; where residents are judged, theirs too."""
        own = {resident.topics_scope(path) for path in residents} - memories.keys()
        known = {**memories, **read_memories(self.source, self.listing, own)}
        found = {folder for folder, memory in known.items() if _is_indexed(memory)}
        return found | {scope.folder for scope in scopes if scope.orphaned}

    def _explain_gone(self, scope: Scope) -> None:
        """Say of each topic that is listed, and is none, what there is instead."""
        for name in set(scope.gone) - scope.absent.keys():
            path = scope.path_of(name)
            kind = self.listing.in_place_of(path)
            if path in self.listing.intent_to_add:
                scope.absent[name] = "only announced to git (git add -N): git add it first"
            elif kind:
                back = _restoring(self.request, self.selection, path)
                more = f" ({back} brings its text back)" if back else ""
                scope.absent[name] = f"{kind} now, and so no topic{more}"
            elif _is_file(path):
                scope.absent[name] = "on disk and unknown to git: git add it first"

    def _beside(self, scopes: set[str], topics: dict[str, Topic | Unread]) -> dict[str, Topic]:
        paths = (path for folder in sorted(scopes) for path in self.listing.topics[folder])
        read = ((path, topics.get(path)) for path in paths)
        return {path: topic for path, topic in read if isinstance(topic, Topic)}

    def _lines(self, names: list[str], beside: dict[str, Topic]) -> dict[str, set[str]]:
        from nestwork_hooks.nest.texts import read_lines

        def others(found: list[str]) -> list[str]:
            scopes = set(map(layout.scope_of, found))
            return [path for path in beside if layout.scope_of(path) in scopes and path not in new]

        new = {path for path in names if path in beside and self.selection.is_new(path)}
        return read_lines(self.source, sorted(new), others)

    # Resident files and other Markdown

    def _residents(self) -> tuple[list[str], dict[str, int | Unread], str | None]:
        """The resident files that are judged, the sizes of all in their starts, and what rules lack."""
        if not self.reads & RESIDENT:
            return [], {}, None
        selection, listing = self.selection, self.listing
        files = list(filter(layout.is_resident, listing.entries))
        judged = list(filter(selection.judges, files))
        sizes = {path: _size(content) for path, content in self.source.read(files * bool(judged))}
        for path in judged:
            size = sizes.get(path)
            if isinstance(size, Unread):
                self._add_unread(path, size)
        whole = selection.paths is None and selection.scopes is None
        lost = (*selection.removed, *selection.others)
        asked = judged or whole or any(map(layout.is_resident, lost))
        return judged, sizes, self._what_rules_lack() if asked else None

    def _what_rules_lack(self) -> str | None:
        if layout.RULES in self.listing.entries:
            return None if self.source.exists(layout.RULES) else "gone from disk"
        return self.listing.in_place_of(layout.RULES) or "missing"

    def _conflicts(self, names: list[str]) -> dict[str, list[Hunk]]:
        """The conflicts in judged memory files; names what could not be looked through."""
        if not isinstance(self.source, LookedThrough):
            return {}
        for path, unread in self.source.look_through_others():
            self._add_unread(path, unread)
        return self.source.conflicts(set(names))

    def _markdown(self, topics: dict[str, Topic | Unread]) -> dict[str, str]:
        if not self.reads & MARKDOWN:
            return {}
        paths = [path for path in self.listing.entries if path.endswith(".md")]
        judged = list(filter(self.selection.judges, paths))
        texts: dict[str, str | Unread] = {}
        for path in judged:
            topic = topics.get(path)
            if isinstance(topic, Topic) and topic.text is not None:
                texts[path] = topic.text
        others = [path for path in judged if path not in texts]
        for path, content in self.source.read(others):
            texts[path] = content if isinstance(content, Unread) else read_text(content)
        for path, text in texts.items():
            if isinstance(text, Unread):
                self._add_unread(path, text)
        return {path: text for path, text in texts.items() if not isinstance(text, Unread)}

    def _line_counts(self) -> dict[str, LineCount]:
        from nestwork_hooks.nest.texts import count_lines

        paths = [path for path in self.listing.entries if path.endswith(".md")]
        found = {}
        for path, content in self.source.read(list(filter(self.selection.judges, paths))):
            count = count_lines(path, content)
            if isinstance(count, Unread):
                self._add_unread(path, count)
            else:
                found[path] = count
        return found

    def _own_limits(self) -> str | None:
        """The text of queen/limits.md, whatever its encoding: its table may be read all the same."""
        listed = [layout.LIMITS] if layout.LIMITS in self.listing.entries else []
        for _, content in self.source.read(listed):
            data = _whole(content)
            return None if isinstance(data, Unread) else data.decode(errors="replace")
        return None

    def _covered(self) -> list[str]:
        """The listed files that are judged, or may have other attributes by the commit."""
        judges, folders = self.selection.judges, tuple(self.selection.attributed)
        return [path for path in self.listing.entries if judges(path) or path.startswith(folders)]

    def _sealed(self, filters: dict[str, str]) -> set[str]:
        """The scopes whose memory.md git-crypt is to encrypt, of those with a file in question."""
        folders = set(map(layout.scope_of, [*self._covered(), *(self.selection.paths or ())]))
        return {
            folder
            for folder in folders
            if folder and is_git_crypt(filters.get(layout.memory_of(folder), ""))
        }

    def _stored(self, filters: dict[str, str]) -> dict[str, bytes]:
        """How what is staged of each file in question begins that git-crypt is to encrypt."""
        entries = self.listing.entries
        encrypted = (path for path in self._covered() if is_git_crypt(filters.get(path, "")))
        blobs = {path: entries[path].blob for path in encrypted if not entries[path].unmerged}
        found = {}
        for path, chunks in zip(blobs, self.source.blobs.read(list(blobs.values())), strict=True):
            first = next(chunks, None)
            if first is None:
                self._add_unread(path, unreadable("its blob is not in this clone"))
            else:
                found[path] = first[: len(GIT_CRYPT)]
        return found

    # What is not where, or not what, it should be

    def _there(self, is_wanted: Callable[[str], bool]) -> list[str]:
        """The judged paths of this sort, regular files or not, that are not gone."""
        if not self.reads & PLACES:
            return []
        listed = (*self.listing.entries, *self.listing.others)
        judged = (path for path in listed if is_wanted(path) and self.selection.judges(path))
        return list(filter(self.source.exists, judged))

    def _is_odd(self, path: str) -> bool:
        return path in self.listing.others and layout.may_be_memory(path)

    def _guides(self) -> dict[str, bytes]:
        listed = [path for path in layout.GUIDES if path in self.listing.entries]
        if not (self.reads & GUIDES and any(map(self.selection.judges, listed))):
            return {}
        found = {path: _whole(content) for path, content in self.source.read(listed)}
        for path, data in found.items():
            if isinstance(data, Unread):
                self._add_unread(path, data)
        return {path: data for path, data in found.items() if not isinstance(data, Unread)}

    # What could not be read

    def _name_unread_in(self, scope: Scope) -> None:
        if isinstance(scope.memory, Unread):
            self._add_unread(scope.memory_path, scope.memory)
        for path, topic in scope.topics.items():
            if isinstance(topic, Unread):
                self._add_unread(path, topic)

    def _name_unread_topics(
        self,
        judged: dict[str, list[str]],
        memories: dict[str, Memory | Unread],
        names: list[str],
        topics: dict[str, Topic | Unread],
    ) -> None:
        """Name the judged topics that were not read, and what keeps others from being judged."""
        for folder in judged:
            memory = memories.get(folder)
            if isinstance(memory, Unread):
                self._add_unread(layout.memory_of(folder), memory)
        for path in names:
            topic = topics.get(path)
            # The size of a file that is not UTF-8 is known.
            if isinstance(topic, Unread) and (self.reads & (HEADS | BODIES) or topic.size is None):
                self._add_unread(path, topic)

    def _add_unread(self, path: str, unread: Unread) -> None:
        """Add the finding for a file that could not be read.

        Encrypted files fail a run over everything, and are only named in a commit. A file that
        the commit does not change is not its fault.
        """
        if unread.fault.rule == "locked":
            lenient = self.request.allow_locked or self.selection.of_commit
        else:
            lenient = not self.selection.judges(path)
        self.unread.append(unread.fault.at(path, WARNING if lenient else ERROR))


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


def _whole(content: Content) -> bytes | Unread:
    """All bytes of a file; Unread if they are encrypted, or too many."""
    if isinstance(content, Unread):
        return content
    data = whole(content, MOST_BYTES)
    if data is None:
        return unreadable(f"over {MOST_BYTES:,} bytes, too much to be looked through")
    return locked() if data.startswith(GIT_CRYPT) else data


def _is_file(path: str) -> bool:
    try:
        return kind_of(path) == "file"
    except OSError:
        return False


def _restoring(request: Request, selection: Selection, path: str) -> str:
    """The command that takes a file from the commit before, if that has it."""
    try:
        if path not in git.committed(selection.before, [path]):
            return ""
    except git.GitError:
        return ""
    return shell.line("git", "checkout", selection.before, "--", f"{request.root}{path}")


def _is_indexed(memory: Memory | Unread) -> bool:
    if isinstance(memory, Unread):
        return memory.fault.rule != "locked"
    return memory.block is not None


def _size(content: Content) -> int | Unread:
    if isinstance(content, Unread):
        return content
    count = ByteCount()
    for chunk in content:
        if count.total == 0 and chunk.startswith(GIT_CRYPT):
            return locked()
        count.add(chunk)
    return count.total
