"""A memory.md, cut into topics."""

from __future__ import annotations

import os
import random

import pytest

from nestwork_hooks.protocol.content import CHUNK
from nestwork_hooks.protocol.front_matter import judge
from nestwork_hooks.protocol.headings import headings
from nestwork_hooks.protocol.splitting import (
    NothingToSplit,
    Plan,
    fault,
    front_matter,
    newline_of,
    plan,
    with_index,
)
from nestwork_hooks.protocol.titles import Names
from nestwork_hooks.protocol.topic import Topic, read_topic

INDEX = b"<!-- nestwork:topic-index:begin -->\n<!-- nestwork:topic-index:end -->"


def planned(text: bytes, level: int = 0, *, numbered: bool = False) -> Plan:
    front = front_matter(newline_of(text), "2026-12-01")
    return plan([text], Names([], ascii_only=True), front, level, numbered=numbered)


def pieces(found: Plan) -> list[tuple[str, bytes]]:
    return [(piece.name, piece.body) for piece in found.pieces]


CUTS = {
    "the highest level that occurs twice": (
        b"# T\n\nintro\n\n## A\na\n\n### x\n\n## B\nb",
        0,
        b"# T\n\nintro\n\n",
        [("a.md", b"## A\na\n\n### x\n\n"), ("b.md", b"## B\nb")],
    ),
    "two titles": (b"# A\na\n# B\nb\n", 0, b"", [("a.md", b"# A\na\n"), ("b.md", b"# B\nb\n")]),
    "a level that is asked for": (
        b"# T\n## A\n### x\n### y\n",
        3,
        b"# T\n## A\n",
        [("x.md", b"### x\n"), ("y.md", b"### y\n")],
    ),
    "a higher heading in between ends a piece too": (
        b"# T\n## A\na\n# U\nu\n## B\n",
        2,
        b"# T\n",
        [("a.md", b"## A\na\n"), ("u.md", b"# U\nu\n"), ("b.md", b"## B\n")],
    ),
    "underlined, the same name, CRLF": (
        b"T\r\n===\r\n\r\nA\r\n---\r\na\r\n\r\nA\r\n---\r\n",
        0,
        b"T\r\n===\r\n\r\n",
        [("a.md", b"A\r\n---\r\na\r\n\r\n"), ("a-2.md", b"A\r\n---\r\n")],
    ),
    "none in code": (
        b"## A\n```\n## no\n```\n## B\n",
        0,
        b"",
        [("a.md", b"## A\n```\n## no\n```\n"), ("b.md", b"## B\n")],
    ),
    "its own front matter stays": (
        b"---\ntitle: m\n---\n\n## A\n## B\n",
        0,
        b"---\ntitle: m\n---\n\n",
        [("a.md", b"## A\n"), ("b.md", b"## B\n")],
    ),
}


@pytest.mark.parametrize(("text", "level", "stays", "expected"), CUTS.values(), ids=CUTS)
def test_cut(text: bytes, level: int, stays: bytes, expected: list[tuple[str, bytes]]) -> None:
    found = planned(text, level)
    assert (found.stays, pieces(found), fault(found, [text])) == (stays, expected, "")


NOTHING = (
    (b"", 0, "it has no headings"),
    (b"text\n", 0, "it has no headings"),
    (b"# A\n## B\n", 0, "no level of heading occurs twice in it; --level N splits at one"),
    (b"# A\n# B\n", 2, "it has no heading of level 2"),
)


@pytest.mark.parametrize(("text", "level", "expected"), NOTHING)
def test_nothing_to_split(text: bytes, level: int, expected: str) -> None:
    with pytest.raises(NothingToSplit, match=expected):
        planned(text, level)


def test_numbered_names() -> None:
    found = planned(b"## A\n## B\n", numbered=True)
    assert [piece.name for piece in found.pieces] == ["topic-01.md", "topic-02.md"]


def test_a_section_over_the_advice_is_split_one_level_deeper() -> None:
    part = b"- a line\n" * 1_200
    text = b"## Big\nintro\n#### One\n" + part + b"#### Two\n" + part + b"## Flat\n" + part * 2
    found = planned(text)
    assert [(piece.name, piece.heading) for piece in found.pieces] == [
        ("big.md", "Big"),
        ("big/one.md", "One"),
        ("big/two.md", "Two"),
        ("flat.md", "Flat"),
    ]
    assert found.pieces[0].body == b"## Big\nintro\n"
    assert fault(found, [text]) == ""


