"""One scope, read: its memory.md, and its topics if it has opted in."""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.light import closing
from nestwork_hooks.nest.listing import Listing
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.content import TO_FIND_AN_INDEX, Unread, unreadable, whole_or_unread
from nestwork_hooks.protocol.distillation import Placeholder, block_line, find_placeholder
from nestwork_hooks.protocol.index import current, lists, render
from nestwork_hooks.protocol.markers import (
    MOST_BYTES,
    Block,
    Broken,
    find_block,
    hand_written,
    hidden_by,
    in_one_line,
)
from nestwork_hooks.protocol.topic import Topic, read_topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import TypeGuard

    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.nest.staged import Ready
    from nestwork_hooks.protocol.difference import Difference
    from nestwork_hooks.protocol.finding import Fault


# Characters of indexes that are kept while topics are read; those of further ones are read again.
_MOST_KEPT = 16 << 20


class Memory:
    """A scope's memory.md: its block of markers, if any, and the text of its index.

    `index` is `""` if there is none, and None if it was not kept. `rest` is the size of the
    hand-written part, all but the index, in bytes after CRLF became LF; `mark` differs where that
    part does; both only where that part was asked for. `in_one_line` is the line where both markers stand beside other text, `block_line` the
    line that a distillation takes for its own (0 for none), `placeholder` the installer's words, if
    they stand there. `fault` says what is wrong with markers that are no block.
    """

    __slots__ = (
        *("block", "block_line", "fault", "in_one_line", "index", "mark", "placeholder", "rest"),
    )

    def __init__(
        self,
        block: Block | Broken | None,
        index: str | None,
        rest: bytes = b"",
        in_one_line: int = 0,
        block_line: int = 0,
        placeholder: Placeholder | None = None,
        fault: Fault | None = None,
    ) -> None:
        self.block = block
        self.index = index
        self.rest = len(rest)
        self.mark = hash(rest)
        self.in_one_line = in_one_line
        self.block_line = block_line
        self.placeholder = placeholder
        self.fault = fault

    def without_index(self) -> Memory:
        """The same, with an index that is not kept: there may be many, and each may be large."""
        found = (self.in_one_line, self.block_line, self.placeholder, self.fault)
        other = Memory(self.block, None, b"", *found)
        other.rest, other.mark = self.rest, self.mark
        return other


def has_index(memory: Memory | Unread | None) -> TypeGuard[Memory]:
    """Whether this memory.md marks the place of one index: its scope has opted in."""
    return isinstance(memory, Memory) and isinstance(memory.block, Block)


class Scope:
    """A scope's memory.md, None where there is none, and its topics by path.

    `paths` are those of all topics that are listed; `topics` are there only where the scope has
    opted in, without those that are gone from the working tree. `orphaned` says that a commit takes
    the markers of its index away. `is_meant` says that it has no index, but both markers in one
    line, and a topic with a description.

    `expected` is the index that it should have, None where it has not opted in, or a topic of it
    could not be read; `difference` is what makes the index that stands there another one, None if
    nothing does. `absent` says of topics that are listed and not there why not, by name.
    """

    __slots__ = (
        *("absent", "difference", "expected", "folder", "is_meant", "memory", "orphaned"),
        *("paths", "topics"),
    )

    def __init__(
        self,
        folder: str,
        memory: Memory | Unread | None,
        paths: list[str],
        topics: Mapping[str, Topic | Unread],
        *,
        orphaned: bool = False,
        is_meant: bool = False,
    ) -> None:
        self.folder = folder
        self.is_meant = is_meant
        self.paths = paths
        self.topics = topics
        self.orphaned = orphaned
        self.memory = memory
        self.expected = None
        self.difference: Difference | None = None
        self.absent: dict[str, str] = {}
        if has_index(memory):
            readable = [topic for topic in topics.values() if isinstance(topic, Topic)]
            if len(readable) == len(topics):
                self.expected = render(readable)
                self._compare(memory.index or "", self.expected)
            self.memory = memory.without_index()

    def _compare(self, actual: str, expected: str) -> None:
        if actual == expected:
            return
        from nestwork_hooks.protocol.difference import difference

        self.difference = difference(actual, expected)
        for path in map(self.path_of, self.gone):
            topic = self.topics.get(path)
            if isinstance(topic, Topic) and not lists(topic):
                self.absent[topic.name] = "kept out of every index by a fault of its own"

    def path_of(self, name: str) -> str:
        """The path of its topic of this name."""
        return f"{self.folder}/{name}"

    @property
    def gone(self) -> list[str]:
        """The names of the topics that its index lists and should not."""
        return list(self.difference.gone) if self.difference else []

    @property
    def staleness(self) -> str:
        """What makes its index stale, in words; `""` if nothing does."""
        if not (self.difference and self.memory and has_index(self.memory)):
            return ""
        assert isinstance(self.memory.block, Block)
        return self.difference.said(self.memory.block.line, self.absent)

    @property
    def memory_path(self) -> str:
        """The path of its memory.md."""
        return layout.memory_of(self.folder)

    @property
    def opted_in(self) -> bool:
        """Whether its memory.md marks the place of an index."""
        return has_index(self.memory)

    @property
    def is_stale(self) -> bool:
        """Whether it has an index, and not the one that it should have."""
        return self.difference is not None

    @property
    def is_true(self) -> bool:
        """Whether it has an index, and the one that it should have."""
        return self.expected is not None and not self.difference

    @property
    def has_fault(self) -> bool:
        """Whether something is wrong with its index, or it cannot be known whether anything is."""
        if self.opted_in:
            return not self.is_true
        broken = isinstance(self.memory, Unread) or bool(self.memory and self.memory.block)
        return broken or self.orphaned

    def with_memory(self, memory: Memory | Unread | None) -> Scope:
        """The same scope with another memory.md."""
        return Scope(
            self.folder,
            memory,
            self.paths,
            self.topics,
            orphaned=self.orphaned,
            is_meant=self.is_meant,
        )


