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
from nestwork_hooks.commands.asked import FAILED, NAME, Words
from nestwork_hooks.console.codes import FOUND
from nestwork_hooks.console.parser import ROOT, Flag, Parser, regex, whole
from nestwork_hooks.console.rim import guarded
from nestwork_hooks.git.staging import Clone
from nestwork_hooks.nest.request import as_listed
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.writing.lock import RETRIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


_FLAGS = (
    Flag("scope", "shared or agents/<host>/<agent-id>", str, "SCOPE", required=True),
    Flag("--message", "the message of the commit", str, short="-m", required=True, free=True),
    Flag(
        "--tool-hook",
        "read the event of an agent's tool on standard input, in place of SCOPE and MESSAGE",
    ),
    Flag("--push", "then push, and bring this clone along where another one was quicker"),
    Flag(
        "--retries",
        f"how often a lock of another process is tried again (default {RETRIES}: some seconds)",
        whole,
        "N",
    ),
    Flag("--exclude", "say and write nothing of paths that match", regex, "REGEX"),
    Flag(
        "--today",
        "set updated of the topics whose text changes, and bad dates, to today's (UTC)",
    ),
    ROOT,
)


def _words(args: Sequence[str]) -> Words:
    """Take the command line apart. Exits with 2 on a usage error."""
    parser = Parser(NAME, __doc__, _FLAGS, failed=f"{FAILED}: ", alone="tool_hook")
    found = parser.parse(args)
    words = Words(**found)
    if words.tool_hook:
        if found.keys() & {"scope", "message", "root"}:
            parser.error("--tool-hook goes without SCOPE, --message and --root")
        return words
    if not words.message.strip():
        parser.error("the message is empty")
    scope = as_listed(words.scope)
    if words.root:
        scope = scope.removeprefix(f"{as_listed(words.root)}/")
    if not layout.is_scope(scope):
        parser.error(f"{escaped(words.scope)} is no scope: name shared or agents/<host>/<agent-id>")
    return words.replace(scope=scope)


def _run(args: Sequence[str]) -> int:
    git.forget_other_repository()
    try:
        words = _words(args)
    except SystemExit as end:
        # With 2 a tool would hold its agent back.
        raise SystemExit(end.code and (FOUND if "--tool-hook" in args else end.code)) from None
    if words.tool_hook:
        from nestwork_hooks.commands.keeping import keep
        from nestwork_hooks.commands.tool_hook import answer

        return answer(NAME, lambda *what: keep(words, *what))
    if not words.root:
        Clone.ask_ahead()
    # Loaded while git looks.
    from nestwork_hooks.commands.keeping import keep_and_say

    return keep_and_say(words)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-commit`: 0 committed, 1 committed with findings, 2 not committed."""
    return guarded(f"{NAME}: {FAILED}", _run, argv)


if __name__ == "__main__":
    raise SystemExit(main())
