"""What a command is, and what its command line says."""

from __future__ import annotations

from nestwork_hooks.console.report import Report
from nestwork_hooks.light import Frozen
from nestwork_hooks.nest.checker import Checker, by_default, limits_of, rules_of
from nestwork_hooks.nest.request import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence


class Options:
    """The values of the flags; each attribute has the name of its flag. Only `parse` sets them."""

    def __init__(self, command: Command) -> None:
        self.names: list[str] = []
        self.root = ""
        self.base = ""
        self.staged = False
        self.all = False
        self.exclude: re.Pattern[str] | None = None
        self.warn_only: re.Pattern[str] | None = None
        self.strict = False
        self.allow_locked = False
        self.uncommitted = False
        self.fix = False
        self.ok = False
        self.format = "text"
        self.verbose = False
        self.explain: list[str] = []
        self.select: list[str] = []
        self.extend_select: list[str] = []
        self.ignore: list[str] = []
        self.limits = {limit.flag: limit.default for limit in limits_of(command.checkers)}

    def chosen(self, checkers: Sequence[Checker]) -> tuple[list[Checker], set[str]]:
        """Those of the checkers that run, and the rules of which findings are said.

        A name in `--select`, `--extend-select` and `--ignore` is a checker's or a rule's.
        """
        usual = by_default(checkers)
        rules = {rule.name for rule in rules_of(usual)}
        if not (self.select or self.extend_select or self.ignore):
            return usual, rules
        own = {checker.name: {rule.name for rule in checker.rules} for checker in checkers}
        every = {rule.name for rule in rules_of(checkers)}
        if self.select:
            rules = _rules(self.select, own, every) | (every - set().union(*own.values()))
        rules |= _rules(self.extend_select, own, every)
        rules -= _rules(self.ignore, own, every)
        # What reads a file is every checker.
        asked = set(self.select) - set().union(own, *own.values()) & rules
        return [checker for checker in checkers if asked or own[checker.name] & rules], rules


def _rules(names: list[str], own: dict[str, set[str]], every: set[str]) -> set[str]:
    found: set[str] = set()
    for name in names:
        found |= every if name == "all" else own.get(name, {name})
    return found


class Command(Frozen):
    """A command: its name, what `--help` says, its checkers, and what else it does.

    `work` turns a request into a report. `takes_files` says that a runner passes it the names of
    changed files. `is_check` says that it is nestwork-check, which has flags of its own.
    """

    name: str
    about: str
    checkers: Sequence[Checker]
    takes_files: bool
    is_check: bool
    work: Callable[[Request, Options], Report]
