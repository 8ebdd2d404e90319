"""Commit the memory of one scope, with a true index, and say what is wrong with it.

Does what an agent's tool hook does after each write: stages the scope, makes its topic index
from what is staged, and commits the scope alone. Findings never stop it. Exits 0 if all is
well or nothing is to commit, 1 if it committed and something is to be said, 2 if not.

example: nestwork-commit agents/box/claude-a7k2 -m "memory: hosts"
"""

from __future__ import annotations

import os
import sys

from nestwork_hooks import check, git, hook, leftovers
from nestwork_hooks.git import staging
from nestwork_hooks.nest import Nest
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.text import named, shown
from nestwork_hooks.report import Report, by_importance, print_lines, shortened
from nestwork_hooks.rewriting import NotRewritten, rewrite
from nestwork_hooks.selection import Request, Unusable, tidy
from nestwork_hooks.turns import RETRIES, Patience, alone

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Sequence

NAME = "nestwork-commit"
# How often a scope may change between staging and commit before the rest is left to the next run.
_ROUNDS = 5
# What a commit may come to, or may have ended.
_PASSING = {
    "rebase": "committed in the middle of a rebase: if it is given up (git rebase --abort), only"
    " git reflog has this commit",
    "bisect": "committed in the middle of a bisect: after git bisect reset only git reflog has"
    " this commit",
    "revert": "committed in the middle of a revert, which git takes for its end: git revert --abort"
    " has nothing to go back to now, so look at git status",
}
_LEFTOVERS = f"{layout.TEMPORARY}*"


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
        self.committed = False
        self.kept = "nothing is lost"
        self.report = Report(())
        self.notes: list[str] = []

    def work(self) -> None:
        """Stage, mend the index, commit, until HEAD holds the scope as it was judged.

        A partial commit takes files from the disk and not what is staged, so one that was
        written in between is in it with an index that does not know it yet: the next round
        sees that and mends it. Raises Refused, and Unusable where nothing can be committed.
        """
        # A partial commit reads the staging area before it locks it, and so writes back what
        # another process has staged over in between.
        with alone(self._clone.git_folder, self._patience):
            self._patience = Patience(self._retries)
            self._work()

    def _work(self) -> None:
        for left in range(_ROUNDS - 1, -1, -1):
            self.notes.clear()
            try:
                self._refuse_unready()
            except Unusable as error:
                if not self.committed:
                    raise
                self.notes.append(f"the rest is not committed: {error}")
                return
            self._stage()
            with Nest(self._request()) as nest:
                mended = nest.is_stale(self.scope) and self._mend(nest)
                nothing = not (mended or self._is_waiting(nest))
                if left and (mended or nothing) and self._is_only_on_disk(mended):
                    continue
                done = nothing or self._commit(nest)
                if done or not left:
                    self._judge(nest)
                if done:
                    return
        self.notes.append(
            f"{self.scope} keeps changing while it is committed: the next commit has the rest"
        )

    def _refuse_unready(self) -> None:
        """Raise, before anything is changed, where a commit cannot be made or would do harm."""
        self._states = self._clone.states()
        for state in ("merge", "cherry-pick"):
            if state in self._states:
                raise Unusable(
                    f"nothing staged or committed: git makes no partial commit during a {state};"
                    f" conclude it (git commit) or give it up (git {state} --abort), then run"
                    " this again"
                )
        self._refuse_paths(git.entries([self.scope]))

    def _refuse_paths(self, entries: dict[str, git.Entry]) -> None:
        unmerged = [path for path, entry in entries.items() if entry.unmerged]
        if unmerged:
            raise Unusable(
                f"nothing staged or committed: {named(unmerged)} is in an unsolved merge"
                " conflict: solve it, then git add it"
            )
        folder = git.to_bytes(self.scope)
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise Unusable(f"{shown(self.scope)} is a file: name the folder of a scope")
        if not (entries or os.path.lexists(folder) or self._is_waiting()):
            raise Unusable(
                f"{shown(self.scope)} is no folder here, and nothing that git knows:"
                " start in the nest's root"
            )

    def _is_waiting(self, nest: Nest | None = None) -> bool:
        """Whether anything of the scope is staged and in no commit, links included."""
        if nest and nest.selection.changes and not self._since:
            return True
        return not all(map(layout.is_temporary, staging.waiting(self.scope)))

    def _is_only_on_disk(self, mended: bool) -> bool:
        """Whether something is not staged, beside the mended memory.md, although all just was.

        It was written since then; or a partial commit of another process, which reads the staging
        area before it locks it, wrote that back without it.
        """
        paths = staging.unstaged(self.scope)
        if mended:
            paths.discard(layout.memory_of(self.scope))
        return not all(map(layout.is_temporary, paths))

    def _stage(self) -> None:
        if os.path.isdir(git.to_bytes(self.scope)):
            self.notes += map(leftovers.describe, leftovers.clear(self.scope)[1])
        self._try(staging.stage, self.scope, _LEFTOVERS)

    def _request(self) -> Request:
        return Request(
            part=self.scope, since=self._since, staged=True, index=True, topics=True, resident=True
        )

    def _mend(self, nest: Nest) -> bool:
        """Put the index into the memory.md on disk; False, and a note, where that fails."""
        path, expected = layout.memory_of(self.scope), nest.expected_index(self.scope)
        if expected is None or (self.exclude and self.exclude.search(path)):
            return False
        try:
            rewrite(path, expected, self._patience)
        except NotRewritten as error:
            self.notes.append(f"{shown(path)}: not rewritten: {error}")
            return False
        return True

    def _commit(self, nest: Nest) -> bool:
        """Commit; whether HEAD now holds what was judged, and a true index of it."""
        words = (self.scope, _LEFTOVERS, self._message)
        try:
            self._try(staging.commit, *words, NESTWORK_COMMIT="1")
        except staging.Refused:
            # A partial commit takes the mended memory.md from the disk, and stages it only then.
            self._stage()
            # Another run may have committed all of it in the meantime.
            if self._is_waiting():
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
        self.notes += [note for state, note in _PASSING.items() if state in self._states]

    def _try(self, act: Callable[..., None], *args: str, **env: str) -> None:
        while True:
            try:
                return act(*args, **env)
            except staging.Refused as refusal:
                if not (refusal.passing and self._patience.wait()):
                    raise


def _committer(args: Sequence[str]) -> Committer:
    """What the command line asks for. Exits with 2 on a usage error."""
    # Most tool hooks say just this, and loading argparse takes a twentieth of the whole run.
    if len(args) == 3 and args[1] == "-m" and not args[2].startswith("-"):
        scope = tidy(args[0])
        if layout.is_scope(scope) and args[2].strip():
            return Committer(scope, args[2])
    return _parsed(args)


def _parsed(args: Sequence[str]) -> Committer:
    from nestwork_hooks import flags

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
    committer = _committer(args)
    try:
        committer.work()
    except staging.Refused as refusal:
        print_lines(shortened([*_refusal(committer, refusal), *_notes(committer)]), sys.stderr)
        return hook.FOUND if committer.committed else hook.UNABLE
    report = committer.report
    report.narrow(committer.exclude, None)
    lines = shortened([*_notes(committer), *map(str, by_importance(report))])
    print_lines(lines, sys.stderr)
    return hook.FOUND if lines else hook.OK


def _refusal(committer: Committer, refusal: staging.Refused) -> list[str]:
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
