"""Does every link of the nest's Markdown lead to a file that git lists, and to a heading of it?

Fails on a link in a resident file or a memory.md that leads to no file (dead-link); warns of
one in other Markdown, and of an anchor that no heading makes. Warns of a [[wiki link]] that
names no topic (dead-wiki-link). Letter case counts. Code, comments, front matter, the index,
URLs, absolute paths and paths in backticks are no links to files.

A commit is judged on the files that it adds or changes, and on every link of the nest to a
file that it deletes or renames; a run with nothing staged on all. Off unless it is selected.

example: nestwork-check --extend-select dead-pointer
"""

from __future__ import annotations

from nestwork_hooks.nest.checker import Checker, Rule
from nestwork_hooks.nest.reads import MARKDOWN
from nestwork_hooks.protocol import layout
from nestwork_hooks.protocol.finding import ERROR, WARNING, Finding, Replace
from nestwork_hooks.protocol.text import escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from nestwork_hooks.nest.view import View
    from nestwork_hooks.protocol.destinations import Destination
    from nestwork_hooks.protocol.pointers import Pointer

    _Said: TypeAlias = tuple[str, Replace | None]

LINK, WIKI = "dead-link", "dead-wiki-link"
_MOST_NAMED = 3


def check(view: View, _: Mapping[str, int]) -> Iterator[Finding]:
    """The findings of every Markdown file that is judged, or that points to what goes away."""
    texts = {path: text for path, text in view.markdown.items() if _may_point(text)}
    if not (texts or view.selection.removed):
        return
    reader = _Reader(view)
    for path, text in texts.items():
        yield from _first_of_each(path, reader.faults(path, text))
    for path, text in reader.left_behind():
        yield from _first_of_each(path, reader.faults(path, text, only_removed=True))


def _may_point(text: str) -> bool:
    return "](" in text or "]:" in text or "[[" in text


class _Fault:
    """A dead pointer: `say` makes its message and its edit, which takes long where there are many."""

    __slots__ = ("level", "line", "rule", "say")

    def __init__(self, line: int, level: str, rule: str, say: Callable[[], _Said]) -> None:
        self.line = line
        self.level = level
        self.rule = rule
        self.say = say


def _first_of_each(path: str, faults: Iterable[_Fault]) -> Iterator[Finding]:
    """The gravest fault of each rule, which names the lines of the others."""
    by_rule: dict[str, list[_Fault]] = {}
    for fault in sorted(faults, key=lambda fault: (fault.level != ERROR, fault.line)):
        by_rule.setdefault(fault.rule, []).append(fault)
    for first, *others in by_rule.values():
        message, fix = first.say()
        lines = sorted({fault.line for fault in others} - {first.line})
        if lines:
            some = ", ".join(map(str, lines[:_MOST_NAMED]))
            more = f" and {len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else ""
            message += f"; likewise in line{'s' * (len(lines) > 1)} {some}{more}"
        yield Finding(path, first.line, first.level, first.rule, message, fix)


