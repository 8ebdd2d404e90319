"""Work in a nest that is a folder of the repository in which the command was started."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.nest.request import Unusable, as_listed
from nestwork_hooks.protocol.layout import is_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from typing_extensions import Self

# What git hands to hooks as paths from the folder in which it starts them.
_PATHS = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_COMMON_DIR")


class Root:
    """The folder of a nest, as a context in which the process stands there.

    `start` is the folder in which the command was started. `prefix` is what a path of the nest
    begins with there: `""` if the nest is that folder, else the nest's path with a `/`.
    """

    def __init__(self, folder: str) -> None:
        """Raise Unusable for what is no folder of this repository."""
        self.start = os.getcwd()
        self._folder = folder
        self._kept: dict[str, str | None] = {}
        if folder and not os.path.isdir(folder):
            raise Unusable(f"--root {folder}: no such folder")
        # As git has it, which lists and stages nothing behind a symbolic link.
        path = as_listed(os.path.realpath(folder)) if folder else os.curdir
        self.prefix = "" if path == os.curdir else f"{path}/"
        self._prefixes = (self.prefix, f"{as_listed(folder)}/")

    def __enter__(self) -> Self:
        if self.prefix:
            try:
                top = git.top()
                self._hold_on_to_git()
                git.forget_questions()  # They were asked in the other folder.
                os.chdir(self.prefix)
                self._refuse_others(top)
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        for name, value in self._kept.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        self._kept = {}
        os.chdir(self.start)

    def _hold_on_to_git(self) -> None:
        """Make absolute what the environment of a hook says relative to the folder."""
        for name in _PATHS:
            if value := os.environ.get(name):
                self._set(name, os.path.abspath(value))
        if "GIT_DIR" in os.environ and "GIT_WORK_TREE" not in os.environ:
            # Git starts hooks at the top, and would take any other folder for it.
            self._set("GIT_WORK_TREE", self.start)

    def _set(self, name: str, value: str) -> None:
        self._kept[name] = os.environ.get(name)
        os.environ[name] = value

    def within(self, names: Iterable[str], *, files: bool = False) -> Iterator[str]:
        """These names as the nest lists them; they begin in `start` or in the nest.

        `files` says that a runner passes them: they begin in `start`, and those outside of the nest
        are left out.
        """
        for name in names:
            listed = as_listed(name)
            prefix = next(filter(listed.startswith, self._prefixes), None) if self.prefix else ""
            if prefix is not None:
                yield listed[len(prefix) :]
            elif not files or is_scope(listed):
                yield listed

    def _refuse_others(self, top: bytes) -> None:
        """Raise Unusable if the current folder is none of the repository with this top."""
        try:
            found = git.top()
        except git.GitError:
            found = b""
        if found != top:
            inside = found.startswith(top.rstrip(b"/\n") + b"/")
            fault = (
                "it is a repository of its own" if inside else "name a folder of this repository"
            )
            raise Unusable(f"--root {self._folder}: {fault}")
