"""Commit what an agent has just written, as a hook of its tool: `nestwork-commit --tool-hook`.

Reads the event that Claude Code writes to the standard input of a hook, finds the nest and the
scope, and answers as such a hook: with exit code 2 the agent reads what stands on standard error.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from time import monotonic

from nestwork_hooks import git
from nestwork_hooks.commands.committer import NotHere, is_nest
from nestwork_hooks.console.codes import OK, UNABLE
from nestwork_hooks.console.rim import reason_of
from nestwork_hooks.console.streams import say_if_heard, shortened
from nestwork_hooks.measuring.identity import local_agents
from nestwork_hooks.nest.request import Unusable
from nestwork_hooks.protocol import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    # Commits a scope of the nest in which the process stands, given the scope, the message and
    # what a path of the nest is printed with before it: the exit code, what is to be said, and
    # whether it committed.
    Keep: TypeAlias = Callable[[str, str, str], tuple[int, list[str], bool]]

# The exit code with which a tool shows standard error to its agent.
_SHOWN = 2
# Seconds until the input must have come, and until git is asked to end, which takes it ten at most.
_READING, _WORKING = 5, 40
# Bytes of an input, which can hold a file as it is and as it was.
_MOST = 1 << 26
# By these names the tools that write a file say which.
_FILES = ("file_path", "notebook_path", "path")
_TOOL = "claude"
_MESSAGE = "memory: update {}"
_NO_REPOSITORY = "not a git repository"


def answer(name: str, keep: Keep) -> int:
    """Read an event, commit what it is about, and say what the agent must know: a hook's exit code.

    `name` is what our own lines begin with. No input, whatever it holds, is an error.
    """
    event: dict[str, object] = {}
    shown, late = True, f"{name}: ended after {_WORKING} seconds; the next write tries again"
    with _limited() as rang:
        try:
            event = _event()
            shown, lines = _Hook(name, event, keep).work()
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001
            lines = [f"{name}: not committed: {reason_of(error)}"]
    say_if_heard(shortened([*lines, late] if lines and rang else lines))
    # One that was held back once already, or may have been, is let go.
    ends_turn = event.get("hook_event_name") != "PostToolUse"
    held_back = ends_turn and event.get("stop_hook_active") is not False
    return _SHOWN if lines and shown and not held_back else OK


@contextmanager
def _limited() -> Iterator[list[bool]]:
    """Interrupt the body after `_WORKING` seconds, if the system can; the list is filled then."""
    rang: list[bool] = []

    def ring(*_: object) -> None:
        rang.append(True)
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    if not (main and hasattr(signal, "setitimer")):
        yield rang
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, _WORKING)
    try:
        yield rang
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _event() -> dict[str, object]:
    """The event that is on standard input. Raises Unusable for anything else."""
    import json

    try:
        event = json.loads(_read())
    except (ValueError, RecursionError, OSError):
        event = None
    if not isinstance(event, dict):
        raise Unusable("standard input holds no event of a tool's hook")
    return event


def _read() -> bytes:
    """Standard input to its end; empty where it is closed, is too long or does not end in time."""
    if sys.stdin is None:
        return b""
    stream, end, data = sys.stdin.fileno(), monotonic() + _READING, bytearray()
    while len(data) <= _MOST:
        if os.name == "posix":
            from select import select

            if not select([stream], [], [], max(end - monotonic(), 0))[0]:
                return b""
        chunk = os.read(stream, 1 << 16)
        if not chunk:
            return bytes(data)
        data += chunk
    return b""


class _Hook:
    """One event of a tool, and what is done about it."""

    def __init__(self, name: str, event: dict[str, object], keep: Keep) -> None:
        self._name = name
        self._event = event
        self._keep = keep
        try:
            self._start = os.getcwd()
        except OSError:  # The agent has removed the folder in which it stands.
            self._start = os.sep
        folder = _path(event.get("cwd"))
        self._folder = folder if os.path.isabs(folder) else self._start

    def work(self) -> tuple[bool, list[str]]:
        """Whether the agent is shown what is to be said, and that. Raises as a commit does."""
        try:
            name = self._event.get("hook_event_name")
            if name == "PostToolUse":
                return self._after_a_write()
            return self._at_the_end() if name == "Stop" else (False, [])
        finally:
            os.chdir(self._start)

    def _after_a_write(self) -> tuple[bool, list[str]]:
        named = self._event.get("tool_input")
        paths = (_path(named.get(key)) for key in _FILES) if isinstance(named, dict) else ()
        path = os.path.expanduser(next(filter(None, paths), ""))
        # What was written lies where a link leads.
        path = os.path.realpath(os.path.join(self._folder, path)) if path else ""
        for root, scope in _scopes_of(path):
            os.chdir(root)
            if scope == layout.SHARED:
                if is_nest(scope):
                    reason = "shared/ changes only in a distillation that a person has reviewed"
                    return False, [f"{self._name}: not committed: {reason}"]
            elif done := self._kept(scope):
                return True, done[1]
        return False, []

    def _at_the_end(self) -> tuple[bool, list[str]]:
        """Commit what came into the scopes of this tool's agent past the tools that write files."""
        for scope in filter(_is_plain, local_agents(_TOOL) or local_agents()):
            for folder in (self._start, self._folder):
                root = _above(folder, scope)
                if not root:
                    continue
                os.chdir(root)
                if done := self._kept(scope, only_if_waiting=True):
                    code, lines, committed = done
                    return committed or code == UNABLE, lines
        return False, []

    def _kept(
        self, scope: str, *, only_if_waiting: bool = False
    ) -> tuple[int, list[str], bool] | None:
        """Commit a scope of the current folder; None where that is no nest.

        Raises Unusable where it cannot be committed; with `only_if_waiting` if anything waits.
        """
        here = os.getcwd()
        is_start = os.path.realpath(self._folder) == here
        root = "" if is_start else f"{git.to_path(os.fsencode(here)).replace(os.sep, '/')}/"
        try:
            return self._keep(scope, _MESSAGE.format(scope.removeprefix("agents/")), root)
        except NotHere:
            return None
        except Unusable:
            if not is_nest(scope):
                return None
            if only_if_waiting and not git.run("status", "--porcelain", "-uall", "--", scope):
                return OK, [], False
            raise


