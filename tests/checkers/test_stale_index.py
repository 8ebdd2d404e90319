"""What `nestwork-stale-index` says, word for word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import (
    BEGIN,
    END,
    MARKERS,
    RULES,
    Files,
    Repo,
    Run,
    entry,
    memory,
    to_fix,
    topic,
)

HOOK = "nestwork-stale-index"
AT = "shared/memory.md:3: error: topic index is stale: "
FIX = to_fix("shared")
BY_HAND = to_fix("shared", by_hand=True)
MATCH = "; routing is not affected, but every clone has to write the same index"

# what is staged in a sound nest, what is said
STALE: list[tuple[Files, str]] = [
    ({"shared/new.md": topic()}, "missing a line for new.md"),
    ({"shared/hosts.md": None}, "a line for hosts.md, which is gone"),
    ({"shared/hosts.md": topic("Other")}, "a line for hosts.md unlike its front matter"),
    (
        {"shared/hosts.md": topic(body="x" * 2_000)},
        f"only sizes (hosts.md){MATCH}",
    ),
    (
        {"shared/memory.md": memory(entry("ports.md"), entry("hosts.md"))},
        f"only the order of its lines{MATCH}",
    ),
    (
        {"shared/memory.md": MARKERS},
        "never generated, so it lists none of its topics (hosts.md, ports.md)",
    ),
    (
        {"shared/memory.md": memory(entry("hosts.md"))},
        "missing a line for ports.md",
    ),
    (
        {"shared/memory.md": memory()},
        "missing lines for hosts.md, ports.md",
    ),
    (
        {"shared/hosts.md": "no front matter\n"},
        "a line for hosts.md, which is kept out of every index by a fault of its own",
    ),
    (
        {"shared/memory.md": memory("* " + entry("hosts.md")[2:], entry("ports.md"))},
        f"only its layout, as after a formatter or an edit by hand{MATCH}",
    ),
    (
        {"shared/memory.md": memory(entry("hosts.md"), "By hand.", entry("ports.md"))},
        "a line in it that nobody generated (line 7), which the fixer moves right below the end"
        " marker",
    ),
    (
        {"shared/memory.md": memory("One.", "", entry("hosts.md"), "- two", "- three")},
        "missing a line for ports.md; 3 lines in it that nobody generated (lines 6, 9 and 10),"
        " which the fixer moves right below the end marker",
    ),
    (
        {"shared/memory.md": memory(entry("hosts.md"), entry("ports.md"), entry("hosts.md"))},
        "more than one line for hosts.md",
    ),
    (
        {"shared/hosts.md": None, "shared/new.md": topic(), "shared/ports.md": topic("Other")},
        "missing a line for new.md; a line for hosts.md, which is gone; a line for ports.md unlike"
        " its front matter",
    ),
]


@pytest.mark.parametrize(("files", "said"), STALE)
def test_stale(nest: Repo, run: Run, files: Files, said: str) -> None:
    nest.stage(files)
    assert run(HOOK) == (1, f"{AT}{said} [stale-index]\n{FIX}", "")


def test_nothing_to_say(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": topic(body="y\n")})
    assert run(HOOK) == (0, "", "")


GONE = (
    "shared/memory.md:1: error: {} gone while topics remain (2), which nothing leads to now: {}, or"
    f" move the topics out in the same commit [broken-markers]\n{BY_HAND}"
)


PUT = f"put a line {BEGIN} where the index is to be and a line {END} right below it"
RESTORE = "git checkout HEAD -- shared/memory.md brings it back, with what is written by hand in it"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"shared/memory.md": "# Memory\n"}, GONE.format("its markers are", PUT)),
        ({"shared/memory.md": None}, GONE.format("the file is", RESTORE)),
        ({"shared/memory.md": "# Memory\n", "shared/hosts.md": None, "shared/ports.md": None}, ""),
        ({"shared/memory.md": None, "shared/hosts.md": None, "shared/ports.md": None}, ""),
        (
            {"shared/memory.md": f"{BEGIN}\n"},
            "shared/memory.md:1: error: the begin marker is alone: put a line"
            f" {END} right below it [broken-markers]\n{BY_HAND}",
        ),
    ],
)
def test_markers(nest: Repo, run: Run, files: Files, said: str) -> None:
    nest.stage(files)
    assert run(HOOK) == (int(bool(said)), said, "")


def test_a_scope_that_never_opted_in_may_lose_its_memory(repo: Repo, run: Run) -> None:
    repo.commit({**RULES, "shared/memory.md": "# M\n", "shared/x.md": "x\n"})
    repo.stage({"shared/memory.md": None})
    assert run(HOOK) == (0, "", "")


@pytest.mark.usefixtures("nest")
def test_large_index(run: Run) -> None:
    assert run(HOOK, "--all", "--max-index-bytes", "400") == (0, "", "")
    assert run(HOOK, "--all", "--max-index-bytes", "100") == (
        0,
        "shared/memory.md:3: warning: 302 bytes of index, over the 100-byte advice; consider"
        " merging topics [large-index]\n",
        "",
    )


UNREADABLE = (
    "shared/hosts.md:1: {}: byte 0xff is not UTF-8, so no tool can be sure to read it (likely"
    " WINDOWS-1252): iconv -f WINDOWS-1252 -t UTF-8 shared/hosts.md > utf-8.tmp && mv utf-8.tmp"
    " shared/hosts.md [unreadable]\n"
)


def test_an_unreadable_topic_leaves_its_index_unjudged(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": b"\xff"})
    assert run(HOOK) == (1, UNREADABLE.format("error") + BY_HAND, "")


def test_an_old_unreadable_topic_blocks_nothing(nest: Repo, run: Run) -> None:
    nest.commit({"shared/hosts.md": b"\xff"})
    nest.stage({"shared/ports.md": topic("Other")})
    assert run(HOOK) == (0, UNREADABLE.format("warning"), "")
    assert run(HOOK, "--all") == (1, UNREADABLE.format("error") + BY_HAND, "")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_a_memory_whose_encoding_hides_its_markers(nest: Repo, run: Run, encoding: str) -> None:
    """Nobody took its markers away; without any, its encoding is nobody's business."""
    name = encoding[:6].upper()
    said = (
        f"shared/memory.md:1: {{}}: {name}, in which no tool finds its markers: save it as UTF-8"
        " [unreadable]\n"
    )
    before = nest.read("shared/memory.md")
    nest.stage({"shared/memory.md": before.encode(encoding)})
    for command in (HOOK, "nestwork-check", "nestwork-fix-index"):
        assert run(command) == (1, said.format("error") + BY_HAND, "")
    nest.commit({"shared/new.md": topic()})
    assert run(HOOK) == (1, said.format("error") + BY_HAND, "")
    nest.stage({"shared/newer.md": topic()})
    assert run(HOOK) == (0, said.format("warning"), "")
    nest.commit({"agents/h/i/memory.md": "# Memory\n".encode(encoding), "agents/h/i/x.md": "x\n"})
    assert run(HOOK, "agents/h/i") == (0, "", "")