def read_memory(content: Iterable[bytes] | Unread, *, by_hand: bool = False) -> Memory | Unread:
    """Parse the content of a memory.md; Unread if too large, encrypted, or in a wide encoding.

    `by_hand` asks for its hand-written part too.
    """
    data = whole_or_unread(content, MOST_BYTES, TO_FIND_AN_INDEX)
    if isinstance(data, Unread):
        return data
    encoding = hidden_by(data)
    if encoding:
        return unreadable(f"{encoding}, in which no tool finds its markers: save it as UTF-8")
    block = find_block(data)
    index = current(data, block) if isinstance(block, Block) else ""
    rest = hand_written(data, block) if by_hand else b""
    single = 0 if block else in_one_line(data)
    wrong = None
    if isinstance(block, Broken):
        from nestwork_hooks.protocol.unpaired import fault

        wrong = fault(data, block)
    return Memory(block, index, rest, single, block_line(data), find_placeholder(data), wrong)


def read_memories(
    source: Source, listing: Listing, scopes: Iterable[str], by_hand: Collection[str] = ()
) -> dict[str, Memory | Unread]:
    """The memory.md of each of these scopes that has one; of `by_hand` the hand-written part too."""
    paths = [path for path in map(layout.memory_of, scopes) if path in listing.entries]
    found: dict[str, Memory | Unread] = {}
    kept = 0
    for path, content in source.read(paths):
        scope = layout.scope_of(path) or ""
        memory = read_memory(content, by_hand=scope in by_hand)
        if isinstance(memory, Memory) and memory.index:
            kept += len(memory.index)
            if found and kept > _MOST_KEPT:
                kept -= len(memory.index)
                memory = memory.without_index()
        found[scope] = memory
    return found


def memories_in_git(
    listing: Listing, scopes: Iterable[str], commit: str = "", ready: Ready | None = None
) -> dict[str, Memory | Unread]:
    """The same from a commit, or from the staging area if `commit` is `""`. Raises GitError."""
    from nestwork_hooks.nest.staged import Staged

    with closing(Staged(listing.entries, commit, ready)) as source:
        return read_memories(source, listing, scopes)


def read_topics(
    source: Source,
    listing: Listing,
    paths: list[str],
    *,
    whole: bool = False,
    blocks: bool = False,
) -> dict[str, Topic | Unread]:
    """The topics at these paths, without those that are gone; the flags are `read_topic`'s."""
    return {
        path: content
        if isinstance(content, Unread)
        else read_topic(listing.names[path], content, whole=whole, blocks=blocks)
        for path, content in source.read(paths)
    }


def scope_in(commit: str, folder: str) -> Scope:
    """The scope as a commit holds it. Raises GitError."""
    from nestwork_hooks.nest.staged import Staged

    listing = Listing(git.committed(commit, [folder]))
    paths = listing.topics.get(folder, [])
    with closing(Staged(listing.entries, commit)) as source:
        memory = read_memories(source, listing, [folder]).get(folder)
        topics = read_topics(source, listing, paths) if has_index(memory) else {}
        return Scope(folder, memory, paths, topics)
