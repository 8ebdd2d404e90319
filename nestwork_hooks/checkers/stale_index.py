"""Is every topic index what its topics say?

Fails on an index that does not match the front matter and sizes of its topics
(stale-index), and on markers that name no single block, or that a commit takes away
while topics remain (broken-markers). Warns of an index over its advice (large-index).

A commit is judged on the scopes that it touches, a run with nothing staged on all.

example: nestwork-stale-index --all
"""

from __future__ import annotations

from nestwork_hooks.console import run as hook
from nestwork_hooks.protocol import index, layout, markers
from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding
from nestwork_hooks.protocol.markers import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nestwork_hooks.nest.view import Nest

LIMITS = (hook.Limit("max-index-bytes", index.MAX_BYTES, "bytes of an index without a warning"),)


def check(nest: Nest, options: hook.Options) -> Iterator[Finding]:
    """The findings of every index that is judged."""
    for scope in nest.scopes():
        yield from unjudged(nest, scope)
        yield from _judged(nest, scope, options.limits["max-index-bytes"])


def unjudged(nest: Nest, scope: str) -> Iterator[Finding]:
    """Why there is no index of this scope to judge, where there should be one."""
    memory, path = nest.memory(scope), layout.memory_of(scope)
    if isinstance(memory, Unread):
        yield nest.unread(path, memory)
    elif memory and isinstance(memory.block, Broken):
        yield Finding(path, memory.block.line, ERROR, "broken-markers", memory.block.reason)
    elif not (memory and memory.opted_in):
        if nest.is_orphaned(scope):
            count = len(nest.topic_paths(scope))
            message = (
                f"{'its markers are' if memory else 'the file is'} gone while topics remain"
                f" ({count}), which nothing leads to now: put the lines {markers.BEGIN.decode()} and"
                f" {markers.END.decode()} back, or move the topics out in the same commit"
            )
            yield Finding(path, 1, ERROR, "broken-markers", message)
    else:
        for topic, found in nest.topics(scope).items():
            if isinstance(found, Unread):
                yield nest.unread(topic, found)


def _judged(nest: Nest, scope: str, most: int) -> Iterator[Finding]:
    memory, expected = nest.memory(scope), nest.expected_index(scope)
    if isinstance(memory, Unread) or not memory or isinstance(memory.block, Broken):
        return
    if not memory.block or expected is None:
        return
    path, line = layout.memory_of(scope), memory.block.line
    difference = index.difference(nest.index(scope) or "", expected)
    if difference:
        yield Finding(path, line, ERROR, "stale-index", f"topic index is stale: {difference}")
    size = len(expected.encode())
    if size > most:
        message = f"{size:,} bytes of index, over the {most:,}-byte advice; consider merging topics"
        yield Finding(path, line, WARNING, "large-index", message)


HOOK = hook.Hook("nestwork-stale-index", __doc__, ("index",), check, limits=LIMITS)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-stale-index`: 0 in order, 1 findings, 2 could not look."""
    return hook.run(HOOK, argv)


if __name__ == "__main__":
    raise SystemExit(main())
