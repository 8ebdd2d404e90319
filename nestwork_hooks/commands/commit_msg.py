"""Does the commit change only what its subject allows? For git's stage commit-msg.

Fails on a change of shared/ in a commit that is no distillation, with the subject
"memory: distill shared" (undistilled-shared). Fails on what a commit with the subject
"memory: update <host>/<agent-id>" changes outside of that scope, and on a change of queen/ in
any commit whose subject starts with "memory:" (foreign-scope).

Merges, reverts, fixups and the protocol's own updates pass, and so does a repository's first
commit for shared/.

example: nestwork-commit-msg .git/COMMIT_EDITMSG
"""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.console.codes import FOUND, OK
from nestwork_hooks.console.parser import (
    FORMAT,
    ROOT,
    STRICT,
    WARN_ONLY,
    Flag,
    Parser,
    comma_separated,
    regex,
)
from nestwork_hooks.console.report import Report, narrowed
from nestwork_hooks.console.rim import guarded
from nestwork_hooks.console.root import Root
from nestwork_hooks.light import Frozen
from nestwork_hooks.nest.checker import Rule
from nestwork_hooks.nest.listing import no_nest
from nestwork_hooks.nest.own_commit import is_judged
from nestwork_hooks.nest.request import Request, Unusable, read_environment
from nestwork_hooks.protocol import layout, ownership, shell
from nestwork_hooks.protocol.finding import ERROR, Finding
from nestwork_hooks.protocol.message import cleanup, is_plain, subject
from nestwork_hooks.protocol.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from nestwork_hooks.nest.request import Environment

NAME = "nestwork-commit-msg"
UNDISTILLED, FOREIGN = "undistilled-shared", "foreign-scope"
RULES = (
    Rule(UNDISTILLED, "error", "a commit that is no distillation changes shared/"),
    Rule(FOREIGN, "error", "an agent's commit changes what is not the agent's"),
)
# More of a message file is not read: above a diff of this size stands the subject.
_MOST_BYTES = 4 << 20
_FLAGS = (
    Flag(
        "file",
        "the file of the commit's message, as git names it to the hook",
        str,
        "FILE",
        required=True,
    ),
    Flag(
        "--distill-subject",
        "a subject that matches is a distillation's too (default: memory: distill shared)",
        regex,
        "REGEX",
    ),
    Flag("--structure-only", "of shared/, judge only topics that are added, renamed or deleted"),
    ROOT,
    Flag("--exclude", "say nothing about paths that match", regex, "REGEX"),
    WARN_ONLY,
    STRICT,
    Flag("--ignore", "leave out these rules", comma_separated, "RULE,..."),
    FORMAT,
)


class _Words(Frozen):
    """What the command line asks for."""

    file: str
    root: str = ""
    distill_subject: re.Pattern[str] | None = None
    structure_only: bool = False
    ignore: Sequence[str] = ()
    exclude: re.Pattern[str] | None = None
    warn_only: re.Pattern[str] | None = None
    strict: bool = False
    format: str = "text"


def _words(args: Sequence[str]) -> _Words:
    """Take the command line apart. Exits with 2 on a usage error."""
    parser = Parser(NAME, __doc__, _FLAGS)
    words = _Words(**parser.parse(args))
    known = [rule.name for rule in RULES]
    for name in words.ignore:
        if name not in known:
            parser.error(f"--ignore: there is no rule {name!r}; there are {', '.join(known)}")
    return words


def _run(args: Sequence[str]) -> int:
    words = _words(args)
    environment = read_environment()
    data = _message(words.file)
    with Root(words.root) as root:
        request = Request(environment=environment, root=root.prefix, start=root.start)
        found = narrowed(_judge(request, words, data), words.exclude, words.warn_only)
        report = Report(request, found, strict=words.strict)
        if not report.is_silent or words.format != "text":
            from nestwork_hooks.console.formats import print_report

            print_report(report, words.format)
    return FOUND if report.fails else OK