def _path(value: object) -> str:
    """A path that an event holds; `""` for what is none."""
    try:
        return value if isinstance(value, str) and b"\0" not in os.fsencode(value) else ""
    except UnicodeEncodeError:
        return ""


def _scopes_of(path: str) -> Iterator[tuple[str, str]]:
    """The scopes in which the file at a real path may lie, and their nests' roots, outermost first.

    None where it lies in no repository. Raises GitError where git does not say.
    """
    # Most files that an agent writes are none of a nest, and cost no process.
    parts = path.replace(os.sep, "/").split("/")
    if not any(layout.scope_of("/".join(parts[at:])) for at in range(1, len(parts))):
        return
    folder = os.path.dirname(path)
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    os.chdir(folder)
    try:
        depth = git.run("rev-parse", "--show-prefix").count(b"/")
    except git.GitError as error:
        if _NO_REPOSITORY in str(error):
            return
        raise
    top = len(folder.rstrip(os.sep).split(os.sep)) - depth
    for at in range(top, len(parts)):
        scope, root = layout.scope_of("/".join(parts[at:])), "/".join(parts[:at]) or os.sep
        if scope and os.path.isdir(root):
            yield root, scope


def _above(folder: str, scope: str) -> str:
    """The next folder at or above this one in which the scope is; `""` where there is none."""
    folder = os.path.realpath(folder)
    while not os.path.isdir(os.path.join(folder, scope)):
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    return folder


def _is_plain(scope: str) -> bool:
    return layout.is_scope(scope) and os.path.normpath(scope) == scope.replace("/", os.sep)
