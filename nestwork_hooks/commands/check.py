"""All five checks of a nest, in one process.

Fails where one of these fails: nestwork-stale-index, nestwork-missing-description,
nestwork-topic-size, nestwork-nesting-depth, nestwork-resident-budget.

A commit is judged on the scopes, topics and resident files that it touches, a run with
nothing staged on everything.

example: nestwork-check shared agents/box/claude-a7k2
"""

from __future__ import annotations

from nestwork_hooks.checkers import (
    missing_description,
    nesting_depth,
    resident_budget,
    stale_index,
    topic_size,
)
from nestwork_hooks.console import run as hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nestwork_hooks.nest.view import Nest
    from nestwork_hooks.protocol.finding import Finding

CHECKERS = (stale_index, missing_description, topic_size, nesting_depth, resident_budget)


def check(nest: Nest, options: hook.Options) -> Iterator[Finding]:
    """The findings of all five, over one listing and one reading of each file."""
    for checker in CHECKERS:
        yield from checker.check(nest, options)
    if options.uncommitted:
        from nestwork_hooks.commands import uncommitted

        yield from uncommitted.check(nest)


HOOK = hook.Hook(
    "nestwork-check",
    __doc__,
    ("index", "topics", "resident"),
    check,
    limits=[limit for checker in CHECKERS for limit in checker.HOOK.limits],
    sees_uncommitted=True,
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-check`: 0 in order, 1 findings, 2 could not look."""
    return hook.run(HOOK, argv)


if __name__ == "__main__":
    raise SystemExit(main())
