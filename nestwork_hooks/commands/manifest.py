"""Name the files of a session start: those to read now, and those to read on demand.

For the start hook of any tool. Prints absolute paths and never contents, at most 2 KB whatever the
nest. Looks at the disk alone, without git, unless it is asked for findings. Always exits 0: a
session starts whatever is wrong with its memory, and one line says so.

example: nestwork-manifest --agent box/claude-a7k2 --findings
"""

from __future__ import annotations

import os
import sys

from nestwork_hooks import git
from nestwork_hooks.console.codes import OK
from nestwork_hooks.console.parser import ROOT, Flag, Parser
from nestwork_hooks.console.rim import guarded
from nestwork_hooks.console.root import Root
from nestwork_hooks.console.streams import BRIEF, print_lines, shortened, size_of
from nestwork_hooks.git.disk import kind_of
from nestwork_hooks.nest.request import Unusable
from nestwork_hooks.protocol import layout, tiers
from nestwork_hooks.protocol.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NoReturn

NAME = "nestwork-manifest"
# Of the findings, so that most of the paths are said whatever is wrong.
_FINDINGS = BRIEF // 2
_TITLES = "READ-ON-START", "READ-ON-DEMAND"
_FLAGS = (
    Flag("--agent", "whose start it is", str, "HOST/ID", required=True),
    Flag("--findings", "say first what is wrong with the agent's memory, or not committed"),
    ROOT,
)


class _Lenient(Parser):
    def error(self, message: str) -> NoReturn:
        raise Unusable(message)


def main(argv: Sequence[str] | None = None) -> int:
    """The command: always 0."""
    return guarded(NAME, _run, argv)


def _run(args: list[str]) -> int:
    lines: list[str] = []
    try:
        found = _Lenient(NAME, __doc__, _FLAGS).parse(args)
        root = found.get("root", "")
        agent = _agent(found["agent"])
        if "findings" in found:
            lines = _findings(agent, root)
        with Root(root):
            _refuse_emptiness()
            lines += _lists(agent, BRIEF - size_of(*lines))
    except (Unusable, git.GitError, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        lines.append(f"{NAME}: could not look: {escaped(str(reason), 300)}")
    print_lines(lines, sys.stdout)
    return OK


def _agent(name: str) -> str:
    agent = f"agents/{name.strip('/').removeprefix('agents/')}"
    if not layout.is_scope(agent):
        raise Unusable(f"--agent {name}: expected HOST/ID, as in box/claude-a7k2")
    return agent


def _refuse_emptiness() -> None:
    if not any(kind_of(folder) == "folder" for folder in layout.TOP_FOLDERS):
        folders = "/, ".join(layout.TOP_FOLDERS)
        raise Unusable(f"no nest here: there is no {folders}/; start in the nest's root")


def _findings(agent: str, root: str) -> list[str]:
    """What `nestwork-check AGENT --uncommitted` says, as much as fits."""
    from contextlib import redirect_stderr, redirect_stdout
    from io import StringIO

    from nestwork_hooks.commands import check

    said = StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        check.main([agent, "--uncommitted", *(["--root", root] if root else [])])
    lines = said.getvalue().splitlines()
    last = lines.pop() if lines and lines[-1].startswith("to fix: ") else ""
    return shortened(lines, last, _FINDINGS)


def _lists(agent: str, room: int) -> list[str]:
    """Both lists, in as many bytes; files of a folder give way to the folder, and then others."""
    found = tiers.Tiers(_on_disk(agent), ())
    starts, demanded = found.resident_start(agent), found.on_demand(agent)
    here = os.getcwd()
    start, demand = (
        [escaped(f"{here}/{path}", 4096) for path in paths] for paths in (starts, demanded)
    )
    folders = [escaped(f"{here}/{folder}/", 4096) for folder in tiers.ON_DEMAND]
    # The one with most to say gives way first.
    for folder in sorted(folders, key=lambda folder: -size_of(*_below(demand, folder))):
        if size_of(*_TITLES, *start, *demand) <= room:
            break
        inside = _below(demand, folder)
        if len(inside) > 1:
            others = [path for path in demand if path not in inside]
            demand = [*others, f"{folder} ({len(inside):,} files)"]
    lines = [_TITLES[0], *start, _TITLES[1], *demand]
    return lines if size_of(*lines) <= room else shortened(lines, most=room)


def _below(paths: Iterable[str], folder: str) -> list[str]:
    return [path for path in paths if path.startswith(folder)]


def _on_disk(agent: str) -> list[str]:
    """The files that are there of those that a start reads or names; links are none."""
    named = (layout.RULES, layout.SHARED_RESIDENT, f"{agent}/{layout.RESIDENT}", tiers.RECENT)
    paths = [*named, tiers.STRATEGY, layout.memory_of(agent), layout.memory_of(layout.SHARED)]
    for folder in tiers.ON_DEMAND:
        if kind_of(folder) == "folder":
            names = sorted(map(git.to_path, os.listdir(git.to_bytes(folder))))
            paths += [f"{folder}/{name}" for name in names if name.endswith(".md")]
    return [path for path in paths if kind_of(path) == "file"]


if __name__ == "__main__":
    raise SystemExit(main())
