"""What `nestwork-check` says of merge conflicts, word for word, and what it leaves to other rules."""

from __future__ import annotations

import pytest

from tests.conftest import MARKERS, SOUND, Files, Repo, Run, entry, memory, topic

CHECK = ("nestwork-check", "--select", "merge-conflict")
HUNK = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> side\n"
DIFF3 = "<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> side\n"
UNDERLINED = "<<<<<<< HEAD\nOurs\n=======\n\n=======\ntheirs\n>>>>>>> side\n"
CODEX = "agents/box/codex"


def _said(first: int) -> str:
    return (
        f"an unresolved merge conflict, lines {first} to {first + 4}: keep what both sides say and"
        f" delete the marker lines {first}, {first + 2} and {first + 4}"
    )


# path, its text, where the finding is and what it says (none: nothing)
TEXTS = [
    ("shared/hosts.md", topic(body=HUNK), f"6: error: {_said(6)}"),
    ("shared/new.md", topic(body=HUNK), f"6: error: {_said(6)}"),
    ("shared/hosts.md", HUNK, f"1: error: {_said(1)}"),
    ("shared/hosts.md", topic(body=HUNK).replace("\n", "\r\n"), f"6: error: {_said(6)}"),
    ("shared/hosts.md", topic(body=HUNK).encode() + b"caf\xe9\n", f"6: error: {_said(6)}"),
    (
        "shared/hosts.md",
        topic(body=DIFF3),
        "6: error: an unresolved merge conflict, lines 6 to 12: keep what both sides say and delete"
        " line 6, lines 8 to 10 (what both sides changed) and line 12",
    ),
    (
        "shared/hosts.md",
        topic(body=UNDERLINED),
        "6: error: an unresolved merge conflict, lines 6 to 12: keep what both sides say and delete"
        " the marker lines 6 and 12 and the ======= between the sides (line 8 or 10)",
    ),
    ("shared/hosts.md", topic(body=HUNK * 2), f"6: error: {_said(6)}; likewise from line 11"),
    (
        "shared/hosts.md",
        topic(body=HUNK * 4),
        f"6: error: {_said(6)}; likewise from lines 11, 16, 21",
    ),
    (
        "shared/hosts.md",
        topic(body=HUNK * 6),
        f"6: error: {_said(6)}; likewise from lines 11, 16, 21 and 2 more",
    ),
    ("shared/resident.md", HUNK, f"1: error: {_said(1)}"),
    ("queen/agent-rules.md", f"# Rules\n\n{HUNK}", f"3: error: {_said(3)}"),
    (f"{CODEX}/resident.md", HUNK, f"1: error: {_said(1)}"),
    (f"{CODEX}/memory.md", HUNK, f"1: error: {_said(1)}"),
    (f"{CODEX}/memory.md", MARKERS + HUNK, f"5: error: {_said(5)}"),
    (f"{CODEX}/notes.md", f"---\n{HUNK}---\n", f"2: error: {_said(2)}"),
    ("projects/x.md", f"---\n{HUNK}---\n", f"2: error: {_said(2)}"),
    ("workflow/deep/er/x.md", HUNK, f"1: error: {_said(1)}"),
    ("shared/inbox/x.md", HUNK, f"1: error: {_said(1)}"),
    ("shared/_draft.md", HUNK, f"1: error: {_said(1)}"),
    ("projects/gbk.md", HUNK.encode() + "机器".encode("gbk"), f"1: error: {_said(1)}"),
    ("shared/hosts.md", topic(body=f"```\n{HUNK}```\n"), ""),
    ("shared/hosts.md", topic(body=HUNK.replace("<<<<<<<", "<<<<<<")), ""),
    ("shared/hosts.md", topic(body="Title\n=======\n\n>>>>>>> q\n\n<<<<<<< a\n"), ""),
    ("shared/hosts.md", f"---\n{HUNK}---\n", ""),
    ("shared/hosts.md", f"\ufeff---\n{HUNK}---\n", ""),
    (f"{CODEX}/memory.md", memory(*HUNK.splitlines()), ""),
    (f"{CODEX}/memory.md", HUNK.replace("ours", MARKERS), ""),
    ("shared/archive/x.md", HUNK, ""),
    ("notes/x.md", HUNK, ""),
    ("README.md", HUNK, ""),
    ("projects/x.txt", HUNK, ""),
]


