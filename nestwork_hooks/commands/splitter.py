"""Turn one memory.md into topics: look, plan, prove, write, and say what comes next."""

from __future__ import annotations

import os
from datetime import date

from nestwork_hooks import git
from nestwork_hooks.light import closing
from nestwork_hooks.nest import contents
from nestwork_hooks.nest import listing as listings
from nestwork_hooks.nest.request import Unusable
from nestwork_hooks.nest.scope import read_topics
from nestwork_hooks.protocol import layout, markers, splitting
from nestwork_hooks.protocol.content import CHUNK, GIT_CRYPT
from nestwork_hooks.protocol.headings import headings
from nestwork_hooks.protocol.index import render
from nestwork_hooks.protocol.shell import quoted
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.titles import Names
from nestwork_hooks.protocol.topic import MAX_BYTES, WARN_BYTES, Topic, read_topic
from nestwork_hooks.writing.lock import Backoff, Locked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


_BEFORE = "nothing written: "


def memory_on_disk(path: str) -> bytes:
    """The bytes of a memory.md on disk. Raises Unusable where it is missing or unusable."""
    try:
        data = contents.read_whole(path)
    except OSError as error:
        raise Unusable(f"{escaped(path)}: {error.strerror}") from error
    if data.startswith(GIT_CRYPT):
        raise Unusable(f"{escaped(path)}: encrypted with git-crypt; run git-crypt unlock first")
    return data


def plain(memory: bytes) -> bytes:
    """What a memory.md holds outside its index."""
    block = markers.find_block(memory)
    if not isinstance(block, markers.Block):
        return memory
    return memory[: block.start] + memory[block.stop :]


