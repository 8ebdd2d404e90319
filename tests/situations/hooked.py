"""A nest whose commits are judged by an installed hook, and what is expected of that hook."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

from tests.conftest import BIN, RULES, Done, Repo, entry, memory, topic
from tests.situations import served

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

COMMIT = ("commit", "-q", "-m", "change")
LARGE = topic(body="x" * 40_000)
GROWN = topic(body="# T\n" + "x" * 2048)
OTHER = "agents/box/a1"
# The first is a plain git hook whose commands run in this process.
RUNNERS = ("called", "plain", "pre-commit", "prek")
COMMANDS = ("nestwork-check", "nestwork-fix-index")
# What the fixer says of a scope that it leaves alone.
SAID_BY_FIXER = {"broken-markers", "unreadable", "locked"}

_FINDING = re.compile(r"^ *(\S.*):\d+: (error|warning): .* \[([a-z-]+)\]$", re.MULTILINE)
_WRITTEN = re.compile(r"^ *(\S.*): rewrote the topic index", re.MULTILINE)
_TO_FIX = re.compile(r"^ *to fix: (.+)$", re.MULTILINE)
_ENTRY = re.compile(r"^- \[`(.*?)`\]\(.*, ([0-9.]+) KB\)\r?$", re.MULTILINE)

# In a scope of its own, and in topics of `shared/` that no situation touches.
OLD_FAULTS = {
    "shared/aged.md": LARGE,
    "shared/bare.md": "no front matter\n",
    "shared/deep/er/est.md": topic(),
    "agents/box/old/memory.md": memory(entry("gone.md")),
    "agents/box/old/huge.md": LARGE,
    "agents/box/old/quoted.md": topic('"a" b'),
    "agents/box/old/resident.md": "x" * 3000,
    "agents/box/torn/memory.md": "<!-- nestwork:topic-index:end -->\n",
    "agents/box/torn/notes.md": topic(),
}
OLD_LINE = entry("aged.md", size=f"{len(LARGE) / 1024:.1f}")


_HOOK = """\
  - id: {command}
    name: {command}
    entry: {folder}/{command}
    language: system
    always_run: true
    pass_filenames: false
    verbose: true
    stages: {stages}
