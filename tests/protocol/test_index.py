from __future__ import annotations

import pytest

from nestwork_hooks.protocol import index
from nestwork_hooks.protocol.markers import Block, find_block
from nestwork_hooks.protocol.topic import Topic
from tests import laws
from tests.conftest import BEGIN, END, NOTE


def _topic(
    name: str, description: str = "D", updated: str = "2026-09-27", size: int = 100
) -> Topic:
    return Topic(name, size, laws.head_with({"description": description, "updated": updated}))


@pytest.mark.parametrize(
    ("topic", "line"),
    [
        (_topic("a.md"), "- [`a.md`](a.md) — D (2026-09-27, 0.1 KB)"),
        (_topic("a/b c.md", updated=""), "- [`a/b c.md`](a/b c.md) — D (0.1 KB)"),
        (_topic("字.md", "说 (x)", "soon", 0), "- [`字.md`](字.md) — 说 (x) (soon, 0.0 KB)"),
        (_topic("a.md", size=6_246), "- [`a.md`](a.md) — D (2026-09-27, 6.1 KB)"),
        (_topic("a.md", size=1_228_800), "- [`a.md`](a.md) — D (2026-09-27, 1200.0 KB)"),
        (_topic("a.md", "read --", ">2026"), "- [`a.md`](a.md) — read -- (>2026, 0.1 KB)"),
        (_topic("a-.md", "->", "<!"), "- [`a-.md`](a-.md) — -> (<!, 0.1 KB)"),
    ],
)
def test_entry(topic: Topic, line: str) -> None:
    assert index.entry(topic) == line
    assert f"\n{line}\n" in index.render([topic])


def test_render() -> None:
    names = ["tooling.md", "tooling-x.md", "tooling/mail.md", "Zed.md", "a.md", "机.md", "ä.md"]
    lines = index.render(map(_topic, names)).split("\n")
    assert lines[:3] == [BEGIN, NOTE, ""]
    assert lines[-2:] == ["", END]
    assert list(map(index.entry_name, lines[3:-2])) == [
        "Zed.md", "a.md", "tooling/mail.md", "tooling-x.md", "tooling.md", "ä.md", "机.md",
    ]  # fmt: skip


def test_render_without_topics() -> None:
    assert index.render([]) == f"{BEGIN}\n{NOTE}\n\n_No topic files yet._\n\n{END}"


@pytest.mark.parametrize(
    "topic",
    [
        _topic("a.md", ""),
        _topic("a/b/c.md"),
        _topic("a\udcff.md"),
        _topic("a\n.md"),
        _topic("<!--.md"),
        _topic("a.md", "x --> y"),
        _topic("a.md", "x\x85"),
        _topic("a.md", updated="\t"),
    ],
)
def test_left_out(topic: Topic) -> None:
    assert not index.lists(topic)
    assert index.render([topic, _topic("b.md")]) == index.render([_topic("b.md")])


@pytest.mark.parametrize("name", ["a`b.md", "a b.md", "a](b.md", "a`](b.md", "a`](b) — c.md"])
def test_unhandy_names_are_in_it(name: str) -> None:
    assert index.entry_name(index.entry(_topic(name))) == name


@pytest.mark.parametrize("line", ["", "- x", "* [`a`](a) — d", "- [`a`](b) — d", "- [`a`](a) - d"])
def test_no_entry(line: str) -> None:
    assert index.entry_name(line) is None


A, B = _topic("a.md"), _topic("b.md")
FRESH = index.render([A, B])
EMPTY = f"{BEGIN}\n{END}"
UNAFFECTED = "; routing is not affected"
# what stands there, what is said of it
DIFFERENCES = [
    (FRESH, ""),
    (EMPTY, "missing a.md, b.md"),
    (index.render([A]), "missing b.md"),
    (index.render([A, B, _topic("c.md")]), "gone c.md"),
    (index.render([A, _topic("b.md", "Other")]), "changed b.md"),
    (index.render([A, _topic("b.md", updated="2026-10-01")]), "changed b.md"),
    (index.render([A, _topic("b.md", updated="")]), "changed b.md"),
    (index.render([A, _topic("b.md", size=900)]), f"only sizes (b.md){UNAFFECTED}"),
    (FRESH.replace(index.entry(A), index.entry(A) + "\n" + index.entry(A)), "doubled a.md"),
    (
        FRESH.replace(index.entry(B), index.entry(_topic("c.md", size=1))),
        "missing b.md; gone c.md",
    ),
    (
        FRESH.replace(index.entry(A), "x").replace(
            index.entry(B), index.entry(A) + "\n" + index.entry(B)
        ),
        f"only its layout, as after a formatter or an edit by hand{UNAFFECTED}",
    ),
    (
        FRESH.replace(
            index.entry(A) + "\n" + index.entry(B), index.entry(B) + "\n" + index.entry(A)
        ),
        f"only the order of its lines{UNAFFECTED}",
    ),
    (
        FRESH.replace(BEGIN, BEGIN + " "),
        f"only its layout, as after a formatter or an edit by hand{UNAFFECTED}",
    ),
    (FRESH.replace("- [`a", "* [`a"), "missing a.md"),
    (
        FRESH.replace(index.entry(A), f"<<<<<<< x\n{index.entry(A)}\n=======\n>>>>>>> y"),
        "a merge conflict in it",
    ),
    (
        FRESH.replace(index.entry(A), "<<<<<<< x\n=======\n>>>>>>> y"),
        "a merge conflict in it; missing a.md",
    ),
    (
        index.render([A, B, *(_topic(f"{n}.md") for n in range(5))]),
        "gone 0.md, 1.md, 2.md and 2 more",
    ),
]


@pytest.mark.parametrize(("actual", "said"), DIFFERENCES)
def test_difference(actual: str, said: str) -> None:
    assert index.difference(actual, FRESH) == said


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_splice_keeps_all_else(newline: str) -> None:
    text = f"\ufeffé\n{BEGIN}{newline}old\n{END}after\r\nno end".replace("after", " \t\nafter")
    data = text.encode()
    block = find_block(data)
    assert isinstance(block, Block)
    new = index.splice(data, block, FRESH)
    assert new.decode() == text.replace(f"{BEGIN}{newline}old\n{END}", FRESH.replace("\n", newline))
    again = find_block(new)
    assert isinstance(again, Block)
    assert index.current(new, again) == FRESH
    assert index.splice(new, again, FRESH) == new
