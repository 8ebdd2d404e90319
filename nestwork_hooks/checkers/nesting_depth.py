"""Can an index list every topic where it lies, and under its name?

Fails on a topic deeper than <topic>/<subtopic>.md (nesting-depth), and on a name that
breaks the index: not UTF-8, or with a control character, a backtick, <!-- or -->; warns
of a space or one of ()[]<>, which end the index's link early, of a name that Windows
cannot hold, that differs from another of the scope in case or Unicode form alone, or that
a distillation of shared/ refuses (topic-name).

Judges the files that it is given, else the topics that are staged, else all.

example: nestwork-nesting-depth shared/tooling/mail.md
"""

from __future__ import annotations

from nestwork_hooks.console.rim import run_checker
from nestwork_hooks.nest.checker import Checker, Rule, reindexed_by
from nestwork_hooks.nest.reads import NAMES, SIBLINGS
from nestwork_hooks.protocol import layout, naming
from nestwork_hooks.protocol.finding import Run, error, warning
from nestwork_hooks.protocol.naming import Siblings
from nestwork_hooks.protocol.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Fault, Finding


def check(view: View, _: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every topic that is judged."""
    scopes: dict[str, Siblings] = {}
    for path in view.names:
        name = view.listing.names[path]
        scope = path[: -len(name) - 1]
        if scope not in scopes:
            others = view.listing.topics[scope]
            scopes[scope] = Siblings(scope, [view.listing.names[other] for other in others])
        if scopes[scope].is_fine(name):
            continue
        _keep_clear_of_disk(view, name, scopes[scope])
        fault = judge(name, scopes[scope], f"{view.request.root}{scope}/")
        if fault:
            yield fault.at(path)


def _keep_clear_of_disk(view: View, name: str, siblings: Siblings) -> None:
    """Let no file that git does not list be the target of a move."""
    while (moves := _moves(name, siblings)) and not view.is_free(
        f"{siblings.scope}/{moves[-1][1]}"
    ):
        siblings.take(moves[-1][1])


def _moves(name: str, siblings: Siblings) -> list[tuple[str, str]]:
    """The renames after which nothing is wrong with a name; empty also where nothing is."""
    if layout.is_too_deep(name):
        return [(name, siblings.place_above(name))]
    is_bad = naming.breaks_an_index(name) or _doubtful(name, siblings)
    return siblings.moves(name) if is_bad else []


def judge(name: str, siblings: Siblings, folder: str) -> Fault | None:
    """What is wrong with the name of a topic, and the moves that mend it, which no other is told.

    `folder` is its scope's as the reader has it, with a `/`.
    """
    moves = _moves(name, siblings)
    run = _run(moves, folder)
    if layout.is_too_deep(name):
        fact = "nested deeper than <topic>/<subtopic>.md, where no index lists it"
        fault = error(1, "nesting-depth", f"{fact}: {_moved(moves, folder)}", run)
    elif broken := naming.breaks_an_index(name):
        fact = f"its name {broken}, which breaks the index"
        fault = error(1, "topic-name", f"{fact}: {_renamed(moves, siblings, folder)}", run)
    elif doubt := _doubtful(name, siblings):
        message = f"its name {doubt}: {_renamed(moves, siblings, folder)}"
        fault = warning(1, "topic-name", message, run)
    else:
        return None
    for _, new in moves:
        siblings.take(new)
    return fault


def _doubtful(name: str, siblings: Siblings) -> str:
    """Why some tool or system does not take the name, as the end of a sentence."""
    twin = siblings.twin_of(name)
    if twin:
        how = "case" if twin.lower() == name.lower() else "case or Unicode form"
        return f"is that of {escaped(twin)} but for {how}, so a clone on Windows or macOS has only one of them"
    found = next((char for char in naming.ENDS_A_LINK if char in name), "")
    if found:
        return f"has {'a space' if found == ' ' else found}, which ends the index's link early"
    unheld = naming.not_on_windows(name)
    if unheld:
        return f"{unheld}, so no clone on Windows can hold the file"
    if siblings.scope == layout.SHARED and not naming.is_distilled(name):
        return "is not of a-z, 0-9 and - alone (none first), and one such name stops a whole distillation"
    return ""


def _renamed(moves: list[tuple[str, str]], siblings: Siblings, folder: str) -> str:
    if moves:
        return _moved(moves, folder)
    letters = "a-z, 0-9 and -" if siblings.scope == layout.SHARED else "letters, 0-9 and -"
    return f"rename it with git mv, in {letters}"


def _moved(moves: list[tuple[str, str]], folder: str) -> str:
    """The command lines, to be pasted as they are."""
    from nestwork_hooks.protocol import shell

    return " && ".join(shell.line("git", "mv", folder + old, folder + new) for old, new in moves)


def _run(moves: list[tuple[str, str]], folder: str) -> Run | None:
    """The same for a program, where it is one command with words that JSON can hold."""
    if len(moves) != 1:
        return None
    words = ("git", "mv", *(folder + name for name in moves[0]))
    return Run(words) if all(escaped(word, 4_096) == word for word in words) else None


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
            "an index, a system or a tool refuses a name",
            reindexed_by,
        ),
    ),
    limits=(),
    reads=NAMES | SIBLINGS,
    takes_files=True,
    check=check,
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-nesting-depth`: 0 in order, 1 findings, 2 could not look."""
    return run_checker(CHECKER, argv)


if __name__ == "__main__":
    raise SystemExit(main())
