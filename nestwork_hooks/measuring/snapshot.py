"""A nest as it is in one place: the working tree, the staging area, or a commit."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.light import Frozen, closing
from nestwork_hooks.measuring.tokens import Counter
from nestwork_hooks.nest import listing as listings
from nestwork_hooks.nest.contents import Worktree
from nestwork_hooks.nest.listing import START, where_below
from nestwork_hooks.nest.request import Unusable
from nestwork_hooks.nest.scope import has_index, read_memory
from nestwork_hooks.nest.staged import Staged
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.content import GIT_CRYPT, Unread, locked, too_large, whole
from nestwork_hooks.protocol.layout import FOLDERS
from nestwork_hooks.protocol.markers import MOST_BYTES, hand_written
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.tiers import RECENT, Tiers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nestwork_hooks.nest.contents import Source
    from nestwork_hooks.protocol.content import Content


class File(Frozen):
    """One file: its bytes after CRLF became LF, and its tokens.

    `reason` says why it was not read (`""` if it was); both numbers are 0 then. `exact` says
    whether the tokens are counted and not estimated, `committed` whether git tracks the file.
    """

    path: str
    bytes: int = 0
    tokens: int = 0
    exact: bool = True
    utf8: bool = True
    reason: str = ""
    committed: bool = True


class Place:
    """Where a nest is looked at. `kind` is `worktree`, `staged` or `revision`.

    `root` is what a path of the nest begins with where the command was started.
    """

    def __init__(self, kind: str, revision: str = "", root: str = "") -> None:
        self.kind = kind
        self.revision = revision
        self._root = root
        self.commit = git.commit_id(revision) if kind == "revision" else ""

    def __str__(self) -> str:
        names = {"worktree": "working tree", "staged": "staging area"}
        return names.get(self.kind) or escaped(self.revision)

    def entries(self) -> dict[str, git.Entry]:
        """What is listed in the folders of a nest. Raises Unusable where no nest is."""
        paths = (*FOLDERS, RECENT)
        found = git.committed(self.commit, paths) if self.commit else listings.staged(paths).entries
        if not _is_nest(found):
            raise self.no_nest()
        return found

    def source(self, entries: dict[str, git.Entry]) -> Source:
        """The source from which the listed files are read."""
        return Worktree(entries) if self.kind == "worktree" else Staged(entries, self.commit)

    def no_nest(self) -> Unusable:
        """The error for a place without any file of a nest."""
        folders = "/, ".join(layout.TOP_FOLDERS)
        place = "" if self.kind == "worktree" else f" in {self}"
        return Unusable(
            f"no nest here: git knows no Markdown file below {folders}/{place};"
            f" {where_below(self._root) or START}"
        )


def _is_nest(paths: Iterable[str]) -> bool:
    folders = tuple(f"{folder}/" for folder in layout.TOP_FOLDERS)
    return any(path.startswith(folders) and path.endswith(".md") for path in paths)


class Reader:
    """Reads files and counts their tokens, once per content across all snapshots."""

    def __init__(self, counter: Counter) -> None:
        self.exact = counter.exact
        self._counter = counter
        self._counts: dict[bytes, int] = {}

    def files(self, source: Source, paths: Sequence[str]) -> dict[str, File]:
        """The files at these paths, without those that are gone from the working tree."""
        return {path: self.file(path, content) for path, content in source.read(paths)}

    def file(self, path: str, content: Content) -> File:
        """The file at `path`, counted."""
        if isinstance(content, Unread):
            return File(path, reason=content.fault.message)
        data = whole(content, MOST_BYTES) if layout.is_memory(path) else b"".join(content)
        if data is None:
            return File(path, reason=too_large(MOST_BYTES).fault.message)
        data = data.replace(b"\r\n", b"\n")
        if data.startswith(GIT_CRYPT):
            return File(path, reason=locked().fault.message)
        text = data.decode(errors="replace")
        if data not in self._counts:
            self._counts[data] = self._counter.count(text)
        utf8 = "\ufffd" not in text or text.encode() == data
        return File(path, len(data), self._counts[data], exact=self.exact and utf8, utf8=utf8)


class Snapshot:
    """What a nest holds in one place: its files, counted, and the tiers that they are in.

    `broken` are memory.md files whose markers name no single index; their scopes count as not
    opted in. `by_hand` is the hand-written part of each memory.md, all but its index, by scope.
    """

    def __init__(self, place: Place, reader: Reader, opened: Iterable[str] = ()) -> None:
        self.place = place
        self.broken: list[str] = []
        self.by_hand: dict[str, File] = {}
        entries = place.entries()
        with closing(place.source(entries)) as source:
            tiers = Tiers(entries, self._opted_in(source, entries, reader))
            wanted = set(opened).intersection(entries).union(tiers.whole_nest())
            for agent in (None, *tiers.agents()):
                wanted.update(tiers.full_start(agent), tiers.resident_start(agent))
            self.files = reader.files(source, sorted(wanted))
            if place.kind == "worktree" and RECENT not in entries and os.path.lexists(RECENT):
                self._add_recent(source, reader)
        self.tiers = Tiers(self.files, tiers.opted_in)
        if not _is_nest(self.files):
            raise place.no_nest()

    def _opted_in(self, source: Source, entries: dict[str, git.Entry], reader: Reader) -> set[str]:
        found = set()
        for path, content in source.read(sorted(filter(layout.is_memory, entries))):
            data = None if isinstance(content, Unread) else whole(content, MOST_BYTES)
            if data is None:
                continue
            scope, memory = layout.scope_of(path) or "", read_memory([data])
            if isinstance(memory, Unread):
                continue
            self.by_hand[scope] = reader.file(path, [hand_written(data, memory.block)])
            if has_index(memory):
                found.add(scope)
            elif memory.block:
                self.broken.append(path)
        return found

    def _add_recent(self, source: Source, reader: Reader) -> None:
        for path, file in reader.files(source, [RECENT]).items():
            reason = file.reason and "no regular file that can be read"
            self.files[path] = file.replace(committed=False, reason=reason)

    def topics(self, scopes: Iterable[str]) -> list[File]:
        """The topics of these scopes that could be read, the largest first."""
        found = [self.files[path] for scope in scopes for path in self.tiers.topics(scope)]
        read = [file for file in found if not file.reason]
        return by_size(read)


def by_size(files: Iterable[File]) -> list[File]:
    """The files, the largest first."""
    return sorted(files, key=lambda file: (-file.bytes, file.path))
