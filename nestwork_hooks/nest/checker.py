"""What a checker declares: its rules, its limits, and what it reads."""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Finding


class Limit(Frozen):
    """A number that a flag sets: its name without dashes, the protocol's value, its meaning.

    A value of 0 is no limit: nothing is judged by it unless the flag is given.
    """

    flag: str
    default: int
    meaning: str


class Rule(Frozen):
    """A rule: its name, its levels (`error`, `warning`, or both), and what breaks it.

    `reindexes` gives, for the path of a finding, the scope whose index changes once it is mended.
    """

    name: str
    levels: str
    breaks: str
    reindexes: Callable[[str], str | None] | None = None


class Checker(Frozen):
    """One checker. `check` turns what it reads into findings, and knows nothing of git or files.

    `reads` is a sum of the constants in reads. `takes_files` says that a runner passes the names of
    changed files to the checker's own command, `by_default` that nestwork-check runs it where it is
    not selected, as its folder says.
    """

    name: str
    about: str
    rules: tuple[Rule, ...]
    limits: tuple[Limit, ...]
    reads: int
    takes_files: bool
    check: Callable[[View, Mapping[str, int]], Iterable[Finding]]
    by_default: bool = True


def reindexed_by(path: str) -> str | None:
    """The scope whose index depends on the file at `path`: a topic, or its memory.md."""
    listed = layout.is_memory(path) or layout.topic_name(path)
    return layout.scope_of(path) if listed else None


# The rules about files that could not be read, whichever checker needed them.
READING = (
    Rule(
        "unreadable",
        "error or warning",
        "a file is not UTF-8, or there and not to be read",
        reindexed_by,
    ),
    Rule("locked", "error or warning", "a file is encrypted with git-crypt and not unlocked here"),
)


def reads_of(checkers: Iterable[Checker]) -> int:
    """The union of what these checkers read."""
    union = 0
    for checker in checkers:
        union |= checker.reads
    return union


def by_default(checkers: Iterable[Checker]) -> list[Checker]:
    """Those of the checkers that run where none is selected."""
    return [checker for checker in checkers if checker.by_default]


def limits_of(checkers: Iterable[Checker]) -> list[Limit]:
    """The limits of these checkers."""
    return [limit for checker in checkers for limit in checker.limits]


def rules_of(checkers: Iterable[Checker]) -> list[Rule]:
    """The rules of these checkers, and those of reading."""
    return [*(rule for checker in checkers for rule in checker.rules), *READING]
