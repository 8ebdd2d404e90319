"""When two topics say the same: in their descriptions, or in the lines of their texts."""

from __future__ import annotations

from nestwork_hooks.protocol import line_reader
from nestwork_hooks.protocol.soundness import NULLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from nestwork_hooks.protocol.topic import Topic

# A text with fewer lines that count is no copy of another, however alike; nor is one of which a
# smaller part, in percent, stands in the other.
LEAST_LINES = 8
LEAST_SHARE = 85
# What stands for a description that is still to be written, evened out.
_PLACEHOLDERS = frozenset(
    {
        *("description", "descriptionhere", "fixme", "na", "none", "onelinedescription"),
        *("placeholder", "shortdescription", "tbd", "todo", "untitled", "xxx"),
        *("whentoread", "whentoreadit", "whentoreadthis", "whentoreadthisfile"),
        *("whentoreadthistopic", "tobewritten", "\u5f85\u5b9a", "\u5f85\u8865\u5145", "\u65e0"),
    }
)
# Punctuation that tells two names apart, as in C# and F#.
_KEPT = "#"
_ASCII = {
    **dict.fromkeys(map(ord, "!\"%&'()*,-./:;?@[\\]_{}^`"), " "),
    **dict.fromkeys(range(32), " "),
    127: " ",
}


def evened(text: str) -> str:
    """`text` without case, width (NFKC), spacing and punctuation; what parts two numbers is a blank.

    So `Hosts: ports 80, 443` and `hosts ports 80-443` are one, and `1.2` is not `12`.
    """
    if text.isascii():
        text = text.lower().translate(_ASCII)
    else:
        from unicodedata import normalize

        text = normalize("NFKC", normalize("NFKC", text).casefold()).translate(_UNICODE)
    found = ""
    for word in text.split():
        found += f" {word}" if found[-1:].isdigit() and word[0].isdigit() else word
    return found


class _Unicode(dict[int, "str | int | None"]):
    """What becomes of a character, by its category; worked out once for each."""

    def __missing__(self, code: int) -> str | int | None:
        from unicodedata import category

        kind, found = category(chr(code)), code
        if chr(code) in _KEPT:
            self[code] = found
        elif kind == "Cf" or 0xFE00 <= code <= 0xFE0F:
            self[code] = None
        else:
            self[code] = " " if kind[0] in "PZ" or kind in ("Cc", "Sk") else found
        return self[code]


_UNICODE = _Unicode()


def told_by(description: str) -> str:
    """What a description tells, evened out; `""` where it is empty, or still to be written."""
    if description in NULLS or (description[:1] + description[-1:]) in ("<>", "{}", "[]"):
        return ""
    even = evened(description)
    is_text = any(map(str.isalnum, even))
    return even if is_text and even not in _PLACEHOLDERS else ""


def is_told_whole(topic: Topic) -> bool:
    """Whether the index shows the description as it is written, and not a part of it."""
    from nestwork_hooks.protocol.value import find_values, loss

    values = find_values(topic.head).get("description", ())
    return not any(map(loss, values))


def lines_of(text: str) -> set[str]:
    """The lines below the front matter of a topic, white space evened out, without blank ones."""
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    end = line_reader.closing_at(text)
    body = text[end + len(line_reader.CLOSING) :] if end >= 0 else text
    body = body.replace("\t", " ")
    while "  " in body:
        body = body.replace("  ", " ")
    found = set(map(str.strip, body.split("\n")))
    found.discard("")
    return found


def counts(line: str) -> bool:
    """Whether a line says anything: no heading, fence, rule, or comment, as a template has them."""
    if line.startswith(("```", "~~~")) or (line.startswith("<!--") and line.endswith("-->")):
        return False
    if line.startswith("#") and line.lstrip("#").startswith((" ", "\t")):
        return False
    return any(map(str.isalnum, line))


def is_long_enough(lines: AbstractSet[str]) -> bool:
    """Whether enough of the lines count for a copy to be told from a coincidence."""
    return _are_more(filter(counts, lines), LEAST_LINES - 1)


def _are_more(lines: Iterable[str], most: int) -> bool:
    """Whether these are more than `most` lines, without a look at the others."""
    return any(number == most for number, _ in enumerate(lines))


class Copy:
    """A topic of which `shared` of the `total` lines that count stand in another one."""

    __slots__ = ("other", "path", "shared", "total")

    def __init__(self, path: str, other: str, shared: int, total: int) -> None:
        self.path = path
        self.other = other
        self.shared = shared
        self.total = total


def copies(texts: Mapping[str, AbstractSet[str]], new: Collection[str]) -> Iterator[Copy]:
    """Yield those of the `new` topics of a scope that are copies of another, in order of their paths.

    `texts` maps each topic of the scope to the lines of its text. Of two that are copies of each
    other, the new one is; of two new ones the later.
    """
    doubled = _doubled(texts.values())
    holders: dict[str, list[str]] = {}
    for path in sorted(new):
        lines = texts.get(path, frozenset())
        # Most topics share next to nothing, and are let off by this alone.
        if len(lines & doubled) * 100 < LEAST_LINES * LEAST_SHARE:
            continue
        if _are_more(filter(counts, lines - doubled), _lacking(lines)):
            continue
        counted = list(filter(counts, lines))
        if len(counted) < LEAST_LINES:
            continue
        holders = holders or _holders(texts, doubled)
        counted.sort(key=lambda line: (len(holders.get(line, ())), line))
        # Another text that lacks no more than a copy may has one of the rarest of these at least.
        rarest = counted[: _lacking(counted) + 1]
        others = {other for line in rarest for other in holders.get(line, ()) if other != path}
        found = _nearest(counted, path, others, texts, new)
        if found and not (found.other in new and found.other > path and _is_mutual(found, texts)):
            yield found


def _lacking(lines: Collection[str]) -> int:
    """How many of these lines a copy of them may lack."""
    return len(lines) * (100 - LEAST_SHARE) // 100


def _doubled(texts: Iterable[AbstractSet[str]]) -> set[str]:
    """The lines that more than one text has."""
    seen: set[str] = set()
    doubled: set[str] = set()
    for lines in texts:
        doubled |= seen & lines
        seen |= lines
    return doubled


def _holders(texts: Mapping[str, AbstractSet[str]], doubled: set[str]) -> dict[str, list[str]]:
    """The topics that have each of these lines."""
    found: dict[str, list[str]] = {}
    for path, lines in texts.items():
        for line in lines & doubled:
            found.setdefault(line, []).append(path)
    return found


def _nearest(
    counted: list[str],
    path: str,
    others: Collection[str],
    texts: Mapping[str, AbstractSet[str]],
    new: Collection[str],
) -> Copy | None:
    """The copy of the topic that has most of these lines; an old one rather than a new one."""
    shares = [
        (-sum(map(texts[other].__contains__, counted)), other in new, other) for other in others
    ]
    if not shares:
        return None
    shared, _, other = min(shares)
    found = Copy(path, other, -shared, len(counted))
    return found if _is_copy(found) else None


def _is_copy(copy: Copy) -> bool:
    return copy.shared * 100 >= copy.total * LEAST_SHARE


def _is_mutual(copy: Copy, texts: Mapping[str, AbstractSet[str]]) -> bool:
    """Whether the other topic is a copy of this one, too."""
    counted = list(filter(counts, texts[copy.other]))
    shared = sum(map(texts[copy.path].__contains__, counted))
    return len(counted) >= LEAST_LINES and _is_copy(
        Copy(copy.other, copy.path, shared, len(counted))
    )
