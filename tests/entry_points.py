"""The commands by name, called as functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import cast

Main = Callable[[Sequence[str]], int]


def commands() -> set[str]:
    """The names of all commands."""
    scripts = entry_points(group="console_scripts")
    return {script.name for script in scripts if script.value.startswith("nestwork_hooks.")}


def module_of(name: str) -> str:
    """The module of a command."""
    (found,) = entry_points(group="console_scripts", name=name)
    return found.module


def main_of(name: str) -> Main:
    """The function behind a command; a usage error's SystemExit comes back as its exit code."""
    (found,) = entry_points(group="console_scripts", name=name)
    main = cast("Main", found.load())

    def call(argv: Sequence[str]) -> int:
        try:
            return main(argv)
        except SystemExit as stop:
            return cast("int", stop.code)

    return call
