"""Commit the memory of one scope, with a true index, and say what is wrong with it.

Does what an agent's tool hook does after each write: stages the scope, makes its topic index
from what is staged, and commits the scope alone. Findings never stop it. Exits 0 if all is
well or nothing is to commit, 1 if it committed and something is to be said, 2 if not.

With --push it also pushes, and puts its commits on top of what another clone has pushed before.
Where that is not possible it says so first, and why.

With --tool-hook it is a hook of an agent's tool: it reads the event on standard input and commits
the scope of the file that was written. Then it exits with 0, or with 2 where the agent has
something to read.

It is no hook of git: it works in the repository of the folder where it starts, or of that file,
whatever repository the environment names.

example: nestwork-commit agents/box/claude-a7k2 -m "memory: hosts"
"""

from __future__ import annotations

from nestwork_hooks import git
from nestwork_hooks.console.rim import guarded
from nestwork_hooks.git.clone import Clone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# With these the clone may be that of another folder.
_ELSEWHERE = ("--root", "--tool-hook")


def _run(args: Sequence[str]) -> int:
    git.forget_other_repository()
    if not any(arg.startswith(_ELSEWHERE) for arg in args):
        Clone.ask_ahead()
    # Loaded while git looks.
    from nestwork_hooks.commands.asked import NAME, asked
    from nestwork_hooks.console.codes import FOUND

    try:
        words = asked(args, __doc__ or "")
    except SystemExit as end:
        # With 2 a tool would hold its agent back.
        raise SystemExit(end.code and (FOUND if "--tool-hook" in args else end.code)) from None
    if not words.tool_hook:
        from nestwork_hooks.commands.keeping import keep_and_say

        return keep_and_say(words)
    from nestwork_hooks.commands.keeping import keep
    from nestwork_hooks.commands.tool_hook import answer

    git.forget_questions()
    return answer(NAME, lambda *what: keep(words, *what))


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-commit`: 0 committed, 1 committed with findings, 2 not committed."""
    return guarded("nestwork-commit: not committed", _run, argv)


if __name__ == "__main__":
    raise SystemExit(main())
