"""Can an index list every topic where it lies, and under its name?

Fails on a topic deeper than <topic>/<subtopic>.md (nesting-depth), and on a name that
breaks the index: not UTF-8, or with a control character, a backtick, <!-- or -->; warns
of a space or one of ()[]<>, which end the index's link early (topic-name).

Judges the files that it is given, else the topics that are staged, else all.

example: nestwork-nesting-depth shared/tooling/mail.md
"""

from __future__ import annotations

from nestwork_hooks.console.run import run_checker
from nestwork_hooks.nest.checker import Checker, Rule, reindexed_by
from nestwork_hooks.nest.reads import NAMES
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import ERROR, WARNING, Fault, Finding, Run
from nestwork_hooks.protocol.text import could_forge, escaped, has_surrogate, shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nestwork_hooks.nest.view import View

_ENDS_A_LINK = " ()[]<>"


def check(view: View, _: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every topic that is judged."""
    taken: set[str] = set()
    for path in view.names:
        name = view.listing.names[path]
        if layout.is_too_deep(name):
            yield _too_deep(view, path, name, taken)
        for fault in faults(name):
            yield fault.at(path)


def _too_deep(view: View, path: str, name: str, taken: set[str]) -> Finding:
    """The finding with a free target, which no other is told to take."""
    fact = "nested deeper than <topic>/<subtopic>.md, where no index lists it"
    targets = (f"{path[: -len(name)]}{other}" for other in _targets(name))
    target = next((t for t in targets if t not in taken and view.is_free(t)), "")
    taken.add(target)
    words = ("git", "mv", *(f"{view.request.root}{end}" for end in (path, target)))
    # What a message cannot show as it is, JSON cannot hold either.
    if target and all(escaped(word, 4_096) == word for word in words):
        message = f"{fact}: {shell(*words)}"
        return Finding(path, 1, ERROR, "nesting-depth", message, Run(words))
    message = f"{fact}: git mv it to a free name there"
    return Finding(path, 1, ERROR, "nesting-depth", message)


def _targets(name: str) -> Iterator[str]:
    """Names for a topic that lies too deep, the shortest first."""
    first, *middle, last = name.split("/")
    yield f"{first}/{last}"
    whole = "-".join([*middle, last.removesuffix(".md")])
    yield f"{first}/{whole}.md"
    yield from (f"{first}/{whole}-{number}.md" for number in range(2, 100))


def faults(name: str) -> Iterator[Fault]:
    """What is wrong with the name of a topic, wherever it lies."""
    broken = _what_breaks_an_index(name)
    if broken:
        message = f"its name {broken}, which breaks the index: rename it with git mv"
        yield Fault(1, ERROR, "topic-name", message)
        return
    found = next((char for char in _ENDS_A_LINK if char in name), "")
    if found:
        char = "a space" if found == " " else found
        message = f"its name has {char}, which ends the index's link early; consider renaming it"
        yield Fault(1, WARNING, "topic-name", message)


def _what_breaks_an_index(name: str) -> str:
    if has_surrogate(name):
        return "is not UTF-8"
    if could_forge(name):
        return "has <!--, --> or a control character"
    return "has a backtick" if "`" in name else ""


CHECKER = Checker(
    name="nesting-depth",
    about=__doc__,
    rules=(
        Rule(
            "nesting-depth", "error", "a topic lies deeper than <topic>/<subtopic>.md", reindexed_by
        ),
        Rule(
            "topic-name",
            "error or warning",
            "a topic's name breaks its index, or a link in it",
            reindexed_by,
        ),
    ),
    limits=(),
    reads=NAMES,
    takes_files=True,
    by_default=True,
    check=check,
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-nesting-depth`: 0 in order, 1 findings, 2 could not look."""
    return run_checker(CHECKER, argv)


if __name__ == "__main__":
    raise SystemExit(main())
