"""Is every topic small enough to be read for one task?

Fails on a topic over 32 KB and warns of one over 16 KB (topic-size). Bytes are counted
after CRLF became LF, so every machine counts the same.

Judges the files that it is given, else the topics that are staged, else all.

example: nestwork-topic-size --max-bytes 20000 shared/hosts.md
"""

from __future__ import annotations

from nestwork_hooks.console import run as hook
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding
from nestwork_hooks.protocol.text import shown
from nestwork_hooks.protocol.topic import MAX_BYTES, WARN_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nestwork_hooks.nest.view import Nest

LIMITS = (
    hook.Limit("max-bytes", MAX_BYTES, "bytes of a topic without an error"),
    hook.Limit("warn-bytes", WARN_BYTES, "bytes of a topic without a warning"),
)


def check(nest: Nest, options: hook.Options) -> Iterator[Finding]:
    """The findings of every topic that is judged."""
    most, advice = options.limits["max-bytes"], options.limits["warn-bytes"]
    yield from nest.blind_spots()
    for path in nest.judged_topics():
        topic = nest.topic(path)
        if topic is None:
            continue
        if isinstance(topic, Unread) and topic.size is None:
            yield nest.unread(path, topic)
            continue
        size = topic.size or 0
        if size > most:
            message = f"{size:,} bytes, over the {most:,}-byte limit: split it {_where(path)}"
            yield Finding(path, 1, ERROR, "topic-size", message)
        elif size > advice:
            fact = f"{size:,} bytes, over the {advice:,}-byte advice"
            message = f"{fact}; consider splitting it {_where(path)}"
            yield Finding(path, 1, WARNING, "topic-size", message)


def _where(path: str) -> str:
    """A topic's parts go into a folder of its name; a subtopic's can lie no deeper."""
    if "/" in (layout.topic_name(path) or ""):
        return "into more files beside it"
    return f"into {shown(path.removesuffix('.md'))}/"


HOOK = hook.Hook("nestwork-topic-size", __doc__, ("topics",), check, limits=LIMITS)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-topic-size`: 0 in order, 1 findings, 2 could not look."""
    return hook.run(HOOK, argv)


if __name__ == "__main__":
    raise SystemExit(main())
