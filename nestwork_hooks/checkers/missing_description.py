"""Does every topic say, in its front matter, when to read it?

Fails on a topic without a description (missing-description) and on front matter that an
index can't show as written (bad-front-matter). Warns where YAML reads something else
(yaml-mismatch) and of a description over its advice (long-description).

Judges the files that it is given, else the topics that are staged, else all.

example: nestwork-missing-description shared/hosts.md
"""

from __future__ import annotations

from nestwork_hooks.console import run as hook
from nestwork_hooks.protocol import front_matter
from nestwork_hooks.protocol.content import Unread
from nestwork_hooks.protocol.finding import WARNING, Fault, Finding
from nestwork_hooks.protocol.topic import MAX_DESCRIPTION
from nestwork_hooks.protocol.value import line_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nestwork_hooks.nest.view import Nest
    from nestwork_hooks.protocol.topic import Topic

LIMITS = (
    hook.Limit("max-description", MAX_DESCRIPTION, "characters of a description without a warning"),
)


def check(nest: Nest, options: hook.Options) -> Iterator[Finding]:
    """The findings of every topic that is judged."""
    yield from nest.blind_spots()
    for path in nest.judged_topics():
        topic = nest.topic(path)
        if isinstance(topic, Unread):
            yield nest.unread(path, topic)
        elif topic:
            for fault in faults(topic, options.limits["max-description"]):
                yield fault.at(path)


def faults(topic: Topic, most: int = MAX_DESCRIPTION) -> Iterator[Fault]:
    """What is wrong with a topic's front matter; `most` is in characters of a description."""
    fault = front_matter.judge(topic.head)
    if fault:
        yield fault
    length = len(topic.description)
    if length > most:
        line = line_of("description", topic.head)
        message = f"{length:,} characters, over the {most:,}-character advice; say when to read it"
        yield Fault(line, WARNING, "long-description", f"description of {message}")


HOOK = hook.Hook("nestwork-missing-description", __doc__, ("topics",), check, limits=LIMITS)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-missing-description`: 0 in order, 1 findings, 2 could not look."""
    return hook.run(HOOK, argv)


if __name__ == "__main__":
    raise SystemExit(main())
