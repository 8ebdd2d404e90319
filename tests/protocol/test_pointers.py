"""What points where in a Markdown text, and what an anchor into it can name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestwork_hooks.protocol.pointers import anchors, pointers, without_front_matter


def _links(text: str) -> list[tuple[int, str]]:
    return [(found.line, found.target) for found in pointers(text) if not found.is_wiki]


def _wikis(text: str) -> list[tuple[int, str]]:
    return [(found.line, found.target) for found in pointers(text) if found.is_wiki]


LINKS = [
    ("[a](b.md)\n", [(1, "b.md")]),
    ("[a](<b c.md> 'title') and [d](e.md (title))\n", [(1, "b c.md"), (1, "e.md")]),
    ("[a]( b.md )\n", [(1, "b.md")]),
    ("[a](b%20c.md)\n", [(1, "b%20c.md")]),
    ("[a](b\\_c.md) [d](e&amp;f.md)\n", [(1, "b_c.md"), (1, "e&f.md")]),
    ("[a](b(c).md)\n", [(1, "b(c).md")]),
    ("![a](b.png)\n", [(1, "b.png")]),
    ("[![a](b.png)](c.md)\n", [(1, "c.md"), (1, "b.png")]),
    ("[a][b]\n\n[b]: c.md 'title'\n", [(3, "c.md")]),
    ("[b][] and [b]\n\n[b]:\n  <c d.md>\n", [(3, "c d.md")]),
    ("one\ntwo [a](b.md)\n\n> - three\n>   [c](d.md)\n", [(2, "b.md"), (5, "d.md")]),
    ("[over two\nlines](b.md) [c](d.md)\n", [(1, "b.md"), (2, "d.md")]),
    ("| a | b |\n|---|---|\n| [c](d.md) | `[e](f.md)` |\n", [(3, "d.md")]),
    ("# [a](b.md)\n\n[c](d.md)\n====\n", [(1, "b.md"), (3, "d.md")]),
    ("[a](b.md) [a](b.md)\n", [(1, "b.md")]),
    ("text of no link\n", []),
    ("[a] (b.md) and [c]\n", []),
    ("`[a](b.md)` ``[c](d.md)``\n", []),
    ("```\n[a](b.md)\n```\n\n    [c](d.md)\n", []),
    ("~~~md\n[a](b.md)\n", []),
    ("<!-- [a](b.md) -->\n\n<!--\n[c](d.md)\n\n[e](f.md)\n-->\n", []),
    ("text <!-- [a](b.md) --> more\n", []),
    ("<div>\n[a](b.md)\n</div>\n", []),
    ("\\[a](b.md)\n", []),
    ("[unused]: b.md\n", []),
    ("A note.[^1]\n\n[^1]: notes.md\n", []),
    ("- [ ] to do\n- [x] done\n", []),
]


@pytest.mark.parametrize(("text", "found"), LINKS)
def test_links(text: str, found: list[tuple[int, str]]) -> None:
    assert _links(text) == found


WIKIS = [
    ("See [[hosts]] and [[ports|the ports]].\n", [(1, "hosts"), (1, "ports|the ports")]),
    ("- one\n- [[hosts#Names]]\n", [(2, "hosts#Names")]),
    ("![[diagram.png]]\n", [(1, "diagram.png")]),
    ("[a [[hosts]] b](c.md)\n", [(1, "hosts")]),
    ("`[[hosts]]`\n\n```\n[[ports]]\n```\n<!-- [[x]] -->\n", []),
    ("[[1]](b.md) [[hosts]\n[over [[two\nlines]]\n", []),
    ("[[hosts]]\n\n[hosts]: hosts.md\n", []),
]


@pytest.mark.parametrize(("text", "found"), WIKIS)
def test_wiki_links(text: str, found: list[tuple[int, str]]) -> None:
    assert _wikis(text) == found


ANCHORS = [
    ("# Open ports\n", {"open-ports"}),
    ("Over\n====\n\nUnder\n-----\n", {"over", "under"}),
    ("## A *very* **bold** `code_x` [link](y.md)\n", {"a-very-bold-code_x-link"}),
    ("# What's new? (2.0), it's & more\n", {"whats-new-20-its--more"}),
    ("# Same\n# Same\n# same!\n", {"same", "same-1", "same-2"}),
    ("# Über Straße\n# 机器 设置（重要）\n# हिन्दी\n", {"über-straße", "机器-设置重要", "हिन्दी"}),
    ("# :rocket: Go\n", {"-go", "rocket-go"}),
    ("# ⚙️ Settings\n", {"-settings"}),
    ("# A_b-c  d\n", {"a_b-c--d"}),
    ("# Ports {#open}\n", {"open", "ports", "ports-open"}),
    (
        '<a id="x"></a>\n<a name=\'y\'></a>\n<h2 align="center">Big <b>Title</b></h2>\n',
        {"x", "y", "big-title"},
    ),
    ("(label)=\n# T\n", {"label", "t"}),
    ("> # Quoted\n\n- # Listed\n", {"quoted", "listed"}),
    ("```\n# no\n```\n<!--\n# no\n-->\n#no\n", set()),
    ("# <!-- x -->\n", set()),
]


@pytest.mark.parametrize(("text", "found"), ANCHORS)
def test_anchors(text: str, found: set[str]) -> None:
    assert anchors(text) == found


def test_lines_stay_where_they_are() -> None:
    text = "\ufeff---\ndescription: see [a](b.md)\n---\n[c](d.md)\n[e](f.md)\n[g](h.md)\n"
    assert _links(without_front_matter(text)) == [(4, "d.md"), (5, "f.md"), (6, "h.md")]
    assert _links(without_front_matter(text, range(5, 6))) == [(4, "d.md"), (6, "h.md")]
    assert without_front_matter("---\n[a](b.md)\n") == "---\n[a](b.md)\n"


# How a text goes on that could take long, or deep.
HOSTILE = {
    "brackets": ("[" * 3_000 + "x" + "](a.md)" * 3_000, 1),
    "open brackets": ("[" * 20_000 + "](a.md)", 1),
    "one line": ("[a](b.md) " * 5_000, 1),
    "lines": ("[a](b.md)\n\n" * 5_000, 5_000),
    "quotes": (">" * 20_000 + " [a](b.md)", 0),
    "lists": ("- " * 20_000 + "[a](b.md)", 0),
    "tags": ("<a" * 20_000 + "](b.md)", 0),
    "nested": ("[a](" * 5_000, 0),
    "comments": ("<!-- " * 20_000 + "](b.md)", 0),
    "definitions": ("".join(f"[a{n}]: x\n" for n in range(5_000)), 0),
    "emphasis": ("*a_" * 5_000 + "[a](b.md)", 1),
    "wiki": ("[[" * 5_000, 0),
    "ids": ("{#a" * 20_000 + "<a id=" * 5_000, 0),
}


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_is_too_deep(name: str) -> None:
    text, count = HOSTILE[name]
    assert len(pointers(text)) == count
    anchors(text)


@given(st.text(alphabet="[]()<>!#`*_\\-:|>~&; \n\tab.md{}=^'\"\0\u2028\ufeff", max_size=60))
def test_any_text_is_read(text: str) -> None:
    text = without_front_matter(text)
    lines = text.count("\n") + 1
    assert all(1 <= found.line <= lines for found in pointers(text))
    anchors(text)
