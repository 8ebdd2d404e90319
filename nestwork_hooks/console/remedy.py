"""The command line that mends what a command can mend, to be pasted where it is read."""

from __future__ import annotations

import os
import sys

from nestwork_hooks.git import to_path
from nestwork_hooks.protocol import shell
from nestwork_hooks.protocol.layout import memory_of, scope_of, topic_name
from nestwork_hooks.protocol.text import escaped_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from nestwork_hooks.console.report import Report
    from nestwork_hooks.nest.request import Request

    Quote: TypeAlias = Callable[[str], str]

FIXER = "nestwork-fix-index"


def remedy(report: Report, *, unicode: bool) -> str:
    """The line; `""` where no command mends anything. It is ASCII unless it may be `unicode`.

    It also makes the indexes anew that change once the findings are mended by hand. Nor is there
    one that a CI service would take for a command.
    """
    quoted = shell.quoted if unicode else shell.quoted_in_ascii
    request, reindexed = report.request, {*report.reindexed}
    # Their new dates have to be staged before the index is made of what is.
    reindexed |= {memory_of(scope_of(path) or "") for path in report.dated}
    stale = sorted({*report.stale, *reindexed})
    certain = any(finding.reindexes and finding.fix for finding in report.findings)
    if not (report.fails or certain or (report.stale and not report.ok)):
        return ""
    right = {*report.unstaged, *report.written} - reindexed
    to_write = [path for path in stale if path not in right]
    dated = [path for path in stale if path in report.dated]
    steps = [f"git add -- {_paths(request, dated, quoted)}"] if dated else []
    if to_write:
        steps += _stage(report, to_write, quoted)
        steps.append(
            f"{_fixer(request, quoted)} --ok{_flags(request, quoted)} {_scopes(to_write, quoted)}"
        )
    if stale:
        rest = [path for path in stale if path not in dated]
        steps.append(f"git add -- {_paths(request, rest, quoted)}")
    line = " && ".join(steps)
    if line and not request.environment.by_hand:
        line = f"cd {quoted(_as_git_has_it(request.start))}; {line}"
    return line if escaped_line(line) == line else ""


def before(report: Report) -> str:
    """What is to be done by hand before the line is run; `""` for nothing."""
    by_hand = [f for f in report.findings if f.rule != "stale-index"]
    if any(map(report.is_grave, by_hand)):
        return (
            "first make the edits named above and git add them, new files too; then run the line"
            " below, which makes the index anew and mends nothing else, and commit again"
        )
    if report.reindexed:
        return "if you edit what is warned of, git add it before you run the line below"
    return ""


def _scopes(memories: Iterable[str], quoted: Quote) -> str:
    return " ".join(quoted(os.path.dirname(path)) for path in memories)


def _paths(request: Request, paths: Iterable[str], quoted: Quote) -> str:
    return " ".join(quoted(f"{request.root}{path}") for path in paths)


def _stage(report: Report, memories: Iterable[str], quoted: Quote) -> list[str]:
    """Stage the topics of these scopes that `git commit -- PATH` takes from disk."""
    scopes = {scope_of(path) for path in memories}
    topics = [path for path in report.taken if scope_of(path) in scopes and topic_name(path)]
    command = f"git update-index --add --remove -- {_paths(report.request, topics, quoted)}"
    return [command] if topics else []


def _flags(request: Request, quoted: Quote) -> str:
    """The flags with which the fixer sees what was judged.

    `git commit -a` and `git commit -i` hand hooks an index file that is gone when the line is
    read; what it held lies on disk. So does `git commit -- PATH`, whose topics the line stages.
    """
    environment = request.environment
    staged = request.reads_staged or not environment.by_hand
    root = f" --root {quoted(request.root.rstrip('/'))}" if request.root else ""
    return f"{root}{' --staged' if staged and not environment.index_vanishes else ''}"


def _fixer(request: Request, quoted: Quote) -> str:
    """The fixer as the reader's shell will find it: by name on their PATH, else by full path."""
    linked = os.path.abspath(os.path.join(request.start, sys.argv[0]))
    for command in (linked, os.path.realpath(linked)):
        folder = os.path.dirname(command)
        script = os.path.join(folder, FIXER)
        if os.path.exists(script):
            found = folder in os.get_exec_path() and request.environment.by_hand
            return FIXER if found else quoted(_as_git_has_it(script))
    # Without -P, Python 3.11 and newer would look for modules in the nest first.
    safe = "-P " if sys.version_info >= (3, 11) else ""
    python = quoted(_as_git_has_it(sys.executable))
    return f"{python} {safe}-m nestwork_hooks.commands.fix_index"


def _as_git_has_it(path: str) -> str:
    """A path of the system as git has it, whatever the locale."""
    return to_path(os.fsencode(path))
