"""Run checkers on a view, and drop the warnings that a commit did not cause."""

from __future__ import annotations

from nestwork_hooks.nest.checker import READING, reads_of, rules_of
from nestwork_hooks.protocol.finding import ERROR, WARNING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from nestwork_hooks.nest.checker import Checker
    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Finding


_OF_READING = {rule.name for rule in READING}


def judge(
    checkers: Sequence[Checker], view: View, limits: Mapping[str, int], rules: set[str]
) -> list[Finding]:
    """The findings of these checkers and rules, sorted; at most one of a rule per file.

    In a commit a warning is dropped if the version before has it for the same file too, unless it
    says that something could not be read; and anything about a part of a file that it leaves as it was.
    """
    found = findings(checkers, view, limits, rules)
    asked = {f.rule for f in found if f.level == WARNING or f.part is not None} - _OF_READING
    if not (asked and view.selection.of_commit):
        return found
    from nestwork_hooks.nest.view import read_before

    # No others read: an index takes every topic of its scope.
    asking = [c for c in checkers if any(rule.name in asked for rule in c.rules)]
    before = read_before(view, reads_of(asking))
    if before is None:
        return found
    old = findings(asking, before, limits, asked)
    known = {(finding.path, finding.rule) for finding in old if finding.level == WARNING}
    kept = {(f.path, f.rule, f.part) for f in old if _differs(f.path, view, before)}
    return [
        finding
        for finding in found
        if (finding.level == ERROR or (finding.path, finding.rule) not in known)
        and (finding.part is None or (finding.path, finding.rule, finding.part) not in kept)
    ]


def _differs(path: str, view: View, before: View) -> bool:
    """Whether the file at `path` is changed, and not only named."""
    was, entry = before.listing.entries.get(path), view.listing.entries.get(path)
    return was is None or entry is None or was.blob != entry.blob


def findings(
    checkers: Sequence[Checker], view: View, limits: Mapping[str, int], rules: set[str]
) -> list[Finding]:
    """The findings of these checkers and rules, those that the version before has too included."""
    found = list(view.unread)
    for checker in checkers:
        found += checker.check(view, limits)
    said = one_of_a_rule(finding for finding in found if finding.rule in rules)
    return with_indexes(said, checkers, view) if said else said


def with_indexes(findings: list[Finding], checkers: Iterable[Checker], view: View) -> list[Finding]:
    """The same findings; each knows the scope whose index changes once it is mended."""
    rules = {rule.name: rule.reindexes for rule in rules_of(checkers)}
    for finding in findings:
        reindexes = rules[finding.rule]
        scope = reindexes(finding.path) if reindexes else None
        finding.reindexes = scope if scope in view.indexed and scope else ""
    return findings


def one_of_a_rule(findings: Iterable[Finding]) -> list[Finding]:
    """The gravest and first finding of each rule in each file, sorted by path and line."""
    first: dict[tuple[str, str], Finding] = {}
    for finding in sorted(findings, key=lambda found: (found.level != ERROR, found.order())):
        first.setdefault((finding.path, finding.rule), finding)
    return sorted(first.values(), key=lambda finding: finding.order())