class _Reader:
    """Follows the pointers of files; reads each file that an anchor leads to once."""

    def __init__(self, view: View) -> None:
        from nestwork_hooks.nest.known import Known
        from nestwork_hooks.protocol import destinations, pointers

        self._view = view
        self._all = view.everything
        self._known = Known(view)
        self._destinations = destinations
        self._pointers = pointers
        self._anchors: dict[str, set[str] | None] = {}

    def left_behind(self) -> list[tuple[str, str]]:
        """The Markdown that is not judged and may point to what goes away, with its text."""
        words = self._known.words_of_removed()
        judged = self._view.markdown
        others = (path for path in self._all.entries if path.endswith(".md") and path not in judged)
        return [
            (path, text)
            for path, text in (self._all.texts(others) if words else ())
            if _may_point(text) and self._destinations.mentions(text, words)
        ]

    def faults(self, path: str, text: str, *, only_removed: bool = False) -> Iterator[_Fault]:
        """The dead pointers of a file; `only_removed`: those to what goes away, no anchors."""
        lines, prose = text.split("\n"), self._prose(path, text)
        for pointer in self._pointers.pointers(prose):
            line = lines[pointer.line - 1]
            if pointer.is_wiki:
                fault = self._wiki(path, pointer, line, only_removed=only_removed)
            else:
                fault = self._link(path, pointer, line, only_removed=only_removed)
            if fault:
                yield fault

    def _prose(self, path: str, text: str) -> str:
        """The text as it is parsed, without its front matter and its index."""
        index = layout.is_memory(path)
        return self._pointers.without_front_matter(text, index_lines(text) if index else range(0))

    # Links

    def _link(self, of: str, pointer: Pointer, line: str, *, only_removed: bool) -> _Fault | None:
        found = self._destinations.destination(pointer.target, of)
        if found is None:
            return None
        if not self._leads(found):
            if only_removed and not self._known.removed_at(found.path):
                return None
            grave = layout.is_resident(of) or layout.is_memory(of)
            return _Fault(
                pointer.line,
                ERROR if grave else WARNING,
                LINK,
                lambda: self._no_file(of, pointer, found, line),
            )
        if only_removed or found.path not in self._all.entries or found.is_line:
            return None
        anchors = self._anchors_of(found.path)
        wanted = self._pointers.comparable(found.anchor)
        if anchors is None or wanted in anchors:
            return None
        return _Fault(
            pointer.line,
            WARNING,
            LINK,
            lambda: self._no_anchor(found, wanted, anchors, pointer, line),
        )

    def _leads(self, found: Destination) -> bool:
        if found.is_folder:
            return self._all.has(found.path) and found.path not in self._all.entries
        return any(map(self._all.has, (found.path, *found.others)))

    def _anchors_of(self, path: str) -> set[str] | None:
        """The anchors of a Markdown file; None for any other, and where it could not be read."""
        if path not in self._anchors:
            text = self._view.markdown.get(path)
            if text is None and path.endswith(".md"):
                text = next((found for _, found in self._all.texts([path])), None)
            prose = None if text is None else self._prose(path, text)
            self._anchors[path] = None if prose is None else self._pointers.anchors(prose)
        return self._anchors[path]

    def _no_file(self, of: str, pointer: Pointer, found: Destination, line: str) -> _Said:
        target, path = escaped(pointer.target), found.path
        moved = self._known.moved(path)
        spelt = self._known.spelt(path)
        if moved or spelt:
            link = self._destinations.link_to(moved or spelt, of)
            rest = pointer.target[len(pointer.target.partition("#")[0].partition("?")[0]) :]
            fix = _replaced(pointer, line, link + rest)
            if spelt:
                fact = f"{target} is spelt otherwise in git, and letter case counts"
            else:
                fact = f"{target} leads to {self._shown(path)}, which this change renames"
            return f"{fact}: write {escaped(link + rest)}", fix
        meant = [self._destinations.link_to(other, of) for other in self._known.meant(found, of)]
        if layout.is_private(path):
            fact = f"{target} leads to what stays on one machine, and no other clone has"
            return f"{fact}: move what is needed into a topic, or delete the link", None
        if self._known.removed_at(path):
            fact = f"{target} leads to {self._shown(path)}, which this change deletes"
        elif path.startswith("../"):
            fact = f"{target} leads out of the nest, to no file that git lists"
        else:
            fact = f"{target} leads to no file that git lists"
        meant = meant or list(filter(None, [self._destinations.with_scheme(pointer.target)]))
        if meant:
            return f"{fact}: write {_either(meant)} if that is meant, else delete the link", None
        if path.startswith("../") or self._known.removed_at(path) or found.is_folder:
            return f"{fact}: correct or delete the link", None
        add = f"git add -- {self._view.quoted(path)} if it is on disk"
        return f"{fact}: {add}, else correct or delete the link", None

    def _no_anchor(
        self, found: Destination, wanted: str, anchors: set[str], pointer: Pointer, line: str
    ) -> _Said:
        fact = f"{self._shown(found.path)} has no heading for #{escaped(found.anchor)}"
        if wanted.lower() in anchors:
            target = f"{pointer.target.partition('#')[0]}#{wanted.lower()}"
            fix = _replaced(pointer, line, target)
            return f"{fact}, since letter case counts: write #{escaped(wanted.lower())}", fix
        from difflib import get_close_matches

        slug = self._pointers.slug(found.anchor)
        near = [slug] if slug in anchors else get_close_matches(slug, sorted(anchors), _MOST_NAMED)
        if near:
            meant = _either([f"#{anchor}" for anchor in near])
            return f"{fact}: write {meant} if that is meant, else leave the anchor out", None
        return f"{fact}: correct the anchor or leave it out", None

    # Wiki links

    def _wiki(self, of: str, pointer: Pointer, line: str, *, only_removed: bool) -> _Fault | None:
        name, _, heading = pointer.target.partition("|")[0].rstrip("\\").partition("#")
        if not self._destinations.is_name(name or heading):
            return None
        name, heading = name.strip(), heading.rpartition("#")[2].strip()
        paths = self._known.named(name, of) if name else [of]
        if not paths:
            if only_removed and not self._known.removed_as(name):
                return None
            return _Fault(
                pointer.line, WARNING, WIKI, lambda: self._no_topic(of, name, pointer, line)
            )
        if only_removed or not heading or heading.startswith("^"):
            return None
        anchors = [self._anchors_of(path) for path in paths]
        slug = self._pointers.slug(heading)
        if any(found is None or slug in found for found in anchors):
            return None
        fact = f"{self._shown(paths[0])} has no heading {escaped(heading)}"
        return _Fault(
            pointer.line,
            WARNING,
            WIKI,
            lambda: (f"{fact}: correct what stands behind the # or leave it out", None),
        )

    def _no_topic(self, of: str, name: str, pointer: Pointer, line: str) -> _Said:
        shown = escaped(name)
        removed = self._known.removed_as(name)
        fact = f"[[{shown}]] names no topic"
        if removed:
            moved = self._known.moved(removed)
            fact = f"[[{shown}]] names {self._shown(removed)}, which this change"
            if moved:
                stem = moved.rpartition("/")[2].removesuffix(".md")
                target = pointer.target.replace(name, stem, 1)
                fix = _replaced(pointer, line, target)
                return f"{fact} renames: write [[{escaped(stem)}]]", fix
            fact += " deletes"
        near = self._known.near_name(name, of)
        if near:
            meant = _either([f"[[{other}]]" for other in near])
            return f"{fact}: write {meant} if that is meant, else take the brackets away", None
        add = "take the brackets away" if removed else "add the topic, or take the brackets away"
        return f"{fact}: {add}", None

    def _shown(self, path: str) -> str:
        return self._view.escaped(path)