LOCKED = (
    "{}:1: {}: encrypted with git-crypt and not unlocked here, so not checked: run git-crypt"
    " unlock [locked]\n"
)
SECRET = b"\0GITCRYPT\0\1\2\3"


@pytest.mark.parametrize("path", ["shared/hosts.md", "shared/memory.md"])
def test_locked(nest: Repo, run: Run, path: str) -> None:
    nest.stage({path: SECRET})
    assert run(HOOK) == (0, LOCKED.format(path, "warning"), "")
    assert run(HOOK, "--all") == (1, LOCKED.format(path, "error"), "")
    assert run(HOOK, "--all", "--allow-locked") == (0, LOCKED.format(path, "warning"), "")


def test_a_memory_that_was_locked_is_not_missed(nest: Repo, run: Run) -> None:
    nest.commit({"shared/memory.md": SECRET})
    nest.stage({"shared/memory.md": "# Memory\n"})
    assert run(HOOK) == (0, "", "")


def test_two_huge_memories_that_go_away_at_once(nest: Repo, run: Run) -> None:
    huge = memory() + ("a" * 79 + "\n") * 80_000
    files = ("shared/memory.md", "agents/h/i/memory.md")
    nest.commit({**dict.fromkeys(files, huge), "agents/h/i/a.md": topic()})
    nest.git("rm", "-q", "--cached", *files)
    done = run("nestwork-stale-index", "--staged")
    assert done.err == ""
    assert done.code == 0


# Both markers in one line

