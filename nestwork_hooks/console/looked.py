"""What a run looked at, in one line. Imported only for `--verbose`."""

from __future__ import annotations

from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.layout import is_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from nestwork_hooks.console.report import Report
    from nestwork_hooks.nest.scope import Scope
    from nestwork_hooks.nest.view import View


def looked_at(report: Report) -> str:
    """What was judged and what came of it: `3 scopes, 64 topics: 1 error, 2 warnings`.

    Scopes are those of which the index was judged; other Markdown is counted where it was all. Files that could not be read, and those that
    `--exclude` names, are not counted.
    """
    levels = [finding.level for finding in report.findings]
    indexes = sum(map(is_memory, report.written))
    outcome = [
        _count(indexes, "index rewritten", "indexes rewritten"),
        _count(len(report.written) - indexes, "date set", "dates set"),
        *(_count(levels.count(level), level) for level in ("error", "warning")),
        _count(len(report.failures), "failure"),
    ]
    seen = _seen(report.view) if report.view else ""
    came = ", ".join(filter(None, outcome))
    return f"{seen or 'no scope, topic or resident file'}: {came or 'nothing wrong'}"


def _seen(view: View) -> str:
    exclude = view.request.exclude

    def count(paths: Iterable[str], what: str) -> str:
        return _count(sum(not (exclude and exclude.search(path)) for path in paths), what)

    scopes = [scope.memory_path for scope in view.scopes if not _is_unread(scope)]
    topics = [path for path in view.names if not isinstance(view.topics.get(path), Unread)]
    residents = [path for path in view.residents if not isinstance(view.sizes.get(path), Unread)]
    seen = (count(scopes, "scope"), count(topics, "topic"), count(residents, "resident file"))
    return ", ".join(filter(None, seen)) or count(view.markdown, "Markdown file")


def _is_unread(scope: Scope) -> bool:
    """Whether its index could not be judged, for its memory.md or for one of its topics."""
    return isinstance(scope.memory, Unread) or (scope.opted_in and scope.expected is None)


def _count(number: int, what: str, many: str = "") -> str:
    """A number with its noun; `""` for none."""
    return f"{number:,} {what if number == 1 else many or f'{what}s'}" if number else ""
