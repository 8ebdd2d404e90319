"""The checkers that there are, by their files."""

from __future__ import annotations

import os

from nestwork_hooks import checkers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.nest.checker import Checker


def usual() -> list[Checker]:
    """The checkers that run where none is selected, by name."""
    return _declared(checkers.__name__, os.path.dirname(checkers.__file__))


def every() -> list[Checker]:
    """All checkers, by name."""
    from nestwork_hooks.checkers import optional

    more = _declared(optional.__name__, os.path.dirname(optional.__file__))
    found = [*usual(), *(checker.replace(by_default=False) for checker in more)]
    return sorted(found, key=lambda checker: checker.name)


def _declared(package: str, folder: str) -> list[Checker]:
    names = sorted(file[:-3] for file in os.listdir(folder) if file.endswith(".py"))
    # Not importlib, which takes as long to load as a git process.
    return [
        __import__(f"{package}.{name}", fromlist=["CHECKER"]).CHECKER
        for name in names
        if name != "__init__"
    ]
