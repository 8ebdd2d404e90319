"""Does everything lie where the nest's own scripts look for it, and nothing where they don't?

Fails on a tracked file that stays private (tracked-private-file). Warns of Markdown of agents
in no scope (misplaced), of memory that a distillation cannot take (not-distilled), of a
CLAUDE.md that is not its AGENTS.md (agents-md-drift), and of links and submodules in place of
memory (not-a-file).

A commit is judged on the files that it changes, a run with nothing staged on all.

example: nestwork-check --select placement
"""

from __future__ import annotations

from nestwork_hooks.nest.checker import Checker, Rule
from nestwork_hooks.nest.reads import BLOCKS, GUIDES, MEMORIES, PLACES
from nestwork_hooks.nest.scope import has_index
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.distillation import PLACEHOLDER
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding, Replace, Run
from nestwork_hooks.protocol.topic import Topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nestwork_hooks.nest.scope import Memory
    from nestwork_hooks.nest.view import View


def check(view: View, _: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every path, and of every text for a distillation, that is judged."""
    for path in view.out_of_place:
        yield _private(view, path) if layout.is_private(path) else _misplaced(path)
    for path, topic in view.topics.items():
        if isinstance(topic, Topic) and topic.block_line:
            yield _block_line(path, topic.block_line)
    for folder, memory in view.memories.items():
        yield from _memory(view, folder, memory)
    yield from _drift(view.guides)
    lost = {scope.memory_path for scope in view.scopes if scope.orphaned}  # broken-markers says it
    for path, kind in view.others.items():
        if path not in lost:
            yield _no_file(path, kind)


def _private(view: View, path: str) -> Finding:
    line, ignores = layout.ignore_line(path), view.escaped(".gitignore")
    message = (
        "private to one machine, and tracked all the same:"
        f" git rm --cached -- {view.quoted(path)}, then put the line {line} into {ignores}, if it is"
        " not there, and git add that"
    )
    run = Run(("git", "rm", "--cached", "--", f"{view.request.root}{path}"))
    return Finding(path, 1, ERROR, "tracked-private-file", message, run)


def _misplaced(path: str) -> Finding:
    message = (
        "in no scope, so no index leads here and no distillation reads it: move it into"
        " agents/<host>/<agent-id>/ with git mv"
    )
    return Finding(path, 1, WARNING, "misplaced", message)


def _memory(view: View, folder: str, memory: Memory) -> Iterator[Finding]:
    path = layout.memory_of(folder)
    if memory.block_line and view.selection.judges(path):
        yield _block_line(path, memory.block_line)
    held = memory.placeholder
    if held is None or folder == layout.SHARED:
        return
    if held.beside_text or (has_index(memory) and view.listing.topics.get(folder)):
        message = (
            f"{PLACEHOLDER.decode()} stands beside memory, and keeps this agent out of every"
            f" distillation: delete {'the line' if held.alone else 'these words'}"
        )
        fix = Replace(held.line, held.line, "") if held.alone else None
        yield Finding(path, held.line, WARNING, "not-distilled", message, fix)


def _block_line(path: str, line: int) -> Finding:
    message = (
        "starts with <<<FILE or >>>END, where a distillation takes its own block to begin or end:"
        " indent the line by a space"
    )
    return Finding(path, line, WARNING, "not-distilled", message)


def _drift(texts: Mapping[str, bytes]) -> Iterator[Finding]:
    if len(texts) < len(layout.GUIDES):
        return
    from nestwork_hooks.protocol import guides

    source, mirror = layout.GUIDES
    if guides.imports(texts[source], mirror) or guides.imports(texts[mirror], source):
        return
    lines = guides.drift(texts[mirror], texts[source])
    if lines:
        message = (
            f"not what {source} says from here on (its line {lines[1]}), so agents follow different"
            f" instructions: make both alike again, or write only the line @{source} here"
        )
        yield Finding(mirror, lines[0], WARNING, "agents-md-drift", message)


def _no_file(path: str, kind: str) -> Finding:
    remedy = "put the file itself here"
    if kind == "a submodule":
        remedy = "put the files themselves here, without a .git of their own"
    message = f"{kind}, so nobody indexes, measures or keeps what is in it: {remedy}"
    return Finding(path, 1, WARNING, "not-a-file", message)


CHECKER = Checker(
    name="placement",
    about=__doc__,
    rules=(
        Rule("tracked-private-file", "error", "git has a file that stays on one machine"),
        Rule("misplaced", "warning", "Markdown below agents/ lies in no scope"),
        Rule("not-distilled", "warning", "a distillation stumbles over memory, or leaves it out"),
        Rule("agents-md-drift", "warning", "CLAUDE.md and AGENTS.md say different things"),
        Rule("not-a-file", "warning", "a link or a submodule stands where memory belongs"),
    ),
    limits=(),
    reads=BLOCKS | MEMORIES | PLACES | GUIDES,
    takes_files=False,
    check=check,
)
