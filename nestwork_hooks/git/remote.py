"""The remote's branch that memory goes to. The one module that asks the network."""

from __future__ import annotations

from nestwork_hooks.git.acting import Refused, act
from nestwork_hooks.git.asking import GitError, records, run, to_path

_BRANCHES = "refs/heads/"
# The values of `push.default` with which a branch may have another name there.
_OTHER_NAMES = ("upstream", "tracking", "current")
# Where a branch was pushed to that no remote-tracking branch follows.
_OWN_TRACKING = "refs/nestwork/"
# Nobody is there to answer: git, ssh and credential helpers are to fail where they would ask.
_UNATTENDED = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
}
# That would go on behind a fetch, with locks of its own.
_NO_HOUSEKEEPING = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
# What git says where another one changes the same ref, there or here.
_OVERTAKEN = (
    "fetch first",
    "non-fast-forward",
    "lock ref",
    "failed to lock",
    "update ref",
    "incorrect old value",
)


class Destination:
    """Where the checked-out branch is pushed to: what a bare `git push` would take.

    `branch` and `ref` are its names here and there, `remote` is that of the remote, and `tracking`
    the ref of this clone that says what is there. Raises GitError where there is none.
    """

    def __init__(self) -> None:
        try:
            self.branch = to_path(run("symbolic-ref", "-q", "HEAD")).removesuffix("\n")
        except GitError:
            raise GitError("HEAD is detached") from None
        name = self.branch.removeprefix(_BRANCHES)
        values = _configured()
        own = f"branch.{name}."
        upstream, merge = values.get(f"{own}remote", ""), values.get(f"{own}merge", "")
        pushed_to = values.get(f"{own}pushremote") or values.get("remote.pushdefault")
        self.remote = pushed_to or upstream
        follows = self.remote == upstream and merge != ""
        if not pushed_to and not follows:
            raise GitError(f"branch {name} has no upstream: git push -u origin {name} sets one")
        if self.remote == ".":
            raise GitError(f"the upstream of branch {name} is a branch of this clone")
        default = values.get("push.default", "")
        if follows and merge != self.branch and default not in _OTHER_NAMES:
            raise GitError(
                f"branch {name} has another name than its upstream: push.default says where it goes"
                " (upstream, or current)"
            )
        follows = follows and not (default == "current" and merge != self.branch)
        self.ref = merge if follows else self.branch
        tracked = run("for-each-ref", "--format=%(upstream)", self.branch) if follows else b""
        self.tracking = to_path(tracked).strip() or f"{_OWN_TRACKING}{name}"

    def known(self) -> str:
        """The commit that was there when it was last asked or pushed to; `""` if none is known."""
        try:
            return to_path(
                run("rev-parse", "-q", "--verify", f"{self.tracking}^{{commit}}")
            ).strip()
        except GitError:
            return ""

    def push(self, commit: str, limit: float, **env: str) -> None:
        """Make it this commit, if it comes from the one that is there. Raises as `act` does."""
        words = ("push", "-q", "--no-follow-tags", "--recurse-submodules=no", "--")
        act(*words, self.remote, f"{commit}:{self.ref}", limit=limit, **_UNATTENDED, **env)
        if self.tracking.startswith(_OWN_TRACKING):
            act("update-ref", self.tracking, commit)

    def fetch(self, limit: float) -> None:
        """Ask what is there. Raises as `act` does, also where history there was rewritten."""
        # Not -q: it would not say why.
        words = (*_NO_HOUSEKEEPING, "fetch", "--no-tags", "--no-recurse-submodules")
        where = ("--refmap=", "--", self.remote, f"{self.ref}:{self.tracking}")
        act(*words, *where, limit=limit, **_UNATTENDED)


def is_overtaken(refusal: Refused) -> bool:
    """Whether a push, or a fetch, was refused because another one was quicker."""
    return refusal.passing or any(map("\n".join(refusal.said).count, _OVERTAKEN))


def _configured() -> dict[str, str]:
    """The configuration of branches, and of pushes in general, by lower-case name."""
    try:
        found = records(
            "config", "-z", "--get-regexp", r"^(branch\..*|remote\.pushdefault|push\.default)$"
        )
    except GitError:
        return {}
    return {name: value for name, _, value in (record.partition("\n") for record in found)}


def missing_in(history: str, commit: str) -> set[str]:
    """The ids of a commit and of those before it that are not in the history of another one."""
    return set(to_path(run("rev-list", commit, f"^{history}")).split())


def is_in(commit: str, history: str) -> bool:
    """Whether a commit is another one, or comes before it. Raises GitError for an unknown one."""
    return commit == history or not run("rev-list", "-n1", commit, f"^{history}")
