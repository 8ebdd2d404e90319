"""What `nestwork-commit` commits, leaves alone, refuses and says, in every state of a clone."""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from nestwork_hooks.commands import commit, committer
from nestwork_hooks.git import acting, staging
from nestwork_hooks.writing import lock
from nestwork_hooks.writing import replacement as rewriting
from nestwork_hooks.writing.replacement import NotRewritten
from tests.conftest import (
    BIN,
    END,
    MARKERS,
    RULES,
    Files,
    Repo,
    Run,
    Template,
    entry,
    memory,
    topic,
)

NAME = "nestwork-commit"
NOTE = f"{NAME}: committed; please note:\n"
BOX = "agents/box/claude-a7k2"
UNDESCRIBED = f"{NOTE}{BOX}/bare.md:1: error: no YAML front matter at the first byte"


def _fill(repo: Repo) -> None:
    repo.commit(
        {
            **RULES,
            f"{BOX}/memory.md": memory(entry("hosts.md")) + "\nMine.\n",
            f"{BOX}/hosts.md": topic(),
            "shared/memory.md": memory(entry("ports.md")),
            "shared/ports.md": topic(),
            "other.md": "old\n",
            "part.md": "old\n",
        }
    )
    repo.stage({"other.md": "staged\n", "part.md": "staged\n", "new.md": "new\n"})
    repo.write({"part.md": "unstaged\n", "shared/loose.md": topic()})


@pytest.fixture
def box(repo: Repo, template: Template) -> Repo:
    """A nest with one agent's scope of one topic, and files outside it in every state."""
    return repo.copied(template("commit", _fill))


def outside(repo: Repo) -> str:
    """The state of everything outside the scope: staged, unstaged, unknown, and its content."""
    status = repo.git("status", "--porcelain", "-uall", "--", ".", f":(exclude){BOX}")
    return status + repo.git("diff", "--", ".", f":(exclude){BOX}")


def arrived(repo: Repo, message: str = "memory") -> list[str]:
    """The paths of the newest commit; the scope's index in it is true, and nothing is left."""
    assert repo.git("log", "-1", "--format=%s").strip() == message
    assert repo.git("status", "--porcelain", "-uall", "--", BOX) == ""
    # So what is staged in the scope is what was committed.
    judged = ("nestwork-stale-index", "--all", "--staged", "--exclude", "^shared")
    assert repo.call(*judged) == (0, "", "")
    return repo.git("show", "-z", "--format=", "--name-only", "--no-renames").split("\0")[:-1]


MEMORY, HOSTS, NEW = f"{BOX}/memory.md", f"{BOX}/hosts.md", f"{BOX}/new.md"
LONG = topic(body="x\n" * 999)
WRITES: list[tuple[str, Files, list[str]]] = [
    ("an edit that changes a size", {HOSTS: LONG}, [HOSTS, MEMORY]),
    ("an edit that changes none", {HOSTS: topic(body="# U\n")}, [HOSTS]),
    ("a new topic", {NEW: topic()}, [MEMORY, NEW]),
    ("a topic that goes", {HOSTS: None}, [HOSTS, MEMORY]),
    ("a topic that is renamed", {HOSTS: None, NEW: topic()}, [HOSTS, MEMORY, NEW]),
    ("text outside the markers", {MEMORY: memory(entry("hosts.md")) + "\nNew.\n"}, [MEMORY]),
    ("a block edited by hand", {MEMORY: memory()}, []),
    ("the whole scope goes", {HOSTS: None, MEMORY: None}, [HOSTS, MEMORY]),
    ("topics are given up", {MEMORY: "# M\n", HOSTS: None}, [HOSTS, MEMORY]),
    ("another file", {f"{BOX}/outbox/x.txt": "x"}, [f"{BOX}/outbox/x.txt"]),
    ("a link", {f"{BOX}/link": Path("hosts.md")}, [f"{BOX}/link"]),
    ("a name with a star", {f"{BOX}/*.md": topic()}, [f"{BOX}/*.md", MEMORY]),
    ("a name with a dash", {f"{BOX}/-x.md": topic()}, [f"{BOX}/-x.md", MEMORY]),
    ("a name that git quotes", {f"{BOX}/ü.md": topic()}, [MEMORY, f"{BOX}/ü.md"]),
]


@pytest.mark.quick(6)
@pytest.mark.parametrize(
    ("files", "paths"), [row[1:] for row in WRITES], ids=[row[0] for row in WRITES]
)
def test_a_write_arrives_and_the_rest_stays(box: Repo, files: Files, paths: list[str]) -> None:
    if paths == []:
        files = {**files, MEMORY: memory() + "\nMine.\n"}
    before = outside(box)
    box.write(files)
    done = box.call(NAME, BOX, "-m", "memory")
    warned = {f"{BOX}/*.md": "topic-name", f"{BOX}/link": "not-a-file"}  # Windows has no star.
    rule = next((rule for path, rule in warned.items() if path in files), "")
    if rule:
        assert done.err.splitlines()[1].endswith(f"[{rule}]")
    else:
        assert done == (0, "", "")
    if paths:
        assert arrived(box) == paths
    assert outside(box) == before
    assert box.call(NAME, BOX, "-m", "again") == (0, "", "")
    assert box.git("log", "-1", "--format=%s").strip() != "again"


def staged_before(box: Repo) -> None:
    box.write({HOSTS: LONG})
    box.git("add", HOSTS)


def partly_staged(box: Repo) -> None:
    box.write({HOSTS: topic(body="x\n")})
    box.git("add", HOSTS)
    box.write({HOSTS: LONG})


