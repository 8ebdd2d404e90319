from __future__ import annotations

import pytest

from nestwork_hooks.protocol import index
from nestwork_hooks.protocol.handwritten import link
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
    assert [link(line)[0] for line in lines[3:-2]] == [  # type: ignore[index]
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
