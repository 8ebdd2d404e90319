"""What --help and --version print, with modules that no other run needs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.console.parser import Flag, Parser


def print_version(parser: Parser) -> None:
    """Print the command's name and the package's version."""
    from importlib.metadata import version

    print(parser.name, version("nestwork-hooks"))


def print_help(parser: Parser) -> None:
    """Print a command line's flags, as `argparse` lays them out."""
    from argparse import ArgumentParser, RawDescriptionHelpFormatter

    layout = ArgumentParser(
        parser.name,
        description=parser.about,
        formatter_class=RawDescriptionHelpFormatter,
        add_help=False,
    )
    either = None
    for flag in parser.flags:
        if flag.apart:
            either = either or layout.add_mutually_exclusive_group()
        add = (either if either and flag.apart else layout).add_argument
        names = [name for name in (flag.short, flag.name) if name]
        add(*names, help=flag.meaning, **_layout(flag))  # type: ignore[arg-type]
    layout.print_help()


def _layout(flag: Flag) -> dict[str, object]:
    if not flag.kind:
        return {"action": "store_true"}
    layout = {"choices": flag.choices or None, "metavar": flag.metavar or None}
    if not flag.is_place:
        return {**layout, "required": flag.required}
    return {**layout, "nargs": None if flag.required else "*"}
