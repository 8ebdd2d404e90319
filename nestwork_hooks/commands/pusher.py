"""Push what is committed, and bring the clone to what it was put on top of.

Where a push is refused because another clone was quicker, own commits are put on top of what is
there without a checkout, and pushed. Only then the clone follows, as far as nobody works on a file
that changes: memory has arrived by then, and a later run tries again.
"""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.git.acting import Refused, act
from nestwork_hooks.git.clone import Clone
from nestwork_hooks.git.moving import Records, move
from nestwork_hooks.git.private_index import Conflict, PrivateIndex
from nestwork_hooks.git.remote import Destination, is_in, is_overtaken, missing_in
from nestwork_hooks.light import closing
from nestwork_hooks.nest import own_commit
from nestwork_hooks.nest.replay import Replay
from nestwork_hooks.nest.request import read_environment
from nestwork_hooks.protocol.text import named
from nestwork_hooks.writing.lock import RETRIES, Backoff, Locked

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import TypeVar

    Answer = TypeVar("Answer")

# Seconds for all of it, most of which a network may take.
LIMIT = 50
# How often others may push first, and how often a branch may move while its clone is moved.
_PUSHES, _MOVES = 100, 5
# Files may stand at so many of the newest commits that were put on top.
_NEWEST = 8
# How often others may be quicker before own commits are put on top all at once, which is quicker.
_PATIENCE = 3
_WAITED = (
    "another nestwork-commit is pushing from this clone all the time; the next write tries again"
)
_QUICKER = "other clones were quicker all the time; the next write tries again"
_REWRITTEN = (
    "history was rewritten on the remote: follow it (git pull --rebase), or put it back (git push"
    " --force), while no agent works here"
)
_MOVED = "nestwork-commit: bring the clone to what was pushed"


