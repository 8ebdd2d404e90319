"""All checks of a nest, in one process; with --fix, the fixer first.

Fails where one of these fails: nestwork-stale-index, nestwork-missing-description,
nestwork-topic-size, nestwork-nesting-depth, nestwork-resident-budget; on a file that stays
private, and on one that git-crypt should encrypt and that is staged in plain text.

A commit is judged on the scopes, topics and resident files that it touches, a run with
nothing staged on everything.

example: nestwork-check shared agents/box/claude-a7k2
"""

from __future__ import annotations

from nestwork_hooks.console.rim import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.console.options import Command


def command(args: Sequence[str]) -> Command:
    """The command as these arguments need it."""
    from nestwork_hooks.commands import checking

    return checking.command(__doc__ or "", args)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-check`: 0 in order, 1 findings, 2 could not look."""
    return run("nestwork-check", command, argv)


if __name__ == "__main__":
    raise SystemExit(main())