class Splitter:
    """Splits the memory.md of one scope. Raises Unusable, and then nothing has been written.

    `root` is what a path of the nest begins with where the command was started. `hand_written`
    says that there is an index, and that the text outside it is to be split.
    """

    def __init__(self, scope: str, root: str, *, hand_written: bool) -> None:
        self._scope = scope
        self._root = root
        self._path = layout.memory_of(scope)
        self._listing = listings.staged([scope])
        self._refuse_what_git_cannot_give_back()
        self._data = memory_on_disk(self._path)
        self._block = self._own_block(hand_written)

    def _refuse(self, reason: str) -> None:
        raise Unusable(f"{_BEFORE}{escaped(f'{self._root}{self._path}')} {reason}")

    def _refuse_what_git_cannot_give_back(self) -> None:
        """Whatever goes wrong, the original must be in git."""
        entry = self._listing.entries.get(self._path)
        if entry is None:
            self._refuse("is not known to git, which could not give it back: git add it first")
        elif entry.unmerged:
            self._refuse("is in an unsolved merge conflict: solve it, then git add it")
        elif entry.unlooked or git.changes(below=[self._path]):
            self._refuse("has changes that are not staged: git add it first")

    def _own_block(self, hand_written: bool) -> markers.Block | None:
        try:
            self._data.decode()
        except UnicodeDecodeError as error:
            line = self._data.count(b"\n", 0, error.start) + 1
            self._refuse(f"is not UTF-8 (line {line}): save it as UTF-8 first")
        block = markers.find_block(self._data)
        if isinstance(block, markers.Broken):
            from nestwork_hooks.protocol.unpaired import fault

            found = fault(self._data, block)
            self._refuse(f"has broken markers (line {found.line}): {found.message}")
        if block and not hand_written:
            self._refuse("has an index already: to split the text outside it, add --hand-written")
        if hand_written and not block:
            self._refuse("has no index: leave --hand-written out")
        return block if isinstance(block, markers.Block) else None

    def plan(self, level: int, *, numbered: bool) -> None:
        """Plan the split, and prove that it is one. `level` 0 chooses the level of headings."""
        self._newline = splitting.newline_of(self._data)
        self._texts = splitting.hand_written(self._data, self._block)
        front = splitting.front_matter(self._newline, date.today().isoformat())
        names = Names(self._taken(), ascii_only=self._scope == layout.SHARED)
        try:
            self._plan = splitting.plan(self._texts, names, front, level, numbered=numbered)
        except splitting.NothingToSplit as nothing:
            self._refuse(f"is not split: {nothing}")
        fault = splitting.fault(self._plan, self._texts)
        if fault:
            self._refuse(f"is not split: {fault}; split it by hand")
        self._memory = splitting.with_index(self._plan, self._index(), self._newline)

    def _taken(self) -> list[str]:
        """What is there in the scope, listed or not, as names below it."""
        found = [path[len(self._scope) + 1 :] for path in self._listing.entries]
        for folder, _, files in os.walk(git.to_bytes(self._scope)):
            below = git.to_path(folder)[len(self._scope) + 1 :]
            found += [f"{below}/{git.to_path(name)}".lstrip("/") for name in files]
            if below.count("/") >= layout.DEEPEST:
                break
        return found

    def _index(self) -> bytes:
        """The index, true of the topics there are and of the new ones, once these are staged."""
        paths = self._listing.topics.get(self._scope, [])
        with closing(contents.Worktree(self._listing.entries)) as source:
            known = list(read_topics(source, self._listing, paths).values())
        for piece in self._plan.pieces:
            data = piece.content(self._plan.front)
            chunks = [data[at : at + CHUNK] for at in range(0, len(data) + 1, CHUNK)]
            known.append(read_topic(piece.name, chunks))
        text = render(topic for topic in known if isinstance(topic, Topic))
        return text.encode().replace(b"\n", self._newline)

    def write(self) -> None:
        """Write every topic, then memory.md: all of it or nothing."""
        from nestwork_hooks.writing.creation import create
        from nestwork_hooks.writing.replacement import replace

        def last() -> None:
            if not replace(self._path, self._data, self._memory):
                self._refuse("was changed meanwhile: run this again")

        front = self._plan.front
        files = {f"{self._scope}/{p.name}": p.content(front) for p in self._plan.pieces}
        try:
            with Locked(git.to_bytes(self._scope), Backoff()):
                create(files, last)
        except OSError as error:
            name = (
                f"{escaped(git.to_path(os.fsencode(error.filename)))}: " if error.filename else ""
            )
            raise Unusable(f"{_BEFORE}{name}{error.strerror or error}") from error

    def report(self, *, written: bool) -> Iterator[str]:
        """The plan as a table, what was proved, and what comes next."""
        plan, sign = self._plan, "#" * self._plan.level
        scope, path = f"{self._root}{self._scope}", f"{self._root}{self._path}"
        topics = _count(len(plan.pieces), "topic")
        yield f"{escaped(path)}: {topics}, cut at headings of level {plan.level} ({sign})"
        yield from _table(self._rows())
        found = sum(len(headings(text)) for text in self._texts)
        yield (
            f"proved: what stays and the topics, in order, are the original to the byte;"
            f" {_count(found, 'heading')}, each in exactly one file"
        )
        if not written:
            yield "nothing written: this was --dry-run"
            return
        add, memory = quoted(scope), quoted(path)
        yield (
            f"next: in each file above, replace the placeholder in line 2 by what it holds and when"
            f" to read it; say in {escaped(self._resident())} that {escaped(path)} is the index of"
            f" the topics; then: git add -- {add} && nestwork-fix-index --ok --staged {add}"
            f" && git add -- {memory} && git commit -m {quoted(self._subject())}"
        )

    def _resident(self) -> str:
        return f"{self._root}{self._scope}/{layout.RESIDENT}"

    def _subject(self) -> str:
        if self._scope == layout.SHARED:
            return "memory: distill shared"
        return f"memory: update {self._scope.removeprefix('agents/')}"

    def _rows(self) -> Iterator[tuple[str, ...]]:
        from nestwork_hooks.measuring.estimate import Estimator

        count = Estimator().count
        yield "file", "heading", "bytes", "tokens", ""
        for piece in self._plan.pieces:
            size = piece.size(self._plan.front)
            tokens = f"~{count(piece.content(self._plan.front).decode()):,}"
            name = escaped(f"{self._root}{self._scope}/{piece.name}")
            yield name, escaped(piece.heading, 40), f"{size:,}", tokens, _over(size)
        stays = self._plan.stays
        tokens = f"~{count(stays.decode()):,}"
        yield escaped(f"{self._root}{self._path}"), "(stays)", f"{len(stays):,}", tokens, ""


def _over(size: int) -> str:
    """Over which limit a piece is, and why it was not split further."""
    if size <= WARN_BYTES:
        return ""
    limit = f"limit ({MAX_BYTES:,} bytes)" if size > MAX_BYTES else f"advice ({WARN_BYTES:,} bytes)"
    return f"over the {limit}: it has no headings to be split at; split it by hand"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _table(rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    """Lines in columns; numbers, the third and fourth, stand at the right."""
    found = list(rows)
    widths = [max(len(row[column]) for row in found) for column in range(4)]
    for name, heading, size, tokens, over in found:
        cells = (
            name.ljust(widths[0]),
            heading.ljust(widths[1]),
            size.rjust(widths[2]),
            tokens.rjust(widths[3]),
            over,
        )
        yield f"  {'  '.join(cells)}".rstrip()