def test_the_index_goes_below_what_stays_or_where_it_was() -> None:
    assert with_index(planned(b"# T\n\n## A\n## B\n"), INDEX, b"\n") == b"# T\n\n" + INDEX + b"\n"
    assert with_index(planned(b"# T\n## A\n## B\n"), INDEX, b"\n") == b"# T\n\n" + INDEX + b"\n"
    assert with_index(planned(b"## A\n## B\n"), INDEX, b"\n") == INDEX + b"\n"
    texts = [b"# T\n## A\na\n", b"\ntail\n## B\n"]
    found = plan(texts, Names([], ascii_only=True), b"", 0, numbered=False)
    assert with_index(found, INDEX, b"\n") == b"# T\n" + INDEX + b"\ntail\n"
    assert pieces(found) == [("a.md", b"## A\na\n"), ("b.md", b"## B\n")]
    assert fault(found, texts) == ""


def test_a_plan_that_loses_a_byte_is_no_split() -> None:
    found = planned(b"# T\n## A\na\n## B\n")
    assert fault(found, [b"# T\n## A\nb\n## B\n"]) == "its pieces are not the whole text"


_LINES = (
    *("# One", "## Two", "## Two", "### Three", "#### Four ####", "Under", "=====", "Under", "---"),
    *(
        "- item",
        "  - deeper",
        "1. one",
        "> quote",
        "text",
        "日志 text",
        "a `b` [c](d)",
        "| a |",
        "\t",
    ),
    *(
        "```",
        "~~~",
        "<!-- c",
        "-->",
        "<div>",
        "    code",
        "",
        "",
        "",
        "---",
        "## 日志",
        "##",
        "## 🚀",
    ),
    *("description: x", "--> <!--", "\u200b", "x" * 40, "## [l](u) `c`", "\ufeff", "## con"),
)


def _document(draw: random.Random) -> bytes:
    newline = draw.choice(("\n", "\n", "\n", "\r\n", "\r"))
    chosen = draw.choices(_LINES, k=draw.randint(0, 30))
    if draw.random() < 0.02:
        chosen += ["- a long line of text that goes on"] * 600
    text = newline.join(chosen) + draw.choice(("", newline))
    return (draw.choice(("", "", "\ufeff")) + text).encode()


def _is_split_whole(count: int, seed: int) -> None:
    """Each plan is a proof of itself; here its files are looked at once more, from outside."""
    draw, split = random.Random(seed), 0
    for _ in range(count):
        text = _document(draw)
        try:
            found = planned(text, draw.choice((0, 0, 0, 2, 3)), numbered=draw.random() < 0.2)
        except NothingToSplit:
            continue
        assert fault(found, [text]) == ""
        split += 1
        bodies = [piece.content(found.front)[len(found.front) :] for piece in found.pieces]
        assert found.stays + b"".join(bodies) == text
        files = [found.stays, *(piece.content(found.front) for piece in found.pieces)]
        apart = [heading.text for file in files for heading in headings(file)]
        assert apart == [heading.text for heading in headings(text)]
        assert len({piece.name for piece in found.pieces}) == len(bodies)
        for piece in found.pieces:
            _passes_but_for_its_description(piece.name, piece.content(found.front))
    assert split > count // 3


def _passes_but_for_its_description(name: str, content: bytes) -> None:
    chunks = [content[at : at + CHUNK] for at in range(0, len(content) + 1, CHUNK)]
    topic = read_topic(name, chunks)
    assert isinstance(topic, Topic)
    assert topic.updated == "2026-12-01"
    fault = judge(topic.head)
    assert fault is None or fault.rule == "missing-description"


def test_every_document_is_split_whole() -> None:
    _is_split_whole(500, seed=1)


@pytest.mark.slow
def test_every_document_is_split_whole_in_many() -> None:
    _is_split_whole(int(os.environ.get("NESTWORK_EXAMPLES", "1")) * 100_000, seed=2)