def announced(box: Repo) -> None:
    box.write({HOSTS: LONG, NEW: topic()})
    box.git("add", "-N", NEW)


def removed_from_git(box: Repo) -> None:
    box.git("rm", "-q", "-r", BOX)


def detached(box: Repo) -> None:
    box.git("checkout", "-q", "--detach")
    box.write({HOSTS: LONG})


def unmerged_elsewhere(box: Repo) -> None:
    box.git("stash", "-q")
    box.commit({"other.md": "mine\n"})
    assert box.run("git", "stash", "pop").code == 1
    box.write({HOSTS: LONG})


def in_a_revert(box: Repo) -> None:
    box.git("reset", "-q", "--hard")
    box.commit({"other.md": "2\n"})
    box.commit({"other.md": "3\n"})
    assert box.run("git", "revert", "HEAD~1").code == 1
    box.write({HOSTS: LONG})


STATES = [staged_before, partly_staged, announced, removed_from_git, unmerged_elsewhere]


@pytest.mark.quick(3)
@pytest.mark.parametrize("prepare", STATES)
def test_in_any_state_of_the_clone(box: Repo, prepare: object) -> None:
    assert callable(prepare)
    prepare(box)
    before = outside(box)
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert set(arrived(box)) <= {HOSTS, MEMORY, NEW}
    assert outside(box) == before


def test_a_revert_is_told_of(box: Repo) -> None:
    in_a_revert(box)
    done = box.call(NAME, BOX, "-m", "memory")
    assert done == (1, "", f"{NOTE}{NAME}: {committer.PASSING['revert']}\n")
    assert arrived(box) == [HOSTS, MEMORY]


@pytest.mark.parametrize("state", ["bisect", "none"])
def test_an_index_edited_by_hand_back_to_what_it_was_is_no_commit(box: Repo, state: str) -> None:
    box.git("reset", "-q", "--hard")
    if state == "bisect":
        box.commit({"other.md": "other\n"})
        box.git("bisect", "start", "-q", "HEAD", "HEAD~1")
    before = box.git("rev-parse", "HEAD")
    box.write({MEMORY: box.read(MEMORY).replace("When to read it", "By hand")})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert box.git("rev-parse", "HEAD") == before
    assert box.git("status", "--porcelain", BOX) == ""


def test_what_a_hook_leaves_running_is_not_waited_for(box: Repo) -> None:
    refusing_hook(box, "(sleep 9; echo late >&2) &", "post-commit")
    box.write({HOSTS: LONG})
    start = time.monotonic()
    assert box.run("sh", "-c", f"{NAME} {BOX} -m memory 2>said").code == 0
    assert time.monotonic() - start < 8
    assert box.read("said") == ""


