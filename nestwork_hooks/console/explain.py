"""What docs/rules.md says of a rule, for a terminal. Imported only for `--explain`."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from itertools import groupby
from typing import TYPE_CHECKING

from nestwork_hooks.nest.request import Unusable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nestwork_hooks.nest.checker import Checker

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# In a wheel the build has put the page into the package; a clone has it in docs/.
_PLACES = (
    os.path.join(_PACKAGE, "rules.md"),
    os.path.join(os.path.dirname(_PACKAGE), "docs", "rules.md"),
)
# A code span, which stays as it is, the text of a link, or bold text.
_MARKUP = re.compile(r"\[((?:`[^`]*`|[^\]`])+)\]\([^)\s]+\)|(`[^`]*`)|\*\*(.+?)\*\*", re.DOTALL)
_PROSE, _CODE, _FENCE = "prose", "code", "fence"


def page() -> str:
    """The text of docs/rules.md. Raises Unusable where this installation lacks it."""
    for place in _PLACES:
        try:
            with open(place, encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            pass
    raise Unusable(f"--explain: {_PLACES[0]} is missing: install nestwork-hooks anew")


def sections(text: str) -> dict[str, str]:
    """The sections of the page by their headings, without what stands above the first."""
    found: dict[str, str] = {}
    name = ""
    for kind, line in _lines(text):
        if kind == _PROSE and line.startswith("## "):
            name = line[3:].strip()
            found[name] = ""
        elif name:
            found[name] += f"{line}\n"
    return found


def explained(names: Sequence[str], checkers: Sequence[Checker]) -> Iterator[str]:
    """Yield lines that explain each of these rules, or all rules of a checker.

    Where a rule and its checker have one name, it is the rule's. Raises LookupError, with a line
    that says so, for a name that is neither, and Unusable as `page` does.
    """
    known = sections(page())
    own = {checker.name: [rule.name for rule in checker.rules] for checker in checkers}
    asked = [name.strip("[]") for name in names]  # as the last word of a finding
    for name in asked:
        if name not in known and name not in own:
            raise LookupError(_unknown(name, sorted({*known, *own})))
    rules = [rule for name in asked for rule in ([name] if name in known else own[name])]
    for rule in dict.fromkeys(rules):
        yield from (rule, "-" * len(rule), "", *_plain(known[rule]), "")
    for name in dict.fromkeys(asked):
        more = [rule for rule in own.get(name, ()) if rule not in rules]
        if more:
            yield f"More rules of the checker {name}: {', '.join(more)}"


def _unknown(name: str, known: list[str]) -> str:
    near = get_close_matches(name.lower(), known)
    names = f"do you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    return f"there is no rule or checker {name!r}; {names}"


def _plain(text: str) -> Iterator[str]:
    """Markdown as plain lines: code indented, no fences, and of links and bold text the words."""
    for kind, group in groupby(_lines(text.strip()), key=lambda pair: pair[0]):
        lines = [line for _, line in group]
        if kind == _CODE:
            yield from (f"    {line}".rstrip() for line in lines)
        elif kind == _PROSE:
            prose = _MARKUP.sub(lambda found: found[1] or found[2] or found[3], "\n".join(lines))
            yield from prose.split("\n")


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield each line with its kind."""
    fence = ""
    for line in text.splitlines():
        mark = line.strip()
        ticks = mark[: len(mark) - len(mark.lstrip("`"))]
        if len(ticks) >= 3 and (not fence or (ticks == mark and len(ticks) >= len(fence))):
            fence = "" if fence else ticks
            yield _FENCE, line
        else:
            yield _CODE if fence else _PROSE, line