"""


def config(commands: Sequence[str], stages: str = "[pre-commit, pre-merge-commit, manual]") -> str:
    """A `.pre-commit-config.yaml` that runs the commands beside this Python."""
    hooks = [_HOOK.format(command=command, folder=BIN, stages=stages) for command in commands]
    return "repos:\n- repo: local\n  hooks:\n" + "".join(hooks)


class Hooked(Repo):
    """A nest with `commands` installed as pre-commit and pre-merge-commit hook by a runner.

    It has the scopes `shared` (hosts.md, ports.md) and `agents/box/a1` (notes.md), and where
    `old_faults` asks for it a committed fault of every kind that no situation touches.
    """

    def __init__(
        self,
        path: Path,
        env: dict[str, str],
        runner: str,
        commands: Sequence[str],
        *,
        old_faults: bool = False,
    ) -> None:
        super().__init__(path, env)
        self.runner = runner
        self.plain = runner in ("called", "plain")
        self.commands = commands
        self.old_faults = old_faults

    def at(self, path: Path) -> Hooked:
        """The same, in another folder."""
        return Hooked(path, self.env, self.runner, self.commands, old_faults=self.old_faults)

    def begin(self) -> None:
        """Make the repository, commit the nest and install the hook."""
        self.git("init", "-q", "-b", "main")
        self.git("config", "core.autocrlf", "false")
        self.git("config", "gc.auto", "0")  # else a process more for each commit
        self.git("config", "maintenance.auto", "false")
        shutil.rmtree(self.path / ".git/hooks")
        self.install()

    def fill(self) -> None:
        """Commit the nest, past its hooks."""
        self.commit(
            {
                **RULES,
                "shared/memory.md": self.index(entry("hosts.md"), entry("ports.md")),
                "shared/hosts.md": topic(),
                "shared/ports.md": topic(),
                f"{OTHER}/memory.md": memory(entry("notes.md")),
                f"{OTHER}/notes.md": topic(),
                **(OLD_FAULTS if self.old_faults else {}),
            }
        )

    def install(self, *types: str) -> None:
        """Install the commands as git hooks of these types, the usual two where none is named."""
        types = types or ("pre-commit", "pre-merge-commit")
        if self.plain:
            self.plain_hook(*self.commands, folder=self._folder())
            hooks = self.path / self.git("rev-parse", "--git-path", "hooks").strip()
            for name in types[1:]:
                shutil.copy(hooks / "pre-commit", hooks / name)
            return
        self.write({".pre-commit-config.yaml": config(self.commands)})
        words = [word for name in types for word in ("--hook-type", name)]
        done = self.run(self.runner, "install", *words)
        assert done.code == 0, done.text

    def run(self, *command: str, cwd: str = ".", **env: str) -> Done:
        """Run a program; it takes its commands from this process, except in another locale."""
        here = self.runner == "called" and current_thread() is main_thread()
        if not here or "LC_ALL" in env:
            return super().run(*command, cwd=cwd, **env)
        if command[0] in COMMANDS:
            return self.call(*command, cwd=cwd, **env)
        return served.run(command, self.path / cwd, self.env | env)

    def git(self, *args: str, cwd: str = ".", **env: str) -> str:
        """What git prints; a hook that it has starts its commands."""
        done = super().run("git", *args, cwd=cwd, **env)
        assert done.code == 0, f"git {' '.join(args)}: {done.text}"
        return done.out

    def _folder(self) -> Path:
        """Where the commands are that a hook calls."""
        found = shutil.which(self.commands[0], path=self.env["PATH"])
        assert found
        return Path(found).parent

    def index(self, *lines: str, newline: str = "\n") -> str:
        """The memory.md of `shared` that lists these lines beside the old topic, if it is there."""
        old = (OLD_LINE,) if self.old_faults else ()
        return memory(*old, *lines, newline=newline)

    def head(self) -> str:
        """The commit that HEAD names; empty on an unborn branch."""
        head = self.path / ".git/HEAD"
        branch = head.parent / head.read_text()[len("ref: ") : -1] if head.is_file() else head
        if branch.is_file():  # As nearly always, and git takes longer.
            return branch.read_text()
        return super().run("git", "rev-parse", "-q", "--verify", "HEAD").out

    def passes(self, *operation: str, cwd: str = ".", **env: str) -> Done:
        """Perform a git operation that makes a commit, and see nothing in its way."""
        before = self.head()
        done = self.run("git", *operation, cwd=cwd, **env)
        assert (done.code, errors(done), written(done)) == (0, set(), set()), done.text
        assert self.head() != before, done.text
        return done

    def stops(
        self,
        *operation: str,
        stale: Collection[str] = (),
        faults: Collection[str] = (),
        then: Sequence[str] = (),
        mends: bool = True,
        cwd: str = ".",
        **env: str,
    ) -> Done:
        """Perform a git operation that the hook refuses, for these reasons and no others.

        `stale` are scopes, `faults` a path and a rule each. Where only indexes are stale, the
        line that is said to mend them is pasted, and the operation (or `then`, where git wants
        another to go on) goes through; `mends` says that the test does this itself.
        """
        faults = {fault for fault in faults if self._says(fault)}
        stale_files = {f"{scope}/memory.md" for scope in stale}
        if not faults and not stale:
            return self.passes(*operation, cwd=cwd, **env)
        before = self.head()
        done = self.run("git", *operation, cwd=cwd, **env)
        assert done.code != 0, done.text
        if self.commands[0] == "nestwork-fix-index":
            unstaged = {error for error in errors(done) if error.endswith(" stale-index")}
            assert errors(done) - unstaged == faults, done.text
            named = written(done) | {error.split()[0] for error in unstaged}
            assert named == stale_files, done.text
        else:
            assert errors(done) == {f"{path} stale-index" for path in stale_files} | faults
        assert self.head() == before
        if mends and not faults:
            self.paste(done, cwd)
            self.passes(*(then or operation), cwd=cwd, **env)
            for scope in stale:
                self.assert_true_index(scope)
        return done

    def _says(self, fault: str) -> bool:
        return self.commands[0] != "nestwork-fix-index" or fault.split()[-1] in SAID_BY_FIXER

    def paste(self, done: Done, cwd: str = ".") -> str:
        """Do what the output says is `to fix`, in a shell that does not know our commands."""
        lines = _TO_FIX.findall(done.text)
        assert lines, done.text
        folder = str(self._folder())
        folders = self.env["PATH"].split(os.pathsep)
        path = os.pathsep.join(name for name in folders if name not in (str(BIN), folder))
        for line in lines:
            assert "/nestwork-" in line or "nestwork-" not in line
            pasted = self.run("sh", "-c", line.replace(str(BIN), folder), cwd=cwd, PATH=path)
            assert pasted.code == 0, (line, pasted.text)
        return pasted.text

    def assert_true_index(self, scope: str, revision: str = "HEAD") -> None:
        """The committed index lists the committed topics with their sizes."""
        listed = dict(_ENTRY.findall(self.git("show", f"{revision}:{scope}/memory.md")))
        sizes = {}
        for record in self.git("ls-tree", "-r", "-l", "-z", revision, f"{scope}/").split("\0")[:-1]:
            meta, path = record.split("\t", 1)
            name = path.removeprefix(f"{scope}/")
            unlisted = name in ("memory.md", "resident.md", "bare.md", "deep/er/est.md")
            unlisted = unlisted or name.startswith("archive/")
            if meta.startswith("100") and name.endswith(".md") and not unlisted:
                sizes[name] = f"{int(meta.split()[3]) / 1024:.1f}"
        assert listed == sizes


def errors(done: Done) -> set[str]:
    """Each error that was said: its path and its rule."""
    return said(done, "error")


def said(done: Done, level: str) -> set[str]:
    """Each finding of a level that was said: its path and its rule."""
    found = _FINDING.findall(done.text)
    return {f"{path} {rule}" for path, found_level, rule in found if found_level == level}


def written(done: Done) -> set[str]:
    """The files that the fixer said it rewrote."""
    return set(_WRITTEN.findall(done.text))
