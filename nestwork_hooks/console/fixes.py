"""Which of the certain edits a program may apply together. Imported only for `--format json`."""

from __future__ import annotations

from nestwork_hooks.protocol.finding import ERROR, Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.console.report import Report
    from nestwork_hooks.protocol.finding import Finding, Fix


def fixes_of(report: Report) -> list[Fix | None]:
    """The edit of each finding, None for one that has none. Raises GitError.

    A file that the disk holds otherwise than it was judged gets none.
    """
    paths = sorted({finding.path for finding in report.findings if finding.fix})
    if not paths:
        return [None] * len(report.findings)
    from nestwork_hooks.nest.on_disk import as_judged

    known = as_judged(report.request, paths)
    fixable = [finding if finding.path in known else None for finding in report.findings]
    return compatible(fixable)


def compatible(findings: Sequence[Finding | None]) -> list[Fix | None]:
    """The edits that leave each other alone, an error's before a warning's, the first before others.

    Of one file these are replacements of which no two touch a line, or insert at one place, and at
    most one command.
    """
    kept: list[Fix | None] = [None] * len(findings)
    taken: dict[str, list[Fix]] = {}
    order = sorted(range(len(findings)), key=lambda n: not _is_error(findings[n]))
    for number in order:
        finding = findings[number]
        if finding and finding.fix:
            others = taken.setdefault(finding.path, [])
            if not any(_collide(finding.fix, other) for other in others):
                others.append(finding.fix)
                kept[number] = finding.fix
    return kept


def _is_error(finding: Finding | None) -> bool:
    return finding is not None and finding.level == ERROR


def _collide(one: Fix, other: Fix) -> bool:
    """Whether one of these edits of a file would change what the other means."""
    if isinstance(one, Run) or isinstance(other, Run):
        return isinstance(one, Run) and isinstance(other, Run)
    first, second = sorted([one, other], key=lambda fix: fix.first)
    return second.first <= max(first.first, first.last)
