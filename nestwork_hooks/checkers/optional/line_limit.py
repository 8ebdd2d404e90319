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
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.topic import BEGINS

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
    is_hard = 0 < limit.hard < count.lines
    if not (is_hard or 0 < limit.soft < count.lines):
        return
    most = f"{limit.hard:,}-line limit" if is_hard else f"{limit.soft:,}-line advice"
    table = f" of {view.escaped(layout.LIMITS)}, line {limit.line}" if limit.line else ""
    beside = " beside the index" if count.has_index else ""
    message = (
        f"{count.lines:,} lines{beside}, over the {most}{table}:"
        f" {_remedy(view, path, limit, names, is_hard=is_hard)}"
    )
    finding = Finding(path, 1, ERROR if is_hard else WARNING, "line-limit", message)
    yield finding if count.mark is None else finding.of_part(count.mark)


def _remedy(
    view: View, path: str, limit: LineLimit, names: dict[str, str], *, is_hard: bool
) -> str:
    from nestwork_hooks.protocol.limits import filled

    target = filled(limit.target, names) if limit.pattern else ""
    if target and limit.line:
        return f"{'' if is_hard else 'consider '}split{'' if is_hard else 'ting'} it, to {escaped(target)}"
    move = "move sections" if is_hard else "consider moving sections"
    stem = path.removesuffix(".md")
    name = layout.topic_name(path)
    if name or layout.is_memory(path):
        join = "-" if name and "/" in name else "/"  # a subtopic's parts can lie no deeper
        where = f"{stem}{join}<part>.md" if name else f"{layout.scope_of(path)}/<topic>.md"
        begins = f", each of which begins with {BEGINS}" if is_hard else ""
        return f"{move} to new topics {view.escaped(where)}{begins}"
    where = target or f"{stem}/<part>.md"
    return f"{move} to new files {view.escaped(where)}, and leave links to them here"


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
    check=check,
)
