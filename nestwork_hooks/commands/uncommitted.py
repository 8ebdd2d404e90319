"""Is memory waiting in this clone that no commit holds, or that no other clone has?

Warns of files that are changed, staged or unknown to git (uncommitted), of those that no commit
will take as they are (kept-out), and of commits that do not leave this clone (held-back). Part of
nestwork-check with `--uncommitted`, for the start of an agent's session.
"""

from __future__ import annotations

from nestwork_hooks.console.report import HELD_BACK, KEPT_OUT, UNCOMMITTED
from nestwork_hooks.git import hidden, status
from nestwork_hooks.git.clone import WAYS_OUT, Clone
from nestwork_hooks.nest.listing import Listing
from nestwork_hooks.nest.request import Request
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import WARNING, Finding
from nestwork_hooks.protocol.shell import quoted
from nestwork_hooks.protocol.text import escaped, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Git lists a repository in the scope, or knows nothing of it yet.
_NESTED = "in a repository of its own"


def findings(request: Request, listing: Listing) -> Iterator[Finding]:
    """What is to be said of each named scope, and once of the clone; `listing` is of these scopes.

    Starts two git processes where all is well.
    """
    scopes = sorted(request.names)
    clone = Clone()
    found = status.Status(scopes, clone.prefix)
    for scope in scopes:
        yield from _uncommitted(scope, found, listing)
        yield from _kept_out(scope, found, listing, request.root)
    facts = [*_under_way(clone), *_unpushed(found, nest_is_folder=bool(clone.prefix))]
    if facts:
        yield _warning(layout.memory_of(scopes[0]), HELD_BACK, "; ".join(facts))


def _warning(path: str, rule: str, message: str) -> Finding:
    return Finding(path, 1, WARNING, rule, message)


def _uncommitted(scope: str, found: status.Status, listing: Listing) -> Iterator[Finding]:
    nested = {path for path in found.untracked | found.ignored if _is_repository(path)}
    nested |= {f"{path}/" for path, kind in listing.others.items() if kind == "a submodule"}
    states = {
        "changed": _names(found.changed, scope),
        "untracked": _names(found.untracked - nested, scope),
        "staged": _names(found.staged, scope),
    }
    count = sum(map(len, states.values()))
    facts = []
    if count:
        said = "; ".join(f"{state} {named(names)}" for state, names in states.items() if names)
        files = f"{count} file{'s' * (count > 1)}"
        facts.append(f"{files} of this scope not committed: {said}; commit with nestwork-commit")
    if names := _names(nested, scope):
        facts.append(f"{_NESTED} {named(names)}: no commit of the nest holds its files")
    if facts:
        yield _warning(layout.memory_of(scope), UNCOMMITTED, "; ".join(facts))


def _is_repository(path: str) -> bool:
    """Whether a path of a status is a repository, at a place where there could be topics."""
    return path.endswith("/") and layout.topic_name(f"{path}{layout.MEMORY}") is not None


def _names(paths: set[str], scope: str) -> list[str]:
    """Those of the paths that are in the scope, as names below it, sorted."""
    return sorted(
        path[len(scope) + 1 :]
        for path in paths
        if layout.scope_of(path) == scope and not layout.is_temporary(path)
    )


def _kept_out(scope: str, found: status.Status, listing: Listing, root: str) -> Iterator[Finding]:
    ignored = [path for path in sorted(found.ignored) if _is_memory_of(scope, path)]
    said = hidden.ignored(ignored[:1]) if ignored else {}
    for first, reason in said.items():
        yield _warning(first, KEPT_OUT, f"{reason}{_others(ignored, scope)}")
    own = {path: e for path, e in listing.entries.items() if _is_memory_of(scope, path)}
    marks: dict[str, list[str]] = {}
    for path, mark in hidden.changed(own).items():
        marks.setdefault(mark, []).append(path)
    for mark, paths in marks.items():
        mend = f"git update-index --no-{mark} {quoted(f'{root}{paths[0]}')}"
        reason = f"{mark} hides from git that it has changed: {mend}, then nestwork-commit"
        yield _warning(paths[0], KEPT_OUT, f"{reason}{_others(paths, scope)}")


def _is_memory_of(scope: str, path: str) -> bool:
    return layout.scope_of(path) == scope and layout.holds_memory(path)


def _others(paths: list[str], scope: str) -> str:
    names = [path[len(scope) + 1 :] for path in paths[1:]]
    return f" (as for {named(names)})" if names else ""


def _under_way(clone: Clone) -> Iterator[str]:
    states = clone.states()
    for state, way_out in WAYS_OUT.items():
        if state in states:
            yield f"a {state} is under way, for a person to end: {way_out}"
    if "detached" in states:
        yield "HEAD is detached, so no branch gets the next commits: git switch -c NAME"


def _unpushed(found: status.Status, *, nest_is_folder: bool) -> Iterator[str]:
    branch, upstream = escaped(found.branch), escaped(found.upstream)
    if not (branch and found.has_commits):
        return
    if not upstream:
        names = status.remotes()
        ours = status.count("HEAD", "--not", "--remotes") if names else 0
        if ours:
            name = "origin" if "origin" in names else names[0]
            mend = f"git push -u {quoted(name)} {quoted(found.branch)}"
            yield f"{_commits(ours)} on {branch} in no remote: {mend}"
    elif found.ahead is None:
        yield f"{branch} follows {upstream}, which this clone does not know: git fetch"
    elif found.ahead:
        ours = status.count("@{upstream}..HEAD") if nest_is_folder else found.ahead
        if ours and found.behind:
            yield (
                f"{branch} and {upstream} have diverged, {_commits(ours)} only here and"
                f" {found.behind:,} only there: nestwork-commit --push puts yours on top"
            )
        elif ours:
            yield f"{_commits(ours)} on {branch} not in {upstream}: git push"


def _commits(count: int) -> str:
    return f"{count:,} commit{'s' * (count > 1)} of this nest"
