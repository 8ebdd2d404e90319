"""The command line, where it holds a flag: imported only then."""

from __future__ import annotations

import argparse
import re
import sys
from typing import NoReturn

from nestwork_hooks.console.options import Command, Options
from nestwork_hooks.nest.checker import limits_of, rules_of
from nestwork_hooks.protocol.text import escaped

FORMATS = ("text", "json", "github")
# Where a flag goes that leaves nothing among the values.
NOWHERE = argparse.SUPPRESS


def parse(command: Command, args: list[str], options: Options) -> None:
    """Fill in `options` from the arguments. Exits with 2 and one line on a usage error."""
    parser = _parser(command)
    found = vars(parser.parse_intermixed_args(args))
    options.limits = {flag: found.pop(flag.replace("-", "_")) for flag in options.limits}
    for name, value in found.items():
        setattr(options, name, value or getattr(options, name))
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
    parser.exit()


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


class Parser(argparse.ArgumentParser):
    """A command's parser, by its name and its module's text: says what is wrong in one line.

    `failed` is what such a line begins with, after the command's name.
    """

    def __init__(self, name: str, about: str | None, failed: str = "") -> None:
        formatter = argparse.RawDescriptionHelpFormatter
        super().__init__(name, description=about, formatter_class=formatter, allow_abbrev=False)
        self._failed = failed

    def error(self, message: str) -> NoReturn:
        """Exit with 2 and one line."""
        said = escaped(f"{self._failed}{message}", 2_000)
        self.exit(2, f"{self.prog}: {said} (see {self.prog} --help)\n")


class Version(argparse.Action):
    """Prints the version and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> NoReturn:
        """Print the command's name and the package's version."""
        from importlib.metadata import version

        print(parser.prog, version("nestwork-hooks"))
        parser.exit()


def _parser(command: Command) -> Parser:
    parser = Parser(command.name, command.about)
    add = parser.add_argument
    what, meaning = "SCOPE", "judge these scopes, and nothing else"
    if command.takes_files:
        what, meaning = "FILE", "judge these files (or scopes)"
    add("names", nargs="*", metavar=what, help=meaning)
    add("--all", action="store_true", help="judge everything, as in CI")
    meaning = "judge what changed since the merge base with REV"
    add("--base", type=given, metavar="REV", help=meaning)
    add("--staged", action="store_true", help="read what is staged, not the working tree")
    add_root(parser)
    meaning = "say and write nothing about paths that match; what an index must hold stays"
    add("--exclude", type=regex, metavar="REGEX", help=meaning)
    add("--warn-only", type=regex, metavar="REGEX", help="errors in these paths only warn")
    add("--strict", action="store_true", help="warnings fail too")
    add("--allow-locked", action="store_true", help="files locked by git-crypt only warn")
    names = {"type": comma_separated, "metavar": "NAME,...", "default": [], "action": "extend"}
    if command.checkers:
        add("--ignore", help="leave out these checkers or rules", **names)  # type: ignore[arg-type]
    else:
        add("--ok", action="store_true", help="exit with 0 where all that is stale was rewritten")
    if command.is_check:
        _add_flags_of_check(parser, names)
    add("--format", choices=FORMATS, default="text", help="default: text")
    for limit in limits_of(command.checkers):
        usual = f"{limit.default:,}" if limit.default else "no limit"
        meaning = f"{limit.meaning} (default {usual})"
        kind = {"type": positive, "metavar": "N", "default": limit.default}
        add(f"--{limit.flag}", help=meaning, **kind)  # type: ignore[arg-type]
    meaning = "say what was looked at, where nothing is wrong too"
    add("--verbose", action="store_true", help=meaning)
    add("--version", action=Version, nargs=0, help="print the version", dest=NOWHERE)
    return parser


def add_root(parser: argparse.ArgumentParser) -> None:
    """Add the flag that every command has."""
    meaning = "the nest is this folder of the repository"
    parser.add_argument("--root", type=given, metavar="DIR", help=meaning)


def _add_flags_of_check(parser: Parser, names: dict[str, object]) -> None:
    add = parser.add_argument
    add("--select", help="run only these checkers or rules", **names)  # type: ignore[arg-type]
    meaning = "run these checkers or rules too, or all"
    add("--extend-select", help=meaning, **names)  # type: ignore[arg-type]
    meaning = "say what these rules protect, how to mend and how to switch off, and judge nothing"
    add("--explain", help=meaning, **names | {"metavar": "RULE,..."})  # type: ignore[arg-type]
    add(
        "--fix",
        action="store_true",
        help="rewrite stale indexes first, and dates if updated-date runs; fails if it wrote",
    )
    meaning = "name what is not committed in these scopes, and keep the output short"
    add("--uncommitted", action="store_true", help=meaning)


def given(text: str) -> str:
    """A value that is not empty, as a variable is that nobody set. Raises ArgumentTypeError."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty")
    return text


def comma_separated(text: str) -> list[str]:
    """Names between commas. Raises ArgumentTypeError where there is none."""
    names = text.split(",")
    if not all(names):
        raise argparse.ArgumentTypeError(f"expected names with commas between them, got {text!r}")
    return names


def positive(text: str) -> int:
    """A positive whole number. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"expected a positive whole number, got {text!r}")
    return int(text)


def regex(text: str) -> re.Pattern[str]:
    """A regular expression. Raises ArgumentTypeError."""
    try:
        return re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None
