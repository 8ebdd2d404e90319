"""Put commits of a nest on top of others: what is written by hand merges, indexes are made anew."""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.git.private_index import Conflict, PrivateIndex
from nestwork_hooks.nest.scope import scope_in
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.handwritten import emptied, splice
from nestwork_hooks.protocol.markers import Block, find_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Collection

    from nestwork_hooks.git.private_index import Item

# More commits than this are put on top all at once, by a merge.
_MOST = 100
_ADDED = "added here and on the remote, with different contents"
_MERGED = "Merge what another clone of the nest has pushed"


class Replay:
    """Puts commits on top of others with a private index. `root` is where the nest is, with a `/`.

    `exclude` matches paths below it in which no index is to be written.
    """

    def __init__(self, index: PrivateIndex, root: str, exclude: re.Pattern[str] | None) -> None:
        self._index = index
        self._root = root
        self._exclude = exclude

    def on_top(self, head: str, onto: str, base: str = "", *, at_once: bool = False) -> str:
        """The commit in which all that led to `head` is on top of `onto`; a merge if `at_once`.

        `base` is a commit, if any, of which `onto` has everything already, other than by descent. A
        commit that adds nothing to what is there is left out. Raises GitError, and Conflict.
        """
        without = [f"^{commit}" for commit in (onto, base) if commit]
        words = ("rev-list", "--reverse", "--topo-order", "--parents", head, *without)
        own = [line.split() for line in git.to_path(git.run(*words)).splitlines()]
        if not own:
            return onto
        if all(len(line) == 2 for line in own) and len(own) <= (1 if at_once else _MOST):
            return self._one_by_one(own, onto)
        base = base or git.merge_base(onto, head)
        if not base:
            raise git.GitError("the branch and what was pushed have no commit in common")
        tree = self._merged(base, onto, head, self._scopes(base, onto))
        return self._index.commit(tree, [onto, head], message=f"{_MERGED}\n")

    def _one_by_one(self, own: list[list[str]], onto: str) -> str:
        # Others push meanwhile: each process that is saved makes it likelier to be first.
        theirs = self._scopes(own[0][1], onto)
        there = git.to_path(git.run("rev-parse", f"{onto}^{{tree}}")).strip()
        for commit, parent in own:
            tree = self._merged(parent, onto, commit, theirs)
            if tree != there:
                onto, there = self._index.commit(tree, [onto], like=commit), tree
        return onto

    def _merged(self, base: str, ours: str, theirs: str, scopes: set[str]) -> str:
        """The tree of a merge, indexes included; `scopes` are those that `ours` has changed.

        Raises Conflict, with every path that is in one.
        """
        index = self._index
        tree, left = index.merge(base, ours, theirs)
        conflicts: list[Conflict] = []
        items: dict[str, Item] = {}
        for path, stages in left.items():
            try:
                items[path] = self._resolved(path, stages)
            except Conflict as conflict:
                conflicts.append(conflict)
        if conflicts:
            paths = [path for conflict in conflicts for path in conflict.paths]
            raise Conflict(paths, conflicts[0].reason)
        if items:
            try:
                index.put(items)
            except git.GitError:
                reason = "a file here and a folder on the remote, or the other way around"
                raise Conflict(items, reason) from None
            tree = index.write()
        return self._with_indexes(tree, scopes & self._scopes(base, theirs), left)

    def _resolved(self, path: str, stages: dict[str, Item]) -> Item:
        """What the item at a path becomes. Raises Conflict where that is for a person to say."""
        if len(stages) == 1:  # Git leaves it where a file became a folder.
            return next(iter(stages.values()))
        if stages.keys() != {"1", "2", "3"}:
            gone = "deleted here or on the remote, and changed on the other side"
            raise Conflict([path], _ADDED if "1" not in stages else gone)
        modes = [stages[stage][0] for stage in "123"]
        if not all(map(git.is_file, modes)):
            raise Conflict([path], "no regular file here or on the remote")
        texts = [self._index.content(path, stages[stage][1]) for stage in "123"]
        base, ours, theirs = (self._by_hand(path, text) for text, _ in texts)
        merged = self._index.merged(path, base, ours, theirs)
        encrypted = any(is_encrypted for _, is_encrypted in texts[1:])
        blob = self._index.store(path, merged, encrypted=encrypted)
        return modes[1] if modes[1] != modes[0] else modes[2], blob

    def _by_hand(self, path: str, text: bytes) -> bytes:
        return emptied(text) if self._writes_index(path) else text

    def _writes_index(self, path: str) -> bool:
        """Whether an index in this file is ours to make."""
        name = self._below(path)
        excluded = self._exclude and self._exclude.search(name)
        return layout.is_memory(name) and not excluded

    def _below(self, path: str) -> str:
        """The path below the nest's root; `""` for one that is not."""
        return path[len(self._root) :] if path.startswith(self._root) else ""

    def _with_indexes(self, tree: str, scopes: set[str], left: Collection[str]) -> str:
        """The tree with a true index in these scopes, which both sides changed."""
        items: dict[str, Item] = {}
        for folder in sorted(scopes):
            name = layout.memory_of(folder)
            path = f"{self._root}{name}"
            if not self._writes_index(path):
                continue
            scope = scope_in(tree, folder)
            if scope.opted_in and scope.expected is None:
                self._index.fetch_blobs(tree, f"{self._root}{folder}")
                scope = scope_in(tree, folder)
            if scope.expected is not None and scope.is_stale:
                items[path] = self._mended(tree, path, scope.expected)
            elif path in left and scope.opted_in and scope.expected is None:
                raise Conflict([path], "its index lists topics that cannot be read here")
        if not items:
            return tree
        self._index.put(items)
        return self._index.write()

    def _scopes(self, before: str, after: str) -> set[str]:
        """The scopes whose index depends on what differs in two commits."""
        found = set()
        for name in filter(None, map(self._below, self._index.changed(before, after))):
            if layout.is_memory(name) or layout.topic_name(name):
                found.add(layout.scope_of(name) or "")
        return found

    def _mended(self, tree: str, path: str, expected: str) -> Item:
        ((mode, blob),) = self._index.items(tree, [path]).values()
        memory, encrypted = self._index.content(path, blob)
        block = find_block(memory)
        if not isinstance(block, Block):
            raise Conflict([path], "a filter hides its index")
        memory, _ = splice(memory, block, expected)
        return mode, self._index.store(path, memory, encrypted=encrypted)