def index_lines(text: str) -> range:
    """The lines of the index in the text of a memory.md, from 1; empty where it has none."""
    from nestwork_hooks.protocol.markers import Block, find_block

    data = text.encode()
    block = find_block(data)
    if not isinstance(block, Block):
        return range(0)
    return range(block.line, block.line + data.count(b"\n", block.start, block.stop) + 1)


def _either(names: list[str]) -> str:
    *others, last = map(escaped, names)
    return f"{', '.join(others)} or {last}" if others else last


def _replaced(pointer: Pointer, line: str, target: str) -> Replace | None:
    """The edit of the pointer's line, if its target stands there once as a target."""
    if not (target.isprintable() and line.isprintable()):
        return None
    signs = ("[[",) if pointer.is_wiki else ("](", "](<", "]: ", "]: <", "]:")
    places = [sign + pointer.target for sign in signs]
    ends = ("]", "|", "#") if pointer.is_wiki else (")", ">", " ", "\n")
    whole = f"{line}\n"
    found = [(place, end) for place in places for end in ends if place + end in whole]
    if len(found) != 1 or whole.count("".join(found[0])) != 1:
        return None
    place, end = found[0]
    new = place.removesuffix(pointer.target) + target + end
    return Replace(pointer.line, pointer.line, whole.replace(place + end, new))


CHECKER = Checker(
    name="dead-pointer",
    about=__doc__,
    rules=(
        Rule(LINK, "error or warning", "a link leads to no file that git lists, or to no heading"),
        Rule(WIKI, "warning", "a wiki link names no topic"),
    ),
    limits=(),
    reads=MARKDOWN,
    takes_files=False,
    check=check,
)
