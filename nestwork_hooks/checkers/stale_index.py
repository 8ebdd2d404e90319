"""Is every topic index what its topics say?

Fails on an index that does not match the front matter and sizes of its topics
(stale-index), and on markers that name no single block, or that a commit takes away
while topics remain (broken-markers). Warns of both markers in one line with other text
(broken-markers), and of an index over its advice (large-index).

A commit is judged on the scopes that it touches, a run with nothing staged on all.

example: nestwork-stale-index --all
"""

from __future__ import annotations

from nestwork_hooks.console.rim import run_checker
from nestwork_hooks.nest.checker import Checker, Limit, Rule, reindexed_by
from nestwork_hooks.nest.reads import INDEXES
from nestwork_hooks.nest.scope import Memory
from nestwork_hooks.protocol import index, markers
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nestwork_hooks.nest.scope import Scope
    from nestwork_hooks.nest.view import View


def check(view: View, limits: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every index that is judged."""
    for scope in view.scopes:
        yield from broken_markers(scope, view)
        yield from _markers_in_one_line(scope)
        yield from _judged(scope, view, limits["max-index-bytes"])


def broken_markers(scope: Scope, view: View) -> Iterator[Finding]:
    """Why there is no index of this scope to judge, where there should be one."""
    if isinstance(scope.memory, Memory) and scope.memory.fault:
        yield scope.memory.fault.at(scope.memory_path)
    elif scope.orphaned:
        message = (
            f"{'its markers are' if scope.memory else 'the file is'} gone while topics remain"
            f" ({len(scope.paths)}), which nothing leads to now: {_back(scope, view)}, or move the"
            " topics out in the same commit"
        )
        yield Finding(scope.memory_path, 1, ERROR, "broken-markers", message)


def _markers_in_one_line(scope: Scope) -> Iterator[Finding]:
    """The guide that shows how to move to topics prints both markers in one line of code."""
    if scope.is_meant and isinstance(scope.memory, Memory):
        message = (
            "both markers stand in one line with other text, so there is no index and nothing leads"
            f" to the topics: put {markers.BEGIN.decode()} alone on a line and"
            f" {markers.END.decode()} alone on the next, then run nestwork-fix-index"
        )
        line = scope.memory.in_one_line
        yield Finding(scope.memory_path, line, WARNING, "broken-markers", message)


def _back(scope: Scope, view: View) -> str:
    command = "" if scope.memory else view.restoring(scope.memory_path)
    if command:
        return f"{command} brings it back, with what is written by hand in it"
    place = "where the index is to be" if scope.memory else "into a new memory.md"
    begin, end = markers.BEGIN.decode(), markers.END.decode()
    return f"put a line {begin} {place} and a line {end} right below it"


def _judged(scope: Scope, view: View, most: int) -> Iterator[Finding]:
    block = scope.memory.block if isinstance(scope.memory, Memory) else None
    if scope.expected is None or not isinstance(block, markers.Block):
        return
    path = scope.memory_path
    if scope.is_stale:
        message = f"topic index is stale: {scope.staleness}"
        yield Finding(path, block.line, ERROR, "stale-index", message)
    size = len(scope.expected.encode())
    if size > most and view.old_indexes.get(scope.folder, 0) <= most:  # Else it is no news.
        message = f"{size:,} bytes of index, over the {most:,}-byte advice; consider merging topics"
        yield Finding(path, block.line, WARNING, "large-index", message)


CHECKER = Checker(
    name="stale-index",
    about=__doc__,
    rules=(
        Rule("stale-index", "error", "an index is not what its topics say"),
        Rule(
            "broken-markers",
            "error or warning",
            "markers name no single block, are taken from topics, or stand in one line",
            reindexed_by,
        ),
        Rule("large-index", "warning", "an index is over its advice", reindexed_by),
    ),
    limits=(Limit("max-index-bytes", index.MAX_BYTES, "bytes of an index without a warning"),),
    reads=INDEXES,
    takes_files=False,
    check=check,
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-stale-index`: 0 in order, 1 findings, 2 could not look."""
    return run_checker(CHECKER, argv)


if __name__ == "__main__":
    raise SystemExit(main())
