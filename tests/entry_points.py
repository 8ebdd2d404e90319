"""The commands by name, called as functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import cast

Main = Callable[[Sequence[str]], int]


@cache
def _scripts() -> dict[str, EntryPoint]:
    """Our commands by name, looked up once: that reads every installed package."""
    scripts = entry_points(group="console_scripts")
    ours = (script for script in scripts if script.value.startswith("nestwork_hooks."))
    return {script.name: script for script in ours}


def commands() -> set[str]:
    """The names of all commands."""
    return set(_scripts())


def judging() -> set[str]:
    """The names of those that judge a nest as a whole: the checks and the fixer."""
    others = ("commit", "commit-msg", "manifest", "measure", "split")
    return commands() - {f"nestwork-{name}" for name in others}


def module_of(name: str) -> str:
    """The module of a command."""
    return _scripts()[name].module


def main_of(name: str) -> Main:
    """The function behind a command; a usage error's SystemExit comes back as its exit code."""
    main = cast("Main", _scripts()[name].load())

    def call(argv: Sequence[str]) -> int:
        try:
            return main(argv)
        except SystemExit as stop:
            return cast("int", stop.code)

    return call
