"""The nest as one run sees it: the listed paths, what they hold, and what is to be judged."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.git.blobs import Blobs
from nestwork_hooks.nest import selection
from nestwork_hooks.nest.contents import Staged, Worktree
from nestwork_hooks.protocol import layout, markers
from nestwork_hooks.protocol.content import (
    GIT_CRYPT,
    ByteCount,
    Unread,
    locked,
    too_large,
    unreadable,
    whole,
)
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding
from nestwork_hooks.protocol.index import current, render
from nestwork_hooks.protocol.topic import Topic, read_topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from typing_extensions import Self

    from nestwork_hooks.nest.contents import Content


# Characters of all indexes together that are kept; the rest are read again when they are judged.
_MOST_KEPT = 16 << 20


class Memory:
    """A scope's memory.md: where its index is, if it has one, and the index that stands there.

    `index` is None where it is there and not kept, because so many others are.
    """

    __slots__ = ("block", "index")

    def __init__(self, data: bytes) -> None:
        self.block = markers.find_block(data)
        self.index: str | None = ""
        if isinstance(self.block, markers.Block):
            self.index = current(data, self.block)

    @property
    def opted_in(self) -> bool:
        """Whether this is a scope with topics and one index."""
        return isinstance(self.block, markers.Block)


class Nest:
    """Reads each file once, and only those that a question needs.

    Raises GitError, and Unusable where there is nothing to look at.
    """

    def __init__(self, request: selection.Request) -> None:
        self._request = request
        self.selection = selection.select(request)
        listing = self.selection.listing(request)
        self._others: dict[str, str] = {}
        self.entries = git.listed(listing, self._others) if listing else {}
        self.announced = git.announced(self.entries)
        for path in self.announced:
            del self.entries[path]
        self._disk = Worktree(self.entries, made_equal=request.by_runner)
        self._source = Staged(self.entries) if request.staged else self._disk
        self._blobs = Blobs()
        self.staged = request.staged
        self.by_hand = request.by_hand
        self._refuse_emptiness()
        self._names = {path: name for path in self.entries if (name := layout.topic_name(path))}
        self._topic_paths = self._topics_by_scope()
        self._judged_scopes: list[str] | None = None
        self._memories: dict[str, Memory | Unread] | None = None
        self._topics: dict[str, Topic | Unread] | None = None
        self._sizes: dict[str, int | Unread] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._source.close()
        self._disk.close()
        self._blobs.close()

    def _refuse_emptiness(self) -> None:
        """Raise Unusable where there is nothing that could be judged."""
        if not self._request.part:
            self._refuse_other_places()
        if self.selection.paths is not None:
            self._refuse_typing_errors()
            return
        listed = set(map(layout.scope_of, self.entries)) if self.selection.scopes else set()
        for scope in sorted(self.selection.scopes or ()):
            known = scope in listed or (self._request.untracked and git.untracked([scope]))
            if not known:
                raise selection.Unusable(f"git lists no file in {scope}: name a scope of this nest")
        if not (self.entries or self.selection.scopes):
            raise self._no_nest()

    def _refuse_other_places(self) -> None:
        """Raise Unusable where neither git nor the disk has any of a nest's folders."""
        folders = layout.TOP_FOLDERS
        if not (self.entries or any(map(os.path.lexists, folders)) or git.lists_any(folders)):
            raise self._no_nest()

    def _no_nest(self) -> selection.Unusable:
        folders = "/, ".join(layout.TOP_FOLDERS)
        remedy = "start in the nest's root, and git add new files first"
        if not self.by_hand:
            remedy = "start this hook in a nest's root, or take it out of this repository"
        return selection.Unusable(f"no nest here: git lists no file below {folders}/; {remedy}")

    def _refuse_typing_errors(self) -> None:
        """A runner passes files that are there; a person may name one that is not."""
        for name in self._request.names if self.by_hand else ():
            if name not in self.entries and not os.path.lexists(git.to_bytes(name)):
                raise selection.Unusable(f"no such file: {name}")

    def _topics_by_scope(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path, name in self._names.items():
            found.setdefault(path[: -len(name) - 1], []).append(path)
        return found

    # What is judged

    def scopes(self) -> list[str]:
        """The scopes whose index is judged, sorted."""
        if self._judged_scopes is None:
            selected, merged = self._selected_scopes(), self.selection.merged
            self._judged_scopes = [
                scope for scope in selected if scope not in merged or not self._has_old_fault(scope)
            ]
        return self._judged_scopes

    def _has_old_fault(self, scope: str) -> bool:
        """Whether something is wrong with the index that was wrong in a parent of this merge too."""
        if not self._has_fault(scope):
            return False
        opted_in = self.has_opted_in(scope)
        return not all(
            _was_in_order(parent, scope, opted_in=opted_in) for parent in self.selection.parents
        )

    def _has_fault(self, scope: str) -> bool:
        if self.has_opted_in(scope):
            return not self.has_true_index(scope)
        memory = self.memory(scope)
        return bool(memory and (isinstance(memory, Unread) or memory.block)) or self.is_orphaned(
            scope
        )

    def is_orphaned(self, scope: str) -> bool:
        """Whether the scope has topics, and the commit takes away the markers of their index."""
        memory = self.memory(scope)
        if isinstance(memory, Unread) or (memory and memory.block) or not self.topic_paths(scope):
            return False
        blobs = sorted(self.selection.replaced.get(scope, ()))
        before = [_memory(pieces) for pieces in self._blobs.read(blobs)]
        return any(isinstance(memory, Memory) and memory.block for memory in before)

    def _selected_scopes(self) -> list[str]:
        if self.selection.scopes is not None:
            return sorted(self.selection.scopes)
        return sorted(filter(None, {layout.scope_of(path) for path in self.entries}))

    def judged_topics(self) -> list[str]:
        """The paths of the topics, in scopes that have opted in, that are judged themselves."""
        return [
            path
            for scope, paths in self._topic_paths.items()
            if self.has_opted_in(scope)
            for path in paths
            if self.selection.judges(path)
        ]

    def topics_taken(self) -> list[str]:
        """The topics that `git commit -- PATH` takes from disk, past the staging area."""
        if not self._request.partial:
            return []
        changed = {*(self.selection.paths or ()), *self.selection.removed}
        return sorted(filter(layout.topic_name, changed))

    def looks_for_rules(self) -> bool:
        """Whether a missing rules file is to be said even where no resident file is judged."""
        whole = self.selection.paths is None and self.selection.scopes is None
        return whole or any(map(layout.is_resident, self.selection.removed))

    def exists(self, path: str) -> bool:
        """Whether a listed file is there, and was not only deleted from the working tree."""
        return self._source.exists(path)

    def in_place_of(self, path: str) -> str:
        """What git lists where a regular file should be, such as `a symbolic link`; `""` for nothing."""
        folder = self._others.get(os.path.dirname(path))
        if folder:
            return f"behind {folder}"
        below = any(found.startswith(f"{path}/") for found in (*self.entries, *self._others))
        return "a folder" if below else self._others.get(path, "")

    def takes_staged(self, path: str) -> bool:
        """Whether a listed file is read as it is staged, whatever lies on disk."""
        return self._source.takes_staged(path)

    def expected_index(self, scope: str) -> str | None:
        """The index that the scope should have; None where a topic of it could not be read."""
        if not self.has_opted_in(scope):
            return None
        topics = self.topics(scope).values()
        readable = [topic for topic in topics if isinstance(topic, Topic)]
        return render(readable) if len(readable) == len(topics) else None

    def is_stale(self, scope: str) -> bool:
        """Whether the scope has an index, and not the one that it should have."""
        expected = self.expected_index(scope)
        return expected is not None and expected != self.index(scope)

    def has_true_index(self, scope: str) -> bool:
        """Whether the scope has an index, and the one that it should have."""
        expected = self.expected_index(scope)
        return expected is not None and expected == self.index(scope)

    def relist(self, scope: str, entries: dict[str, git.Entry]) -> bool:
        """Take over a newer listing of the scope; whether it differs in memory.md at most.

        Where it differs in more, the topics are still those of the listing before.
        """
        memory, before = layout.memory_of(scope), self.listed(scope)
        for path in before:
            del self.entries[path]
        self.entries.update(entries)
        now = self.listed(scope)
        if now.get(memory) != before.get(memory):
            self._memories = None
        return {**before, memory: ""} == {**now, memory: ""}

    def listed(self, scope: str) -> dict[str, str]:
        """The blobs of the scope's files, temporary ones of a fixer left out."""
        return {
            path: entry.blob
            for path, entry in self.entries.items()
            if layout.scope_of(path) == scope and not layout.is_temporary(path)
        }

    def blind_spots(self) -> Iterator[Finding]:
        """Why topics that should be judged cannot be: their scope's memory.md was not read."""
        for scope, paths in self._topic_paths.items():
            memory = self.memory(scope)
            if isinstance(memory, Unread) and any(map(self.selection.judges, paths)):
                yield self.unread(layout.memory_of(scope), memory)

    def unread(self, path: str, unread: Unread) -> Finding:
        """The finding for a file that could not be read.

        Encrypted files fail a run over everything, and are only named in a commit. A file that
        the commit does not change is not its fault.
        """
        finding = unread.fault.at(path)
        if finding.rule == "locked":
            lenient = self._request.allow_locked or self.selection.of_commit
        else:
            lenient = not self.selection.judges(path)
        finding.level = WARNING if lenient else ERROR
        return finding

    # What the files hold

    def memory(self, scope: str) -> Memory | Unread | None:
        """The scope's memory.md; None where there is none."""
        if self._memories is None:
            wanted = {*self._selected_scopes(), *self._topic_paths}
            paths = [path for path in map(layout.memory_of, wanted) if path in self.entries]
            self._memories, kept = {}, 0
            for path, content in self._read_memories(paths):
                memory = content if isinstance(content, Unread) else _memory(content)
                self._memories[layout.scope_of(path) or ""] = memory
                if isinstance(memory, Memory) and memory.index:
                    kept += len(memory.index)
                    if kept > _MOST_KEPT:
                        kept -= len(memory.index)
                        memory.index = None
        return self._memories.get(scope)

    def _read_memories(self, paths: list[str]) -> Iterator[tuple[str, Content]]:
        """Each memory.md as it is judged; the fixer takes one in conflict from disk."""
        torn = [path for path in paths if self._request.fixes and self.entries[path].unmerged]
        yield from self._source.read([path for path in paths if path not in torn])
        yield from self._disk.read(torn)

    def index(self, scope: str) -> str | None:
        """The index that stands in the scope's memory.md; None where it has not opted in."""
        memory = self.memory(scope)
        if not (isinstance(memory, Memory) and memory.opted_in):
            return None
        return self._index_again(scope) if memory.index is None else memory.index

    def _index_again(self, scope: str) -> str:
        """An index that was not kept; `""` where it is gone from disk since."""
        again = ""
        for _, content in self._read_memories([layout.memory_of(scope)]):
            memory = content if isinstance(content, Unread) else _memory(content)
            again = (memory.index or "") if isinstance(memory, Memory) else ""
        return again

    def has_opted_in(self, scope: str) -> bool:
        """Whether the scope's memory.md marks the place of an index."""
        memory = self.memory(scope)
        return isinstance(memory, Memory) and memory.opted_in

    def topic_paths(self, scope: str) -> list[str]:
        """The paths of the scope's topics, whether it has opted in or not."""
        return self._topic_paths.get(scope, [])

    def topic(self, path: str) -> Topic | Unread | None:
        """The topic at `path`; None where the file is gone from the working tree."""
        if self._topics is None:
            self._topics = dict(self._read_topics())
        return self._topics.get(path)

    def topics(self, scope: str) -> dict[str, Topic | Unread]:
        """The scope's topics by path, those that are gone left out."""
        found = ((path, self.topic(path)) for path in self.topic_paths(scope))
        return {path: topic for path, topic in found if topic is not None}

    def _read_topics(self) -> Iterator[tuple[str, Topic | Unread]]:
        if self._request.index:
            scopes = filter(self.has_opted_in, self._selected_scopes())
            paths = [path for scope in scopes for path in self.topic_paths(scope)]
        else:
            paths = self.judged_topics()
        for path, content in self._source.read(paths):
            if isinstance(content, Unread):
                yield path, content
            else:
                yield path, read_topic(self._names[path], content)

    def resident_size(self, path: str) -> int | Unread | None:
        """Bytes of a resident file after CRLF became LF; None where there is none."""
        if self._sizes is None:
            self._sizes = {}
            for found, content in self._source.read(list(filter(layout.is_resident, self.entries))):
                self._sizes[found] = content if isinstance(content, Unread) else _size(content)
        return self._sizes.get(path)


def _memory(pieces: Iterable[bytes]) -> Memory | Unread:
    data = whole(pieces, markers.MOST_BYTES)
    if data is None:
        return too_large(markers.MOST_BYTES)
    if data.startswith(GIT_CRYPT):
        return locked()
    encoding = markers.hidden_by(data)
    if encoding:
        return unreadable(f"{encoding}, in which no tool finds its markers: save it as UTF-8")
    return Memory(data)


def _was_in_order(commit: str, scope: str, *, opted_in: bool) -> bool:
    """Whether nothing was wrong with the scope's index in this commit.

    Nothing was in a scope without an index. But where there is none now either (`opted_in` is
    False), its topics may have been left without one already.
    """
    entries = git.committed(commit, [scope])
    names = {path: name for path in entries if (name := layout.topic_name(path))}
    source = Staged(entries, commit)
    try:
        memory = None
        for _, content in source.read([path for path in entries if layout.is_memory(path)]):
            memory = content if isinstance(content, Unread) else _memory(content)
        if not memory or (isinstance(memory, Memory) and not memory.block):
            return opted_in or not names
        if isinstance(memory, Unread) or not memory.opted_in:
            return False
        topics = [
            content if isinstance(content, Unread) else read_topic(names[path], content)
            for path, content in source.read(list(names))
        ]
        readable = [topic for topic in topics if isinstance(topic, Topic)]
        return len(readable) == len(topics) and memory.index == render(readable)
    except git.GitError:
        return False
    finally:
        source.close()


def _size(pieces: Iterable[bytes]) -> int | Unread:
    count = ByteCount()
    for piece in pieces:
        if count.total == 0 and piece.startswith(GIT_CRYPT):
            return locked()
        count.add(piece)
    return count.total
