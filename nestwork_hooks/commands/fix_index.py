"""Rewrite every topic index that is stale.

Makes the index from the front matter and sizes of the topics that git lists, and puts it
between the two markers in the scope's memory.md. Text outside the markers stays as it is.
Lines between them that nobody generated are moved right below the end marker.
Exits 1 if it wrote, so that a commit stops and the file can be added to it; it never
stages anything. Where it can't be sure it writes nothing, and says why.

example: nestwork-fix-index --ok --staged shared && git add -- shared/memory.md
"""

from __future__ import annotations

from nestwork_hooks.console.rim import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from nestwork_hooks.console.options import Command


def command(_: Sequence[str] = ()) -> Command:
    """The command, whatever its arguments."""
    from nestwork_hooks.commands import fixer
    from nestwork_hooks.console.options import Command

    return Command(
        name=fixer.NAME,
        about=__doc__,
        checkers=(),
        takes_files=False,
        is_check=False,
        work=fixer.work,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-fix-index`: 0 nothing to fix, 1 wrote or findings, 2 could not."""
    return run("nestwork-fix-index", command, argv, writes=True)


if __name__ == "__main__":
    raise SystemExit(main())
