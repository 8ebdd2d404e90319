"""What `nestwork-nesting-depth` says, word for word."""

from __future__ import annotations

import json

import pytest

from tests.conftest import FIRST, Repo, Run, to_fix, topic

HOOK = "nestwork-nesting-depth"
DEEP = (
    "nested deeper than <topic>/<subtopic>.md, where no index lists it: git mv shared/{} shared/{}"
)
BREAKS = "its name has {}, which breaks the index: rename it with git mv"
ENDS = "its name has {}, which ends the index's link early; consider renaming it"

# name, as it is shown, what is said
NAMES = [
    ("a.md", "", ""),
    ("a/b.md", "", ""),
    ("naïve-机器_1.0+x.md", "", ""),
    ("a/b/c.md", "a/b/c.md", f"error: {DEEP.format('a/b/c.md', 'a/c.md')} [nesting-depth]"),
    (
        "a/b/c/d/e.md",
        "a/b/c/d/e.md",
        f"error: {DEEP.format('a/b/c/d/e.md', 'a/e.md')} [nesting-depth]",
    ),
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
    is_error = said.startswith("error")
    expected = f"shared/{shown}:1: {said}\n" if said else ""
    expected += to_fix("shared", by_hand=True) * is_error
    assert run(HOOK) == (int(is_error), expected, "")


def test_every_target_is_free(nest: Repo, run: Run) -> None:
    """For git and on disk, and no two topics are sent to the same."""
    names = ("a/b/x.md", "a/c/x.md", "a/d/x.md", "a/e/x.md")
    nest.stage({f"shared/{name}": topic() for name in (*names, "a/x.md")})
    nest.write({"shared/a/d-x.md": "untracked\n"})
    nest.git("commit", "-q", "-m", "x", "--", "shared/a/x.md")
    found = json.loads(run(HOOK, "--format", "json").out)["findings"]
    targets = ["a/b-x.md", "a/c-x.md", "a/d-x-2.md", "a/e-x.md"]
    assert [finding["fix"]["argv"][2:] for finding in found] == [
        [f"shared/{name}", f"shared/{target}"] for name, target in zip(names, targets, strict=True)
    ]
    for finding in found:
        nest.git(*finding["fix"]["argv"][1:])
    assert run(HOOK).out == ""


def test_too_deep_and_badly_named(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a/b/`.md": topic()})
    said = run(HOOK).out.partition(FIRST)[0]
    assert [line.rpartition(" ")[2] for line in said.splitlines()] == [
        "[nesting-depth]",
        "[topic-name]",
    ]


def test_a_topic_that_is_gone_from_disk_is_gone(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a/b/c.md": topic()})
    nest.write({"shared/a/b/c.md": None})
    assert run(HOOK) == (0, "", "")
    assert run(HOOK, "--staged").code == 1
