"""Rewrite every topic index that is stale.

Makes the index from the front matter and sizes of the topics that git lists, and puts it
between the two markers in the scope's memory.md. Text outside the markers stays as it is.
Exits 1 if it wrote, so that a commit stops and the file can be added to it; it never
stages anything. Where it can't be sure it writes nothing, and says why.

example: nestwork-fix-index --staged shared; git add -- shared/memory.md
"""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.checkers.stale_index import unjudged
from nestwork_hooks.console import run as hook
from nestwork_hooks.console.report import Report
from nestwork_hooks.protocol import index, layout
from nestwork_hooks.protocol.finding import ERROR, Finding
from nestwork_hooks.protocol.text import named
from nestwork_hooks.writing import leftovers
from nestwork_hooks.writing.replacement import NotRewritten, rewrite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.nest.view import Nest

_GIVEN_BACK = "in the text that a run that was killed had not put back"


def work(nest: Nest, options: hook.Options) -> Report:
    """Compute every index that is judged, then write those that differ."""
    findings: list[Finding] = []
    kept: list[str] = []
    stale: dict[str, tuple[str, str]] = {}
    for scope in nest.scopes():
        findings += unjudged(nest, scope)
        path, expected = layout.memory_of(scope), nest.expected_index(scope)
        if expected is None or (options.exclude and options.exclude.search(path)):
            continue
        given_back, left = leftovers.clear(scope)
        kept += left
        difference = index.difference(nest.index(scope) or "", expected)
        if difference or given_back:
            stale[path] = expected, difference
    written, unstaged, failures = _write(stale)
    failures += map(leftovers.describe, kept)
    findings += [_unstaged(path, stale[path][1]) for path in unstaged if nest.takes_staged(path)]
    report = Report(findings, staged=nest.staged)
    report.written, report.unstaged, report.failures = written, unstaged, failures
    if nest.by_hand:
        _name_untracked(nest, options)
    return report


def _write(stale: dict[str, tuple[str, str]]) -> tuple[dict[str, str], set[str], list[str]]:
    """Write each index: the files rewritten and why, those already right, and the failures."""
    written: dict[str, str] = {}
    right: set[str] = set()
    failures = []
    for path, (expected, difference) in stale.items():
        try:
            if rewrite(path, expected):
                written[path] = difference or _GIVEN_BACK
            elif difference:
                right.add(path)
        except NotRewritten as error:
            failures.append(f"{path}: not rewritten: {error}")
    return written, right, failures


def _unstaged(path: str, difference: str) -> Finding:
    message = f"topic index is stale: {difference}; it is right on disk, but not staged: git add it"
    return Finding(path, 1, ERROR, "stale-index", message)


def _name_untracked(nest: Nest, options: hook.Options) -> None:
    scopes = [scope for scope in nest.scopes() if nest.has_opted_in(scope)]
    unknown = git.unknown(scopes) if scopes else []
    topics = sorted(filter(layout.topic_name, {*unknown, *nest.announced}))
    if options.exclude:
        topics = [path for path in topics if not options.exclude.search(path)]
    if topics:
        hook.complain(HOOK.name, f"left out, not known to git: {named(topics)} (git add)")


HOOK = hook.Hook("nestwork-fix-index", __doc__, ("index",), work=work)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-fix-index`: 0 nothing to fix, 1 wrote or findings, 2 could not."""
    return hook.run(HOOK, argv)


if __name__ == "__main__":
    raise SystemExit(main())
