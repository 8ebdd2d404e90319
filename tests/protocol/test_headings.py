"""Headings, as CommonMark has them."""

from __future__ import annotations

import random

import pytest
from markdown_it import MarkdownIt

from nestwork_hooks.protocol.headings import headings, lines

FOUND = {
    "hashes": ("# A\n## B b\n", [(1, "A", 1), (2, "B b", 2)]),
    "closing hashes": ("## C ##\n## D#\n", [(2, "C", 1), (2, "D#", 2)]),
    "empty": ("#\n## \n", [(1, "", 1), (2, "", 2)]),
    "no space, seven, escaped": ("#no\n\n####### no\n\n\\# no\n", []),
    "indented": ("   # A\n\n    # code\n\n\t# code\n", [(1, "A", 1)]),
    "underlined": ("A\n===\n\nB\n---\n", [(1, "A", 1), (2, "B", 4)]),
    "underlined, of two lines": ("A\nof two\n---\n", [(2, "A of two", 1)]),
    "a rule": ("text\n\n---\n\n***\n- - -\n", []),
    "code fence": ("```\n# A\n```\n~~~ sh\n# B\n~~~\n# C\n", [(1, "C", 7)]),
    "code fence that never closes": ("# A\n```\n# B\n", [(1, "A", 1)]),
    "comment": ("<!-- # A\n# B\n\n# C -->\n# D\n", [(1, "D", 5)]),
    "HTML block": ("<div>\n# A\n\n# B\n\n<pre>\n\n# C\n</pre>\n# D\n", [(1, "B", 4), (1, "D", 10)]),
    "quote and list": ("> # A\n\n- # B\n  # C\n\n  # D\n\n1. x\n# E\n", [(1, "E", 9)]),
    "lazy text": ("> quote\nlazy\n---\n- item\nlazy\n===\n", []),
    "table": ("| a |\n|---|\n| b |\n", []),
    "target of a link": ("[a]: /u\n---\n", []),
    "front matter": ("---\ntitle: x\n# no\n---\n# A\n", [(1, "A", 5)]),
    "front matter that never closes": ("---\n# A\n", [(1, "A", 2)]),
    "byte order mark": ("\ufeff# A\n", [(1, "A", 1)]),
    "line ends": ("# A\r\n# B\r# C\n", [(1, "A", 1), (1, "B", 2), (1, "C", 3)]),
    "separators that end no line": ("# A\u2028# B\x0b# C\n", [(1, "A\u2028# B\x0b# C", 1)]),
    "nothing": ("", []),
}


@pytest.mark.parametrize(("text", "expected"), FOUND.values(), ids=FOUND)
def test_headings(text: str, expected: list[tuple[int, str, int]]) -> None:
    found = headings(text.encode())
    assert [(heading.level, heading.text, heading.line) for heading in found] == expected
    starts = [b"".join(lines(text.encode())[: heading.line - 1]) for heading in found]
    mark = 3 if text.startswith("\ufeff") else 0
    assert [heading.offset for heading in found] == [len(start) or mark for start in starts]


_BITS = (
    *("# A", "## B ##", "#no", "text", "more text", "  # in", "    # code", "\\# x", "a # b", "#"),
    *("- item", "- # inner", "  more", "* x", "1. one", "2. two", "> quote", "> # q", "-", "- ---"),
    *("===", "---", "- - -", "***", "   ===", "```", "~~~", "```py", "> ```", "```x`y", "[a]: /u"),
    *("<!-- c", "-->", "<!-- one -->", "<div>", "<b>x</b>", "<span>", "<pre>", "</pre>", "<?php"),
    *("", "", "", "\ttext", "    - deep"),
)


def _as_the_library_has_them(text: str) -> list[tuple[int, int]]:
    tokens = _LIBRARY.parse(text)
    found = [token for token in tokens if token.type == "heading_open" and token.level == 0]
    return [(int(token.tag[1]), token.map[0] + 1) for token in found if token.map]


_LIBRARY = MarkdownIt("commonmark")
_LIBRARY.core.ruler.enableOnly(["normalize", "block"])


def _agrees(count: int, seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(count):
        text = "\n".join(draw.choices(_BITS, k=draw.randint(1, 7))) + "\n"
        if not text.startswith("---"):  # The library knows no front matter.
            found = [(heading.level, heading.line) for heading in headings(text.encode())]
            assert found == _as_the_library_has_them(text), text


def test_a_parser_of_commonmark_finds_the_same() -> None:
    _agrees(1_000, seed=1)


@pytest.mark.slow
def test_a_parser_of_commonmark_finds_the_same_in_many_texts() -> None:
    _agrees(50_000, seed=2)
