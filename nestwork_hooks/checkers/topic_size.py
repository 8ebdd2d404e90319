"""Is every topic small enough to be read for one task?

Fails on a topic over 32 KB and warns of one over 16 KB (topic-size); likewise the
hand-written part of a memory.md, which is only warned of in a scope without an index.
Bytes are counted after CRLF became LF, so every machine counts the same.

Judges the files that it is given, else the files that are staged, else all.

example: nestwork-topic-size --max-bytes 20000 shared/hosts.md
"""

from __future__ import annotations

from nestwork_hooks.console.rim import run_checker
from nestwork_hooks.nest.checker import Checker, Limit, Rule, reindexed_by
from nestwork_hooks.nest.reads import SIZES, WRITTEN
from nestwork_hooks.nest.scope import has_index
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding
from nestwork_hooks.protocol.topic import BEGINS, MAX_BYTES, WARN_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nestwork_hooks.nest.scope import Memory
    from nestwork_hooks.nest.view import View


def check(view: View, limits: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every topic, and of the hand-written part of every memory.md, that is judged."""
    most, advice = limits["max-bytes"], limits["warn-bytes"]
    for path, topic in view.topics.items():
        size = topic.size or 0
        if size > most:
            message = (
                f"{size:,} bytes, over the {most:,}-byte limit: move sections to new topics"
                f" {_parts(view, path)} until each file, this one too, has at most"
                f" {min(most, advice):,} bytes; each new one begins with {BEGINS}"
            )
            yield Finding(path, 1, ERROR, "topic-size", message)
        elif size > advice:
            fact = f"{size:,} bytes, over the {advice:,}-byte advice"
            message = f"{fact}; consider moving sections to new topics {_parts(view, path)}"
            yield Finding(path, 1, WARNING, "topic-size", message)
    for path, memory in view.written.items():
        if memory.rest > min(most, advice):
            is_error = memory.rest > most and has_index(memory)
            over = f"{most:,}-byte limit" if memory.rest > most else f"{advice:,}-byte advice"
            message = f"{memory.rest:,} bytes{_remedy(view, path, memory, over)}"
            level = ERROR if is_error else WARNING
            yield Finding(path, 1, level, "topic-size", message).of_part(memory.mark)


def _parts(view: View, path: str) -> str:
    """A topic's parts go into a folder of its name; a subtopic's can lie no deeper."""
    join = "-" if "/" in view.listing.names[path] else "/"
    return view.escaped(f"{path.removesuffix('.md')}{join}<part>.md")


def _remedy(view: View, path: str, memory: Memory, over: str) -> str:
    """A fact about a memory.md, and the edit; nestwork-split makes it too."""
    from nestwork_hooks.protocol import markers

    topics = view.escaped(path.removesuffix("memory.md") + "<topic>.md")
    move = f"move its sections, word for word, to new topics {topics}, each of which begins with {BEGINS}"
    if has_index(memory):
        return f" beside the index, over the {over}: {move}"
    return (
        f", over the {over}, and whoever needs one fact reads it whole: {move}; leave here the title"
        f" and the lines {markers.BEGIN.decode()} and {markers.END.decode()}"
    )


CHECKER = Checker(
    name="topic-size",
    about=__doc__,
    rules=(
        Rule(
            "topic-size",
            "error or warning",
            "a topic, or a memory.md, is too large to be read for one task",
            reindexed_by,
        ),
    ),
    limits=(
        Limit("max-bytes", MAX_BYTES, "bytes of a topic without an error"),
        Limit("warn-bytes", WARN_BYTES, "bytes of a topic without a warning"),
    ),
    reads=SIZES | WRITTEN,
    takes_files=True,
    check=check,
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-topic-size`: 0 in order, 1 findings, 2 could not look."""
    return run_checker(CHECKER, argv)


if __name__ == "__main__":
    raise SystemExit(main())
