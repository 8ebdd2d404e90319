"""Is memory waiting in this clone that no commit holds?

Warns, once for each scope, of files that are changed, staged or unknown to git (uncommitted).
Part of nestwork-check with `--uncommitted`, for the start of an agent's session.
"""

from __future__ import annotations

from collections.abc import Iterator

from nestwork_hooks import git
from nestwork_hooks.console.report import UNCOMMITTED
from nestwork_hooks.nest import listing as listings
from nestwork_hooks.nest.request import Request
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import WARNING, Finding
from nestwork_hooks.protocol.text import named

# Git lists a repository in the scope, or knows nothing of it yet.
_NESTED = "in a repository of its own"


def findings(request: Request) -> Iterator[Finding]:
    """A finding for each named scope with such files, at its memory.md."""
    scopes = sorted(request.names)
    states = _states(scopes)
    for scope in scopes:
        own = {state: _names(paths, scope) for state, paths in states.items()}
        nested = own.pop(_NESTED)
        count = sum(map(len, own.values()))
        facts = []
        if count:
            said = "; ".join(f"{state} {named(names)}" for state, names in own.items() if names)
            files = f"{count} file{'s' * (count > 1)}"
            facts.append(
                f"{files} of this scope not committed: {said}; commit with nestwork-commit"
            )
        if nested:
            facts.append(f"{_NESTED} {named(nested)}: no commit of the nest holds its files")
        if facts:
            path = layout.memory_of(scope)
            yield Finding(path, 1, WARNING, UNCOMMITTED, "; ".join(facts))


def _names(paths: set[str], scope: str) -> list[str]:
    """Those of the paths that are in the scope, as names below it, sorted."""
    return sorted(path[len(scope) + 1 :] for path in paths if layout.scope_of(path) == scope)


def _states(scopes: list[str]) -> dict[str, set[str]]:
    listing = listings.staged(scopes)
    changed = {change.path for change in git.changes()}
    staged = {change.path for change in git.changes("--cached")} - changed
    found = {*git.unknown(scopes), *listing.intent_to_add}
    unknown = {path for path in found if not layout.is_temporary(path)}
    nested = {path for path in unknown if path.endswith("/")}
    known = {f"{path}/" for path, kind in listing.others.items() if kind == "a submodule"}
    return {
        "changed": changed,
        "untracked": unknown - nested,
        "staged": staged,
        _NESTED: nested | known,
    }