def test_without_files_in_memory(box: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    assert box.path
    monkeypatch.delattr(os, "memfd_create")
    with pytest.raises(acting.Refused, match="pathspec"):
        acting.act("add", "nowhere")


def test_interrupted_while_git_works(box: Repo) -> None:
    refusing_hook(box, "touch .git/begun; sleep 20")
    box.write({HOSTS: LONG})
    command = [str(BIN / NAME), BOX, "-m", "memory"]
    with subprocess.Popen(command, cwd=box.path, env=box.env, stderr=subprocess.PIPE) as process:
        while not (box.path / ".git/begun").exists():
            time.sleep(0.01)
        process.terminate()
        assert process.stderr
        said = process.stderr.read()
    assert process.returncode == 2
    assert said.decode() == f"{NAME}: not committed: interrupted; git commit was ended\n"
    assert not list((box.path / ".git").rglob("*.lock"))
    refusing_hook(box, "exit 0")
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert arrived(box) == [HOSTS, MEMORY]


def test_the_first_commit_of_all(repo: Repo) -> None:
    repo.stage({"other.md": "x"})
    repo.write({MEMORY: MARKERS, HOSTS: topic()})
    assert repo.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert arrived(repo) == [HOSTS, MEMORY]
    assert repo.git("status", "--porcelain") == "A  other.md\n"


def test_a_new_agents_first_files(box: Repo) -> None:
    box.write({"agents/box/b/memory.md": MARKERS, "agents/box/b/x.md": topic()})
    assert box.call(NAME, "agents/box/b/", "-m", "memory") == (0, "", "")
    assert arrived(box) == ["agents/box/b/memory.md", "agents/box/b/x.md"]


def test_a_scope_that_has_not_opted_in(box: Repo) -> None:
    box.write({"agents/box/b/memory.md": "# M\n", "agents/box/b/x.md": "x"})
    assert box.call(NAME, "agents/box/b", "-m", "memory") == (0, "", "")
    assert arrived(box) == ["agents/box/b/memory.md", "agents/box/b/x.md"]


def test_a_linked_worktree(box: Repo) -> None:
    box.git("worktree", "add", "-q", "../linked")
    linked = Repo(box.path.parent / "linked", box.env)
    linked.write({HOSTS: LONG})
    before = outside(box)
    assert linked.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert arrived(linked) == [HOSTS, MEMORY]
    assert outside(box) == before


def test_a_nest_below_the_top_of_its_repository(repo: Repo) -> None:
    repo.commit({f"nest/{MEMORY}": MARKERS, f"nest/{HOSTS}": topic()})
    assert repo.call(NAME, BOX, "-m", "memory", cwd="nest") == (0, "", "")
    assert repo.git("show", "--format=", "--name-only") == f"nest/{MEMORY}\n"


def test_windows_line_endings(box: Repo) -> None:
    box.git("config", "core.autocrlf", "true")
    box.write({HOSTS: LONG, MEMORY: memory(entry("hosts.md"), newline="\r\n")})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert arrived(box) == [HOSTS, MEMORY]
    assert box.read(MEMORY).count("\n") == box.read(MEMORY).count("\r\n") > 5


def test_findings_are_said_and_stop_nothing(box: Repo) -> None:
    box.write({f"{BOX}/bare.md": "x\n", HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done.code == 1
    assert done.out == ""
    assert done.err.startswith(UNDESCRIBED)
    assert done.err.count("\n") == 2
    assert len(arrived(box)) == 3


def test_old_faults_of_other_topics_are_not_said_again(box: Repo) -> None:
    box.write({f"{BOX}/bare.md": "x\n"})
    assert box.call(NAME, BOX, "-m", "memory").code == 1
    box.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")


WIDE = topic("x" * 301)
REPEATED: list[tuple[str, Files, Files, list[str]]] = [
    ("an old warning of a file that changes", {HOSTS: WIDE}, {HOSTS: WIDE + "y\n"}, []),
    ("an old warning of another file", {HOSTS: WIDE}, {NEW: topic()}, []),
    ("a new warning", {HOSTS: LONG}, {HOSTS: WIDE}, ["long-description"]),
    ("another warning", {HOSTS: WIDE}, {HOSTS: topic("a: b")}, ["yaml-mismatch"]),
    ("an error of a file that changes", {NEW: "x\n"}, {NEW: "y\n"}, ["missing-description"]),
    ("an error of another file", {NEW: "x\n"}, {HOSTS: LONG}, []),
    ("an error of the index", {MEMORY: MARKERS * 2}, {HOSTS: LONG}, ["broken-markers"]),
    ("a warning that became an error", {HOSTS: topic(body="x" * 20_000)},
     {HOSTS: topic(body="x" * 40_000)}, ["topic-size"]),
]  # fmt: skip


@pytest.mark.quick(4)
@pytest.mark.parametrize(
    ("first", "second", "said"), [row[1:] for row in REPEATED], ids=[row[0] for row in REPEATED]
)
def test_a_finding_is_said_once(box: Repo, first: Files, second: Files, said: list[str]) -> None:
    box.write(first)
    box.call(NAME, BOX, "-m", "memory")
    box.write(second)
    done = box.call(NAME, BOX, "-m", "memory")
    assert [line.rpartition("[")[2] for line in done.err.splitlines()[1:]] == [
        f"{rule}]" for rule in said
    ]
    assert done.code == bool(said)


def test_a_warning_in_the_first_commit_of_all(repo: Repo) -> None:
    repo.write({MEMORY: MARKERS, HOSTS: WIDE})
    assert "[long-description]" in repo.call(NAME, BOX, "-m", "memory").err


def test_excluded_paths_are_not_spoken_of(box: Repo) -> None:
    digest = f"{BOX}/claude-mem-digest.md"
    box.write({digest: "x\n"})
    words = ("-m", "memory", "--exclude", r"(^|/)claude-mem-digest\.md$")
    assert box.call(NAME, BOX, *words) == (0, "", "")
    assert arrived(box) == [digest]


def test_an_index_that_cannot_be_made_is_said_and_stops_nothing(box: Repo) -> None:
    box.write({MEMORY: MARKERS + MARKERS, HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done.code == 1
    assert "[broken-markers]" in done.err
    assert box.git("status", "--porcelain", BOX) == ""


def test_many_findings_fit_into_a_context(box: Repo) -> None:
    box.write({f"{BOX}/bare-{number:02}.md": "x\n" for number in range(40)})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done.code == 1
    lines = done.err.splitlines()
    assert len(done.err.encode()) <= 2_048
    assert lines[-1] == f"... and {40 - len(lines) + 2} more"


# Refusals


def in_a_merge(box: Repo) -> None:
    in_a_conflict(box, "merge", "side")


def in_a_cherry_pick(box: Repo) -> None:
    in_a_conflict(box, "cherry-pick", "side")


def in_a_conflict(box: Repo, *words: str) -> None:
    box.git("reset", "-q", "--hard")
    box.git("checkout", "-q", "-b", "side")
    box.commit({"other.md": "theirs\n"})
    box.git("checkout", "-q", "main")
    box.commit({"other.md": "ours\n"})
    assert box.run("git", *words).code == 1


@pytest.mark.parametrize(
    ("prepare", "what"), [(in_a_merge, "merge"), (in_a_cherry_pick, "cherry-pick")]
)
def test_where_git_makes_no_partial_commit(box: Repo, prepare: object, what: str) -> None:
    assert callable(prepare)
    prepare(box)
    box.write({HOSTS: LONG, NEW: topic()})
    before = box.git("status", "--porcelain", "-uall")
    assert box.call(NAME, BOX, "-m", "memory") == (
        2,
        "",
        f"{NAME}: not committed: git makes no partial commit during a {what};"
        f" conclude it (git commit) or give it up (git {what} --abort), then run this again\n",
    )
    assert box.git("status", "--porcelain", "-uall") == before
    box.git(what, "--abort")
    assert box.read(HOSTS) == LONG
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert arrived(box) == [HOSTS, MEMORY, NEW]


def test_a_rebase_is_told_of(box: Repo) -> None:
    in_a_conflict(box, "rebase", "side")
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done == (1, "", f"{NOTE}{NAME}: {committer.PASSING['rebase']}\n")
    assert arrived(box) == [HOSTS, MEMORY]
    box.stage({"other.md": "solved\n"})
    box.git("rebase", "--continue", GIT_EDITOR="true")
    assert box.git("log", "--format=%s", "--", HOSTS).splitlines()[0] == "memory"


def test_a_bisect_is_told_of(box: Repo) -> None:
    box.git("reset", "-q", "--hard")
    box.commit({"other.md": "other\n"})
    box.git("bisect", "start", "-q", "HEAD", "HEAD~1")
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done == (1, "", f"{NOTE}{NAME}: {committer.PASSING['bisect']}\n")
    assert arrived(box) == [HOSTS, MEMORY]


def test_a_cherry_pick_in_a_clone_that_has_no_file_for_it(box: Repo) -> None:
    """As with the ref format `reftable`, which git has from 2.45 on."""
    fresh = box.path.parent / "fresh"
    if box.run("git", "init", "-q", "--ref-format=reftable", str(fresh)).code:
        (box.path / ".git/reftable").mkdir()
    else:
        box.git("reset", "-q", "--hard")
        box.git("push", "-q", str(fresh), "HEAD:main")
        box = Repo(fresh, box.env)
        box.git("checkout", "-q", "main")
    in_a_cherry_pick(box)
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done.code == 2
    assert "git makes no partial commit during a cherry-pick" in done.err
    assert box.git("diff", "--cached", "--name-only", BOX) == ""


@pytest.mark.parametrize("format_", ["files", "reftable"])
def test_the_first_commit_of_a_nest(box: Repo, format_: str) -> None:
    fresh = Repo(box.path.parent / "first", box.env)
    if box.run("git", "init", "-q", f"--ref-format={format_}", str(fresh.path)).code:
        if format_ == "reftable":
            pytest.skip("this git has no reftable")
        box.git("init", "-q", str(fresh.path))
    fresh.write({**RULES, MEMORY: memory(entry("hosts.md")), HOSTS: topic()})
    fresh.git("add", "queen")
    assert fresh.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert fresh.git("ls-tree", "-r", "--name-only", "HEAD").split() == [HOSTS, MEMORY]


def test_what_a_sparse_checkout_leaves_out_is_not_gone(box: Repo) -> None:
    box.git("reset", "-q", "--hard")
    box.git("sparse-checkout", "set", "shared", "queen")
    assert not (box.path / BOX).exists()
    before = box.git("ls-files", "-s")
    assert staging.look(BOX).unstaged == []
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert box.git("ls-files", "-s") == before


def test_what_is_gone_beside_what_a_sparse_checkout_leaves_out(box: Repo) -> None:
    box.git("reset", "-q", "--hard")
    box.commit({f"{BOX}/archive/old.md": topic(), MEMORY: MARKERS})
    box.git("sparse-checkout", "set", "--no-cone", "/*", f"!/{BOX}/archive/")
    shutil.rmtree(box.path / BOX)
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert box.git("ls-tree", "-r", "--name-only", "HEAD", BOX) == f"{BOX}/archive/old.md\n"
    assert box.git("status", "--porcelain") == ""


def test_a_partial_clone_without_the_other_scopes(box: Repo) -> None:
    box.git("reset", "-q", "--hard")
    box.git("config", "uploadpack.allowFilter", "true")
    clone = Repo(box.path.parent / "partial", box.env)
    words = ("clone", "-q", "--filter=blob:none", "--sparse", f"file://{box.path}", str(clone.path))
    box.git(*words)
    clone.git("sparse-checkout", "set", BOX)
    clone.write({f"{BOX}/resident.md": "r\n"})
    assert clone.call(NAME, BOX, "-m", "memory") == (0, "", "")
    clone.plain_hook("nestwork-check")
    clone.write({f"{BOX}/resident.md": "s\n"})
    assert clone.run("git", "commit", "-q", "-a", "-m", "x") == (0, "", "")


@pytest.mark.quick(2)
@pytest.mark.parametrize("message", ["-note", "--fix it", "-5%", "-m", "--"])
def test_a_message_that_starts_with_a_dash(box: Repo, message: str) -> None:
    box.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", message) == (0, "", "")
    arrived(box, message)


def test_a_scope_by_its_full_path_through_a_link(box: Repo) -> None:
    link = box.path.parent / "link"
    link.symlink_to(box.path)
    box.write({HOSTS: LONG})
    assert box.call(NAME, f"{link}/{BOX}", "-m", "memory") == (0, "", "")
    assert arrived(box) == [HOSTS, MEMORY]


def test_a_bare_repository(box: Repo) -> None:
    said = f"{NAME}: not committed: this is no working tree: start in the nest's root\n"
    assert box.call(NAME, BOX, "-m", "memory", cwd=str(box.path / ".git")) == (2, "", said)


def test_a_conflict_in_the_scope(box: Repo) -> None:
    box.git("reset", "-q", "--hard")
    box.write({HOSTS: "mine\n"})
    box.git("stash", "-q")
    box.commit({HOSTS: "theirs\n"})
    assert box.run("git", "stash", "pop").code == 1
    done = box.call(NAME, BOX, "-m", "memory")
    assert done.code == 2
    assert done.err == (
        f"{NAME}: not committed: {HOSTS} is in an unsolved merge conflict: solve it,"
        " then git add it\n"
    )
    assert box.git("status", "--porcelain", BOX) == f"UU {HOSTS}\n"


def refusing_hook(repo: Repo, script: str, name: str = "pre-commit") -> None:
    hook = repo.path / ".git" / "hooks" / name
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{script}\n")
    hook.chmod(0o755)


@pytest.mark.parametrize("name", ["pre-commit", "commit-msg"])
def test_another_hook_refuses(box: Repo, name: str) -> None:
    refusing_hook(box, "echo 'no secrets here' >&2; exit 1", name)
    before = outside(box)
    box.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", "memory") == (
        2,
        "",
        f"{NAME}: not committed: {BOX} stays staged, its index true; git or a hook says:\n"
        "> no secrets here\n",
    )
    assert box.git("status", "--porcelain", BOX) == f"M  {HOSTS}\nM  {MEMORY}\n"
    assert box.call("nestwork-stale-index", "--staged", BOX) == (0, "", "")
    assert outside(box) == before
    (box.path / ".git" / "hooks" / name).unlink()
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert arrived(box) == [HOSTS, MEMORY]


def test_a_hook_that_refuses_without_a_word(box: Repo) -> None:
    refusing_hook(box, "exit 1")
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done.code == 2
    assert done.err.endswith("says:\n> (nothing; exit code 1)\n")


def test_a_talkative_hook_fits_into_a_context(box: Repo) -> None:
    refusing_hook(box, "seq -f 'line %g of many' 1000; printf '\\033[1m'; exit 1")
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done.code == 2
    assert len(done.err.encode()) <= 2_048
    assert done.err.splitlines()[-1].endswith(" more")
    assert "> line 1 of many\n" in done.err


def test_our_own_hooks_do_not_judge_again_and_others_run(box: Repo) -> None:
    box.plain_hook("nestwork-check")
    hook = box.path / ".git" / "hooks" / "pre-commit"
    hook.write_text(f"{hook.read_text()}echo ran > .git/ran\n")
    box.write({f"{BOX}/bare.md": "x\n"})
    assert box.call(NAME, BOX, "-m", "memory").code == 1
    assert len(arrived(box)) == 1
    assert box.read(".git/ran") == "ran\n"


def test_a_hook_that_stages_more_is_followed(box: Repo) -> None:
    refusing_hook(box, f"echo more >> {HOSTS}; seq 99 >> {HOSTS}; git add {HOSTS}")
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done.code == 1
    assert "keeps changing" in done.err


def test_a_lock_that_stays(box: Repo) -> None:
    box.write({HOSTS: LONG})
    before = box.git("status", "--porcelain", "-uall")
    box.write({".git/index.lock": ""})
    start = time.monotonic()
    done = box.call(NAME, BOX, "-m", "memory", "--retries", "3")
    assert 0.05 < time.monotonic() - start < 2
    assert done.code == 2
    assert done.err.startswith(f"{NAME}: not committed: nothing is lost; git says:\n> fatal: ")
    assert "index.lock': File exists" in done.err
    box.write({".git/index.lock": None})
    assert box.git("status", "--porcelain", "-uall") == before
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert arrived(box) == [HOSTS, MEMORY]


@pytest.mark.quick(1)
@pytest.mark.parametrize("lock", ["index", "HEAD", "refs/heads/main"])
def test_a_lock_of_another_process_is_waited_for(box: Repo, lock: str) -> None:
    box.write({HOSTS: LONG, f".git/{lock}.lock": ""})
    path = box.path / f".git/{lock}.lock"
    script = f"import os, time; time.sleep(0.6); os.unlink({str(path)!r})"
    with subprocess.Popen([sys.executable, "-c", script]):
        assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert arrived(box) == [HOSTS, MEMORY]


def test_a_lock_is_tried_as_often_as_asked(box: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    box.write({HOSTS: LONG, ".git/index.lock": ""})
    pauses: list[float] = []

    def no_pause(least: float, most: float) -> float:
        pauses.append(most - least)
        return 0

    monkeypatch.setattr(random, "uniform", no_pause)
    for retries in (0, 3, 12):
        pauses.clear()
        assert box.call(NAME, BOX, "-m", "memory", "--retries", str(retries)).code == 2
        assert len(pauses) == retries


def test_temporary_files_of_a_killed_fixer_are_never_committed(box: Repo) -> None:
    young, old, staged = (f"{BOX}/.nestwork-fix-new-{name}" for name in ("young", "old", "staged"))
    box.write({young: "x", old: "x", staged: "x", HOSTS: LONG})
    os.utime(box.path / old, (0, 0))
    box.git("add", staged)
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert box.git("show", "--format=", "--name-only").split() == [HOSTS, MEMORY]
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert (box.path / young).exists()
    assert not (box.path / old).exists()


def test_nothing_of_the_environment_widens_what_is_committed(box: Repo) -> None:
    box.write({HOSTS: LONG})
    before = outside(box)
    done = box.call(NAME, BOX, "-m", "memory", GIT_LITERAL_PATHSPECS="1")
    assert done == (0, "", "")
    assert arrived(box) == [HOSTS, MEMORY]
    assert outside(box) == before


# A topic that is written while it is committed


@pytest.mark.parametrize("when", ["stage", "commit"])
def test_a_topic_written_in_between(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], when: str
) -> None:
    act, writes = getattr(staging, when), iter([LONG, topic(body="y\n" * 2_000)])

    def late(*args: Any, **env: str) -> Any:
        if when == "commit":
            box.write({HOSTS: next(writes, box.read(HOSTS))})
        done = act(*args, **env)
        if when == "stage":
            box.write({HOSTS: next(writes, box.read(HOSTS))})
        return done

    monkeypatch.setattr(staging, when, late)
    box.write({NEW: topic(), HOSTS: topic(body="first\n")})
    assert commit.main([BOX, "-m", "memory"]) == 0
    assert capsys.readouterr() == ("", "")
    assert box.read(HOSTS) == topic(body="y\n" * 2_000)
    # What came too late for a commit, whose index is true, is the next one's.
    assert commit.main([BOX, "-m", "memory"]) == 0
    arrived(box)


def test_a_topic_that_never_rests_is_committed_all_the_same(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    act, size = staging.stage, iter(range(1_000, 99_000, 1_000))

    def late(*args: Any) -> dict[str, str]:
        refused = act(*args)
        box.write({HOSTS: topic(body="x" * next(size))})
        return refused

    monkeypatch.setattr(staging, "stage", late)
    box.write({HOSTS: LONG})
    assert commit.main([BOX, "-m", "memory"]) == 1
    assert "keeps changing while it is committed" in capsys.readouterr().err
    assert box.git("log", "-1", "--format=%s") == "memory\n"


def test_the_text_of_the_owner_written_in_between(
    box: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[bool] = []
    act = staging.stage

    def late(*args: Any) -> dict[str, str]:
        refused = act(*args)
        if not done:
            box.write({MEMORY: box.read(MEMORY) + "Late.\n"})
            done.append(True)
        return refused

    monkeypatch.setattr(staging, "stage", late)
    box.write({HOSTS: LONG})
    assert commit.main([BOX, "-m", "memory"]) == 0
    arrived(box)
    assert box.git("show", f"HEAD:{MEMORY}").endswith("\nMine.\nLate.\n")


def test_somebody_else_commits_the_same_first(box: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    act = staging.commit

    def late(*args: Any, **env: Any) -> None:
        box.git("commit", "-q", "-m", "other", "--", BOX)
        act(*args, **env)

    monkeypatch.setattr(staging, "commit", late)
    box.write({HOSTS: LONG})
    assert commit.main([BOX, "-m", "memory"]) == 0
    arrived(box, "other")


BARE = "no front matter\n"
JUDGED_AS_COMMITTED = [
    (topic(body="sound\n"), BARE, 1, f"{HOSTS}:1: error: no YAML front matter at the first byte"),
    (BARE, topic(body="sound\n"), 0, ""),
    (topic(body="x" * 40_000), topic(body="x" * 50_000), 1, f"{HOSTS}:1: error: 50,0"),
]


@pytest.mark.parametrize(("staged", "committed", "code", "said"), JUDGED_AS_COMMITTED)
def test_what_is_judged_is_what_was_committed(
    box: Repo,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    staged: str,
    committed: str,
    code: int,
    said: str,
) -> None:
    act = staging.commit

    def late(*args: Any, **env: Any) -> None:
        box.write({HOSTS: committed})
        act(*args, **env)

    monkeypatch.setattr(staging, "commit", late)
    box.write({HOSTS: staged})
    assert commit.main([BOX, "-m", "memory"]) == code
    err = capsys.readouterr().err
    assert err.startswith(NOTE + said if said else "")
    assert err.count("\n") == 2 * code
    arrived(box)


def test_the_first_commit_of_all_with_a_write_in_between(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    act = staging.commit

    def late(*args: Any, **env: Any) -> None:
        repo.write({HOSTS: BARE})
        act(*args, **env)

    monkeypatch.setattr(staging, "commit", late)
    repo.write({MEMORY: MARKERS, HOSTS: topic()})
    assert commit.main([BOX, "-m", "memory"]) == 1
    assert f"{HOSTS}:1: error: no YAML front matter" in capsys.readouterr().err


def test_an_index_that_a_later_round_mends_is_not_complained_of(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    act, moving = rewriting.rewrite, iter([True])

    def rewrite(*args: Any) -> object:
        if next(moving, False):
            raise NotRewritten("somebody keeps changing it; run this again")
        return act(*args)

    monkeypatch.setattr(rewriting, "rewrite", rewrite)
    box.write({HOSTS: LONG})
    assert commit.main([BOX, "-m", "memory"]) == 0
    assert capsys.readouterr().err == ""
    arrived(box)


def test_a_later_round_that_is_refused(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    act = staging.commit

    def late(*args: Any, **env: Any) -> None:
        box.write({HOSTS: LONG})
        act(*args, **env)
        refusing_hook(box, "echo no >&2; exit 1")

    monkeypatch.setattr(staging, "commit", late)
    box.write({NEW: topic(), HOSTS: topic(body="first\n")})
    assert commit.main([BOX, "-m", "memory"]) == 1
    assert capsys.readouterr().err == (
        f"{NAME}: committed, but not what was written since; {BOX} stays staged, its index true;"
        " git or a hook says:\n> no\n"
    )
    assert box.git("log", "-1", "--format=%s") == "memory\n"


def _conflict(box: Repo) -> None:
    box.write({HOSTS: "mine\n"})
    box.git("stash", "-q", "--", HOSTS)
    box.write({HOSTS: "theirs\n"})
    box.git("commit", "-q", "-m", "theirs", "--", HOSTS)
    assert box.run("git", "stash", "pop").code == 1


def test_a_conflict_that_comes_while_another_is_waited_for(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    box.git("reset", "-q", "--hard")
    wait, waited = lock.Backoff.wait, iter([True])

    def conflict(backoff: lock.Backoff) -> bool:
        if next(waited, False):
            _conflict(box)
            os.close(other)
        return wait(backoff)

    monkeypatch.setattr(lock.Backoff, "wait", conflict)
    other = os.open(box.path / ".git", os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    assert commit.main([BOX, "-m", "memory"]) == 2
    assert "is in an unsolved merge conflict" in capsys.readouterr().err
    assert box.git("status", "--porcelain", BOX) == f"UU {HOSTS}\n"


def test_a_conflict_that_comes_between_two_rounds(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    box.git("reset", "-q", "--hard")
    act = staging.commit

    def late(*args: Any, **env: Any) -> None:
        box.write({NEW: LONG})
        act(*args, **env)
        _conflict(box)

    monkeypatch.setattr(staging, "commit", late)
    box.write({NEW: topic()})
    assert commit.main([BOX, "-m", "memory"]) == 1
    said = f"{NOTE}{NAME}: the rest is not committed: {HOSTS} is in an"
    assert capsys.readouterr().err.startswith(said)
    assert box.git("status", "--porcelain", HOSTS) == f"UU {HOSTS}\n"


def test_ended_kindly_it_leaves_no_temporary_file(box: Repo) -> None:
    box.write({HOSTS: LONG})
    script = (
        "import os, signal, sys; from nestwork_hooks.commands import commit;"
        " os.fsync = lambda _: os.kill(os.getpid(), signal.SIGTERM);"
        f" sys.exit(commit.main([{BOX!r}, '-m', 'memory']))"
    )
    done = box.run(sys.executable, "-c", script)
    assert (done.code, done.err) == (2, f"{NAME}: not committed: interrupted\n")
    assert not list(box.path.rglob(".nestwork*"))
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert arrived(box) == [HOSTS, MEMORY]


def test_a_scope_without_an_index_stays_staged_and_nothing_is_said_of_one(box: Repo) -> None:
    box.write({MEMORY: "# Memory\n", HOSTS: LONG})
    refusing_hook(box, "echo no >&2; exit 1")
    done = box.call(NAME, BOX, "-m", "memory")
    assert done.err == f"{NAME}: not committed: {BOX} stays staged; git or a hook says:\n> no\n"


def test_what_passes_is_known_in_every_language(box: Repo) -> None:
    alias = 'alias.say=!echo "$LANGUAGE" >said'
    acting.act("-c", alias, "say", LANGUAGE="de")
    assert box.read("said") == "en\n"


def test_killed_with_its_whole_group_git_still_ends_what_it_began(box: Repo) -> None:
    refusing_hook(box, "touch .git/begun; sleep 0.5")
    box.write({HOSTS: LONG})
    command = [str(BIN / NAME), BOX, "-m", "memory"]
    with subprocess.Popen(command, cwd=box.path, env=box.env, start_new_session=True) as process:
        while not (box.path / ".git/begun").exists():
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while (box.path / ".git/index.lock").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert arrived(box) == [HOSTS, MEMORY]


# Bad input

NO_SCOPE = "is no scope: name shared or agents/<host>/<agent-id> (see nestwork-commit --help)"
BAD: list[tuple[list[str], str]] = [
    ([BOX], "the following arguments are required: -m/--message"),
    ([BOX, "-m"], "expected one argument"),
    ([BOX, "-m", ""], "the message is empty"),
    ([BOX, "-m", " \n"], "the message is empty"),
    (["-m", "x"], "the following arguments are required: SCOPE"),
    ([BOX, "shared", "-m", "x"], "unrecognized arguments: shared"),
    ([BOX, "-m", "x", "--retries", "-1"], "expected"),
    ([BOX, "-m", "x", "--retries", "many"], "expected a whole number, got 'many'"),
    ([BOX, "-m", "x", "--exclude", "("], "is no regular expression"),
    (["queen", "-m", "x"], f"queen {NO_SCOPE}"),
    (["agents/box", "-m", "x"], f"agents/box {NO_SCOPE}"),
    ([".", "-m", "x"], f". {NO_SCOPE}"),
    (["", "-m", "x"], NO_SCOPE),
    ([f"{BOX}/sub", "-m", "x"], NO_SCOPE),
    ([HOSTS, "-m", "x"], NO_SCOPE),
    ([f"{BOX}/..", "-m", "x"], NO_SCOPE),
    (["agents/box/..", "-m", "x"], NO_SCOPE),
    (["../elsewhere", "-m", "x"], NO_SCOPE),
    (["/tmp", "-m", "x"], NO_SCOPE),
    (["agents/box/file.md", "-m", "x"], "agents/box/file.md is a file: name the folder of a scope"),
    (["agents/box/*", "-m", "x"], "agents/box/* is no folder here, and nothing that git knows"),
    (["agents/box/nobody", "-m", "x"], "is no folder here, and nothing that git knows"),
    (["-a", "-m", "x"], "the following arguments are required: SCOPE"),
    (["--", "-a", "-m", "x"], "required: -m/--message"),
    (["agents/box/a\x1b", "-m", "x"], "agents/box/a\\x1b is no folder here"),
]


@pytest.mark.quick(8)
@pytest.mark.parametrize(("args", "said"), BAD)
def test_bad_input(box: Repo, args: list[str], said: str) -> None:
    box.write({HOSTS: LONG, "agents/box/file.md": "x"})
    before = box.git("status", "--porcelain", "-uall") + box.git("rev-parse", "HEAD")
    done = box.call(NAME, *args)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith(f"{NAME}: not committed: ")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert box.git("status", "--porcelain", "-uall") + box.git("rev-parse", "HEAD") == before


@pytest.mark.parametrize("who", ["AUTHOR", "COMMITTER"])
def test_no_identity(box: Repo, who: str) -> None:
    box.write({HOSTS: LONG})
    box.git("config", "user.useConfigOnly", "true")
    del box.env[f"GIT_{who}_NAME"], box.env[f"GIT_{who}_EMAIL"]
    done = box.call(NAME, BOX, "-m", "memory")
    box.env |= {f"GIT_{who}_NAME": "t", f"GIT_{who}_EMAIL": "t@example.org"}
    assert done.code == 2
    first = f"{NAME}: not committed: {BOX} stays staged, its index true; git says:\n"
    assert done.err.startswith(first)
    assert '>   git config --global user.email "you@example.com"\n' in done.err
    assert box.git("diff", "--cached", "--name-only", BOX).split() == [HOSTS, MEMORY]
    assert box.call("nestwork-check", BOX) == (0, "", "")


def test_no_repository(tmp_path: Path, hermetic_env: dict[str, str]) -> None:
    done = Repo(tmp_path, hermetic_env).call(NAME, BOX, "-m", "memory")
    assert done.code == 2
    assert done.err.startswith(f"{NAME}: not committed: fatal: not a git repository")


def test_help(box: Repo) -> None:
    done = box.call(NAME, "--help")
    assert done.code == 0
    assert commit.__doc__
    assert commit.__doc__.strip() in done.out
    assert box.call(NAME, "--version").out.startswith(f"{NAME} ")


def test_an_excluded_memory_is_committed_as_it_is(nest: Repo, run: Run) -> None:
    before = nest.read("shared/memory.md")
    nest.write({"shared/new.md": topic()})
    assert run("nestwork-commit", "shared", "-m", "x", "--exclude", "memory.md$") == (0, "", "")
    assert nest.read("shared/memory.md") == before
    assert nest.git("status", "--porcelain") == ""


def test_an_index_that_cannot_be_written_stops_no_memory(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bool:
        raise NotRewritten("Permission denied")

    monkeypatch.setattr(rewriting, "rewrite", refuse)
    nest.write({"shared/new.md": topic()})
    done = run("nestwork-commit", "shared", "-m", "x")
    assert done.code == 1
    assert "nestwork-commit: shared/memory.md: not rewritten: Permission denied\n" in done.err
    assert "[stale-index]" in done.err
    assert nest.git("status", "--porcelain") == ""


def test_a_refusal_calls_no_index_true_that_is_not(
    nest: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bool:
        raise NotRewritten("Permission denied")

    monkeypatch.setattr(rewriting, "rewrite", refuse)
    refusing_hook(nest, "echo no >&2; exit 1")
    nest.write({"shared/new.md": topic()})
    said = (
        f"{NAME}: not committed: shared stays staged; git or a hook says:\n> no\n"
        f"{NAME}: shared/memory.md: not rewritten: Permission denied\n"
    )
    assert run("nestwork-commit", "shared", "-m", "x") == (2, "", said)


def test_a_write_that_anothers_commit_took_off_the_staging_area(
    box: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, lost = staging.stage, iter([True])

    def overwritten(*args: Any) -> dict[str, str]:
        refused = act(*args)
        if next(lost, False):
            box.git("reset", "-q", "HEAD", BOX)
        return refused

    monkeypatch.setattr(staging, "stage", overwritten)
    box.write({HOSTS: topic(body="new\n")})
    assert commit.main([BOX, "-m", "memory"]) == 0
    assert box.git("log", "-1", "--format=%s") == "memory\n"
    assert box.git("status", "--porcelain", BOX) == ""


@pytest.mark.parametrize("retries", ["0", "2"])
def test_a_committer_that_does_not_end_is_not_waited_for_forever(box: Repo, retries: str) -> None:
    other = os.open(box.path / ".git", os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    box.write({HOSTS: topic(body="new\n")})
    try:
        assert commit.main([BOX, "-m", "memory", "--retries", retries]) == 0
    finally:
        os.close(other)
    assert box.git("log", "-1", "--format=%s") == "memory\n"


@pytest.mark.parametrize("missing", ["fcntl", "folder"])
def test_a_system_without_such_locks(
    box: Repo, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    if missing == "fcntl":
        monkeypatch.setattr(lock, "fcntl", None)
    else:
        monkeypatch.setattr(lock, "_FOLDER", os.O_WRONLY)
    box.write({HOSTS: topic(body="new\n")})
    assert commit.main([BOX, "-m", "memory"]) == 0
    assert box.git("log", "-1", "--format=%s") == "memory\n"


@pytest.mark.parametrize(
    "said",
    [
        "fatal: Unable to create '/x/.git/index.lock': File exists.",
        "fatal: cannot lock ref 'HEAD': is at a but expected b",
        "error: short read while indexing x\nerror: unable to index file 'x'\nfatal: no",
        "fatal: unable to stat 'x': No such file or directory",
    ],
)
def test_what_passes_is_tried_again(said: str) -> None:
    assert acting.Refused(128, said).passing
    assert not acting.Refused(1, said).passing
    assert not acting.Refused(128, "fatal: no").passing


@pytest.mark.quick(2)
@pytest.mark.parametrize("scope", ["agents/h/a*b", "agents/h/a[b]", "agents/h/?", "agents/h/a\\b"])
def test_a_scope_whose_name_is_a_pattern(box: Repo, scope: str) -> None:
    box.write({f"{scope}/memory.md": MARKERS, f"{scope}/x.md": topic(), "agents/h/aXb/y.md": "y"})
    assert commit.main([scope, "-m", "memory"]) == 0
    assert sorted(arrived(box)) == [f"{scope}/memory.md", f"{scope}/x.md"]
    assert box.call("nestwork-check", scope) == (0, "", "")


def test_what_nobody_generated_is_kept_and_said(
    box: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    box.write({MEMORY: memory(entry("hosts.md"), "A rule by hand."), HOSTS: LONG})
    assert commit.main([BOX, "-m", "memory"]) == 1
    assert capsys.readouterr().err == (
        "nestwork-commit: committed; please note:\n"
        f"nestwork-commit: {MEMORY}: line 7 between the markers, which nobody generated: moved right"
        " below the end marker\n"
    )
    assert box.git("show", f"HEAD:{MEMORY}").endswith(f"\n{END}\nA rule by hand.\n")
