"""Where a case is built: a folder with a repository, and what its builders need."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.compare.sides import Line, Runner
from tests.conftest import Repo

_SCOPE = re.compile(r"(shared|agents/[^/]+/[^/]+)/")
# A pre-commit hook that runs the command that a line names, and none where it names none.
_HOOK = '#!/bin/sh\n[ -z "$HOOK" ] || exec $HOOK\n'


class Site:
    """The folder of one case; `base` is the runner that makes true indexes."""

    def __init__(self, folder: Path, template: Path, env: dict[str, str], base: Runner) -> None:
        self.folder = folder
        self.env = env
        self._template = template
        self._base = base

    def at(self, folder: Path) -> Site:
        """The same for another case."""
        return Site(folder, self._template, self.env, self._base)

    @property
    def repo(self) -> Repo:
        """The case's repository, which `begin` made."""
        return Repo(self.folder / "nest", self.env)

    def begin(self) -> Repo:
        """An empty repository, and beside it the message of an agent's commit."""
        shutil.copytree(self._template, self.folder / "nest")
        (self.folder / "message").write_text("memory: update box/a1\n")
        return self.repo

    def fix(self, *words: str) -> None:
        """Make the indexes true, by the base's fixer."""
        self._base.run(Line(("nestwork-fix-index", *words)), self.folder)

    def listed(self) -> list[str]:
        """What git lists, as text with surrogates for what is not UTF-8."""
        done = subprocess.run(
            ["git", "ls-files", "-z"],
            cwd=self.folder / "nest",
            env=self.env,
            capture_output=True,
            check=False,
        )
        names = done.stdout.decode("utf-8", "surrogateescape").split("\0")
        return sorted({name for name in names if name})


def make_template(folder: Path, env: dict[str, str]) -> None:
    """Make the empty repository that every case starts as."""
    folder.mkdir(parents=True)
    repo = Repo(folder, env)
    repo.git("init", "-q", "-b", "main")
    for name, value in (("core.autocrlf", "false"), ("gc.auto", "0"), ("maintenance.auto", "0")):
        repo.git("config", name, value)
    hooks = folder / ".git" / "hooks"
    shutil.rmtree(hooks)
    hooks.mkdir()
    for name in ("pre-commit", "pre-merge-commit"):
        (hooks / name).write_text(_HOOK)
        (hooks / name).chmod(0o755)


def scopes_of(paths: Sequence[str]) -> list[str]:
    """The scopes in which any of the paths is."""
    found = {match.group(1) for path in paths if (match := _SCOPE.match(path))}
    return sorted(found)


def topics_of(paths: Sequence[str]) -> list[str]:
    """The Markdown files of scopes, as a runner would pass them."""
    return [path for path in paths if _SCOPE.match(path) and path.endswith(".md")]
