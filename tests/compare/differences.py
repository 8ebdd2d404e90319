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
    Accepted(
        reason="JSON has the line to paste",
        command=r"--format[ =]json",
        where="out",
        lines=r"\nremedy: .*",
    ),
    Accepted(
        reason="a commit says no warning that the version before had too",
        command=r"nestwork-(check|topic-size|missing-description|nesting-depth|stale-index)",
        where="out",
        lines=r".*warning.*\n",
    ),
    Accepted(
        reason="--all passes over the names that a runner hands it",
        command=r"nestwork-(topic-size|missing-description|nesting-depth) .*--all",
        where="err",
        lines=r".*--all goes without names.*\n",
    ),
    Accepted(
        reason="flags that are new",
        command=r"--(select|extend-select|ignore|root|base|fix)\b",
        where="err",
        lines=r".*unrecognized arguments.*\n.*",
    ),
    Accepted(
        reason="the help names the flags that are new",
        command=r"--help",
        where="out",
        lines=r".*\n.*",
    ),
    Accepted(
        reason="the folder in which a module lies",
        command=r"nestwork-",
        where="out",
        lines=r"(.*)nestwork_hooks\.fix_index(.*)\n\1nestwork_hooks\.commands\.fix_index\2",
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
