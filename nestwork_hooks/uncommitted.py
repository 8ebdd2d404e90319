"""Is memory waiting in this clone that no commit holds?

Warns, once for each scope, of files that are changed, staged or unknown to git (uncommitted).
Part of nestwork-check with `--uncommitted`, for the start of an agent's session.
"""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import WARNING, Finding
from nestwork_hooks.protocol.text import named
from nestwork_hooks.report import UNCOMMITTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from nestwork_hooks.nest import Nest


def check(nest: Nest) -> Iterator[Finding]:
    """A finding for each named scope with such files, at its memory.md."""
    scopes = nest.scopes()
    states = _states(scopes)
    for scope in scopes:
        said = []
        count = 0
        for state, paths in states.items():
            names = sorted(
                path[len(scope) + 1 :] for path in paths if layout.scope_of(path) == scope
            )
            if names:
                said.append(f"{state} {named(names)}")
                count += len(names)
        if said:
            message = (
                f"{count} file{'s' * (count > 1)} of this scope not committed:"
                f" {'; '.join(said)}; commit with nestwork-commit"
            )
            yield Finding(layout.memory_of(scope), 1, WARNING, UNCOMMITTED, message)


def _states(scopes: list[str]) -> dict[str, set[str]]:
    changed = {change.path for change in git.changes()}
    staged = {change.path for change in git.changes("--cached")} - changed
    unknown = {path for path in git.untracked(scopes) if not layout.is_temporary(path)}
    return {"changed": changed, "untracked": unknown, "staged": staged}
