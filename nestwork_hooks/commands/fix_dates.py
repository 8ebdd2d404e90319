"""Set the dates of topics that `updated-date` finds bad or old. A part of `nestwork-check --fix`.

Sets the one line and nothing else, on disk, and stages nothing. The date is today's, or the one
that a bad date plainly means; modification times and the log are never asked.
"""

from __future__ import annotations

from nestwork_hooks.checkers.optional.updated_date import CHECKER, dated_topics, fault_of
from nestwork_hooks.console.report import Report
from nestwork_hooks.nest.looking import look
from nestwork_hooks.protocol.finding import Finding
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.writing import leftovers
from nestwork_hooks.writing.replacement import NotRewritten, set_date

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from nestwork_hooks.checkers.optional.updated_date import Dated
    from nestwork_hooks.nest.request import Request
    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Fault

RULES = {rule.name for rule in CHECKER.rules}


def fix(request: Request, rules: Collection[str]) -> Report:
    """Set every date on disk that one of these rules finds wrong."""
    view = look(request, CHECKER.reads)
    wrong = dict(_wrong(view, rules))
    folders = sorted({path.rpartition("/")[0] for path in wrong})
    kept = [left for folder in folders for left in leftovers.clear(folder)[1]]
    written: dict[str, str] = {}
    findings, failures = [], list(map(leftovers.describe, kept))
    for path, (topic, fault) in wrong.items():
        try:
            if set_date(path, topic.topic.updated, topic.to_set):
                was = escaped(topic.topic.updated, 60)
                written[path] = f"set updated, which was {was}, to {topic.to_set}"
            elif request.reads_staged:
                message = f"{fault.message}; the disk has another date already, but it is not staged: git add it"
                findings.append(Finding(path, fault.line, fault.level, fault.rule, message))
        except NotRewritten as error:
            failures.append(f"{path}: not rewritten: {error}")
    right = [finding.path for finding in findings]
    dated = [*written, *right] if request.reads_staged else ()
    return Report(
        request, findings, written=written, unstaged=right, failures=failures, dated=dated
    )


def _wrong(view: View, rules: Collection[str]) -> Iterator[tuple[str, tuple[Dated, Fault]]]:
    """The topics whose date is to be set, and can be, with what is wrong with it."""
    exclude = view.request.exclude
    for path, topic in dated_topics(view):
        fault = fault_of(topic) if topic.to_set else None
        if fault and fault.rule in rules and not (exclude and exclude.search(path)):
            yield path, (topic, fault)
