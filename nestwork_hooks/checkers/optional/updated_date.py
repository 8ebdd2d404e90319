"""Does the date of a topic say when it was last true?

Fails on an `updated` that is no calendar date or lies in the future (bad-date). Warns where a
commit changes the text of a topic and leaves its date, and with --max-age-days of a topic that
nobody has updated for so long (old-date). A topic without a date is in order.

Judges the topics that are staged, else all. Days are those of UTC, one more or less allowed.

example: nestwork-check --fix --extend-select updated-date
"""

from __future__ import annotations

from nestwork_hooks.nest.checker import Checker, Limit, Rule, reindexed_by
from nestwork_hooks.nest.reads import BEFORE, BODIES, HEADS
from nestwork_hooks.protocol.finding import Fault, Replace, error, warning
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.topic import Topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Finding


class Dated:
    """A topic with a date, and what it was before the commit if that is known.

    `age` is in days, None if the date is none; `is_rewritten` says that the commit changes the text
    below the front matter, `is_kept` that the date stays.
    """

    def __init__(self, topic: Topic, before: object, today: str) -> None:
        from nestwork_hooks.protocol import dates

        self.topic = topic
        self.today = today
        self.age = dates.age(topic.updated, today)
        is_date = self.age is not None and self.age >= -dates.LEEWAY
        self.is_bad = topic.updated != "" and not is_date
        was = before if isinstance(before, Topic) else None
        self.is_rewritten = was is not None and dates.is_rewritten(topic, was)
        self.is_kept = was is not None and was.updated == topic.updated
        self.is_old = not self.is_bad and self.is_rewritten and self.is_kept
        self.is_old = self.is_old and (self.age or 0) > dates.LEEWAY

    @property
    def certain(self) -> str:
        """The only date that can be right; `""` where only the author knows it."""
        from nestwork_hooks.protocol.dates import meant

        if self.is_old or (self.is_bad and self.is_rewritten):
            return self.today
        return meant(self.topic.updated, self.today) if self.is_bad else ""

    @property
    def to_set(self) -> str:
        """The date that a fixer sets; `""` where nothing is to be set, or it cannot be."""
        from nestwork_hooks.protocol.dates import line_to_set

        if not (self.is_bad or self.is_old) or not line_to_set(self.topic.head):
            return ""
        return self.certain or self.today


def dated_topics(view: View) -> Iterator[tuple[str, Dated]]:
    """Every judged topic that has a date."""
    for path, topic in view.topics.items():
        if isinstance(topic, Topic) and topic.updated:
            yield path, Dated(topic, view.before.get(path), view.request.today)


def check(view: View, limits: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every topic that is judged."""
    # What a commit leaves as it is has not become older by it.
    most = 0 if view.selection.of_commit else limits["max-age-days"]
    for path, topic in dated_topics(view):
        fault = fault_of(topic, most)
        if fault:
            yield fault.at(path)


def fault_of(topic: Dated, most: int = 0) -> Fault | None:
    """What is wrong with the date; `most` is the highest age in days, 0 for any."""
    from nestwork_hooks.protocol.value import line_of

    if topic.is_bad:
        line = line_of("updated", topic.topic.head)
        return error(line, "bad-date", _bad(topic), _fix(topic))
    if topic.is_old:
        line = line_of("updated", topic.topic.head)
        return warning(line, "old-date", _old(topic), _fix(topic))
    if most and topic.age is not None and topic.age > most:
        line = line_of("updated", topic.topic.head)
        return warning(line, "old-date", _aged(topic, most))
    return None


def _bad(topic: Dated) -> str:
    value = escaped(topic.topic.updated, 60)
    if topic.age is None:
        fact = (
            f"updated is {value}, no calendar date YYYY-MM-DD, so nobody can tell how old this is"
        )
    else:
        fact = f"updated is {value}, {-topic.age:,} days from now (today is {topic.today} in UTC)"
    if topic.certain:
        return f"{fact}: write updated: {topic.certain}"
    return f"{fact}: write the day of the last change, updated: {topic.today} if that is today"


def _old(topic: Dated) -> str:
    return (
        f"this commit changes the text and leaves updated at {topic.topic.updated}, so readers take"
        f" it for {topic.age:,} days old: write updated: {topic.today}"
    )


def _aged(topic: Dated, most: int) -> str:
    return (
        f"updated {topic.topic.updated}, {topic.age:,} days ago and over the {most:,} of"
        f" --max-age-days: see if it is still true, then write updated: {topic.today}"
    )


def _fix(topic: Dated) -> Replace | None:
    from nestwork_hooks.protocol.dates import dated, line_to_set

    head = topic.topic.head
    line = line_to_set(head) if topic.certain and head.newline else 0
    if not line:
        return None
    text = dated(head.text.split("\n")[line - 1], topic.certain)
    return Replace(line, line, f"{text}{head.newline}")


CHECKER = Checker(
    name="updated-date",
    about=__doc__,
    rules=(
        Rule("bad-date", "error", "a topic's date is none, or in the future", reindexed_by),
        Rule(
            "old-date",
            "warning",
            "a topic's text is newer than its date, or its date old",
            reindexed_by,
        ),
    ),
    limits=(Limit("max-age-days", 0, "days since the date of a topic without a warning"),),
    reads=HEADS | BODIES | BEFORE,
    takes_files=False,
    check=check,
)
