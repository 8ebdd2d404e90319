"""What `nestwork-missing-description` judges; what it says of front matter is in its own table."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Repo, Run, to_fix, topic

HOOK = "nestwork-missing-description"
FIX = to_fix("shared", by_hand=True)
SAID = (
    "shared/{}.md:1: error: no YAML front matter at the first byte: start it with three"
    ' lines: ---, then description: "<what it holds; when to read it>", then ---'
    " [missing-description]\n"
)


def test_named_files(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": "x\n", "shared/b.md": "x\n"})
    assert run(HOOK, "shared/a.md") == (1, SAID.format("a") + FIX, "")
    assert run(HOOK, "./shared/a.md", str(nest.path / "shared/b.md")) == (
        1,
        SAID.format("a") + SAID.format("b") + FIX,
        "",
    )


def test_without_names_what_is_staged(nest: Repo, run: Run) -> None:
    nest.commit({"shared/old.md": "x\n"})
    nest.stage({"shared/a.md": "x\n"})
    assert run(HOOK) == (1, SAID.format("a") + FIX, "")
    assert run(HOOK, "--all") == (1, SAID.format("a") + SAID.format("old") + FIX, "")


def test_named_scopes(nest: Repo, run: Run) -> None:
    nest.commit({"shared/a.md": "x\n"})
    assert run(HOOK, "shared/") == (1, SAID.format("a") + FIX, "")


def test_names_outside_of_scopes_are_nobodys_business(nest: Repo, run: Run) -> None:
    nest.stage({"README.md": "x\n", "shared/outbox/a.md": "x\n"})
    assert run(HOOK, "README.md", "shared/outbox/a.md", "shared/memory.md") == (0, "", "")


def test_long_description(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": topic("字" * 301), "shared/b.md": topic("字" * 300)})
    said = (
        "shared/a.md:2: warning: description of 301 characters, over the 300-character advice;"
        " say when to read it [long-description]\n"
    )
    assert run(HOOK) == (0, said, "")
    assert run(HOOK, "--strict") == (1, said + FIX, "")
    assert run(HOOK, "--max-description", "301") == (0, "", "")


def test_two_faults_of_one_file(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": topic(">" + "x" * 301)})
    done = run(HOOK)
    assert [line.rpartition(" ")[2] for line in done.out.splitlines()[:2]] == [
        "[long-description]",
        "[yaml-mismatch]",
    ]


def test_an_unreadable_memory_is_said_and_not_passed_over(nest: Repo, run: Run) -> None:
    nest.stage({"shared/memory.md": b"\0GITCRYPT\0", "shared/a.md": "x\n"})
    done = run(HOOK, "shared/a.md")
    assert done.code == 0
    assert done.out.startswith("shared/memory.md:1: warning: encrypted with git-crypt")


def test_an_unreadable_topic(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": b"---\n\xff\n"})
    assert run(HOOK) == (
        1,
        "shared/a.md:2: error: byte 0xff is not UTF-8, so no tool can be sure to read it (likely"
        " WINDOWS-1252): iconv -f WINDOWS-1252 -t UTF-8 shared/a.md > utf-8.tmp && mv utf-8.tmp"
        " shared/a.md [unreadable]\n"
        f"{FIX}",
        "",
    )


def test_a_topic_that_is_gone_from_disk_is_gone(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": "x\n"})
    nest.write({"shared/a.md": None})
    assert run(HOOK) == (0, "", "")
    fix = FIX.replace("--ok", "--ok --staged")
    assert run(HOOK, "--staged") == (1, SAID.format("a") + fix, "")


def test_a_command_has_the_path_as_the_reader_needs_it(nest: Repo, run: Run) -> None:
    name = "shared/it's $(one).md"
    nest.stage({name: b"\xef\xbb\xbf" + topic("Ports").encode()})
    said = run("nestwork-missing-description").out
    command = said.partition("take it off (")[2].rpartition(") [")[0]
    assert nest.run("sh", "-c", command).code == 0
    assert run("nestwork-missing-description") == (0, "", "")
    assert (nest.path / name).read_bytes() == topic("Ports").encode()


def test_the_command_for_another_encoding(nest: Repo, run: Run) -> None:
    text = topic("Ports du caf\xe9")
    nest.stage({"shared/a b.md": text.encode("latin-1")})
    command = run("nestwork-missing-description").out.partition("): ")[2].rpartition(" [")[0]
    assert nest.run("sh", "-c", command).code == 0
    assert (nest.path / "shared/a b.md").read_text("utf-8") == text
    assert run("nestwork-missing-description") == (0, "", "")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_program_can_apply_the_edit(nest: Repo, run: Run, newline: str) -> None:
    nest.write(
        {"shared/a.md": "---\ndescription: >\n  a\n  b\n---\n".replace("\n", newline).encode()}
    )
    nest.git("add", "-A")
    (found,) = json.loads(run("nestwork-missing-description", "--format", "json").out)["findings"]
    text = f'description: "a b"{newline}'
    assert found["fix"] == {"kind": "replace", "first": 2, "last": 4, "text": text}


CONFLICT = "---\n<<<<<<< HEAD\ndescription: Ports\nupdated: 2026-09-27\n=======\ndescription: Paths\n>>>>>>> side\n---\n"
BOTH = "leave one line of each key, with the words of both sides"
# a topic, what is said of its conflict
TORN = [
    (
        CONFLICT,
        "2: error: a merge conflict (lines 2 to 7) in the front matter: delete lines 2, 5 and 7 (its"
        " signs)",
    ),
    (
        "---\n<<<<<<< HEAD\ndescription: Ports\n=======\n>>>>>>> side\n---\n",
        "2: error: a merge conflict (lines 2 to 5) in the front matter: delete lines 2, 4 and 5 (its"
        " signs)",
    ),
    (
        CONFLICT.replace("=======", "||||||| base\ndescription: Old\n======="),
        "2: error: a merge conflict (lines 2 to 9) in the front matter: delete lines 2, 5 to 7 and 9"
        " (its signs)",
    ),
    (
        f"<<<<<<< HEAD\n{topic('a')}=======\n{topic('b')}>>>>>>> side\n",
        "1: error: a merge conflict (lines 1 to 15) around the front matter, which has to start in"
        " line 1: delete lines 1, 8 and 15 (its signs)",
    ),
    (
        f"---\n<<<<<<< HEAD\ndescription: a\n---\n{'text' * 200}\n=======\ndescription: b\n---\n",
        "2: error: a merge conflict begins at this line of the front matter: delete its lines"
        " <<<<<<<, ======= and >>>>>>>",
    ),
]


@pytest.mark.parametrize(("text", "said"), TORN)
def test_a_merge_conflict_is_said_as_what_it_is(nest: Repo, run: Run, text: str, said: str) -> None:
    nest.stage({"shared/a.md": text})
    expected = f"shared/a.md:{said}, and {BOTH} [bad-front-matter]\n{FIX}"
    assert run(HOOK) == (1, expected, "")


def test_a_sign_alone_below_the_front_matter_is_none_of_it(nest: Repo, run: Run) -> None:
    nest.stage({"shared/a.md": topic(body="<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n")})
    assert run(HOOK) == (0, "", "")
