"""Commit the memory of one scope, push it if asked to, and say what is to be said of it."""

from __future__ import annotations

from nestwork_hooks.commands.asked import FAILED, NAME
from nestwork_hooks.commands.committer import Committer
from nestwork_hooks.console.codes import FOUND, OK, UNABLE
from nestwork_hooks.console.rim import reason_of
from nestwork_hooks.console.root import Root
from nestwork_hooks.git.acting import Interrupted, Refused
from nestwork_hooks.nest.request import today
from nestwork_hooks.protocol.finding import ERROR, WARNING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from nestwork_hooks.commands.asked import Words
    from nestwork_hooks.protocol.finding import Finding


def keep_and_say(words: Words) -> int:
    """Do what the command line asks for; the exit code."""
    with Root(words.root) as root:
        code, lines, _ = keep(words, words.scope, words.message, root.prefix)
    if lines:
        from nestwork_hooks.console.streams import say_if_heard, shortened

        say_if_heard(shortened(lines))
    return code


def keep(words: Words, scope: str, message: str, root: str) -> tuple[int, list[str], bool]:
    """Commit, and push if asked for: the exit code, what is to be said, whether it committed.

    `root` is what a path of the nest is printed with before it.
    """
    date = today() if words.today else ""
    committer = Committer(scope, message, words.retries, words.exclude, root=root, today=date)
    if committer.is_inside_itself():
        from nestwork_hooks.console.streams import complain

        complain(NAME, "nothing done here: this is a hook of a nestwork-commit under way")
        return OK, [], False
    return *_outcome(committer, words), committer.committed


def _outcome(committer: Committer, words: Words) -> tuple[int, list[str]]:
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
    said: dict[str, list[str]] = {ERROR: [], WARNING: []}
    for finding in _by_importance(committer):
        said[finding.level].append(str(finding.at(f"{committer.root}{finding.path}")))
    left_out, notes = _said(committer.left_out), _said(committer.notes)
    lines = [*left_out, *said[ERROR], *notes, *said[WARNING]]
    done = "committed" if committer.committed else "nothing to commit"
    return [f"{NAME}: {done}; please note:", *lines] if lines else []


def _by_importance(committer: Committer) -> list[Finding]:
    if not committer.findings:
        return []
    from nestwork_hooks.console.report import by_importance, narrowed

    return by_importance(narrowed(committer.findings, committer.exclude, None))


def _push(words: Words) -> list[str]:
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
    what = done if committer.committed else f"{FAILED}:"
    who = "git" if refusal.code != 1 else "git or a hook"
    return [f"{NAME}: {what} {committer.kept}; {who} says:", *_quoted(refusal)]


def _notes(committer: Committer) -> list[str]:
    return [*_said(committer.left_out), *_said(committer.notes)]


def _said(notes: Iterable[str]) -> list[str]:
    return [f"{NAME}: {note}" for note in dict.fromkeys(notes)]
