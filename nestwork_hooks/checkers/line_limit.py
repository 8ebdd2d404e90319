"""Has every Markdown file of memory as few lines as the protocol asks for?

Fails on more lines than the file's hard limit, and warns of more than its soft one (line-limit);
the lines of a generated index don't count. The nest's own table in queen/limits.md counts before
the protocol's; fails if a row of it cannot be read (bad-limits).

A commit is judged on the files that it adds or changes, a run with nothing staged on all.

example: nestwork-check --select line-limit
"""

from __future__ import annotations

from nestwork_hooks.nest.checker import Checker, Rule, reindexed_by
from nestwork_hooks.nest.reads import LINES
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nestwork_hooks.nest.texts import LineCount
    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.limits import LineLimit


def check(view: View, _: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every Markdown file that is judged."""
    if not view.line_counts:
        return
    from nestwork_hooks.protocol.limits import Limits

    limits = Limits(view.own_limits)
    if limits.fault and view.selection.judges(layout.LIMITS):
        yield limits.fault.at(layout.LIMITS)
    for path, count in view.line_counts.items():
        limit, names = limits.of(path)
        # What is no memory is judged only where a row means it.
        if limit.pattern or layout.is_memory_file(path):
            yield from _too_long(view, path, count, limit, names)


def _too_long(
    view: View, path: str, count: LineCount, limit: LineLimit, names: dict[str, str]
) -> Iterator[Finding]:
    hard = limit.hard and count.lines > limit.hard
    if not (hard or (limit.soft and count.lines > limit.soft)):
        return
    most = f"{limit.hard:,}-line limit" if hard else f"{limit.soft:,}-line advice"
    table = f" ({view.escaped(layout.LIMITS)}, line {limit.line})" if limit.line else ""
    beside = " beside the index" if count.has_index else ""
    split = "split it" if hard else "consider splitting it"
    message = f"{count.lines:,} lines{beside}, over the {most}{table}: {split} {_where(view, path, limit, names)}"
    finding = Finding(path, 1, ERROR if hard else WARNING, "line-limit", message)
    yield finding if count.mark is None else finding.of_part(count.mark)


def _where(view: View, path: str, limit: LineLimit, names: dict[str, str]) -> str:
    """Where the row says, else into a folder of its name; a subtopic's parts can lie no deeper."""
    from nestwork_hooks.protocol.limits import filled

    if limit.target and limit.pattern:
        target = filled(limit.target, names)
        is_path = limit.line == 0 or "/" in target.partition(" ")[0]
        return f"into {view.escaped('') if is_path else ''}{target}"
    if "/" in (layout.topic_name(path) or ""):
        return "into more files beside it"
    return f"into {view.escaped(path.removesuffix('.md'))}/<topic>.md"


CHECKER = Checker(
    name="line-limit",
    about=__doc__,
    rules=(
        Rule("line-limit", "error or warning", "a Markdown file has too many lines", reindexed_by),
        Rule("bad-limits", "error", "the nest's own table of line limits cannot be read"),
    ),
    limits=(),
    reads=LINES,
    takes_files=False,
    by_default=False,
    check=check,
)
