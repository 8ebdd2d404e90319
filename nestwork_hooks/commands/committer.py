"""Bring the memory of one scope into the history, whatever else happens in its clone."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.git import staging
from nestwork_hooks.git.acting import Interrupted, Refused
from nestwork_hooks.git.blobs import Blobs
from nestwork_hooks.git.clone import WAYS_OUT, Clone, before_head
from nestwork_hooks.git.disk import kind_of, recent_files, spelling
from nestwork_hooks.light import closing
from nestwork_hooks.nest import own_commit
from nestwork_hooks.nest.request import Unusable, read_environment
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.attributes import FILTER
from nestwork_hooks.protocol.text import escaped, named, numbered
from nestwork_hooks.writing.lock import RETRIES, Backoff, Locked

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import TypeVar

    from nestwork_hooks.nest.scope import Scope
    from nestwork_hooks.nest.staged import Ready
    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Finding

    Answer = TypeVar("Answer")

# How often a scope may change between staging and commit before the rest is left to the next run.
_ROUNDS = 5
# Seconds for which a file that git ignores is news, if no commit comes before.
_NEWS = 300
# Where git makes no partial commit.
_IN_THE_WAY = ("merge", "cherry-pick", "rebase pick")
# What a commit may come to, or may have ended.
PASSING = {
    "rebase": "this is the middle of a rebase: if it is given up (git rebase --abort), only git"
    " reflog has this commit",
    "git am": "this is the middle of git am: if it is given up (git am --abort), only git reflog"
    " has this commit",
    "bisect": "this is the middle of a bisect: after git bisect reset only git reflog has this"
    " commit",
    "revert": "this was the middle of a revert, which git takes for its end: git revert --abort has"
    " nothing to go back to now, so look at git status",
    "detached": "HEAD is detached, so no branch has this commit: git switch -c NAME keeps it, and"
    " the next ones, on a new branch",
}


class NotHere(Unusable):
    """There is no such scope of a nest in this folder."""


class Committer:
    """Brings one scope into the history; `findings`, `left_out` and `notes` are to be said of it."""

    def __init__(
        self,
        scope: str,
        message: str,
        retries: int = RETRIES,
        exclude: re.Pattern[str] | None = None,
        *,
        root: str = "",
        today: str = "",
    ) -> None:
        self.scope = scope
        self.root = root
        self.exclude = exclude
        self._today = today
        self._message = message
        self._retries = retries
        self._backoff = Backoff(retries)
        self._clone = Clone()
        self._objects = Blobs()
        self._ready: Ready | None = None
        self._environment = read_environment()
        self._states: set[str] = set()
        self._since = ""
        self._left: dict[str, str] = {}
        self._ignored: dict[str, str] = {}
        self._last_commit = self._clone.last_moved()
        self.notes: list[str] = []
        self._moved = ""
        self.committed = False
        self.kept = "nothing is lost"
        self.findings: list[Finding] = []

    def is_inside_itself(self) -> bool:
        """Whether this runs in a hook of a commit that another such process makes here."""
        return own_commit.is_under_way(self._clone.git_folder, self._environment)

    @property
    def left_out(self) -> list[str]:
        """What was left out, and why."""
        reasons = {**self._ignored, **self._left}.items()
        return [f"left out: {self._escaped(path)}: {reason}" for path, reason in reasons]

    def _escaped(self, path: str) -> str:
        return escaped(f"{self.root}{path}")

    def work(self) -> None:
        """Stage, mend the index, commit, until HEAD holds the scope as it was judged.

        A partial commit takes files from the disk and not what is staged, so one that was
        written in between is in it with an index that does not know it yet: the next round
        sees that and mends it. Raises Refused, and Unusable where nothing can be committed.
        """
        if staging.is_only_comments(self._message):
            raise Unusable(
                "the message holds nothing but comments, which commit.cleanup=strip takes away:"
                " start it with another character"
            )
        # A partial commit reads the staging area before it locks it, and so writes back what
        # another process has staged over in between.
        with Locked(self._clone.git_folder, self._backoff), closing(self._objects):
            self._backoff = Backoff(self._retries)
            self._work()

    def _work(self) -> None:
        for left in range(_ROUNDS - 1, -1, -1):
            self.notes[:] = filter(None, [self._moved])
            try:
                waiting, view = self._stage(self._look())
                if self._today and self._set_dates(view):
                    waiting, view = self._stage(staging.look(self.scope))
            except Unusable as error:
                if not self.committed:
                    raise
                self.notes.append(f"the rest is not committed: {error}")
                return
            from nestwork_hooks.nest.in_files import is_sealed  # `_stage` has loaded it.

            mended = view.scopes[0].is_stale and self._mend(view.scopes[0])
            # A commit takes it from disk; only as staged it shows whether it is encrypted.
            sealed = mended and is_sealed(self.scope, view.attributes[FILTER])
            paths = waiting.pathspecs(layout.memory_of(self.scope) if mended and not sealed else "")
            self._left.update(waiting.left)
            if left and sealed:
                continue
            if left and (mended or not paths) and self._is_only_on_disk(mended):
                continue
            scope, done = view.scopes[0], not paths
            if paths:
                scope, done = self._commit(view, waiting, paths, is_last=not left)
            if done or not left:
                self._judge(view.replace(scopes=[scope]))
            if done:
                return
        self.notes.append(
            f"{self._escaped(self.scope)} keeps changing while it is committed: the next commit has the rest"
        )

    def _look(self) -> staging.Look:
        """What is to be staged. Raises, before anything is changed, where a commit cannot be made.

        Or where it would do harm: in the middle of a merge, or in what is no nest.
        """
        self._states = self._clone.states()
        for state in _IN_THE_WAY:
            if state in self._states:
                raise Unusable(
                    f"git makes no partial commit during a {state}; {WAYS_OUT[state]},"
                    " then run this again"
                )
        self._refuse_folder()
        staging.ask_ahead(self.scope)
        # Loaded while git looks.
        from nestwork_hooks.writing import leftovers

        self.notes += map(leftovers.describe, leftovers.clear(self.scope)[1])
        look = staging.look(self.scope)
        spelled = self.scope if look.entries else _as_spelled(self.scope)
        if spelled != self.scope:
            self.scope = spelled
            look = staging.look(spelled)
        if look.unread:
            raise Unusable(look.unread)
        unmerged = [path for path, entry in look.entries.items() if entry.unmerged]
        if unmerged:
            raise Unusable(
                f"{named(unmerged)} is in an unsolved merge conflict: solve it, then git add it"
            )
        is_there = os.path.lexists(git.to_bytes(self.scope)) or look.entries
        if not (is_there or staging.Waiting(self.scope).changes):
            raise NotHere(
                f"{self._escaped(self.scope)} is no folder here, and nothing that git knows:"
                f" {self._where()}"
            )
        if not (look.is_nest or _is_nest(self.scope)):
            raise NotHere(
                f"no nest here: git lists neither {layout.RULES} nor a {layout.MEMORY} with an"
                f" index: {self._where()}"
            )
        self._find_ignored(look)
        return look

    def _find_ignored(self, look: staging.Look) -> None:
        """Note memory that git ignores if it came after the last commit: then it is news."""
        from time import time

        since = max(self._last_commit, time() - _NEWS)
        known = {*look.entries, *look.unstaged, *look.left}
        recent = recent_files(self.scope, layout.DEEPEST - 1, since, known)
        memory = [path for path in recent if layout.holds_memory(path)]
        if self.exclude:
            memory = [path for path in memory if not self.exclude.search(path)]
        if memory:
            from nestwork_hooks.git.hidden import ignored

            self._ignored = ignored(memory)

    def _where(self) -> str:
        from nestwork_hooks.nest import listing

        return listing.where_below(self.root) or listing.START

    def _refuse_folder(self) -> None:
        """Raise where the scope's folder cannot hold memory of this repository."""
        parts = self.scope.split("/")
        for folder in ("/".join(parts[:count]) for count in range(1, len(parts) + 1)):
            name = git.to_bytes(folder)
            try:
                kind = kind_of(folder)
            except OSError as error:
                reason = f"cannot be looked at: {error.strerror}"
            else:
                reason = {"link": "is a symbolic link", "file": "is a file"}.get(kind, "")
            if not reason and os.path.lexists(name + b"/.git"):
                reason = "is a git repository of its own, of which no commit here holds a file"
            if reason:
                raise Unusable(f"{escaped(folder)} {reason}: name the folder of a scope")

    def _is_only_on_disk(self, mended: bool) -> bool:
        """Whether something is not staged, beside the mended memory.md, although all just was.

        It was written since then; or a partial commit of another process, which reads the staging
        area before it locks it, wrote that back without it.
        """
        paths = {path.rstrip("/") for path in staging.unstaged(self.scope)} - self._left.keys()
        if mended:
            paths.discard(layout.memory_of(self.scope))
        return not all(map(layout.is_temporary, paths))

    def _stage(self, look: staging.Look) -> tuple[staging.Waiting, View]:
        """Stage what may be committed: what is to be committed then, and what is judged.

        Only what git has made of a file shows whether it is encrypted. What is not gets back the
        index entry that it had; and so does all where that could not be looked at.
        """
        self._left = {**look.left, **self._try(staging.stage, look.unstaged, _load_checkers)}
        from nestwork_hooks.commands import judged

        leaks = dict.fromkeys(look.unstaged, "")
        self._ready = judged.ask_ahead(self.scope, look, self._objects, self._today)
        try:
            waiting = staging.Waiting(self.scope)
            view = self._view(waiting)
            changed = {change.path for change in waiting.changes}
            leaks = {path: why for path, why in judged.leaks(view).items() if path in changed}
        finally:
            if leaks:
                self._try(staging.restore, look, leaks)
        if leaks:
            self._left.update(leaks)
            waiting = staging.Waiting(self.scope, leaks=leaks)
            view = self._view(waiting)
        return waiting, view

    def _view(self, waiting: staging.Waiting) -> View:
        """What is judged: the scope as it is to be committed, with what changes in all rounds."""
        from nestwork_hooks.commands import judged

        return judged.view_of(
            self.scope, waiting, self._since, self._ready, root=self.root, today=self._today
        )

    def _set_dates(self, view: View) -> bool:
        """Set the dates on disk that are bad, or older than the text; whether any was set."""
        from nestwork_hooks.checkers.optional import updated_date
        from nestwork_hooks.writing.replacement import NotRewritten, set_date

        done = False
        for path, topic in updated_date.dated_topics(view):
            excluded = self.exclude and self.exclude.search(path)
            if not topic.to_set or path in self._left or excluded:
                continue
            try:
                done |= set_date(path, topic.topic.updated, topic.to_set, self._backoff)
            except NotRewritten as error:
                self.notes.append(f"{self._escaped(path)}: not rewritten: {error}")
        return done

    def _mend(self, scope: Scope) -> bool:
        """Put the index into the memory.md on disk; False, and a note, where that fails."""
        from nestwork_hooks.writing.replacement import NotRewritten, rewrite

        path, expected = scope.memory_path, scope.expected
        if expected is None or path in self._left or (self.exclude and self.exclude.search(path)):
            return False
        try:
            done = rewrite(path, expected, self._backoff)
        except NotRewritten as error:
            self.notes.append(f"{self._escaped(path)}: not rewritten: {error}")
            return False
        if done and done.moved:
            lines = numbered(done.moved)
            self._moved = (
                f"{self._escaped(path)}: {lines} between the markers, which nobody generated:"
                " moved right below the end marker"
            )
            self.notes.append(self._moved)
        return True

    def _commit(
        self, view: View, waiting: staging.Waiting, paths: list[str], *, is_last: bool
    ) -> tuple[Scope, bool]:
        """Commit. The scope as HEAD has it; whether that is what was judged, with a true index."""
        from nestwork_hooks.commands import judged

        mark = own_commit.mark(self._clone.git_folder, self._environment)
        try:
            self._try(staging.commit, paths, self._message, self._get_ready, **mark)
        except Interrupted as interrupt:
            self.committed = self.committed or interrupt.done
            raise
        except Refused as refusal:
            # A partial commit takes the mended memory.md from the disk, and stages it only then.
            later, _ = self._stage(staging.look(self.scope))
            # Another run may have committed all of it in the meantime.
            if later.pathspecs():
                if not is_last and (refusal.outdated or _is_made(refusal, waiting, later)):
                    return view.scopes[0], False
                scope, same = judged.as_now(view)
                is_true = same and scope.is_true
                self.kept = (
                    f"{self._escaped(self.scope)} stays staged{', its index true' * is_true}"
                )
                raise
        else:
            self.committed = True
        from nestwork_hooks.git.trees import committed

        now = committed(self._objects, "HEAD", self.scope)
        scope, same = judged.as_now(view, now, "HEAD", self._ready)
        done = same and not scope.is_stale
        if not done:
            self._since = self._since or before_head()
        return scope, done

    def _get_ready(self) -> None:
        """Start and load what shows and judges what was committed."""
        self._objects.get_ready()
        import nestwork_hooks.git.trees
        import nestwork_hooks.nest.judging  # noqa: F401

    def _judge(self, view: View) -> None:
        """Judge what all rounds together committed; what was so before is not said again."""
        if not self.committed:
            return
        from nestwork_hooks.commands import judged

        self.findings = judged.findings(view, self._since or "HEAD^")
        # Also what has begun since then, as while a hook ran.
        states = self._states | self._clone.states()
        self.notes += [note for state, note in PASSING.items() if state in states]

    def _try(self, act: Callable[..., Answer], *args: object, **env: str) -> Answer:
        while True:
            try:
                return act(*args, **env)
            except Refused as refusal:
                if not (refusal.passing and self._backoff.wait()):
                    raise


