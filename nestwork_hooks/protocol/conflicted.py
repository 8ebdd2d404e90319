"""A merge conflict in a topic's front matter, said as what it is.

Imported only for front matter that has a fault. Code fences mean nothing in it.
"""

from __future__ import annotations

from nestwork_hooks.protocol.finding import Fault, error
from nestwork_hooks.protocol.hunks import SIZE, Hunk, Hunks
from nestwork_hooks.protocol.offer import BAD
from nestwork_hooks.protocol.text import numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.line_reader import Head


def hunk_in(head: Head) -> Hunk | int | None:
    """The first conflict that begins in the front matter, or in the file's first line.

    Its first line alone where it does not end in the lines that are looked at.
    """
    if "<" * SIZE not in head.text:
        return None
    lines = head.text.encode("utf-8", "surrogatepass").split(b"\n")
    closing = head.text.count("\n", 0, head.end) + 2 if head.end >= 0 else 1
    hunks = Hunks()
    begun = 0
    for number, line in enumerate(lines, 1):
        hunk = hunks.ended_by(number, line, fenced=False)
        if hunk:
            return hunk if hunk.first <= closing else None
        begun = hunks.begun if 0 < hunks.begun <= closing else begun
        if number > closing and not begun:
            return None
    return begun or None


def conflict(head: Head) -> Fault | None:
    """The fault of front matter with a merge conflict in it; None without one."""
    hunk = hunk_in(head)
    if hunk is None:
        return None
    one = "leave one line of each key, with the words of both sides"
    if isinstance(hunk, int):
        fact = "a merge conflict begins at this line of the front matter"
        edit = f"delete its lines <<<<<<<, ======= and >>>>>>>, and {one}"
        return error(hunk, BAD, f"{fact}: {edit}")
    where = numbered(range(hunk.first, hunk.last + 1))
    fact = f"a merge conflict ({where}) in the front matter"
    if hunk.first == 1:
        fact = f"a merge conflict ({where}) around the front matter, which has to start in line 1"
    edit = f"delete {numbered(hunk.signs, 9)} (its signs), and {one}"
    return error(hunk.first, BAD, f"{fact}: {edit}")