class Pusher:
    """Pushes the branch of this clone; `pushed` says whether it is.

    No index is written where `exclude` matches. A lock is tried again `retries` times. All of it
    takes `limit` seconds at most (0: `LIMIT`), but for a hook of somebody else that does not end.
    """

    def __init__(
        self, exclude: re.Pattern[str] | None, retries: int = RETRIES, limit: float = 0
    ) -> None:
        from time import monotonic

        self.pushed = False
        self._now = monotonic
        self._clone = Clone()
        self._exclude = exclude
        self._retries = retries
        self._limit = limit or LIMIT
        self._end = monotonic() + self._limit
        self._records = Records(self._clone.git_folder)
        # A hook of the push that runs this command again would wait for itself.
        self._mark = own_commit.mark(self._clone.git_folder, read_environment())
        self._asked = False
        self._refused = 0
        self._half_done = False

    def work(self) -> None:
        """Push, unless everything is pushed already.

        Raises Refused with git's words, and GitError (Conflict) with a reason of our own.
        """
        states = self._clone.states() - {"detached"}
        if states:
            raise git.GitError(f"this is the middle of a {min(states)}")
        self._to = Destination()
        # Whoever waits here finds, as a rule, that the one before has pushed its commits too.
        turn = os.path.join(self._clone.git_folder, b"refs")
        waiting = Backoff(int(self._limit * 4))
        with Locked(turn, waiting) as is_first, closing(PrivateIndex(self._clone)) as index:
            if not is_first:
                raise git.GitError(_WAITED)
            self._index = index
            self._replay = Replay(index, self._clone.prefix, self._exclude)
            there = self._push()
            self.pushed = True
            self._bring_along(there)

    def _push(self) -> str:
        """Push until nobody else is quicker; the commit that is there now."""
        others = Backoff(_PUSHES)
        while True:
            head, known = git.commit_id("HEAD"), self._to.known()
            try:
                made = self._on_top(head, known) if known else head
            except Conflict:
                # Without locks another process may have pushed the same commits, and gone on.
                if git.commit_id("HEAD") == head or not others.wait():
                    raise
                continue
            if made == known:
                return made
            try:
                self._to.push(made, self._left(), **self._mark)
                return made
            except Refused as refusal:
                self._refused += 1
                # Not between the fetch and the next push, where others would be quicker again.
                is_late = self._now() > self._end or not others.wait()
                if is_late and is_overtaken(refusal):
                    raise git.GitError(_QUICKER) from None
                if is_late or not self._may_go_on(refusal, known):
                    raise

    def _left(self) -> float:
        return max(self._end - self._now(), 1)

    def _may_go_on(self, refusal: Refused, known: str) -> bool:
        """Ask the remote; whether a push could go well now that did not before."""
        try:
            self._to.fetch(self._left())
            self._asked = True
        except Refused as failure:
            if self._to.known() != known:
                return True  # Another process of this clone has asked since, and was told more.
            if any("(non-fast-forward)" in line for line in failure.said):
                raise git.GitError(_REWRITTEN) from None
            return is_overtaken(failure)
        return self._to.known() != known or is_overtaken(refusal)

    def _on_top(self, head: str, onto: str) -> str:
        """The commit in which what is committed here is on top of what is there.

        It is remembered before anybody sees it: a run that is killed knows of it afterwards.
        """
        theirs = missing_in(head, onto)
        if not theirs:
            return head
        pairs = self._records.pairs()
        arrived = (old for old, made in pairs if made in theirs and _is_known(old, head))
        base = next(arrived, "")
        if not base and not self._asked:  # What is fetched here goes on from what was known.
            self._refuse_rewritten(head, onto)
        made = self._replay.on_top(head, onto, base, at_once=self._refused > _PATIENCE)
        self._records.add(head, made)
        return made

    def _refuse_rewritten(self, head: str, there: str) -> None:
        """Raise GitError where what the branch was based on was taken out of the history there.

        Somebody did so on purpose, as to remove a secret, or by mistake: nobody else can know.
        """
        try:
            base = git.to_path(git.run("merge-base", "--fork-point", self._to.tracking, head))
        except git.GitError:
            return  # This clone does not remember.
        # Unless another process of this clone has just learned of more.
        if not is_in(base.strip(), there) and self._to.known() == there:
            raise git.GitError(_REWRITTEN)

    def _bring_along(self, there: str) -> None:
        """Bring branch, staging area and files to what was pushed, with what was committed since.

        Where that is not possible, they stay: all is pushed, and the next run tries again.
        """
        if git.commit_id("HEAD") == there:
            self._records.forget()
            return
        with Locked(self._clone.git_folder, Backoff(self._retries)):
            try:
                for _ in range(_MOVES):
                    if self._is_along(there):
                        return
            finally:
                if self._half_done:
                    head = git.commit_id("HEAD")
                    move(self._index, head, head, self._moves(), self._attempt)

    def _is_along(self, there: str) -> bool:
        """Try to bring the clone along; False if another process has moved its branch meanwhile."""
        if self._clone.states() or Destination().branch != self._to.branch:
            return True
        head = git.commit_id("HEAD")
        try:
            end = self._on_top(head, there)
        except Conflict:
            return True  # Of a commit that was made since: who made it will be told.
        if end != head:
            if not move(self._index, head, end, self._moves(), self._attempt):
                return True
            self._half_done = True
            if not self._follow(head, end):
                return False
            self._half_done = False
        self._records.forget()
        return True

    def _moves(self) -> list[tuple[str, str]]:
        return self._records.pairs()[:_NEWEST]

    def _follow(self, head: str, end: str) -> bool:
        """Bring the branch to a commit; False if another process has moved it before."""
        try:
            self._attempt(act, "update-ref", "-m", _MOVED, "HEAD", end, head)
        except Refused:
            if git.commit_id("HEAD") == head:
                raise
            return False
        return True

    def _attempt(self, action: Callable[..., Answer], *args: str) -> Answer:
        backoff = Backoff(self._retries)
        while True:
            try:
                return action(*args)
            except Refused as refusal:
                moved = "but expected" in str(refusal)
                if moved or not (refusal.passing and backoff.wait()):
                    raise


def _is_known(commit: str, head: str) -> bool:
    """Whether a commit that was remembered is in the branch still."""
    try:
        return is_in(commit, head)
    except git.GitError:
        return False


def reason_of_conflict(error: BaseException) -> str:
    """What a person has to know to solve a conflict; `""` for any other error."""
    if not isinstance(error, Conflict):
        return ""
    return (
        f"{named(error.paths)}: {error.reason}; this clone pushes nothing until somebody solves"
        " that: git pull --no-rebase while no agent works here, then git push"
    )
