"""What `nestwork-nesting-depth` says, word for word."""

from __future__ import annotations

import pytest

from tests.conftest import Repo, Run, topic

HOOK = "nestwork-nesting-depth"
DEEP = "nested deeper than <topic>/<subtopic>.md, where no index lists it: move it to shared/{}, or to another free name there, with git mv"
BREAKS = "its name has {}, which breaks the index: rename it with git mv"
ENDS = "its name has {}, which ends the index's link early; consider renaming it"

# name, as it is shown, what is said
NAMES = [
    ("a.md", "", ""),
    ("a/b.md", "", ""),
    ("naïve-机器_1.0+x.md", "", ""),
    ("a/b/c.md", "a/b/c.md", f"error: {DEEP.format('a/c.md')} [nesting-depth]"),
    ("a/b/c/d/e.md", "a/b/c/d/e.md", f"error: {DEEP.format('a/e.md')} [nesting-depth]"),
    ("a`b.md", "a`b.md", f"error: {BREAKS.format('a backtick')} [topic-name]"),
    (
        "a\tb.md",
        "a\\x09b.md",
        f"error: {BREAKS.format('<!--, --> or a control character')} [topic-name]",
    ),
    (
        "<!--.md",
        "<!--.md",
        f"error: {BREAKS.format('<!--, --> or a control character')} [topic-name]",
    ),
    (
        "a\udcff.md",
        "a\\xff.md",
        "error: its name is not UTF-8, which breaks the index: rename it with git mv [topic-name]",
    ),
    ("a b.md", "a b.md", f"warning: {ENDS.format('a space')} [topic-name]"),
    *((f"a{c}.md", f"a{c}.md", f"warning: {ENDS.format(c)} [topic-name]") for c in "()[]<>"),
]


@pytest.mark.parametrize(("name", "shown", "said"), NAMES)
def test_name(nest: Repo, run: Run, name: str, shown: str, said: str) -> None:
    nest.stage({f"shared/{name}": topic()})
    expected = f"shared/{shown}:1: {said}\n" if said else ""
    assert run(HOOK) == (int(said.startswith("error")), expected, "")


def test_too_deep_and_badly_named(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a/b/`.md": topic()})
    said = run(HOOK).out
    assert [line.rpartition(" ")[2] for line in said.splitlines()] == [
        "[nesting-depth]",
        "[topic-name]",
    ]


def test_a_topic_that_is_gone_from_disk_is_gone(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a/b/c.md": topic()})
    nest.write({"shared/a/b/c.md": None})
    assert run(HOOK) == (0, "", "")
    assert run(HOOK, "--staged").code == 1
