"""Invisible characters that a script or an emoji needs: they are part of what is seen.

Everywhere else they only hide, or make two texts look the same. Imported only for text with
such a character in it.
"""

from __future__ import annotations

from unicodedata import category, combining

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NON_JOINER, _JOINER = "\u200c", "\u200d"
_ZERO_WIDTH_SPACE = "\u200b"
# Where letters join or take points: Hebrew to Myanmar, Khmer to Balinese and on, and later planes.
_JOINING = (
    *((0x590, 0x109F), (0x1700, 0x1CFF), (0xA800, 0xAADF), (0xABC0, 0xABFF)),
    *((0xFB50, 0xFDFF), (0xFE70, 0xFEFE), (0x10A00, 0x11FFF), (0x1E900, 0x1E95F)),
)
# Written without spaces: lines break at zero-width spaces (Thai to Myanmar, Khmer to Cham).
_UNSPACED = ((0xE00, 0x109F), (0x1780, 0x17FF), (0x1950, 0x1B7F), (0xA980, 0xAADF))
_TYPED = {_JOINER: _JOINING, _NON_JOINER: _JOINING, _ZERO_WIDTH_SPACE: _UNSPACED}
_MONGOLIAN = ((0x1800, 0x18AF), (0x11660, 0x1167F))
_IDEOGRAPHS = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
_WIDE_SIGNS = ((0x3000, 0x303F), (0xFF00, 0xFF9F))
_MYANMAR = ((0x1000, 0x109F), (0xAA60, 0xAA7F))
# The slashed zero, quotation marks, operators, Phags-pa and Manichaean.
_OTHER_SIGNS = (
    *((0x30, 0x30), (0x2018, 0x201D), (0x2205, 0x22FF), (0x2A00, 0x2AFF)),
    *((0xA840, 0xA87F), (0x10AC0, 0x10AFF)),
)
_HIEROGLYPHS = ((0x13000, 0x143FF),)
_EMOJI = ((0x1F000, 0x1FAFF),)
# Emoji that are no symbols by their category.
_MORE_EMOJI = "\u203c\u2049\u2139\u3030\u303d"
# A selector, and behind which characters it selects a form.
_SELECTORS = (
    ((0x180B, 0x180F), _MONGOLIAN),
    ((0xFE00, 0xFE02), (*_IDEOGRAPHS, *_WIDE_SIGNS, *_MYANMAR, *_OTHER_SIGNS)),
    ((0xFE00, 0xFE06), _HIEROGLYPHS),
    ((0xE0100, 0xE01EF), _IDEOGRAPHS),
)
_EMOJI_SELECTORS = "\ufe0e\ufe0f"
_KEYCAP = "\u20e3"
_FLAG, _LAST_TAG = "\U0001f3f4", "\U000e007f"
_TAGS = ((0xE0030, 0xE0039), (0xE0061, 0xE007A))
# Letters and digits of a region's code, as in gbeng and usca.
_CODE = range(3, 7)


def needed(text: str, places: Iterable[int]) -> set[int]:
    """Those of the places of invisible characters without which `text` would look different."""
    kept: set[int] = set()
    for at in places:
        char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
        if before == _FLAG:
            kept.update(_tags(text, at))
        if char in (_JOINER, _NON_JOINER):
            keeps = _joins(char, before, after)
        else:
            keeps = _selects(char, before, after)
        if keeps:
            kept.add(at)
    return kept


def is_usual(text: str, at: int) -> bool:
    """Whether writers of the script beside it type what is at this place, needed or not.

    These are joiners where letters join, also at the ends of words and beside another script
    (Persian), and zero-width spaces where words have no spaces between them (Khmer, Thai).
    """
    script = _TYPED.get(text[at], ())
    beside = (text[at - 1 : at], text[at + 1 : at + 2])
    return any(_is_in(char, script) and category(char)[0] in "LMNPS" for char in beside)


def _is_in(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return char != "" and any(first <= ord(char) <= last for first, last in ranges)


def _tags(text: str, start: int) -> Iterator[int]:
    """The tags behind a black flag that make it the flag of a region."""
    end = start
    while end < len(text) and _is_in(text[end], _TAGS):
        end += 1
    if end - start in _CODE and text[end : end + 1] == _LAST_TAG:
        yield from range(start, end + 1)


def _joins(char: str, before: str, after: str) -> bool:
    if char == _JOINER and _ends_emoji(before) and _is_symbol(after):
        return True
    if not _is_joining(before):
        return False
    # A joiner also stands behind a letter to show the form that it has within a word.
    return char == _JOINER or _is_joining(after) or combining(before) == 9


def _is_joining(char: str) -> bool:
    return _is_in(char, _JOINING) and category(char)[0] in "LM"


def _is_symbol(char: str) -> bool:
    return _is_in(char, _EMOJI) or (
        char != "" and not char.isascii() and category(char) in ("So", "Sm")
    )


def _ends_emoji(char: str) -> bool:
    return _is_symbol(char) or char == "\ufe0f"


def _selects(char: str, before: str, after: str) -> bool:
    if char in _EMOJI_SELECTORS:
        if before and before in "0123456789#*":
            return after == _KEYCAP
        return _is_symbol(before) or (before != "" and before in _MORE_EMOJI)
    return any(_is_in(char, (own,)) and _is_in(before, bases) for own, bases in _SELECTORS)
