"""Let checkers judge a view: what they find, and what of it is news."""

from __future__ import annotations

from nestwork_hooks.nest.checker import READING, reads_of
from nestwork_hooks.nest.view import read_before
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

    In a commit a warning is no news of a file whose version before had it too, unless it says
    that something could not be looked at.
    """
    found = findings(checkers, view, limits, rules)
    if not view.selection.of_commit or all(finding.level == ERROR for finding in found):
        return found
    before = read_before(view, reads_of(checkers))
    old = findings(checkers, before, limits, rules) if before else []
    known = {(finding.path, finding.rule) for finding in old if finding.level == WARNING}
    known = {(path, rule) for path, rule in known if rule not in _OF_READING}
    return [
        finding
        for finding in found
        if finding.level == ERROR or (finding.path, finding.rule) not in known
    ]


def findings(
    checkers: Iterable[Checker], view: View, limits: Mapping[str, int], rules: set[str]
) -> list[Finding]:
    """The findings of these checkers and rules, old warnings too."""
    found = list(view.unread)
    for checker in checkers:
        found += checker.check(view, limits)
    return one_of_a_rule(finding for finding in found if finding.rule in rules)


def one_of_a_rule(findings: Iterable[Finding]) -> list[Finding]:
    """The gravest and first finding of each rule in each file, sorted by path and line."""
    first: dict[tuple[str, str], Finding] = {}
    for finding in sorted(findings, key=lambda found: (found.level != ERROR, found.order())):
        first.setdefault((finding.path, finding.rule), finding)
    return sorted(first.values(), key=lambda finding: finding.order())
