"""Show what a start costs: files, bytes and tokens of a start, of a task, of the whole nest.

Without --agent the agents of this machine are measured, named by ~/.nestwork_host and
~/.nestwork_id_<tool>, and all agents where these files name none of this nest. Tokens are
counted if the package was installed as nestwork-hooks[tokens], else estimated and marked `~`.

example: nestwork-measure --against HEAD~10 --svg docs/nest.svg
"""

from __future__ import annotations

import os
import sys

from nestwork_hooks.console.codes import FOUND, OK
from nestwork_hooks.console.parser import ROOT, Flag, Parser, each, positive
from nestwork_hooks.console.rim import guarded
from nestwork_hooks.console.root import Root
from nestwork_hooks.console.streams import complain, print_lines, prints_unicode
from nestwork_hooks.light import Frozen
from nestwork_hooks.measuring import tokens
from nestwork_hooks.measuring.figures import Figures
from nestwork_hooks.measuring.identity import local_agents
from nestwork_hooks.measuring.snapshot import Place, Reader, Snapshot
from nestwork_hooks.nest.request import Request, Unusable, read_environment
from nestwork_hooks.protocol.text import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NAME = "nestwork-measure"
_FLAGS = (
    Flag("--agent", "measure this agent's start", str, "HOST/ID"),
    Flag(
        "--task",
        "a file that the task opens; repeatable (default: the median topic of shared/)",
        each,
        "PATH",
    ),
    Flag("--staged", "measure what is staged", apart="rev"),
    Flag("--rev", "measure a commit", str, "REV", apart="staged"),
    Flag("--against", "show the change since a commit", str, "REV"),
    Flag("--json", "print JSON, with every file"),
    Flag("--svg", "write a picture of tiers and budgets as well", str, "FILE"),
    Flag("--max-start-tokens", "exit 1 where a resident start has more tokens", positive, "N"),
    ROOT,
)


class _Words(Frozen):
    """What the command line asks for."""

    agent: str | None = None
    task: Sequence[str] = ()
    staged: bool = False
    rev: str | None = None
    against: str | None = None
    json: bool = False
    svg: str = ""
    max_start_tokens: int | None = None
    root: str = ""


def main(argv: Sequence[str] | None = None) -> int:
    """The command: 0 reported, 1 a start over --max-start-tokens, 2 could not measure."""
    return guarded(NAME, _run, argv)


def _run(args: list[str]) -> int:
    words = _Words(**Parser(NAME, __doc__, _FLAGS).parse(args))
    with Root(words.root) as root:
        return _measure(words, list(root.within(words.task)), root)


def _measure(words: _Words, task: list[str], root: Root) -> int:
    reader = Reader(_counter())
    if words.rev is not None:
        place = Place("revision", words.rev, root.prefix)
    else:
        staged = Request(read_environment(), staged=words.staged).reads_staged
        place = Place("staged" if staged else "worktree", root=root.prefix)
    origin = Place("revision", words.against, root.prefix) if words.against is not None else None
    snapshot = Snapshot(place, reader, task)
    earlier = Snapshot(origin, reader, task) if origin else None
    for path in task:
        if path not in snapshot.files:
            raise Unusable(f"--task {path}: git lists no such file of a nest ({place})")
    agents = _agents(snapshot, words.agent)
    opened = task if words.task else None
    now = Figures(snapshot, agents, opened)
    before = Figures(earlier, agents, opened) if earlier else None
    if words.svg:
        _write_picture(root.start, words.svg, now, reader.exact)
    _print(now, before, reader.exact, words)
    return OK if words.max_start_tokens is None else _judge(now, words.max_start_tokens)


def _counter() -> tokens.Counter:
    try:
        return tokens.load_counter()
    except tokens.TokenizerError as error:
        raise Unusable(f"{error}: install nestwork-hooks[tokens] anew") from None


def _agents(snapshot: Snapshot, wanted: str | None) -> list[str | None]:
    """The scopes to measure: the one that is asked for, else this machine's, else all."""
    known = snapshot.tiers.agents()
    if wanted is not None:
        agent = f"agents/{wanted.strip('/').removeprefix('agents/')}"
        if agent not in known:
            names = [name.removeprefix("agents/") for name in known]
            which = f"there are {named(names)}" if names else "it has none"
            raise Unusable(f"--agent {wanted}: no agent of this nest; {which}")
        return [agent]
    return [agent for agent in local_agents() if agent in known] or [*known] or [None]


def _write_picture(start: str, path: str, now: Figures, exact: bool) -> None:
    from nestwork_hooks.measuring.picture import svg

    picture = svg(now, exact)
    try:
        with open(os.path.join(start, path), "w", encoding="utf-8", newline="\n") as file:
            file.write(picture)
    except OSError as error:
        raise Unusable(f"--svg {path}: {error.strerror}") from None


def _print(now: Figures, before: Figures | None, exact: bool, words: _Words) -> None:
    if words.json:
        from nestwork_hooks.measuring.data import as_json

        lines: Iterable[str] = [as_json(now, before, exact, words.max_start_tokens)]
    else:
        from nestwork_hooks.measuring import text

        blocks = sys.stdout and sys.stdout.isatty() and prints_unicode()
        lines = text.lines(now, before, exact, text.BLOCKS if blocks else text.ASCII)
    print_lines(lines, sys.stdout)


def _judge(now: Figures, most: int) -> int:
    """The gate: one line on standard error says what is over, by how much, and what to do."""
    for start in now.starts:
        for file in start.resident.unread:
            raise Unusable(f"no start is judged: {file.path}: {file.reason}")
    over = [start for start in now.starts if start.resident.tokens > most]
    if not over:
        return OK
    start = now.largest
    count, mark = start.resident.tokens, "" if start.resident.exact else "~"
    largest = max(start.resident.files, key=lambda file: file.tokens)
    whose = f" of {start.agent}" if start.agent else ""
    others = ""
    if len(over) > 1:
        others = f" ({len(over) - 1:,} more {'are' if len(over) > 2 else 'is'} over it)"
    complain(
        NAME,
        f"the resident start{whose} is {mark}{count:,} tokens, {mark}{count - most:,} over the"
        f" {most:,} allowed{others}: move what is not needed at every start into a topic;"
        f" {largest.path} has most of it, {mark}{largest.tokens:,}",
    )
    return FOUND


if __name__ == "__main__":
    raise SystemExit(main())
