"""What a checker declares: its rules, its limits, and what it reads."""

from __future__ import annotations

from nestwork_hooks.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Finding

# What a checker can read. Of topics in scopes with an index, those that are judged: their names,
# sizes, front matter, whole text, and their version before the commit.
NAMES, SIZES, HEADS, BODIES, BEFORE = 1, 2, 4, 8, 16
TOPICS = NAMES | SIZES | HEADS | BODIES | BEFORE
# Whole scopes with their indexes, resident files, and every Markdown file that is judged.
INDEXES, RESIDENT, MARKDOWN = 32, 64, 128


class Limit:
    """A number that a flag sets: its name without dashes, the protocol's value, its meaning."""

    __slots__ = ("default", "flag", "meaning")

    def __init__(self, flag: str, default: int, meaning: str) -> None:
        self.flag = flag
        self.default = default
        self.meaning = meaning


class Rule:
    """A rule: its name, its levels (`error`, `warning`, or both), and what breaks it."""

    __slots__ = ("breaks", "levels", "name")

    def __init__(self, name: str, levels: str, breaks: str) -> None:
        self.name = name
        self.levels = levels
        self.breaks = breaks


class Checker(Frozen):
    """One checker. `check` turns what it reads into findings, and knows nothing of git or files.

    `reads` is a sum of the constants above. `takes_files` says that a runner passes the names of
    changed files to the checker's own command, `by_default` that nestwork-check runs it where it is
    not selected.
    """

    name: str
    about: str
    rules: tuple[Rule, ...]
    limits: tuple[Limit, ...]
    reads: int
    takes_files: bool
    by_default: bool
    check: Callable[[View, Mapping[str, int]], Iterable[Finding]]


# Of whatever had to read a file.
READING = (
    Rule("unreadable", "error or warning", "a file is not UTF-8, or there and not to be read"),
    Rule("locked", "error or warning", "a file is encrypted with git-crypt and not unlocked here"),
)


def reads_of(checkers: Iterable[Checker]) -> int:
    """What these checkers read together."""
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
