"""Estimate how many o200k_base tokens a text has, with the standard library alone.

A text is cut into the pieces that o200k_base's own pattern cuts it into; no token reaches
beyond a piece. What is estimated is how many tokens each piece has:

    tokens = 1 + softplus(sum of the weights of the piece's features)

The features are the piece's script, length, letters and, in Latin script, pairs of letters;
English words have common pairs and few tokens, German compounds and hashes the opposite. The
weights come from tests/calibrate, which also says how far off the estimate is.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from itertools import pairwise

from nestwork_hooks.measuring import estimate_weights

_UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a9\u0400-\u042f"

# Punctuation and symbols, which `re` has no class for; combining marks must not be among them,
# since o200k_base counts them as letters, and `\w` does not.
_SYMBOL = (
    r"!-/:-@\[-`{-~\u0080-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7"
    r"\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05f3\u05f4\u0609-\u060d\u061b-\u061f"
    r"\u066a-\u066d\u06d4\u0964\u0965\u0970\u0e3f\u0e4f\u2000-\u2070\u207a-\u207e\u208a-\u208f"
    r"\u20a0-\u20cf\u2116\u2117\u2122\u2190-\u245f\u249c-\u24ff\u2500-\u2bff\u3000-\u3004"
    r"\u3008-\u3020\u3030\u30a0\u30fb\ufd3e\ufd3f\ufe10-\ufe1f\ufe30-\ufe6f\ufeff\uff01-\uff0f"
    r"\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufffd\U0001f000-\U0001faff"
)
_LETTER = rf"[^\s\d{_SYMBOL}]"
_LOWER = rf"[^\s\d{_SYMBOL}{_UPPER}]"
_BEFORE = rf"[\t\x0b\x0c {_SYMBOL}]?"
_AFTER = r"(?:'(?:[sdmtSDMT]|ll|ve|re|LL|VE|RE))?"

# The alternatives of o200k_base, in its order. Each is linear in the length of its match.
_PIECE = re.compile(
    rf"{_BEFORE}[{_UPPER}]*{_LOWER}+{_AFTER}|{_BEFORE}[{_UPPER}]+{_AFTER}|\d{{1,3}}"
    rf"| ?[{_SYMBOL}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_IS_LETTER = re.compile(_LETTER).match

# From this code point on, this script.
_SCRIPTS = (
    (0x0000, "latin"), (0x0250, "other"), (0x0370, "greek"), (0x0400, "cyrillic"),
    (0x0530, "armenian"), (0x0590, "hebrew"), (0x0600, "arabic"), (0x0780, "other"),
    (0x0900, "indic"), (0x0E00, "thai"), (0x0E80, "other"), (0x10A0, "georgian"),
    (0x1100, "other"), (0x1E00, "latin"), (0x1F00, "greek"), (0x2000, "symbol"),
    (0x3040, "kana"), (0x3100, "other"), (0x4E00, "han"), (0xA000, "other"),
    (0xAC00, "hangul"), (0xD7B0, "other"), (0xFF00, "symbol"), (0xFFF0, "other"),
    (0x10000, "astral"),
)  # fmt: skip
_STARTS = [start for start, _ in _SCRIPTS]
_ALPHABETS = {"greek", "cyrillic", "armenian", "georgian", "hebrew", "arabic", "kana"}
_LONGEST_TOKEN = 128  # in characters; it is made of spaces
_LONG = 12  # a word's characters beyond these count by a weight each
_LONG_SYMBOLS = 8


def _script(char: str) -> str:
    return _SCRIPTS[bisect_right(_STARTS, ord(char)) - 1][1]


class _Letters(dict[int, str]):
    """For `str.translate`: a letter -> what has a weight; looked up once per letter."""

    def __missing__(self, code: int) -> str:
        self[code] = value = self._weighed(chr(code))
        return value

    @staticmethod
    def _weighed(char: str) -> str:
        script = _script(char)
        if char.isascii() or char in estimate_weights.HAN or script in _ALPHABETS:
            return char
        if script == "latin":
            return "~" if char.isalpha() else "\u2026"
        if script == "hangul":  # its first consonant and its last
            index = ord(char) - 0xAC00
            return chr(0x1100 + index // 588) + chr(0x11A7 + index % 28)
        if script == "han":
            return "\u4e00"
        if script == "symbol":
            return "\u2026"
        return "?" + chr(ord(char) & ~0x7F)  # any other, and what its block differs by


_LETTERS = _Letters()


def pieces(text: str) -> list[str]:
    """Cut a text where o200k_base does; joined they are the text again."""
    return _PIECE.findall(text)


def features(piece: str) -> list[str]:
    """The features of a piece, whose weights are added up; none if it is certainly one token."""
    if piece.isspace():
        return _blank_features(piece)
    if piece[-1].isdigit():
        return [] if piece.isascii() else ["digit"] * len(piece)
    if _IS_LETTER(piece):
        return _word_features("", piece)
    if len(piece) > 1 and _IS_LETTER(piece, 1):
        return _word_features("_" if piece[0] == " " else ".", piece[1:])
    return _symbol_features(piece)


def _blank_features(piece: str) -> list[str]:
    if not piece.strip(" ") or not piece.strip("\n"):
        return []
    return ["mixed", *["mixed+"] * len(piece)]


def _word_features(before: str, word: str) -> list[str]:
    script = _script(max(word))
    lower = word.lower()
    case = "a" if word == lower else "A" if word == word.upper() else "Aa"
    letters = lower.translate(_LETTERS)
    found = [f"{script}:{before}{case}", f"{script}{min(len(word), _LONG)}"]
    found += [f"{script}+"] * (len(word) - _LONG)
    if script == "latin":
        letters = f"^{letters}$"
        return found + [a + b for a, b in pairwise(letters)]
    return found + list(letters)


def _symbol_features(piece: str) -> list[str]:
    core = piece.strip(" \r\n")
    if len(piece) == 1 or (len(piece) == 2 and piece[0] == " "):
        return list(core.translate(_LETTERS)) if not core.isascii() else []
    kinds = set("".join(core.split()))  # a slash may stand behind a line's end
    found = [f"symbols{min(len(core), _LONG_SYMBOLS)}", f"kinds{min(len(kinds), 5)}"]
    found += ["symbols+"] * (len(core) - _LONG_SYMBOLS)
    found += [f"has{char}" for char in sorted(kinds) if char.isascii()]
    found += [char for char in core.translate(_LETTERS) if not char.isascii()]
    found += [f"lines{min(piece.count(chr(10)), 3)}"] if piece[-1] in "\r\n" else []
    return found + ["space"] * (piece[0] == " ")


class _Costs(dict[str, float]):
    """Tokens by piece; each piece is looked at once, since text repeats its words."""

    def __missing__(self, piece: str) -> float:
        found = features(piece)
        weight = estimate_weights.WEIGHTS.get
        extra = _softplus(sum(weight(feature, 0.0) for feature in found)) if found else 0.0
        self[piece] = value = max(1.0 + extra, len(piece) / _LONGEST_TOKEN)
        return value


def _softplus(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


class Estimator:
    """Counts tokens by estimate; any text is fine, and the time is linear in its length."""

    exact = False

    def __init__(self) -> None:
        self._costs = _Costs()

    def count(self, text: str) -> int:
        """About how many o200k_base tokens the text has."""
        return round(sum(map(self._costs.__getitem__, pieces(text))))
