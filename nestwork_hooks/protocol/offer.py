"""The edit that a message offers for a value: the author's words, on a line that holds them."""

from __future__ import annotations

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.finding import Replace
from nestwork_hooks.protocol.held import held, held_for_the_eye
from nestwork_hooks.protocol.soundness import PLACEHOLDER
from nestwork_hooks.protocol.text import could_forge, escaped, is_control
from nestwork_hooks.protocol.value import QUOTES, Value
from nestwork_hooks.protocol.words import Words, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# The rules that a front matter can break, and the line to write where there is nothing to show.
MISSING = "missing-description"
BAD = "bad-front-matter"
LINE = f'description: "{PLACEHOLDER}"'
# A line to paste is worth more than the rule for it, unless it fills the screen.
_LONGEST = 400
_WHOLE = (
    "write its whole text on one line in double quotes, typographic ones in place of those inside"
    " (in single quotes where it holds a backslash)"
)
_PARTS = "; take the white space off a line that is a key of its own"
_KEEP = "its quotes and backslashes let no line hold it for both: reword it, or leave it as it is"


class Offer(Frozen):
    """An edit in words, and the same edit for a program where it is certain."""

    words: str
    fix: Replace | None = None


class Place(Frozen):
    """Where a value stands: its key, its first and last line, and what stands behind its colon."""

    key: str
    first: int
    last: int
    raw: str = ""

    @property
    def instead(self) -> str:
        """What a message says before the line to write."""
        if self.first >= self.last:
            return ""
        return f"in place of lines {self.first} to {self.last} "


def place(value: Value) -> Place:
    """Where a value stands, for the edit of it."""
    return Place(value.key, value.line, value.last, value.raw)


def offer(place: Place, found: Words | None) -> Offer:
    """How to write these words so that every reader has them; at worst the rule for it."""
    if found is None:
        return Offer(f"{place.instead}{_WHOLE}{_PARTS if place.instead else ''}")
    text = _harmless(one_line(found.text))
    exact = held(place.key, text)
    certain = exact and found.is_exact and text == one_line(found.text)
    line = exact or held_for_the_eye(place.key, text)
    if not line:
        return Offer(f"{place.instead}{_WHOLE}")
    comment = f"{found.comment}\n" if found.comment else ""
    fix = Replace(place.first, place.last, f"{line}\n{comment}") if certain else None
    aside = f"put {escaped(found.comment, _LONGEST)} on a line of its own and " if comment else ""
    return Offer(f"{aside}{place.instead}{_shown(place, line, text)}", fix)


def same_for_yaml(place: Place, text: str) -> Offer:
    """How to write a value so that YAML reads what the index shows, and the index stays as it is."""
    line = held(place.key, text)
    if not line:
        return Offer(_KEEP)
    fix = Replace(place.first, place.last, f"{line}\n")
    return Offer(f"{place.instead}{_shown(place, line, text)}", fix)


def _harmless(text: str) -> str:
    """`text` without what could forge an index; its words stay, and an arrow stays an arrow."""
    if not could_forge(text):
        return text
    text = text.replace("<!--", " ").replace("-->", " \N{RIGHTWARDS ARROW} ")
    text = "".join(" " if is_control(char) else char for char in text)
    return " ".join(filter(None, text.split(" ")))


def _shown(place: Place, line: str, text: str) -> str:
    """The line to write, or, where it is too long or holds what can't be seen, how to get it."""
    if escaped(line, _LONGEST) == line:
        return f"write {line}"
    quote, raw = line[len(place.key) + 2], place.raw
    ends = len(raw) > 1 and raw[0] == raw[-1] and raw[0] in QUOTES and raw != text
    sign = f"a {'single' if quote == QUOTES[0] else 'double'} quote ({quote})"
    where = "in place of the quotes at both ends" if ends else "before the text and one behind it"
    if quote not in QUOTES:
        edit = "write the text without quotes around it"
    elif place.instead:
        edit = f"write the text on one line with {sign} before it and one behind it"
    else:
        edit = f"put {sign} {where}"
    return ", ".join([edit, *_inside(raw, line, text)])


def _inside(raw: str, line: str, text: str) -> Iterator[str]:
    """What changes between the quotes of a line that can't be shown."""
    if raw[:1] == "'" and "''" in raw[1:-1] and "''" not in text:
        yield "one ' for each '' inside"
    if raw[:1] == '"' and raw.count("\\") > text.count("\\"):
        yield "the text inside without its escapes"
    for straight, curved in (('"', "\u201c\u201d"), ("'", "\u2018\u2019")):
        if any(line.count(sign) > text.count(sign) for sign in curved):
            yield f"{' and '.join(curved)} for each {straight} inside"
