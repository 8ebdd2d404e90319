"""What a Markdown text points to: its links and wiki links, and the anchors that others can name.

markdown-it-py parses, as CommonMark with tables. Loading it takes longer than the rest of a run, so
nobody imports this module before there is a text that may point anywhere.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import category

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_inline import image, link

from nestwork_hooks.light import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

    _Rule: TypeAlias = Callable[[StateInline, bool], bool]
    _Environment: TypeAlias = dict[str, dict[str, Any]]

# Variation selectors say how an emoji looks; tables of contents leave them out.
_SELECTORS = dict.fromkeys((0xFE0E, 0xFE0F))
# Unicode categories of what GitHub keeps of a heading, beside dashes and spaces.
_KEPT = frozenset({"Nd", "Nl", "Pc", "Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Me", "Mn"})
# Tokens of a paragraph whose text is shown.
_SHOWN = frozenset({"text", "text_special", "code_inline", "wiki"})
_EMOJI = re.compile(r":[a-z0-9_+-]+:")
_WIKI = re.compile(r"\[\[([^\[\]\n]+)\]\]")
# Ids of HTML, and those that site generators know: {#id} and (id)=.
_IDS = (
    re.compile(r"<[a-zA-Z][^<>]*?\s(?:id|name)\s*=\s*[\"']?([^\"'\s<>]+)"),
    re.compile(r"\{[^{}#\n]*#([\w:.-]+)"),
    re.compile(r"^\(([\w:. -]+)\)=[ \t]*$", re.MULTILINE),
)
_HTML_HEADING = re.compile(r"<(h[1-6])\b[^<>]*>(.{0,300}?)</\1>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


class Pointer(Frozen):
    """A link or an image, or a wiki link (`is_wiki`), and the line where it begins, from 1.

    `target` is where it leads, entities and backslashes resolved, percent signs not; of a wiki link
    what stands in its brackets. The line of a reference is that of its definition.
    """

    line: int
    target: str
    is_wiki: bool = False


def pointers(text: str) -> list[Pointer]:
    """The links, images and wiki links of a text, in order; none from code, comments or HTML.

    A reference is told once for each definition that is used, without footnotes.
    """
    parser, tokens, environment = _parsed(text)
    found: dict[tuple[int, str, bool], Pointer] = {}
    for token in tokens:
        if token.type == "inline" and "]" in token.content and token.map:
            for pointer in _of_paragraph(parser, token, token.map[0] + 1, environment):
                key = (pointer.line, pointer.target, pointer.is_wiki)
                found.setdefault(key, pointer)
    return sorted(found.values(), key=lambda pointer: pointer.line)


def _of_paragraph(
    parser: MarkdownIt, token: Token, line: int, environment: _Environment
) -> Iterator[Pointer]:
    children: list[Token] = []
    parser.inline.parse(token.content, parser, environment, children)
    at = 0
    for child in children:
        start = child.meta.get("start")
        if start is None:
            continue
        line, at = line + token.content.count("\n", at, start), start
        label = child.meta.get("label")
        if child.type == "wiki":
            yield Pointer(line, child.content, is_wiki=True)
        elif label is None:
            yield Pointer(line, str(child.attrs.get("href") or child.attrs.get("src") or ""))
        elif not label.startswith("^"):
            definition = environment["references"][label]
            yield Pointer(definition["map"][0] + 1, definition["href"])


def anchors(text: str) -> set[str]:
    """What an anchor into this text can name: headings as GitHub does, and explicit ids.

    Repeated headings are numbered from 1. Letter case is as an anchor has to be written.
    """
    parser, tokens, environment = _parsed(text)
    found, counts, before = set(_explicit_ids(text)), dict[str, int](), ""
    for token in tokens:
        names: list[str] = []
        if before == "heading_open":
            children: list[Token] = []
            parser.inline.parse(token.content, parser, environment, children)
            names = list(map(slug, _shown(children)))
        elif token.type == "html_block":
            names = list(map(slug, _html_headings(token.content)))
        for name in filter(None, dict.fromkeys(names)):
            count = counts[name] = counts.get(name, -1) + 1
            found.add(f"{name}-{count}" if count else name)
        before = token.type
    return found


def slug(heading: str) -> str:
    """The anchor that GitHub makes of a heading's text, without variation selectors."""
    kept = (c for c in heading.strip().lower() if c in "- " or category(c) in _KEPT)
    return comparable("".join(kept).replace(" ", "-"))


def comparable(anchor: str) -> str:
    """An anchor without what is no difference: variation selectors, and GitHub's own prefix."""
    return anchor.translate(_SELECTORS).removeprefix("user-content-")


def _shown(children: list[Token]) -> list[str]:
    """The text of a heading as a reader sees it; also without names of emoji, or an id in braces.

    GitHub shows an emoji for its name, and some site generators show no id.
    """
    shown = "".join(child.content for child in children if child.type in _SHOWN)
    return [_EMOJI.sub("\u2728", shown), shown, shown.partition(" {")[0]]


def _explicit_ids(text: str) -> Iterator[str]:
    for pattern in _IDS:
        yield from (comparable(match[1]) for match in pattern.finditer(text))


def _html_headings(html: str) -> Iterator[str]:
    for match in _HTML_HEADING.finditer(html):
        yield _TAG.sub("", match[2])


def without_front_matter(text: str, index: range = range(0)) -> str:
    """`text` with blank lines for its front matter, and for the lines of its `index`, from 1."""
    from nestwork_hooks.protocol.line_reader import front_lines

    text = text.removeprefix("\ufeff").replace("\0", "\ufffd")
    above = front_lines(text.encode()) if text.startswith("---") else 0
    if not (above or index):
        return text
    lines = text.split("\n")
    lines[:above] = [""] * above
    lines[index.start - 1 : index.stop - 1] = [""] * len(index)
    return "\n".join(lines)


def _parsed(text: str) -> tuple[MarkdownIt, list[Token], _Environment]:
    """The blocks of a text, its paragraphs not yet parsed, and its definitions."""
    parser = _parser()
    tokens: list[Token] = []
    environment: _Environment = {}
    parser.block.parse(text, parser, environment, tokens)
    return parser, tokens, environment


@cache
def _parser() -> MarkdownIt:
    """CommonMark with tables, in which each link knows where in its paragraph it begins."""
    parser = MarkdownIt("commonmark", {"store_labels": True}).enable("table")
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda _: True  # type: ignore[method-assign, assignment]
    parser.inline.ruler.at("link", _placed(link))
    parser.inline.ruler.at("image", _placed(image))
    parser.inline.ruler.after("link", "wiki", _wiki)
    return parser


def _placed(rule: _Rule) -> _Rule:
    """The same rule; the token that it makes first, text aside, knows where it begins."""

    def placed(state: StateInline, silent: bool) -> bool:
        start, count = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            made = (token for token in state.tokens[count:] if token.type != "text")
            next(made).meta["start"] = start
        return True

    return placed


def _wiki(state: StateInline, silent: bool) -> bool:
    match = _WIKI.match(state.src, state.pos, state.posMax)
    if not match or normalizeReference(match[1]) in state.env.get("references", ()):
        return False
    if not silent:
        token = state.push("wiki", "", 0)
        token.content = match[1]
        token.meta["start"] = state.pos
    state.pos = match.end()
    return True
