"""Commit the memory of one scope, with a true index, and say what is wrong with it.

Does what an agent's tool hook does after each write: stages the scope, makes its topic index
from what is staged, and commits the scope alone. Findings never stop it. Exits 0 if all is
well or nothing is to commit, 1 if it committed and something is to be said, 2 if not.

It is no hook: it works in the repository of the folder where it starts, whatever repository
the environment names.

example: nestwork-commit agents/box/claude-a7k2 -m "memory: hosts"
"""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.commands import check
from nestwork_hooks.console import run as hook
from nestwork_hooks.console.report import Report, by_importance, shortened
from nestwork_hooks.git import staging
from nestwork_hooks.git.acting import Refused
from nestwork_hooks.nest import contents, own_commit
from nestwork_hooks.nest.selection import Request, Unusable, tidy
from nestwork_hooks.nest.view import Memory, Nest
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.text import named, shown
from nestwork_hooks.writing import leftovers
from nestwork_hooks.writing.lock import RETRIES, Patience, alone
from nestwork_hooks.writing.replacement import NotRewritten, rewrite

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    Answer = TypeVar("Answer")

NAME = "nestwork-commit"
# How often a scope may change between staging and commit before the rest is left to the next run.
_ROUNDS = 5
# Where git makes no partial commit, and what ends that.
_IN_THE_WAY = {
    "merge": "conclude it (git commit) or give it up (git merge --abort)",
    "cherry-pick": "conclude it (git commit) or give it up (git cherry-pick --abort)",
    "rebase pick": "go on (git rebase --continue or --skip) or give it up (git rebase --abort)",
}
# What a commit may come to, or may have ended.
_PASSING = {
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


class Committer:
    """Brings one scope into the history; `report` and `notes` are what is to be said of it."""

    def __init__(
        self,
        scope: str,
        message: str,
        retries: int = RETRIES,
        exclude: re.Pattern[str] | None = None,
    ) -> None:
        self.scope = scope
        self.exclude = exclude
        self._message = message
        self._retries = retries
        self._patience = Patience(retries)
        self._clone = staging.Clone()
        self._states: set[str] = set()
        self._since = ""
        self._left: dict[str, str] = {}
        self._notes: list[str] = []
        self.committed = False
        self.kept = "nothing is lost"
        self.report = Report(())

    def is_inside_itself(self) -> bool:
        """Whether this runs in a hook of a commit that another such process makes here."""
        return own_commit.is_under_way(self._clone.git_folder)

    @property
    def notes(self) -> list[str]:
        """What is to be said beside the findings: what was left out, and what may come of it."""
        left = [f"left out: {shown(path)}: {reason}" for path, reason in self._left.items()]
        return [*self._notes, *left]

    def work(self) -> None:
        """Stage, mend the index, commit, until HEAD holds the scope as it was judged.

        A partial commit takes files from the disk and not what is staged, so one that was
        written in between is in it with an index that does not know it yet: the next round
        sees that and mends it. Raises Refused, and Unusable where nothing can be committed.
        """
        if staging.is_only_comments(self._message):
            raise Unusable(
                "nothing staged or committed: the message holds nothing but comments, which"
                " commit.cleanup=strip takes away: start it with another character"
            )
        # A partial commit reads the staging area before it locks it, and so writes back what
        # another process has staged over in between.
        with alone(self._clone.git_folder, self._patience):
            self._patience = Patience(self._retries)
            self._work()

    def _work(self) -> None:
        for left in range(_ROUNDS - 1, -1, -1):
            self._notes.clear()
            try:
                self._stage(self._look())
            except Unusable as error:
                if not self.committed:
                    raise
                self._notes.append(f"the rest is not committed: {error}")
                return
            waiting = staging.Waiting(self.scope)
            with Nest(self._request(waiting)) as nest:
                mended = nest.is_stale(self.scope) and self._mend(nest)
                paths = waiting.pathspecs(layout.memory_of(self.scope) if mended else "")
                self._left.update(waiting.left)
                if left and (mended or not paths) and self._is_only_on_disk(mended):
                    continue
                done = not paths or self._commit(nest, paths, is_last=not left)
                if done or not left:
                    self._judge(nest)
                if done:
                    return
        self._notes.append(
            f"{self.scope} keeps changing while it is committed: the next commit has the rest"
        )

    def _look(self) -> staging.Look:
        """What is to be staged. Raises, before anything is changed, where a commit cannot be made.

        Or where it would do harm: in the middle of a merge, or in what is no nest.
        """
        self._states = self._clone.states()
        for state, way_out in _IN_THE_WAY.items():
            if state in self._states:
                raise Unusable(
                    "nothing staged or committed: git makes no partial commit during a"
                    f" {state}; {way_out}, then run this again"
                )
        self._refuse_folder()
        self._notes += map(leftovers.describe, leftovers.clear(self.scope)[1])
        look = staging.look(self.scope)
        spelled = self.scope if look.entries else _as_spelled(self.scope)
        if spelled != self.scope:
            self.scope = spelled
            look = staging.look(spelled)
        if look.unread:
            raise Unusable(f"nothing staged or committed: {look.unread}")
        unmerged = [path for path, entry in look.entries.items() if entry.unmerged]
        if unmerged:
            raise Unusable(
                f"nothing staged or committed: {named(unmerged)} is in an unsolved merge"
                " conflict: solve it, then git add it"
            )
        is_there = os.path.lexists(git.to_bytes(self.scope)) or look.entries
        if not (is_there or staging.Waiting(self.scope).changes):
            raise Unusable(
                f"{shown(self.scope)} is no folder here, and nothing that git knows:"
                " start in the nest's root"
            )
        if not (look.is_nest or _is_nest(self.scope)):
            raise Unusable(
                f"no nest here: git lists neither {layout.RULES} nor a {layout.MEMORY} with an"
                " index: start in the nest's root"
            )
        return look

    def _refuse_folder(self) -> None:
        """Raise where the scope's folder cannot hold memory of this repository."""
        parts = self.scope.split("/")
        for folder in ("/".join(parts[:count]) for count in range(1, len(parts) + 1)):
            name = git.to_bytes(folder)
            try:
                kind = contents.kind_of(folder)
            except OSError as error:
                reason = f"cannot be looked at: {error.strerror}"
            else:
                reason = {"link": "is a symbolic link", "file": "is a file"}.get(kind, "")
            if not reason and os.path.lexists(name + b"/.git"):
                reason = "is a git repository of its own, of which no commit here holds a file"
            if reason:
                raise Unusable(f"{shown(folder)} {reason}: name the folder of a scope")

    def _is_only_on_disk(self, mended: bool) -> bool:
        """Whether something is not staged, beside the mended memory.md, although all just was.

        It was written since then; or a partial commit of another process, which reads the staging
        area before it locks it, wrote that back without it.
        """
        paths = {path.rstrip("/") for path in staging.unstaged(self.scope)} - self._left.keys()
        if mended:
            paths.discard(layout.memory_of(self.scope))
        return not all(map(layout.is_temporary, paths))

    def _stage(self, look: staging.Look) -> None:
        self._left = {**look.left, **self._try(staging.stage, look.unstaged)}

    def _request(self, waiting: staging.Waiting) -> Request:
        since = staging.Waiting(self.scope, self._since) if self._since else waiting
        return Request(
            part=self.scope,
            changes=since.changes,
            staged=True,
            index=True,
            topics=True,
            resident=True,
        )

    def _mend(self, nest: Nest) -> bool:
        """Put the index into the memory.md on disk; False, and a note, where that fails."""
        path, expected = layout.memory_of(self.scope), nest.expected_index(self.scope)
        if expected is None or path in self._left or (self.exclude and self.exclude.search(path)):
            return False
        try:
            rewrite(path, expected, self._patience)
        except NotRewritten as error:
            self._notes.append(f"{shown(path)}: not rewritten: {error}")
            return False
        return True

    def _commit(self, nest: Nest, paths: list[str], *, is_last: bool) -> bool:
        """Commit; whether HEAD now holds what was judged, and a true index of it."""
        mark = own_commit.mark(self._clone.git_folder)
        try:
            self._try(staging.commit, paths, self._message, **mark)
        except Refused as refusal:
            # A partial commit takes the mended memory.md from the disk, and stages it only then.
            self._stage(staging.look(self.scope))
            # Another run may have committed all of it in the meantime.
            if staging.Waiting(self.scope).pathspecs():
                if refusal.outdated and not is_last:
                    return False
                same = nest.relist(self.scope, git.entries([self.scope]))
                is_true = same and nest.has_true_index(self.scope)
                self.kept = f"{shown(self.scope)} stays staged{', its index true' * is_true}"
                raise
        else:
            self.committed = True
        same = nest.relist(self.scope, git.committed("HEAD", [self.scope]))
        if same and not nest.is_stale(self.scope):
            return True
        self._since = self._since or staging.before_head()
        return False

    def _judge(self, nest: Nest) -> None:
        """Judge what all rounds together committed."""
        if not self.committed:
            return
        self.report = Report(check.check(nest, hook.Options(check.HOOK.limits)))
        # Also what has begun since then, as while a hook ran.
        states = self._states | self._clone.states()
        self._notes += [note for state, note in _PASSING.items() if state in states]

    def _try(self, act: Callable[..., Answer], *args: object, **env: str) -> Answer:
        while True:
            try:
                return act(*args, **env)
            except Refused as refusal:
                if not (refusal.passing and self._patience.wait()):
                    raise


def _as_spelled(scope: str) -> str:
    """The scope as its folder, or else git, spells it: a file system may not tell case apart."""
    found: list[str] = []
    for part in scope.split("/"):
        folder = "/".join(found) or os.curdir
        found.append(contents.spelling(folder, part))
    on_disk = "/".join(found)
    if on_disk == scope:
        return scope
    listed = {layout.scope_of(path) for path in git.listed(("agents",))}
    same = (name for name in listed if name and name.casefold() == scope.casefold())
    return on_disk if on_disk in listed else next(same, on_disk)


def _is_nest(scope: str) -> bool:
    """Whether the scope has an index, or one that git lists, where there is no rules file."""
    try:
        if Memory(contents.read_whole(layout.memory_of(scope))).opted_in:
            return True
    except OSError:
        pass
    entries = git.listed((layout.SHARED, "agents"))
    source = contents.Staged(entries)
    try:
        for _, content in source.read(sorted(filter(layout.is_memory, entries))):
            if not isinstance(content, Unread) and Memory(b"".join(content)).opted_in:
                return True
    finally:
        source.close()
    return False


def _committer(args: Sequence[str]) -> Committer:
    """What the command line asks for. Exits with 2 on a usage error."""
    # Most tool hooks say just this, and loading argparse takes a twentieth of the whole run.
    if len(args) == 3 and args[1] == "-m" and not args[2].startswith("-"):
        scope = tidy(args[0])
        if layout.is_scope(scope) and args[2].strip():
            return Committer(scope, args[2])
    return _parsed(args)


def _parsed(args: Sequence[str]) -> Committer:
    from nestwork_hooks.console import flags

    parser = flags.Parser(NAME, __doc__)
    add = parser.add_argument
    add("scope", metavar="SCOPE", help="shared or agents/<host>/<agent-id>")
    add("-m", "--message", required=True, help="the message of the commit")
    add(
        "--retries",
        type=_retries,
        metavar="N",
        default=RETRIES,
        help=f"how often a lock of another process is tried again (default {RETRIES}: some seconds)",
    )
    add(
        "--exclude",
        type=flags.regex,
        metavar="REGEX",
        help="say and write nothing of paths that match",
    )
    add("--version", action=flags.Version, nargs=0, help="print the version")
    found = parser.parse_args(list(_joined(args)))
    if found.message == []:  # What Python before 3.13 makes of `--`.
        found.message = "--"
    if not found.message.strip():
        parser.error("the message is empty")
    scope = tidy(found.scope)
    if not layout.is_scope(scope):
        parser.error(f"{shown(found.scope)} is no scope: name shared or agents/<host>/<agent-id>")
    return Committer(scope, found.message, found.retries, found.exclude)


def _joined(args: Sequence[str]) -> Iterator[str]:
    """The message as one word with its flag, as it may start with a dash."""
    words = iter(args)
    for word in words:
        if word in ("-m", "--message"):
            message = next(words, None)
            yield word if message is None else f"--message={message}"
        else:
            yield word


def _retries(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"expected a whole number, got {text!r}")
    return int(text)


def _run(args: Sequence[str]) -> int:
    git.forget_other_repository()
    committer = _committer(args)
    if committer.is_inside_itself():
        hook.complain(NAME, "nothing done here: this is a hook of a nestwork-commit under way")
        return hook.OK
    try:
        committer.work()
    except Refused as refusal:
        lines = [*_refusal(committer, refusal), *_notes(committer)]
        code = hook.FOUND if committer.committed else hook.UNABLE
    except (git.GitError, Unusable, OSError, KeyboardInterrupt) as error:
        if not committer.committed:
            raise
        reason = str(error) or "interrupted"
        lines = [f"{NAME}: committed, but not judged: {reason}", *_notes(committer)]
        code = hook.FOUND
    else:
        committer.report.narrow(committer.exclude, None)
        lines = [*_notes(committer), *map(str, by_importance(committer.report))]
        code = hook.FOUND if lines else hook.OK
        if lines:
            done = "committed" if committer.committed else "nothing to commit"
            lines.insert(0, f"{NAME}: {done}; please note:")
    hook.say_if_heard(shortened(lines))
    return code


def _refusal(committer: Committer, refusal: Refused) -> list[str]:
    what = "committed, but not what was written since" if committer.committed else "not committed"
    said = [f"> {line}" for line in refusal.said] or [f"> (nothing; exit code {refusal.code})"]
    who = "git" if refusal.code != 1 else "git or a hook"
    return [f"{NAME}: {what}; {committer.kept}; {who} says:", *said]


def _notes(committer: Committer) -> list[str]:
    return [f"{NAME}: {note}" for note in dict.fromkeys(committer.notes)]


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-commit`: 0 committed, 1 committed with findings, 2 not committed."""
    return hook.guarded(NAME, _run, argv)


if __name__ == "__main__":
    raise SystemExit(main())