def _message(path: str) -> bytes:
    """The start of the message's file. Raises Unusable where there is none."""
    try:
        with open(path, "rb") as file:
            return file.read(_MOST_BYTES)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unusable(f"cannot read the message's file {path}: {why}") from None


def _subject(data: bytes, environment: Environment) -> str:
    """The message's subject. Git is asked for its configuration only where that could change it."""
    edited = environment.edited
    if not edited and is_plain(data):
        return subject(data, cleanup([], edited=False))
    pairs = (record.partition("\n")[::2] for record in git.records("config", "-z", "--list"))
    return subject(data, cleanup(pairs, edited=edited))


def _judge(request: Request, words: _Words, data: bytes) -> list[Finding]:
    """The findings of the commit that is under way."""
    environment = request.environment
    said = _subject(data, environment) if data.strip() else ""
    if ownership.is_free(said) or git.merge_parents(environment.merge_heads):
        return []
    changes = git.changes("--cached")
    if not changes:
        _refuse_no_nest(request)
    if words.structure_only:
        changes = [change for change in changes if _is_judged_for_structure(change)]
    found = []
    if not (_is_distillation(said, words) or UNDISTILLED in words.ignore):
        shared = [change for change in changes if ownership.is_shared(change.path)]
        if shared and git.has_commit():  # Before the first there is nothing to distil into.
            found += [_undistilled(request, change) for change in shared]
    # What nestwork-commit commits is one scope, whatever its message says.
    is_own = environment.committers and is_judged(environment)
    if not (is_own or FOREIGN in words.ignore):
        foreign = (change.path for change in changes if ownership.is_foreign(change.path, said))
        found += [_foreign(request, path, said) for path in foreign]
    return sorted(found, key=lambda finding: finding.order())


def _is_judged_for_structure(change: git.Change) -> bool:
    edited = change.old is not None and change.new is not None
    return not ownership.is_shared(change.path) or ownership.is_structure(
        change.path, edited=edited
    )


def _is_distillation(said: str, words: _Words) -> bool:
    pattern = words.distill_subject
    return ownership.is_distillation(said) or bool(pattern and pattern.search(said))


def _undistilled(request: Request, change: git.Change) -> Finding:
    done = "added" if change.old is None else "deleted" if change.new is None else "changed"
    message = (
        f"{done} by a commit that is no distillation: shared/ changes only in one that a person has"
        f' reviewed, whose subject is "{ownership.DISTILLATION}"; is it none, keep what is new in your'
        f" own scope, and {_out(request, change.path)}"
    )
    return Finding(change.path, 1, ERROR, UNDISTILLED, message)


def _foreign(request: Request, path: str, said: str) -> Finding:
    scope = ownership.updated_scope(said)
    if scope:
        own = f"{request.root}{scope}/"
        message = (
            f'outside of {escaped(own)}, the only folder that a commit "{escaped(said, 80)}" changes:'
            f" {_out(request, path)}"
        )
    else:
        message = (
            'queen/ is a person\'s, and no commit whose subject starts with "memory:" changes it:'
            f" {_out(request, path)}; if you are that person, write another subject"
        )
    return Finding(path, 1, ERROR, FOREIGN, message)


def _out(request: Request, path: str) -> str:
    """How to leave a file out of the commit."""
    if request.environment.is_partial_commit:
        return f"don't name {escaped(request.root + path)} to git commit"
    line = shell.line("git", "reset", "-q", "--", f"{request.root}{path}")
    also = ", and don't commit with -a" if request.environment.index_vanishes else ""
    return f"take it out with {line}{also}"


def _refuse_no_nest(request: Request) -> None:
    """Raise Unusable where there is no nest whose files could have been judged."""
    folders = layout.TOP_FOLDERS
    if not (any(map(os.path.lexists, folders)) or git.lists_any(folders)):
        raise no_nest(request)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-commit-msg`: 0 in order, 1 findings, 2 could not look."""
    return guarded(NAME, _run, argv)


if __name__ == "__main__":
    raise SystemExit(main())
