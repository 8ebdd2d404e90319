"""The command line, where it holds a flag: imported only then."""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING, NoReturn

from nestwork_hooks.console.report import FORMATS
from nestwork_hooks.protocol.text import shown

if TYPE_CHECKING:
    from nestwork_hooks.console.run import Hook, Options


def parse(hook: Hook, args: list[str], options: Options) -> None:
    """Fill in `options` from the arguments. Exits with 2 and one line on a usage error."""
    parser = _parser(hook)
    found = parser.parse_intermixed_args(args)
    for name in ("names", "staged", "all", "exclude", "warn_only", "strict", "allow_locked"):
        setattr(options, name, getattr(found, name))
    options.format = found.format
    for limit in hook.limits:
        options.limits[limit.flag] = getattr(found, limit.flag.replace("-", "_"))
    options.uncommitted = hook.sees_uncommitted and found.uncommitted
    if options.uncommitted and not options.names:
        parser.error("--uncommitted needs the name of a scope")
    if options.all and options.names:
        # A runner hands the names of changed files to any hook that could take them.
        if not (hook.takes_files() and "PRE_COMMIT" in os.environ):
            parser.error("--all goes without names")
        options.names = []


class Parser(argparse.ArgumentParser):
    """A command's parser, by its name and its module's text: says what is wrong in one line."""

    def __init__(self, name: str, about: str | None) -> None:
        super().__init__(
            prog=name,
            description=about,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Exit with 2 and one line."""
        self.exit(2, f"{self.prog}: {shown(message, 1_000)} (see {self.prog} --help)\n")


class Version(argparse.Action):
    """Prints the version and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> NoReturn:
        """Print the command's name and the package's version."""
        from importlib.metadata import version

        print(parser.prog, version("nestwork-hooks"))
        parser.exit()


def _parser(hook: Hook) -> argparse.ArgumentParser:
    parser = Parser(hook.name, hook.about)
    add = parser.add_argument
    files = hook.takes_files()
    add(
        "names",
        nargs="*",
        metavar="FILE" if files else "SCOPE",
        help="judge these files (or scopes)" if files else "judge these scopes, and nothing else",
    )
    add("--all", action="store_true", help="judge everything, as in CI")
    add("--staged", action="store_true", help="read what is staged, not the working tree")
    add(
        "--exclude",
        type=regex,
        metavar="REGEX",
        help="say and write nothing about paths that match; what an index must hold stays",
    )
    add("--warn-only", type=regex, metavar="REGEX", help="errors in these paths only warn")
    add("--strict", action="store_true", help="warnings fail too")
    add("--allow-locked", action="store_true", help="files locked by git-crypt only warn")
    add("--format", choices=FORMATS, default="text", help="default: text")
    for limit in hook.limits:
        meaning = f"{limit.meaning} (default {limit.default:,})"
        kind = {"type": positive, "metavar": "N", "default": limit.default}
        add(f"--{limit.flag}", help=meaning, **kind)  # type: ignore[arg-type]
    if hook.sees_uncommitted:
        meaning = "name what is not committed in these scopes, and keep the output short"
        add("--uncommitted", action="store_true", help=meaning)
    add("--version", action=Version, nargs=0, help="print the version")
    return parser


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
