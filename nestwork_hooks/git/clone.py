"""A clone: where its git folder is, and what it is in the middle of."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.git.asking import GitError, ahead, run

# What ends what a clone is in the middle of, by the names of `Clone.states`.
WAYS_OUT = {
    "merge": "conclude it (git commit) or give it up (git merge --abort)",
    "cherry-pick": "conclude it (git commit) or give it up (git cherry-pick --abort)",
    "rebase pick": "go on (git rebase --continue or --skip) or give it up (git rebase --abort)",
    "rebase": "go on (git rebase --continue or --skip) or give it up (git rebase --abort)",
    "git am": "go on (git am --continue or --skip) or give it up (git am --abort)",
    "revert": "conclude it (git revert --continue) or give it up (git revert --abort)",
    "bisect": "end it (git bisect reset)",
}
# What is under way where git's folder holds a file or folder of this name.
_STATES = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "rebase-apply/applying": "git am",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}
_OF_A_CLONE = (
    *("rev-parse", "--is-inside-work-tree", "--show-cdup", "--show-prefix", "--git-dir"),
    *(word for name in (*_STATES, "reftable", "HEAD") for word in ("--git-path", name)),
)


class Clone:
    """The working tree that is committed from: its git folder, and what it is in the middle of.

    `up` is the way from the current folder to its top, `prefix` the way back, each with a `/`.

    Raises GitError outside a working tree, and in a folder with a `.git` that git does not take
    for a repository: it would look for one further up, and commit there.
    """

    def __init__(self) -> None:
        answer = run(*_OF_A_CLONE)
        inside, up, prefix, *paths = answer.removesuffix(b"\n").split(b"\n")
        git.require_working_tree(inside)
        if len(paths) != len(_STATES) + 3:
            raise GitError("the path of this clone's git folder has a line end in it")
        if up and os.path.lexists(".git"):
            raise GitError(
                "the .git here is no repository, and git would commit to another one further up:"
                " mend or remove it"
            )
        self.git_folder, *paths, reftable, self._head = paths
        self.up, self.prefix = git.to_path(up), git.to_path(prefix)
        self._marks = dict(zip(paths, _STATES.values(), strict=True))
        self._reftable = reftable

    @staticmethod
    def ask_ahead() -> None:
        """Let git look for one until it is made."""
        ahead(*_OF_A_CLONE)

    def last_moved(self) -> float:
        """When HEAD was last moved, as by a commit; never (infinity) where nothing keeps that."""
        try:
            return os.stat(os.path.join(self.git_folder, b"logs/HEAD")).st_mtime
        except OSError:
            return float("inf")

    def states(self) -> set[str]:
        """What is under way now: a merge, a cherry-pick, `rebase`, `rebase pick`, ..."""
        found = {state for mark, state in self._marks.items() if os.path.lexists(mark)}
        if os.path.lexists(self._reftable) and _commit("CHERRY_PICK_HEAD"):
            found.add("cherry-pick")  # Such a clone has no file of that name.
        if "git am" in found:
            found.discard("rebase")
        if {"rebase", "cherry-pick"} <= found:
            found -= {"rebase", "cherry-pick"}
            found.add("rebase pick")
        if not found & {"rebase", "bisect"} and self._is_detached():
            found.add("detached")
        return found

    def _is_detached(self) -> bool:
        """Whether HEAD is no branch, also one without a commit yet."""
        if os.path.lexists(self._reftable):
            return not _branch()
        try:
            with open(self._head, "rb") as file:
                return not (os.path.islink(self._head) or file.read(5) == b"ref: ")
        except OSError:
            return False  # A link to a branch without a commit yet.


def _branch() -> bytes:
    """The name of the branch that HEAD is, also of one without a commit; empty if HEAD is detached."""
    try:
        return run("symbolic-ref", "-q", "HEAD")
    except GitError:
        return b""


def _commit(revision: str) -> str:
    """The id of the commit that `revision` names; `""` if there is none."""
    try:
        return git.commit_id(revision)
    except GitError:
        return ""


def before_head() -> str:
    """The id of the commit that HEAD was made on, or of the empty tree."""
    return _commit("HEAD^") or git.to_path(run("hash-object", "-t", "tree", "--stdin")).strip()
