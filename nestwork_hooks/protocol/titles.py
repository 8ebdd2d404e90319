"""Names of topic files made from headings."""

from __future__ import annotations

import re
import unicodedata
from html import unescape

from nestwork_hooks.protocol.layout import MEMORY, RESERVED_FOLDERS, RESIDENT
from nestwork_hooks.protocol.naming import folded, is_device

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# What of a heading is not its text: targets of links and images, tags and autolinks.
_NO_TEXT = re.compile(r"\]\([^()]*(?:\([^()]*\)[^()]*)*\)|\]\[[^\]]*\]|<[^<>]*>")
# Bytes of a name, far below what any system can hold, cut between two words where there are two.
_LONGEST = 100
# Names that are no topic's, or that would hide the folder of its parts.
_RESERVED = {*RESERVED_FOLDERS, *(name.removesuffix(".md") for name in (MEMORY, RESIDENT))}


class Names:
    """Hands out names without `.md`, each once, also on a system that ignores case.

    `taken` are the paths that exist, below the scope. `ascii_only` keeps to what a distillation of
    `shared/` takes (docs/protocol.md, "What the nest's scripts expect").
    """

    def __init__(self, taken: Iterable[str], *, ascii_only: bool) -> None:
        self._taken = set(folded(taken))
        self._ascii_only = ascii_only

    def give(self, heading: str, number: int, folder: str = "", kind: str = "topic") -> str:
        """A free name made from a heading, in a folder that ends in `/`.

        A heading that leaves nothing gives `topic-NN`, with its number.
        """
        word = slug(heading, ascii_only=self._ascii_only) or f"{kind}-{number:02}"
        if word in _RESERVED or is_device(word):
            word = f"{word}-{kind}"
        name, count = f"{folder}{word}", 1
        while not self._taken.isdisjoint(folded([f"{name}.md"])):
            count += 1
            name = f"{folder}{word}-{count}"
        self._taken.update(folded([f"{name}.md"]))
        return name


def slug(heading: str, *, ascii_only: bool) -> str:
    """A heading as a file name: lower case, letters and digits of any script, else `-`.

    With `ascii_only`, letters lose their accents, and what then is not `a-z` or `0-9` is left out.
    """
    text = unescape(_NO_TEXT.sub(" ", heading)).lower()
    text = unicodedata.normalize("NFKD" if ascii_only else "NFC", text)
    kept = "".join(char if _stays(char, ascii_only) else _instead(char) for char in text)
    words = [word for word in kept.split("-") if word]
    while len(words) > 1 and len("-".join(words).encode()) > _LONGEST:
        words.pop()
    return "-".join(words).encode()[:_LONGEST].decode("utf-8", "ignore")


def _stays(char: str, ascii_only: bool) -> bool:
    if ascii_only:
        return char.isascii() and char.isalnum()
    return unicodedata.category(char)[0] in "LMN"


def _instead(char: str) -> str:
    """Marks on letters, and apostrophes inside words, part nothing."""
    return "" if unicodedata.category(char)[0] == "M" or char in "'\u2019" else "-"
