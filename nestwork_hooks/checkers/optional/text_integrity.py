"""Do tools read the text that a person sees?

Fails on invisible characters that no script and no emoji needs (invisible-character) and on
control characters but tab and line ends (control-character), in code too. Looks at every Markdown
file; the topic index, which is generated, is the business of the topics that it lists.

A commit is judged on the files that it adds or changes, a run with nothing staged on all.

example: nestwork-check --extend-select text-integrity
"""

from __future__ import annotations

from nestwork_hooks.nest.checker import Checker, Rule, reindexed_by
from nestwork_hooks.nest.reads import BODIES, MARKDOWN
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import Fault, Replace, error
from nestwork_hooks.protocol.text import escaped
from nestwork_hooks.protocol.topic import Topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.finding import Finding

_MOST_NAMED = 3


def check(view: View, _: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every Markdown file that is judged."""
    for path, text in view.markdown.items():
        topic = view.topics.get(path)
        newline = topic.head.newline if isinstance(topic, Topic) else ""
        for fault in faults(text, newline, is_memory=layout.is_memory(path)):
            yield fault.at(path)


def faults(text: str, newline: str = "", *, is_memory: bool = False) -> Iterator[Fault]:
    """What stands in a text beside its index that a person does not see.

    `newline` is the line ending of its file, `""` where that is mixed or not known.
    """
    from nestwork_hooks.protocol import integrity

    hidden, controls = integrity.find(text)
    if is_memory and (hidden or controls):
        start, stop = _index(text)
        hidden, controls = (
            [place for place in places if not start <= place < stop]
            for places in (hidden, controls)
        )
    if hidden:
        fix = _without(text, hidden, newline)
        yield _fault(text, hidden, "invisible-character", _why_hidden, fix)
    if controls:
        yield _fault(text, controls, "control-character", _why_control)


def _index(text: str) -> tuple[int, int]:
    """Where the index begins and ends, in characters."""
    from nestwork_hooks.protocol.markers import Block, find_block

    data = text.encode()
    block = find_block(data)
    if not isinstance(block, Block):
        return 0, 0
    return len(data[: block.start].decode()), len(data[: block.stop].decode())


def _fault(
    text: str,
    places: list[int],
    rule: str,
    why: Callable[[str], str],
    fix: Replace | None = None,
) -> Fault:
    from nestwork_hooks.protocol.integrity import line_and_column, named

    first, *others = places
    char, (line, column) = text[first], line_and_column(text, first)
    message = f"{named(char)} in line {line}, column {column}: {why(char)}{_others(text, others)}"
    return error(line, rule, message, fix)


def _why_hidden(char: str) -> str:
    from nestwork_hooks.protocol.integrity import is_turning

    fact = "a person does not see it, and agents and tools read it"
    if is_turning(char):
        fact = "a person sees the text in another order than agents and tools read it"
    return f"{fact}; delete it, or type the line anew"


def _why_control(char: str) -> str:
    sign = escaped(char)
    return f"tools stop at it, or take the file for no text; delete it, or spell it out as {sign}"


def _others(text: str, places: list[int]) -> str:
    if not places:
        return ""
    from nestwork_hooks.protocol.integrity import line_and_column

    named = []
    for place in places[:_MOST_NAMED]:
        line, column = line_and_column(text, place)
        named.append(f"U+{ord(text[place]):04X} in line {line}, column {column}")
    more = f" and {len(places) - _MOST_NAMED} more" if len(places) > _MOST_NAMED else ""
    return f"; likewise {', '.join(named)}{more}"


def _without(text: str, places: list[int], newline: str) -> Replace | None:
    """The edit that deletes the characters, where all of them are noise.

    Without another one words would run together, or be shown in another order.
    """
    from nestwork_hooks.protocol import integrity

    if not newline or not all(integrity.is_noise(text[place]) for place in places):
        return None
    first, last = (integrity.line_and_column(text, place)[0] for place in (places[0], places[-1]))
    mended = integrity.without(text, places)
    if integrity.find(mended)[0]:
        return None  # What it stood beside has nothing to join any more.
    lines = mended.split("\n")[first - 1 : last]
    return Replace(first, last, newline.join([*lines, ""]))


CHECKER = Checker(
    name="text-integrity",
    about=__doc__,
    rules=(
        Rule("invisible-character", "error", "a text holds what nobody sees", reindexed_by),
        Rule("control-character", "error", "a text holds control characters", reindexed_by),
    ),
    limits=(),
    reads=MARKDOWN | BODIES,
    takes_files=False,
    check=check,
)
