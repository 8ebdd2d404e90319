"""Does every topic say, in its front matter, when to read it?

Fails on a topic without a description (missing-description) and on front matter that an
index can't show as written (bad-front-matter). Warns where YAML reads something else
(yaml-mismatch) and of a description over its advice (long-description).

Judges the files that it is given, else the topics that are staged, else all.

example: nestwork-missing-description shared/hosts.md
"""

from __future__ import annotations

from nestwork_hooks.console.rim import run_checker
from nestwork_hooks.nest.checker import Checker, Limit, Rule, reindexed_by
from nestwork_hooks.nest.reads import HEADS
from nestwork_hooks.protocol.finding import WARNING, Fault, Finding
from nestwork_hooks.protocol.soundness import is_plainly_sound
from nestwork_hooks.protocol.topic import MAX_DESCRIPTION, Topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nestwork_hooks.nest.view import View


def check(view: View, limits: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every topic that is judged."""
    most = limits["max-description"]
    for path, topic in view.topics.items():
        if isinstance(topic, Topic):
            for fault in faults(topic, most):
                yield fault.at(path)


def faults(topic: Topic, most: int = MAX_DESCRIPTION) -> Iterator[Fault]:
    """What is wrong with a topic's front matter; `most` is in characters of a description."""
    if not is_plainly_sound(topic.head):
        from nestwork_hooks.protocol.mending import mendings

        yield from mendings(topic.head)
    length = len(topic.description)
    if length > most:
        from nestwork_hooks.protocol.value import line_of

        line = line_of("description", topic.head)
        message = f"{length:,} characters, over the {most:,}-character advice; say when to read it"
        yield Fault(line, WARNING, "long-description", f"description of {message}")


CHECKER = Checker(
    name="missing-description",
    about=__doc__,
    rules=(
        Rule(
            "missing-description",
            "error",
            "a topic has no description, so nothing leads to it",
            reindexed_by,
        ),
        Rule(
            "bad-front-matter", "error", "the index cannot show what the author wrote", reindexed_by
        ),
        Rule(
            "yaml-mismatch",
            "warning",
            "YAML reads something else than the index shows",
            reindexed_by,
        ),
        Rule(
            "long-description", "warning", "a description is longer than its advice", reindexed_by
        ),
    ),
    limits=(
        Limit("max-description", MAX_DESCRIPTION, "characters of a description without a warning"),
    ),
    reads=HEADS,
    takes_files=True,
    check=check,
)


def main(argv: Sequence[str] | None = None) -> int:
    """The command `nestwork-missing-description`: 0 in order, 1 findings, 2 could not look."""
    return run_checker(CHECKER, argv)


if __name__ == "__main__":
    raise SystemExit(main())
