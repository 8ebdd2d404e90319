"""Characters that make tools read another text than a person sees: invisible ones and controls.

docs/rules.md, "invisible-character" and "control-character". Text comes in with LF line endings;
a place in it is an offset in characters.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BYTE_ORDER_MARK = "\ufeff"


def _all_of(*ranges: tuple[int, int]) -> frozenset[str]:
    return frozenset(chr(code) for first, last in ranges for code in range(first, last + 1))


# Left-to-right, right-to-left and Arabic letter mark: plain in right-to-left text.
_MARKS = _all_of((0x61C, 0x61C), (0x200E, 0x200F))
# What is nothing but noise where nothing takes it: tags, variation selectors, byte order marks.
_NOISE = _all_of((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xE0000, 0xE007F), (0xE0100, 0xE01EF))
# Embeddings, overrides and isolates: their text is shown in another order.
_TURNING = _all_of((0x202A, 0x202E), (0x2066, 0x2069)) | _MARKS
_HIDDEN = _NOISE | _TURNING | _all_of((0x180B, 0x180F), (0x200B, 0x200D), (0x2060, 0x2060))
_CONTROLS = _all_of((0, 8), (0xB, 0xC), (0xE, 0x1F), (0x7F, 0x9F))
# All other ASCII, in which there is nothing to look for.
_PLAIN = bytes((*b"\t\n\r", *range(0x20, 0x7F)))
# Unicode names no control character; these are what it calls them beside.
_NAMES = dict(
    zip(
        "\0\a\b\v\f\x1b\x7f\x85",
        (
            "NULL",
            "BELL",
            "BACKSPACE",
            "LINE TABULATION",
            "FORM FEED",
            "ESCAPE",
            "DELETE",
            "NEXT LINE",
        ),
        strict=True,
    )
)


def find(text: str) -> tuple[list[int], list[int]]:
    """The places of invisible characters that nothing needs, and of control characters; sorted."""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    if not rest:
        return [], []
    chars = set(rest.decode("utf-8", "surrogatepass"))
    hidden = _places(text, chars & _HIDDEN)
    return _unneeded(text, hidden) if hidden else [], _places(text, chars & _CONTROLS)


def is_turning(char: str) -> bool:
    """Whether an invisible character changes the order in which text is shown."""
    return char in _TURNING


def is_noise(char: str) -> bool:
    """Whether a text without this invisible character, which nothing needs, looks the same."""
    return char in _NOISE


def named(char: str) -> str:
    """A character as `U+200B ZERO WIDTH SPACE`."""
    from unicodedata import name

    other = "CONTROL CHARACTER" if char in _CONTROLS else "UNASSIGNED"
    return f"U+{ord(char):04X} {name(char, _NAMES.get(char, other))}"


def line_and_column(text: str, place: int) -> tuple[int, int]:
    """Line and column of a place, both from 1; columns count characters, no byte order mark."""
    column = place - text.rfind("\n", 0, place)
    line = text.count("\n", 0, place) + 1
    return line, column - (line == 1 and text.startswith(_BYTE_ORDER_MARK))


def without(text: str, places: Iterable[int]) -> str:
    """The text without the characters at these places."""
    chars = list(text)
    for place in places:
        chars[place] = ""
    return "".join(chars)


def _places(text: str, chars: Iterable[str]) -> list[int]:
    return sorted(place for char in chars for place in _places_of(char, text))


def _places_of(char: str, text: str) -> Iterator[int]:
    place = text.find(char)
    while place >= 0:
        yield place
        place = text.find(char, place + 1)


def _unneeded(text: str, places: list[int]) -> list[int]:
    from nestwork_hooks.protocol.joining import is_usual, needed

    kept = needed(text, places)
    left = {place for place in places if place not in kept and not is_usual(text, place)}
    if text.startswith(_BYTE_ORDER_MARK):
        left.discard(0)
    marks = sorted(place for place in left if text[place] in _MARKS)
    return sorted(left.difference(_in_right_to_left(text, marks) if marks else ()))


def _in_right_to_left(text: str, marks: list[int]) -> Iterator[int]:
    """Those in a paragraph with right-to-left letters, or in the one above or below such a one."""
    ends, turned = _paragraphs(text)
    number = 0
    for mark in marks:
        while ends[number] <= mark:
            number += 1
        if any(turned[max(number - 1, 0) : number + 2]):
            yield mark


def _paragraphs(text: str) -> tuple[list[int], list[bool]]:
    """Where each paragraph ends, and whether it has letters that are written right to left."""
    from unicodedata import bidirectional

    ends: list[int] = []
    turned: list[bool] = []
    end, chars = 0, set[str]()
    for line in [*text.split("\n"), ""]:
        end += len(line) + 1
        if line.strip():
            chars.update(line)
        elif chars:
            ends.append(end)
            turned.append(any(c.isalpha() and bidirectional(c) in ("R", "AL") for c in chars))
            chars.clear()
    return ends, turned