@pytest.mark.quick(12)
@pytest.mark.parametrize(("path", "text", "said"), TEXTS)
def test_conflict(nest: Repo, run: Run, path: str, text: str | bytes, said: str) -> None:
    nest.stage({path: text})
    expected = f"{path}:{said} [merge-conflict]\n" if said else ""
    assert run(*CHECK) == (bool(said), expected, "")
    assert run(*CHECK, "--all", "--staged") == (bool(said), expected, "")


# path, text, the other rule that says it
ELSEWHERE = [
    (f"{CODEX}/memory.md", memory(*HUNK.splitlines()), "stale-index"),
    (f"{CODEX}/memory.md", HUNK.replace("ours", MARKERS), "broken-markers"),
]


@pytest.mark.parametrize(("path", "text", "rule"), ELSEWHERE)
def test_each_is_said_once(nest: Repo, run: Run, path: str, text: str, rule: str) -> None:
    nest.stage({path: text})
    (line,) = run("nestwork-check").out.splitlines()[:1]
    assert line.endswith(f"[{rule}]")
    assert "merge-conflict" not in run("nestwork-check").out


def test_an_old_conflict_is_not_another_files_fault(nest: Repo, run: Run) -> None:
    nest.commit({"shared/ports.md": topic(body=HUNK), "projects/x.md": HUNK})
    nest.stage({"shared/hosts.md": topic(body="more\n")})
    assert run(*CHECK) == (0, "", "")
    assert run(*CHECK, "--all").code == run(*CHECK, "shared").code == 1
    nest.stage({"shared/ports.md": topic(body=f"{HUNK}more\n")})
    assert run(*CHECK).code == 1


def test_what_an_automatic_pull_commits(nest: Repo, run: Run) -> None:
    """A merge that was given up on: everything is staged as git left it."""
    nest.git("switch", "-q", "-c", "side")
    nest.commit({"shared/hosts.md": topic(body="theirs\n")})
    nest.git("switch", "-q", "main")
    nest.commit({"shared/hosts.md": topic(body="ours\n")})
    assert nest.run("git", "merge", "-q", "side").code == 1
    assert run(*CHECK).out == f"shared/hosts.md:6: error: {_said(6)} [merge-conflict]\n"
    nest.git("add", "-A")
    assert run(*CHECK).out == f"shared/hosts.md:6: error: {_said(6)} [merge-conflict]\n"


def test_the_committer_says_it(nest: Repo) -> None:
    nest.write({"shared/hosts.md": topic(body=HUNK), "shared/long.md": topic("x" * 400)})
    done = nest.call("nestwork-commit", "shared", "-m", "memory")
    head, *said = done.err.splitlines()
    assert (done.code, head) == (1, "nestwork-commit: committed; please note:")
    assert said[0] == f"shared/hosts.md:6: error: {_said(6)} [merge-conflict]"
    assert said[1].endswith("[long-description]")
    nest.write({"shared/ports.md": topic(body="more\n")})
    assert nest.call("nestwork-commit", "shared", "-m", "memory") == (0, "", "")


def test_a_locked_file_cannot_be_looked_through(nest: Repo, run: Run) -> None:
    nest.stage({"projects/x.md": b"\0GITCRYPT\0<<<<<<< "})
    done = run(*CHECK)
    assert (done.code, "projects/x.md:1: warning: encrypted" in done.out) == (0, True)
    assert run(*CHECK, "--all").code == 1
    assert run(*CHECK, "--all", "--allow-locked").code == 0


LARGE = b"text of no hunk\n" * (5 << 16)


@pytest.mark.quick(1)
@pytest.mark.parametrize("args", [[], ["--staged"]])
def test_large_files(nest: Repo, run: Run, args: list[str]) -> None:
    """To 4 MB all is looked through; of more, what could hold a conflict is named."""
    files: Files = {
        "projects/fits.md": LARGE[: (4 << 20) - 64] + HUNK.encode(),
        "projects/more.md": LARGE,
        "projects/over.md": LARGE + HUNK.encode(),
    }
    nest.stage(files)
    fits, over = run(*CHECK, *args).out.splitlines()
    assert fits.startswith("projects/fits.md:262141: error: an unresolved")
    assert over == (
        "projects/over.md:1: error: over 4,194,304 bytes, too much to find conflicts in [unreadable]"
    )


def test_a_sound_nest_has_none(repo: Repo, run: Run) -> None:
    repo.stage({**SOUND, "shared/memory.md": memory(entry("hosts.md"), entry("ports.md"))})
    assert run("nestwork-check", "--all") == (0, "", "")