ONE_LINE = f"`{BEGIN}` / `{END}`"
IN_ONE_LINE = (
    "broken-markers",
    "both markers stand in one line with other text, so there is no index and nothing leads to the"
    f" topics: put {BEGIN} alone on a line and {END} alone on the next, then run nestwork-fix-index",
)
CODEX = "agents/box/codex"
# the agent's memory.md, another file of its scope, the line of the warning (0: none)
ONE_LINES = [
    (f"# M\n\n{ONE_LINE}\n", topic(), 3),
    (f"\ufeff{BEGIN} {END}", topic(), 1),
    (f"# M\r\n\r\n- {ONE_LINE}\r\n", topic(), 3),
    (f"{END}{BEGIN}\n", topic(), 1),
    (f"{ONE_LINE}\n", "# No description\n", 0),
    (f"{ONE_LINE}\n", "---\ndescription:\n---\n", 0),
    (f"```\n{ONE_LINE}\n```\n", topic(), 0),
    (f"`{BEGIN}`\n\n`{END}`\n", topic(), 0),
    (f"{ONE_LINE}\n{memory(entry('a.md'))}", topic(), 0),
]


@pytest.mark.quick(4)
@pytest.mark.parametrize(("text", "other", "line"), ONE_LINES)
def test_both_markers_in_one_line(nest: Repo, run: Run, text: str, other: str, line: int) -> None:
    nest.stage({f"{CODEX}/memory.md": text, f"{CODEX}/a.md": other})
    rule, said = IN_ONE_LINE
    expected = f"{CODEX}/memory.md:{line}: warning: {said} [{rule}]\n" if line else ""
    assert run(HOOK) == run(HOOK, "--all", "--staged") == (0, expected, "")
    assert run("nestwork-fix-index").out == ""


def test_markers_in_one_line_without_a_topic_are_a_mention(nest: Repo, run: Run) -> None:
    nest.stage({f"{CODEX}/memory.md": ONE_LINE, f"{CODEX}/outbox/a.md": topic()})
    assert run(HOOK) == (0, "", "")


def test_markers_in_one_line_are_said_once(nest: Repo, run: Run) -> None:
    nest.commit({f"{CODEX}/memory.md": ONE_LINE, f"{CODEX}/a.md": topic()})
    nest.stage({f"{CODEX}/b.md": topic()})
    assert run(HOOK) == (0, "", "")
    nest.stage({"shared/memory.md": ONE_LINE})
    assert "its markers are gone while topics remain" in run(HOOK).out
    assert run(HOOK).out.count("[broken-markers]") == 1


def test_a_line_for_what_is_not_in_git(nest: Repo, run: Run) -> None:
    """As where the nest's own script, which reads the disk, made the index."""
    nest.write({"shared/new.md": topic(), "shared/near.md": topic()})
    nest.git("add", "-N", "shared/near.md")
    lines = map(entry, ("hosts.md", "near.md", "new.md", "ports.md"))
    nest.write({"shared/memory.md": memory(*lines)})
    nest.git("add", "shared/memory.md")
    said = run(HOOK).out
    assert "a line for new.md, which is on disk and unknown to git: git add it first" in said
    assert (
        "a line for near.md, which is only announced to git (git add -N): git add it first" in said
    )


def test_a_topic_that_became_a_link_is_not_gone(nest: Repo, run: Run) -> None:
    nest.stage({"shared/hosts.md": Path("ports.md")})
    assert run(HOOK) == (
        1,
        f"{AT}a line for hosts.md, which is a symbolic link now, and so no topic (git checkout HEAD"
        f" -- shared/hosts.md brings its text back) [stale-index]\n{FIX}",
        "",
    )


def test_a_memory_that_is_only_taken_out_of_git(nest: Repo, run: Run) -> None:
    nest.git("rm", "-q", "--cached", "shared/memory.md")
    assert "which nothing leads to now: git add -- shared/memory.md brings it back" in run(HOOK).out


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        (f"{MARKERS}{END}\n", {"kind": "replace", "first": 5, "last": 5, "text": ""}),
        (f"# M\n\n{BEGIN}\n", {"kind": "replace", "first": 4, "last": 3, "text": f"{END}\n"}),
        (f"# M\n\n{END}\n", {"kind": "replace", "first": 3, "last": 2, "text": f"{BEGIN}\n"}),
    ],
)
def test_a_single_edit_of_markers_is_certain(
    nest: Repo, run: Run, text: str, fix: dict[str, object]
) -> None:
    nest.stage({"shared/memory.md": text})
    (finding,) = json.loads(run(HOOK, "--format", "json").out)["findings"]
    assert finding["fix"] == fix
