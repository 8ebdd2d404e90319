"""Work in a nest that is a folder of the repository in which the command was started."""

from __future__ import annotations

import os

from nestwork_hooks import git
from nestwork_hooks.nest.request import Unusable, as_listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

# What git hands to hooks as paths from the folder in which it starts them.
_PATHS = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_COMMON_DIR")


class Root:
    """The folder of a nest, as a context in which the process stands there.

    `prefix` is what a path of the nest begins with where the command was started: `""` there, else
    the folder's with a `/`. `start` is the folder in which the command was started.
    """

    def __init__(self, folder: str) -> None:
        """Raise Unusable for what is no folder of this repository."""
        self.start = os.getcwd()
        path = as_listed(folder) if folder else os.curdir
        self.prefix = "" if path == os.curdir else f"{path}/"
        self._kept: dict[str, str | None] = {}
        if self.prefix and (path.startswith("..") or os.path.isabs(path)):
            raise Unusable(f"--root {folder}: name a folder of this repository")
        if self.prefix and not os.path.isdir(path):
            raise Unusable(f"--root {folder}: no such folder")
        if self.prefix and os.path.realpath(path) != os.path.join(os.path.realpath("."), path):
            # Git lists nothing behind a link.
            raise Unusable(f"--root {folder}: there is a symbolic link in it: name the folder")

    def __enter__(self) -> Self:
        if self.prefix:
            try:
                self._enter()
            except BaseException:
                self.__exit__()
                raise
        return self

    def _enter(self) -> None:
        top = git.top()
        self._hold_on_to_git()
        os.chdir(self.prefix)
        if git.top() != top:
            raise Unusable(f"--root {self.prefix[:-1]}: it is a repository of its own")

    def __exit__(self, *_: object) -> None:
        for name, value in self._kept.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        self._kept = {}
        os.chdir(self.start)

    def _hold_on_to_git(self) -> None:
        """Keep in the environment of a hook what would change its meaning with the folder."""
        for name in _PATHS:
            value = os.environ.get(name)
            if value:
                self._set(name, os.path.abspath(value))
        if "GIT_DIR" in os.environ and "GIT_WORK_TREE" not in os.environ:
            # Git starts hooks at the top, and would take any other folder for it.
            self._set("GIT_WORK_TREE", self.start)

    def _set(self, name: str, value: str) -> None:
        self._kept[name] = os.environ.get(name)
        os.environ[name] = value

    def within(self, names: list[str]) -> Iterator[str]:
        """These names of scopes and files as the nest lists them.

        Scopes are named from the nest's root, files from where the command was started; files
        outside the nest are none of its.
        """
        for name in names:
            listed = as_listed(name)
            if not self.prefix:
                yield listed
            elif listed.startswith(self.prefix):
                yield listed[len(self.prefix) :]
            elif listed.startswith(("agents/", "shared")) or "/" not in listed:
                yield listed
