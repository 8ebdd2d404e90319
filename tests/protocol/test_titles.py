"""File names made from headings."""

from __future__ import annotations

import pytest

from nestwork_hooks.protocol.titles import Names, slug

# Heading, its name in an agent's scope, its name in shared/.
SLUGS = (
    ("Build Box", "build-box", "build-box"),
    ("  C++ / Rust & Go!  ", "c-rust-go", "c-rust-go"),
    ("Don't deploy", "dont-deploy", "dont-deploy"),
    ("v1.2_beta", "v1-2-beta", "v1-2-beta"),
    ("Café Übung", "café-übung", "cafe-ubung"),
    ("日志与主机", "日志与主机", ""),
    ("日志 logs", "日志-logs", "logs"),
    ("हिन्दी", "हिन्दी", ""),
    ("`code` *bold* _em_", "code-bold-em", "code-bold-em"),
    ("[text](http://x.example/a_(b)) and ![alt](y.png)", "text-and-alt", "text-and-alt"),
    ("[text][ref] <https://x.example> <b>b</b>", "text-b", "text-b"),
    ("a &amp; b &lt;c&gt;", "a-b-c", "a-b-c"),
    ("🚀", "", ""),
    ("!!!", "", ""),
    ("", "", ""),
    (f"{'word ' * 40}", "-".join(["word"] * 20), "-".join(["word"] * 20)),
    ("x" * 300, "x" * 100, "x" * 100),
    ("語" * 100, "語" * 33, ""),
)


@pytest.mark.parametrize(("heading", "any_script", "in_shared"), SLUGS)
def test_slug(heading: str, any_script: str, in_shared: str) -> None:
    assert slug(heading, ascii_only=False) == any_script
    assert slug(heading, ascii_only=True) == in_shared


def test_each_name_is_given_once() -> None:
    names = Names(["hosts.md", "Ports.md", "big/part.md"], ascii_only=True)
    given = [names.give(heading, at) for at, heading in enumerate(("Hosts", "hosts", "ports"), 1)]
    assert given == ["hosts-2", "hosts-3", "ports-2"]
    assert names.give("Part", 1, "big/", "part") == "big/part-2"
    assert names.give("日志", 7) == "topic-07"
    assert names.give("日志", 7) == "topic-07-2"


@pytest.mark.parametrize(
    "heading", ["Memory", "resident", "Archive", "outbox", "CON", "lpt1", "Nul"]
)
def test_no_name_is_taken_for_something_else(heading: str) -> None:
    assert Names([], ascii_only=True).give(heading, 1) == f"{heading.lower()}-topic"
