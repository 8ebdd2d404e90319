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
from nestwork_hooks.commands.committer import Committer
from nestwork_hooks.console.codes import FOUND, OK, UNABLE
from nestwork_hooks.console.parser import ROOT, Flag, Parser, regex
from nestwork_hooks.console.report import by_importance, narrowed
from nestwork_hooks.console.rim import guarded, reason_of
from nestwork_hooks.console.root import Root
from nestwork_hooks.console.streams import complain, say_if_heard, shortened
from nestwork_hooks.frozen import Frozen
from nestwork_hooks.git.acting import Interrupted, Refused
from nestwork_hooks.nest.request import as_listed, today
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import ERROR, WARNING
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.writing.lock import RETRIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

NAME = "nestwork-commit"
# What the line begins with if nothing was committed, whatever the reason.
_FAILED = "not committed"


def _retries(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"expected a whole number, got {text!r}")
    return int(text)


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
        _retries,
        "N",
    ),
    Flag("--exclude", "say and write nothing of paths that match", regex, "REGEX"),
    Flag(
        "--today",
        "set updated of the topics whose text changes, and bad dates, to today's (UTC)",
    ),
    ROOT,
)


class _Words(Frozen):
    """What the command line asks for."""

    scope: str = ""
    message: str = ""
    retries: int = RETRIES
    exclude: re.Pattern[str] | None = None
    root: str = ""
    push: bool = False
    tool_hook: bool = False
    today: bool = False


def _words(args: Sequence[str]) -> _Words:
    """Take the command line apart. Exits with 2 on a usage error."""
    parser = Parser(NAME, __doc__, _FLAGS, failed=f"{_FAILED}: ", alone="tool_hook")
    found = parser.parse(args)
    words = _Words(**found)
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
        from nestwork_hooks.commands.tool_hook import answer

        return answer(NAME, lambda *what: _keep(words, *what))
    with Root(words.root) as root:
        code, lines, _ = _keep(words, words.scope, words.message, root.prefix)
    say_if_heard(shortened(lines))
    return code


def _keep(words: _Words, scope: str, message: str, root: str) -> tuple[int, list[str], bool]:
    """Commit, and push if asked for: the exit code, what is to be said, whether it committed.

    `root` is what a path of the nest is printed with before it.
    """
    date = today() if words.today else ""
    committer = Committer(scope, message, words.retries, words.exclude, root=root, today=date)
    if committer.is_inside_itself():
        complain(NAME, "nothing done here: this is a hook of a nestwork-commit under way")
        return OK, [], False
    return *_outcome(committer, words), committer.committed


def _outcome(committer: Committer, words: _Words) -> tuple[int, list[str]]:
    """Commit, and push if asked to: the exit code, and what is to be said."""
    try:
        committer.work()
        lines = _findings(committer)
    except Refused as refusal:
        lines = [*_refusal(committer, refusal), *_notes(committer)]
        if not committer.committed:
            return UNABLE, lines
    except (Exception, KeyboardInterrupt) as error:
        if not committer.committed:
            raise
        reason = reason_of(error)
        lines = [f"{NAME}: committed, but not judged: {reason}", *_notes(committer)]
        if isinstance(error, KeyboardInterrupt | Interrupted):
            return FOUND, lines
    if words.push:
        lines = [*_push(words), *lines]
    return FOUND if lines else OK, lines


def _findings(committer: Committer) -> list[str]:
    findings = by_importance(narrowed(committer.findings, committer.exclude, None))
    said: dict[str, list[str]] = {ERROR: [], WARNING: []}
    for finding in findings:
        said[finding.level].append(str(finding.at(f"{committer.root}{finding.path}")))
    left_out, notes = _said(committer.left_out), _said(committer.notes)
    lines = [*left_out, *said[ERROR], *notes, *said[WARNING]]
    done = "committed" if committer.committed else "nothing to commit"
    return [f"{NAME}: {done}; please note:", *lines] if lines else []


def _push(words: _Words) -> list[str]:
    """Push what is committed; what is to be said where that did not go well."""
    from nestwork_hooks.commands.pusher import Pusher, reason_of_conflict

    pusher = None
    said: list[str] = []
    try:
        pusher = Pusher(words.exclude, words.retries)
        pusher.work()
        return []
    except Refused as refusal:
        reason, said = "git says:", _quoted(refusal)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001
        reason = reason_of_conflict(error) or reason_of(error)
    done = "committed, not pushed:"
    if pusher and pusher.pushed:
        done = "committed and pushed, but this clone does not follow:"
    return [f"{NAME}: {done} {reason}", *said]


def _quoted(refusal: Refused) -> list[str]:
    return [f"> {line}" for line in refusal.said] or [f"> (nothing; exit code {refusal.code})"]


def _refusal(committer: Committer, refusal: Refused) -> list[str]:
    done = "committed, but not what was written since;"
    what = done if committer.committed else f"{_FAILED}:"
    who = "git" if refusal.code != 1 else "git or a hook"
    return [f"{NAME}: {what} {committer.kept}; {who} says:", *_quoted(refusal)]


def _notes(committer: Committer) -> list[str]:
    return [*_said(committer.left_out), *_said(committer.notes)]


def _said(notes: Iterable[str]) -> list[str]:
    return [f"{NAME}: {note}" for note in dict.fromkeys(notes)]


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-commit`: 0 committed, 1 committed with findings, 2 not committed."""
    return guarded(f"{NAME}: {_FAILED}", _run, argv)


if __name__ == "__main__":
    raise SystemExit(main())