def _as_spelled(scope: str) -> str:
    """The scope as its folder, or else git, spells it: a file system may not tell case apart."""
    found: list[str] = []
    for part in scope.split("/"):
        folder = "/".join(found) or os.curdir
        found.append(spelling(folder, part))
    on_disk = "/".join(found)
    if on_disk == scope:
        return scope
    listed = {layout.scope_of(path) for path in git.listed(("agents",))}
    same = (name for name in listed if name and name.casefold() == scope.casefold())
    return on_disk if on_disk in listed else next(same, on_disk)


def _is_made(refusal: Refused, before: staging.Waiting, now: staging.Waiting) -> bool:
    """Whether git had nothing to commit, since another run had committed what was waiting `before`.

    Git says nothing then, as does a hook that refuses without a word.
    """
    old, new = ({(c.path, c.new) for c in waiting.changes} for waiting in (before, now))
    return refusal.code == 1 and not refusal.said and bool(old) and old.isdisjoint(new)


def _load_checkers() -> None:
    """Load what reads and judges what is staged: that takes as long as git takes to stage it."""
    import nestwork_hooks.commands.judged  # noqa: F401


def is_nest(scope: str) -> bool:
    """Whether the current folder is a nest's root, by what a commit of this scope asks for."""
    return git.lists_any([layout.RULES]) or _is_nest(scope)


def _is_nest(scope: str) -> bool:
    """Whether the scope has an index, or one that git lists, where there is no rules file."""
    from nestwork_hooks.nest import contents
    from nestwork_hooks.nest import listing as listings
    from nestwork_hooks.nest.scope import has_index, memories_in_git, read_memory

    try:
        if has_index(read_memory([contents.read_whole(layout.memory_of(scope))])):
            return True
    except OSError:
        pass
    listing = listings.staged((layout.SHARED, "agents"))
    memories = memories_in_git(listing, sorted(listing.scopes()))
    return any(map(has_index, memories.values()))
