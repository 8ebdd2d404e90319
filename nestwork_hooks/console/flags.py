"""The flags of the commands that judge. Imported only where the command line holds one."""

from __future__ import annotations

import sys

from nestwork_hooks.console.options import Command, Options
from nestwork_hooks.console.parser import (
    FORMAT,
    ROOT,
    STRICT,
    WARN_ONLY,
    Flag,
    Parser,
    comma_separated,
    each,
    given,
    positive,
    regex,
)
from nestwork_hooks.nest.checker import limits_of, rules_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

_NAMES = "NAME,..."


def parse(command: Command, args: list[str], options: Options) -> None:
    """Fill in `options` from the arguments. Exits with 2 and one line on a usage error."""
    parser = Parser(command.name, command.about, list(_flags(command)))
    found = parser.parse(args)
    for flag, usual in options.limits.items():
        options.limits[flag] = found.pop(flag.replace("-", "_"), usual)
    vars(options).update(found)
    if options.explain:
        _explain(parser, command, options.explain)
    _refuse_unknown(parser, command, options)
    if options.uncommitted and not options.names:
        parser.error("--uncommitted needs the name of a scope")
    if options.all and options.base:
        parser.error("--all goes without --base")
    if options.names and (options.all or options.base):
        # A runner hands the names of changed files to any hook that could take them.
        if not command.takes_files:
            parser.error(f"--{'all' if options.all else 'base'} goes without names")
        options.names = []


def _explain(parser: Parser, command: Command, names: list[str]) -> NoReturn:
    from nestwork_hooks.console.explain import explained
    from nestwork_hooks.console.streams import print_lines

    try:
        lines = list(explained(names, command.checkers))
    except LookupError as error:
        parser.error(f"--explain: {error.args[0]}")
    print_lines(lines, sys.stdout)
    raise SystemExit(0)


def _refuse_unknown(parser: Parser, command: Command, options: Options) -> None:
    known = {checker.name for checker in command.checkers}
    known |= {rule.name for rule in rules_of(command.checkers)}
    for flag in ("select", "extend_select", "ignore"):
        for name in getattr(options, flag):
            if name not in known and not (name == "all" and flag == "extend_select"):
                parser.error(
                    f"--{flag.replace('_', '-')}: there is no checker or rule {name!r};"
                    f" there are {', '.join(sorted(known))}"
                )


def _flags(command: Command) -> Iterator[Flag]:
    if command.takes_files:
        yield Flag("names", "judge these files (or scopes)", each, "FILE")
    else:
        yield Flag("names", "judge these scopes, and nothing else", each, "SCOPE")
    yield Flag("--all", "judge everything, as in CI")
    yield Flag("--base", "judge what changed since the merge base with REV", given, "REV")
    yield Flag("--staged", "read what is staged, not the working tree")
    yield ROOT
    meaning = "say and write nothing about paths that match; what an index must hold stays"
    yield Flag("--exclude", meaning, regex, "REGEX")
    yield WARN_ONLY
    yield STRICT
    yield Flag("--allow-locked", "files locked by git-crypt only warn")
    if command.checkers:
        yield Flag("--ignore", "leave out these checkers or rules", comma_separated, _NAMES)
    else:
        yield Flag("--ok", "exit with 0 where all that is stale was rewritten")
    if command.is_check:
        yield from _flags_of_check()
    yield FORMAT
    for limit in limits_of(command.checkers):
        usual = f"{limit.default:,}" if limit.default else "no limit"
        yield Flag(f"--{limit.flag}", f"{limit.meaning} (default {usual})", positive, "N")
    yield Flag("--verbose", "say what was looked at, where nothing is wrong too")


def _flags_of_check() -> Iterator[Flag]:
    yield Flag("--select", "run only these checkers or rules", comma_separated, _NAMES)
    meaning = "run these checkers or rules too, or all"
    yield Flag("--extend-select", meaning, comma_separated, _NAMES)
    meaning = "say what these rules protect, how to mend and how to switch off, and judge nothing"
    yield Flag("--explain", meaning, comma_separated, "RULE,...")
    meaning = "rewrite stale indexes first, and dates if updated-date runs; fails if it wrote"
    yield Flag("--fix", meaning)
    meaning = "name what is not committed in these scopes, and keep the output short"
    yield Flag("--uncommitted", meaning)
