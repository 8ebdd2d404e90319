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
