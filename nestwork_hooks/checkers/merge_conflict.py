"""Is a merge conflict left unresolved in a text?

Fails on a whole hunk as git writes it: lines <<<<<<<, ======= and >>>>>>>, in this order,
that begin outside code fences (merge-conflict). Looks at every Markdown file that counts as
memory; the front matter of topics, markers and indexes are the business of other checks.

A commit is judged on the files that it adds or changes, a run with nothing staged on all.
"""

from __future__ import annotations

from nestwork_hooks.nest.checker import Checker, Rule
from nestwork_hooks.nest.reads import ATTRIBUTES, CONFLICTS, NAMES
from nestwork_hooks.protocol.finding import ERROR, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.hunks import Hunk

_MOST_NAMED = 3


def check(view: View, _: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every memory file that is judged."""
    for path, hunks in view.conflicts.items():
        message = f"{described(hunks[0])}{_others(hunks[1:])}"
        yield Finding(path, hunks[0].first, ERROR, "merge-conflict", message)


def described(hunk: Hunk) -> str:
    """What is there, and which lines to delete."""
    fact = f"an unresolved merge conflict, lines {hunk.first} to {hunk.last}"
    *underlines, middle = hunk.middles
    if underlines:
        either = f"{', '.join(map(str, underlines))} or {middle}"
        return (
            f"{fact}: keep what both sides say and delete the marker lines {hunk.first} and"
            f" {hunk.last} and the ======= between the sides (line {either})"
        )
    if hunk.base:
        return (
            f"{fact}: keep what both sides say and delete line {hunk.first}, lines {hunk.base} to"
            f" {middle} (what both sides changed) and line {hunk.last}"
        )
    return (
        f"{fact}: keep what both sides say and delete the marker lines {hunk.first}, {middle} and"
        f" {hunk.last}"
    )


def _others(hunks: list[Hunk]) -> str:
    if not hunks:
        return ""
    lines = ", ".join(str(hunk.first) for hunk in hunks[:_MOST_NAMED])
    more = f" and {len(hunks) - _MOST_NAMED} more" if len(hunks) > _MOST_NAMED else ""
    return f"; likewise from line{'s' * (len(hunks) > 1)} {lines}{more}"


CHECKER = Checker(
    name="merge-conflict",
    about=__doc__,
    rules=(Rule("merge-conflict", "error", "a merge conflict is left unresolved in a text"),),
    limits=(),
    reads=CONFLICTS | NAMES | ATTRIBUTES,
    takes_files=False,
    check=check,
)
