"""Does every topic say something that no other topic of its scope says?

Fails on a topic with the description of another, case, width, spacing and punctuation evened out
(duplicate-topic): nobody can tell which to open. Warns of a new topic most of whose lines stand
in one other topic (copied-topic).

A commit is judged on the topics that it adds or changes, a run with nothing staged on all: of two
that are alike the later path is named then.

example: nestwork-check --select duplicate-topic
"""

from __future__ import annotations

from nestwork_hooks.nest.checker import Checker, Rule, reindexed_by
from nestwork_hooks.nest.reads import BESIDE, HEADS
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.likeness import Copy


def check(view: View, _: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every topic that is judged."""
    if not view.beside:
        return
    from nestwork_hooks.protocol.likeness import copies

    for group in _groups(view):
        yield from _doubles(view, group)
    by_scope: dict[str, dict[str, set[str]]] = {}
    for path, lines in view.lines.items():
        by_scope.setdefault(layout.scope_of(path) or "", {})[path] = lines
    for texts in by_scope.values():
        new = {path for path in texts if path in view.topics and view.selection.is_new(path)}
        for copy in copies(texts, new):
            yield _copied(view, copy)


def _groups(view: View) -> Iterator[list[str]]:
    """The paths of the topics of one scope that have one description, sorted; not those alone."""
    from nestwork_hooks.protocol.likeness import is_told_whole, told_by

    groups: dict[tuple[str, str], list[str]] = {}
    for path, topic in view.beside.items():
        told = told_by(topic.description)
        if told:
            scope = path[: -len(topic.name)]
            groups.setdefault((scope, told), []).append(path)
    for group in groups.values():
        if len(group) > 1 and not view.topics.keys().isdisjoint(group):
            yield sorted(path for path in group if is_told_whole(view.beside[path]))


def _doubles(view: View, group: list[str]) -> Iterator[Finding]:
    judged = [path for path in group if path in view.topics]
    others = [path for path in group if path not in view.topics]
    if judged and not others:
        # All are judged: the first that is not new was there before them.
        old = [path for path in judged if not view.selection.is_new(path)]
        others = (old or judged)[:1]
        judged.remove(others[0])
    for path in judged:
        yield _double(view, path, others[0])


def _double(view: View, path: str, other: str) -> Finding:
    from nestwork_hooks.protocol.value import line_of

    topic = view.beside[path]
    same = topic.description == view.beside[other].description
    but = "" if same else ", but for case, width, spacing or punctuation"
    message = (
        f"{view.escaped(other)} has this description too{but}, so nobody can tell which of the two to"
        f" open: move this text there and git rm {view.quoted(path)}, or write a description that says"
        " when to read this one"
    )
    line = line_of("description", topic.head)
    return Finding(path, line, ERROR, "duplicate-topic", message)


def _copied(view: View, copy: Copy) -> Finding:
    share = copy.shared * 100 // copy.total
    other = view.escaped(copy.other)
    message = (
        f"{copy.shared} of its {copy.total} lines ({share} %) stand in {other} too, so whoever mends one"
        f" leaves the other wrong: move what is new here into {other} and"
        f" git rm {view.quoted(copy.path)}, or keep each line in one of the two"
    )
    return Finding(copy.path, 1, WARNING, "copied-topic", message)


CHECKER = Checker(
    name="duplicate-topic",
    about=__doc__,
    rules=(
        Rule(
            "duplicate-topic", "error", "two topics of a scope have one description", reindexed_by
        ),
        Rule("copied-topic", "warning", "a new topic repeats another one", reindexed_by),
    ),
    limits=(),
    reads=HEADS | BESIDE,
    takes_files=False,
    check=check,
)
