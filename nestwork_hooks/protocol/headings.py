"""The headings of a Markdown text, as CommonMark has them: those that are not inside anything else.

None stands in front matter, a code fence, an HTML block (a comment above all), a block quote or a
list item. Works on bytes, in which a heading's place is exact whatever the line endings.
"""

from __future__ import annotations

import re

from nestwork_hooks.light import Frozen
from nestwork_hooks.protocol.fences import Fence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BOM = b"\xef\xbb\xbf"
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_ATX = re.compile(rb"(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*", re.DOTALL)
_UNDERLINE = re.compile(rb"(=+|-+)[ \t]*")
_RULE = re.compile(rb"(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}")
_ITEM = re.compile(rb"([-+*]|[0-9]{1,9}[.)])(?:([ \t]+)(?=[^ \t])|[ \t]*\Z)")
# How an HTML block begins, and what ends it in this line or a later one (CommonMark, "HTML blocks").
_HTML = (
    (re.compile(rb"<!--"), re.compile(rb"-->")),
    (re.compile(rb"<\?"), re.compile(rb"\?>")),
    (re.compile(rb"<!\[CDATA\["), re.compile(rb"\]\]>")),
    (re.compile(rb"<![A-Za-z]"), re.compile(rb">")),
    (
        re.compile(rb"<(?:pre|script|style|textarea)(?:[ \t>]|\Z)", re.IGNORECASE),
        re.compile(rb"</(?:pre|script|style|textarea)>", re.IGNORECASE),
    ),
)
_TAGS = (
    b"address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details"
    b"|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head"
    b"|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p"
    b"|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_BLOCK_TAG = re.compile(rb"</?(?:" + _TAGS + rb")(?:[ \t]|/?>|\Z)", re.IGNORECASE)
_ATTRIBUTE = rb"[ \t]+[A-Za-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?"
_OTHER_TAG = re.compile(
    rb"(?:<[A-Za-z][A-Za-z0-9-]*(?:" + _ATTRIBUTE + rb")*[ \t]*/?>|</[A-Za-z][A-Za-z0-9-]*[ \t]*>)"
    rb"[ \t]*\Z"
)
_DEFINITION = re.compile(rb"\[[^\[\]]+\]:[ \t]*\S+(?:[ \t]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?")
# What a line begins with that may be more than text.
_SIGNS = frozenset(b"#=-*_`~<>+[0123456789")
# Quotes and items inside each other that are looked into.
_DEEPEST = 20
_NO_TEXT = re.compile(rb"\A[ \t]*\Z")


class Heading(Frozen):
    """A heading: its level (1 to 6), its text as written, its line, and its first byte.

    That of an underlined one is where its text begins, which may have several lines.
    """

    level: int
    text: str
    line: int
    offset: int


def headings(data: bytes) -> list[Heading]:
    """The headings of a text in UTF-8, in order."""
    return list(_Reader(data).read())


def lines(data: bytes) -> list[bytes]:
    """The lines of a text, each with its ending (LF, CRLF or CR)."""
    return [line for line in _LINE.findall(data) if line]


class _Reader:
    """Goes through the lines once, and knows what each of them is in."""

    def __init__(self, data: bytes) -> None:
        self._lines = lines(data)
        self._fence: Fence | None = None
        self._quoted: Fence | None = None
        # What ends the HTML block that a line is in.
        self._html: re.Pattern[bytes] | None = None
        # How far the text of the list item is indented that a line may be in; 0 outside.
        self._item = 0
        # The line below an item without text: a blank one ends it.
        self._emptied = 0
        # Whether a line of text would go on with the paragraph of a quote or an item.
        self._lazy = False
        # The lines of the paragraph so far, and where it begins.
        self._paragraph: list[bytes] = []
        self._begun = (0, 0)

    def read(self) -> Iterator[Heading]:
        first, offset = _front_matter(self._lines)
        for number, line in enumerate(self._lines[first:], first + 1):
            if offset == 0 and line.startswith(_BOM):
                line, offset = line[len(_BOM) :], len(_BOM)
            heading = self._take(number, line, offset)
            if heading:
                yield heading
            offset += len(line)

    def _take(self, number: int, line: bytes, offset: int) -> Heading | None:
        text = line.strip(b" \t\r\n")
        if not text.startswith(b">"):
            self._quoted = None
        if self._is_inside(line, text):
            return None
        if not text:
            if number == self._emptied:
                self._item = 0
            self._end_paragraph()
        elif self._item and _indent(line) >= self._item:
            if self._open_fence(number, line) and self._fence:
                self._fence.in_list = True
            ends = self._lazy and _UNDERLINE.fullmatch(text)
            self._lazy = not ends and _is_text(text)
        elif _indent(line) < 4:
            return self._take_block(number, text, line, offset)
        elif self._paragraph:
            self._paragraph.append(text)
        return None

    def _is_inside(self, line: bytes, text: bytes) -> bool:
        """Whether the line is of a code fence or an HTML block, its end included."""
        if self._fence and self._fence.goes_on(line, line.strip()):
            if self._fence.is_closed_by(line, line.strip()):
                self._fence = None
            return True
        self._fence = None
        if self._html is None:
            return False
        if self._html.search(text):
            self._html = None
        return True

    def _take_block(self, number: int, text: bytes, line: bytes, offset: int) -> Heading | None:
        """A line at the margin that is not inside a block."""
        if text[0] not in _SIGNS:
            self._go_on(number, text, offset)
            return None
        underline = _UNDERLINE.fullmatch(text)
        if underline and self._paragraph:
            level = 1 if text.startswith(b"=") else 2
            heading = _heading(level, b" ".join(self._paragraph), *self._begun)
            self._end_paragraph()
            return heading
        atx = _ATX.fullmatch(text)
        if atx:
            self._leave()
            return _heading(len(atx[1]), atx[2] or b"", number, offset)
        if _RULE.fullmatch(text) or self._open_fence(number, line) or self._open_html(text):
            self._leave(keep_fence=True)
        elif text.startswith(b">"):
            self._leave()
            self._lazy = not self._is_quoted_code(text[1:]) and _is_text(text)
        elif not self._open_item(number, text, line):
            self._go_on(number, text, offset)
        return None

    def _go_on(self, number: int, text: bytes, offset: int) -> None:
        """Text begins a paragraph or goes on with one, perhaps that of a quote or an item."""
        if self._lazy:
            return
        self._item = 0
        if self._paragraph or not _DEFINITION.fullmatch(text):
            self._begun = self._begun if self._paragraph else (number, offset)
            self._paragraph.append(text)

    def _end_paragraph(self) -> None:
        self._paragraph = []
        self._lazy = False

    def _leave(self, *, keep_fence: bool = False) -> None:
        """End the paragraph and the list item that a block at the margin ends."""
        self._end_paragraph()
        self._item = 0
        if not keep_fence:
            self._fence = None

    def _is_quoted_code(self, line: bytes) -> bool:
        """Whether a line of a quote stands in a code fence there, or is its first or last."""
        line = line.removeprefix(b" ")
        fence, text = self._quoted, line.strip()
        if fence and fence.goes_on(line, text):
            self._quoted = None if fence.is_closed_by(line, text) else fence
            return True
        self._quoted = Fence.opened_by(0, line)
        return self._quoted is not None

    def _open_fence(self, number: int, line: bytes) -> bool:
        self._fence = Fence.opened_by(number, line)
        return self._fence is not None

    def _open_html(self, text: bytes) -> bool:
        for begin, end in _HTML:
            found = begin.match(text)
            if found:
                self._html = None if end.search(text, found.end()) else end
                return True
        if _BLOCK_TAG.match(text) or (
            not (self._paragraph or self._lazy) and _OTHER_TAG.match(text)
        ):
            self._html = _NO_TEXT
            return True
        return False

    def _open_item(self, number: int, text: bytes, line: bytes) -> bool:
        item = _ITEM.match(text)
        if not item or (self._paragraph and (not item[2] or item[1][:-1] not in (b"", b"1"))):
            return False
        self._leave()
        spaces = len((item[2] or b" ").expandtabs(4))
        self._item = _indent(line) + len(item[1]) + (spaces if spaces < 5 else 1)
        self._emptied = 0 if item[2] else number + 1
        self._lazy = _is_text(text)
        return True


def _heading(level: int, text: bytes, line: int, offset: int) -> Heading:
    return Heading(level, text.decode("utf-8", "replace").strip(), line, offset)


def _is_text(text: bytes) -> bool:
    """Whether a line inside a quote or an item is text, with which the next line can go on."""
    for _ in range(_DEEPEST):
        if _RULE.fullmatch(text) or _ATX.fullmatch(text) or text.startswith((b"```", b"~~~")):
            return False
        item = _ITEM.match(text)
        inner = text[item.end() :] if item else text[1:] if text.startswith(b">") else text
        if inner == text:
            return text != b""
        text = inner.strip(b" \t")
    return True


def _indent(line: bytes) -> int:
    if line[0] not in b" \t":
        return 0
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip(b" "))


def _front_matter(found: list[bytes]) -> tuple[int, int]:
    """How many lines at the start are front matter, and their bytes."""
    if not found or found[0].removeprefix(_BOM).rstrip() != b"---":
        return 0, 0
    for number, line in enumerate(found[1:], 2):
        if line.rstrip() in (b"---", b"..."):
            return number, sum(map(len, found[:number]))
    return 0, 0
