r"""The differences between two versions that are meant, each with its reason.

A difference is a pair of lines, the base's and the head's, either of which may be missing.
`where` says in what: `code`, `out`, `err`, or what a command left in files (`files`) and in git
(`git`), or `commands`, which ones there are. An entry is `lines`, a regular expression that has to match base's line, a line end and
head's line as a whole, so `\1` can say what both share:

    Accepted(
        reason="a fence that never closes is called so",
        command=r"nestwork-(check|missing-description) ",
        where="out",
        lines=r"(.*): no YAML front matter\n\1: the fence never closes",
    )
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Accepted(NamedTuple):
    """One kind of difference; `command` is searched in the command line."""

    reason: str
    command: str
    where: str
    lines: str


ACCEPTED: tuple[Accepted, ...] = (
    *(
        Accepted(
            reason="a word behind -- is a name, whatever it begins with",
            command=r"^nestwork-\S+ (--all )?-- -",
            where=where,
            lines=r".*",
        )
        for where in ("code", "out", "err", "files", "git")
    ),
    Accepted(
        reason="the usage is the same with --tool-hook: SCOPE and MESSAGE are not optional in it",
        command=r"^nestwork-commit --tool-hook --help$",
        where="out",
        lines=r"(.*)\[-m MESSAGE\](.*)\n\1-m MESSAGE\2|( *)\[SCOPE\]\n\3SCOPE",
    ),
    Accepted(
        reason="beside a tab and a sign that cannot be printed, what to write was no quote",
        command=r"^",
        where="out",
        lines=r"(.*: put )its value in quotes \([^ )]+\) at both ends(.*)\n\1spaces in place of its tabs\2",
    ),
    Accepted(
        reason="Python words its limit of recursion by where it is met",
        command=r"--exclude '\({500}",
        where="err",
        lines=r"(.* is no regular expression: maximum recursion depth exceeded)( .*)?\n\1( .*)?",
    ),
    Accepted(
        reason="in a commit under a runner the disk is as it is staged, which here it is not",
        command=r"^GIT_INDEX_FILE=\S+ PRE_COMMIT=1 nestwork-(check|stale-index)\b",
        where="out",
        lines=r"(\S+: warning: .*\[large-index\]|findings: .*\"large-index\".*|if you edit .*)\n",
    ),
    *(
        Accepted(
            reason="in the hook of another repository a commit has the time of day",
            command=r"^GIT_INDEX_FILE=\S+ .*nestwork-commit ",
            where=where,
            lines=lines,
        )
        for where, lines in (
            ("files", r"(nest/\.git/refs/heads/main: ).*\n\1.*"),
            ("git", r"(log: \w+ t ).*( commit: .*)\n\1.*\2"),
        )
    ),
)


def reason(
    command: str, where: str, base: str, head: str, accepted: tuple[Accepted, ...] = ACCEPTED
) -> str | None:
    """Why base may say one thing and head another; None if nothing on the list explains it."""
    for entry in accepted:
        if (
            entry.where == where
            and re.search(entry.command, command)
            and re.fullmatch(entry.lines, f"{base}\n{head}", re.DOTALL)
        ):
            return entry.reason
    return None
