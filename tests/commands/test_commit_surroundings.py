"""`nestwork-commit` where its surroundings are odd: nothing goes where it does not belong.

Nor is anything taken away that could not be looked at, and what could be committed is.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from nestwork_hooks import git
from nestwork_hooks.commands import commit, committer
from nestwork_hooks.console import streams
from nestwork_hooks.git import acting, staging
from tests.conftest import BIN, MARKERS, RULES, Done, Repo, Template, entry, memory, topic

NAME = "nestwork-commit"
NOTE = f"{NAME}: committed; please note:\n"
BOX = "agents/box/claude-a7k2"
MEMORY, HOSTS, NEW = f"{BOX}/memory.md", f"{BOX}/hosts.md", f"{BOX}/new.md"
LONG = topic(body="x\n" * 999)
IGNORED = "git ignores it ({}, line 1), so no commit will hold it: git add -f, or change that rule"


def _fill(repo: Repo) -> None:
    repo.commit(
        {
            **RULES,
            MEMORY: memory(entry("hosts.md")),
            HOSTS: topic(),
            "shared/memory.md": memory(entry("ports.md")),
            "shared/ports.md": topic(),
        }
    )


@pytest.fixture
def box(repo: Repo, template: Template) -> Repo:
    """A nest with one agent's scope of one topic, and another scope."""
    return repo.copied(template("surroundings", _fill))


@pytest.fixture
def other(box: Repo) -> Repo:
    """Another repository beside the nest, with a file that is staged."""
    path = box.path.parent / "other"
    box.git("init", "-q", "-b", "main", str(path))
    other = Repo(path, box.env)
    other.commit({"code.py": "1\n"})
    other.stage({"code.py": "2\n"})
    return other


def committed(repo: Repo) -> list[str]:
    """The paths of the newest commit."""
    return repo.git("show", "-z", "--format=", "--name-only", "--no-renames").split("\0")[:-1]


def hook(repo: Repo, name: str, script: str) -> None:
    path = repo.path / ".git/hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


# Another repository's variables


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    "names",
    [
        ["GIT_DIR"],
        ["GIT_DIR", "GIT_WORK_TREE"],
        ["GIT_INDEX_FILE"],
        ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"],
        ["GIT_OBJECT_DIRECTORY"],
        ["GIT_COMMON_DIR", "GIT_DIR"],
    ],
    ids="-".join,
)
def test_the_variables_of_another_repository_are_dropped(
    box: Repo, other: Repo, names: list[str]
) -> None:
    values = {
        "GIT_DIR": f"{other.path}/.git",
        "GIT_WORK_TREE": str(other.path),
        "GIT_INDEX_FILE": f"{other.path}/.git/index",
        "GIT_PREFIX": "sub/",
        "GIT_OBJECT_DIRECTORY": f"{other.path}/.git/objects",
        "GIT_COMMON_DIR": f"{other.path}/.git",
    }
    before = other.git("log", "--format=%H"), other.git("status", "--porcelain")
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory", **{name: values[name] for name in names})
    assert done == (0, "", "")
    assert committed(box) == [HOSTS, MEMORY]
    assert box.git("status", "--porcelain") == ""
    assert (other.git("log", "--format=%H"), other.git("status", "--porcelain")) == before


def test_every_variable_that_git_calls_local_is_dropped_but_its_configuration(
    box: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = set(box.git("rev-parse", "--local-env-vars").split())
    kept = {"GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"}
    for name in local:
        monkeypatch.setenv(name, "x")
    git.forget_other_repository()
    assert local & os.environ.keys() == kept


def test_configuration_from_the_environment_is_kept(box: Repo) -> None:
    box.write({HOSTS: LONG})
    config = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "n"}
    del box.env["GIT_AUTHOR_NAME"]
    done = box.call(NAME, BOX, "-m", "memory", GIT_DIR="elsewhere", **config)
    box.env["GIT_AUTHOR_NAME"] = "t"
    assert done == (0, "", "")
    assert box.git("log", "-1", "--format=%an") == "n\n"


TRACES = ["GIT_TRACE", "GIT_TRACE2", "GIT_TRACE_PERFORMANCE"]
TRACED = list(zip(TRACES, ["1", "2", "true"], strict=True))
MORE_TRACED = [pair for pair in product(TRACES, ["1", "2", "true"]) if pair not in TRACED]


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("name", "value"),
    [*TRACED, *(pytest.param(*pair, marks=pytest.mark.slow) for pair in MORE_TRACED)],
)
def test_a_trace_is_no_warning_of_git(box: Repo, name: str, value: str) -> None:
    box.write({HOSTS: LONG})
    assert box.run(NAME, BOX, "-m", "memory", **{name: value}) == (0, "", "")


def test_a_trace_into_a_file_is_kept(box: Repo) -> None:
    trace = box.path.parent / "trace"
    box.write({HOSTS: LONG})
    assert box.run(NAME, BOX, "-m", "memory", GIT_TRACE=str(trace)) == (0, "", "")
    assert "git commit" in trace.read_text()


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["pre-commit", "prepare-commit-msg", "post-commit"])
def test_started_by_a_hook_of_another_repository(box: Repo, other: Repo, name: str) -> None:
    hook(other, name, f"cd {box.path} && {NAME} {BOX} -m memory 2>>{box.path}/.git/said")
    box.write({HOSTS: LONG})
    other.git("commit", "-q", "-m", "code", "--date=2001-01-01T00:00:00Z")
    assert box.read(".git/said") == ""
    assert committed(box) == [HOSTS, MEMORY]
    assert box.git("log", "-1", "--format=%ad", "--date=format:%Y") != "2001\n"
    assert box.git("status", "--porcelain") == ""
    assert committed(other) == ["code.py"]
    assert other.git("log", "--format=%s") == "code\nchange\n"


def test_started_by_a_hook_of_its_own_commit_it_does_nothing(box: Repo) -> None:
    hook(box, "pre-commit", f"{NAME} {BOX} -m inner 2>>.git/said; echo $? >>.git/said")
    box.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    said = f"{NAME}: nothing done here: this is a hook of a nestwork-commit under way\n0\n"
    assert box.read(".git/said") == said
    assert box.git("log", "--format=%s") == "memory\nchange\n"


def test_two_nests_whose_hooks_start_the_others_committer(box: Repo, other: Repo) -> None:
    other.commit({**RULES, MEMORY: MARKERS, HOSTS: topic()})
    for one, two in ((box, other), (other, box)):
        hook(one, "pre-commit", f"cd {two.path} && {NAME} {BOX} -m memory")
        one.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert committed(box) == committed(other) == [HOSTS, MEMORY]


# Where it stands


def test_a_repository_further_up_is_not_committed_to(box: Repo) -> None:
    inner = box.path / "inner"
    inner.mkdir()
    nest = Repo(inner, box.env)
    for broken in ("folder", "file", "link"):
        dot_git = inner / ".git"
        if broken == "folder":
            dot_git.mkdir()
        elif broken == "file":
            dot_git.write_text(f"gitdir: {box.path}/gone\n")
        else:
            dot_git.symlink_to("gone")
        nest.write({**RULES, MEMORY: MARKERS, HOSTS: topic()})
        done = nest.call(NAME, BOX, "-m", "memory")
        assert done.code == 2
        assert done.err.startswith(f"{NAME}: not committed: ")
        assert done.err.count("\n") == 1
        if broken != "file":  # Which git refuses by itself.
            assert "the .git here is no repository, and git would commit to another" in done.err
        shutil.rmtree(dot_git) if broken == "folder" else dot_git.unlink()
    assert box.git("log", "--format=%s") == "change\n"


NO_NEST = (
    f"{NAME}: not committed: no nest here: git lists neither queen/agent-rules.md nor a memory.md with an index:"
    " start in the nest's root\n"
)


def test_a_project_that_is_no_nest(other: Repo) -> None:
    other.write({"shared/code.py": "3\n", "shared/memory.md": "# Not opted in\n"})
    before = other.git("status", "--porcelain", "-uall")
    assert other.call(NAME, "shared", "-m", "memory") == (2, "", NO_NEST)
    assert other.git("status", "--porcelain", "-uall") == before


def test_a_nest_without_rules(box: Repo) -> None:
    box.commit({"queen/agent-rules.md": None, "agents/box/b/x.md": "x\n"})
    box.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    box.write({"agents/box/b/x.md": "y\n"})
    assert box.call(NAME, "agents/box/b", "-m", "memory") == (0, "", "")
    box.commit({MEMORY: "# M\n", "shared/memory.md": "# M\n"})
    box.write({"agents/box/b/x.md": "z\n"})
    assert box.call(NAME, "agents/box/b", "-m", "memory") == (2, "", NO_NEST)


@pytest.mark.quick(3)
@pytest.mark.parametrize("folder", ["agents", "agents/box", BOX])
@pytest.mark.parametrize("kind", ["link", "repository"])
def test_a_folder_that_holds_no_memory_of_this_repository(
    box: Repo, folder: str, kind: str
) -> None:
    path = box.path / folder
    if kind == "link":
        path.rename(box.path.parent / "moved")
        path.symlink_to(box.path.parent / "moved")
        reason = "is a symbolic link"
    else:
        box.git("init", "-q", str(path))
        reason = "is a git repository of its own, of which no commit here holds a file"
    done = box.call(NAME, BOX, "-m", "memory")
    assert done == (
        2,
        "",
        f"{NAME}: not committed: {folder} {reason}: name the folder of a scope\n",
    )
    assert box.git("diff", "--cached", "--name-only") == ""


# Looks that fail


def unprivileged(repo: Repo, *command: str) -> Done:
    """Run a command without the right to pass over file modes, which root has else."""
    drop = (
        "import ctypes, os, sys; libc = ctypes.CDLL(None);"
        " [libc.prctl(24, capability, 0, 0, 0) for capability in (1, 2)];"  # PR_CAPBSET_DROP
        " os.execv(sys.argv[1], sys.argv[1:])"
    )
    name, *args = command
    return repo.run(sys.executable, "-c", drop, str(BIN / name), *args)


@pytest.fixture
def modes(box: Repo) -> Iterator[None]:
    """Whatever a test takes from the modes is given back, so that the folder can be removed."""
    yield
    for folder, _, _ in os.walk(box.path):
        os.chmod(folder, 0o755)


LOOKS = [
    ("a folder without x", "sub", 0o600, "sub/deep.md: cannot be looked at: Permission denied"),
    ("a folder without r", "sub", 0o300, "git says: warning: could not open directory"),
    ("a file without r", "new.md", 0o000, "new.md: cannot be looked at: Permission denied"),
    ("a tracked file without r", "big.md", 0o000, "big.md: cannot be looked at: Permission"),
]


@pytest.mark.quick(2)
@pytest.mark.usefixtures("modes")
@pytest.mark.parametrize(
    ("path", "mode", "said"), [r[1:] for r in LOOKS], ids=[r[0] for r in LOOKS]
)
def test_what_cannot_be_looked_at_is_not_deleted(
    box: Repo, path: str, mode: int, said: str
) -> None:
    deep, big = f"{BOX}/sub/deep.md", f"{BOX}/big.md"
    rows = (entry("big.md"), entry("hosts.md"), entry("sub/deep.md"))
    box.commit({deep: topic(), big: topic(), MEMORY: memory(*rows)})
    box.write({NEW: topic(), HOSTS: LONG, big: topic(body="# Other\n")})
    (box.path / BOX / path).chmod(mode)
    done = unprivileged(box, NAME, BOX, "-m", "memory")
    assert done.code == 1
    assert done.err.startswith(f"{NOTE}{NAME}: left out: {BOX}")
    assert said in done.err
    assert {HOSTS, MEMORY} <= set(committed(box))
    assert deep in box.git("ls-tree", "-r", "--name-only", "HEAD").split("\n")
    assert "sub/deep.md" in box.git("show", f"HEAD:{MEMORY}")


@pytest.mark.usefixtures("modes")
@pytest.mark.parametrize("folder", ["agents", "agents/box"])
def test_a_scope_that_cannot_be_looked_at(box: Repo, folder: str) -> None:
    (box.path / folder).chmod(0o600)
    done = unprivileged(box, NAME, BOX, "-m", "memory")
    assert done.code == 2
    assert "cannot be looked at: Permission denied" in done.err
    assert box.git("diff", "--cached", "--name-only") == ""


@pytest.mark.quick(2)
@pytest.mark.usefixtures("modes")
@pytest.mark.parametrize("folder", [".", "agents", "agents/box"])
@pytest.mark.parametrize("nest", [".", "docs/nest"])
def test_new_files_that_git_cannot_find_are_told_of(box: Repo, folder: str, nest: str) -> None:
    """Below a folder that may be passed and not listed git knows only what it tracks."""
    if nest != ".":
        (box.path / "docs").mkdir()
        box.git("mv", "agents", "queen", "shared", "docs", GIT_LITERAL_PATHSPECS="1")
        (box.path / "docs").rename(box.path / "nest")
        (box.path / "docs").mkdir()
        (box.path / "nest").rename(box.path / nest)
        box.commit()
    inner = Repo(box.path / nest, box.env)
    inner.write({HOSTS: LONG, NEW: topic()})
    (inner.path / folder).chmod(0o300)
    done = unprivileged(inner, NAME, BOX, "-m", "memory")
    assert done.code == 1
    assert done.err.startswith(f"{NOTE}{NAME}: left out: {BOX}: git says: warning: could not open")
    assert done.err.count("\n") == 2
    inner_paths = [path.removeprefix("docs/nest/") for path in committed(box)]
    assert inner_paths == [HOSTS, MEMORY]


UNREAD = "which may say what is private, cannot be read: Permission denied"


@pytest.mark.quick(2)
@pytest.mark.usefixtures("modes")
@pytest.mark.parametrize("name", [".gitignore", ".gitattributes"])
@pytest.mark.parametrize("folder", ["", "agents/", f"{BOX}/"])
def test_without_the_rules_on_what_is_private_nothing_is_committed(
    box: Repo, name: str, folder: str
) -> None:
    """Git goes on without a file that it cannot read, and an ignored one would be committed."""
    box.commit({f"{folder}{name}": f"{NEW} filter=git-crypt\n" if "attr" in name else "new.md\n"})
    box.write({HOSTS: LONG, NEW: topic()})
    (box.path / folder / name).chmod(0)
    done = unprivileged(box, NAME, BOX, "-m", "memory")
    said = f"not committed: {folder}{name}, {UNREAD}"
    assert done == (2, "", f"{NAME}: {said}\n")
    assert box.git("diff", "--cached", "--name-only") == ""


@pytest.mark.usefixtures("modes")
def test_the_rules_of_the_whole_repository_count_for_a_nest_in_a_folder(box: Repo) -> None:
    inner = Repo(box.path / "nest", box.env)
    inner.write({**RULES, MEMORY: MARKERS})
    box.commit({".gitignore": "new.md\n"})
    inner.write({HOSTS: LONG, NEW: topic()})
    (box.path / ".gitignore").chmod(0)
    done = unprivileged(inner, NAME, BOX, "-m", "memory")
    assert done == (2, "", f"{NAME}: not committed: ../.gitignore, {UNREAD}\n")


@pytest.mark.usefixtures("modes")
def test_the_rules_of_a_folder_hold_back_what_is_in_it(box: Repo) -> None:
    sub = f"{BOX}/sub/.gitignore"
    box.commit({sub: "private.md\n"})
    box.write({f"{BOX}/sub/private.md": topic(), NEW: topic()})
    (box.path / sub).chmod(0)
    done = unprivileged(box, NAME, BOX, "-m", "memory")
    assert done.code == 1
    assert f"{NAME}: left out: {BOX}/sub/private.md: {sub}, {UNREAD}\n" in done.err
    assert committed(box) == [MEMORY, NEW]


@pytest.mark.skipif(not shutil.which("lowntfs-3g") or os.geteuid() != 0, reason="needs ntfs-3g")
def test_a_mount_whose_server_died(box: Repo) -> None:
    image = box.path.parent / "image"
    image.write_bytes(bytes(8 << 20))
    assert box.run("mkntfs", "-q", "-F", str(image)).code == 0
    point = box.path / BOX / "sub"
    point.mkdir()
    if box.run("lowntfs-3g", str(image), str(point)).code:
        pytest.skip("this machine cannot mount")
    try:
        box.commit({f"{BOX}/sub/deep.md": topic()})
        box.call("nestwork-fix-index", "--all")
        box.commit()
        pid = box.run("pgrep", "-f", f"lowntfs-3g.*{point}").out.split()[0]
        os.kill(int(pid), signal.SIGKILL)
        box.write({HOSTS: LONG})
        done = box.call(NAME, BOX, "-m", "memory")
    finally:
        box.run("umount", "-l", str(point))
    assert done.code == 1
    assert "left out" in done.err
    assert committed(box) == [HOSTS, MEMORY]
    assert "sub/deep.md" in box.git("show", f"HEAD:{MEMORY}")


# What git cannot add


def nested(box: Repo) -> None:
    box.git("init", "-q", str(box.path / BOX / "nested"))
    inner = Repo(box.path / BOX / "nested", box.env)
    inner.commit({"x.md": topic()})


def empty_repository(box: Repo) -> None:
    box.git("init", "-q", str(box.path / BOX / "nested"))


def pipe(box: Repo) -> None:
    (box.path / NEW).unlink()
    os.mkfifo(box.path / NEW)
    box.git("rm", "-q", "--cached", "--ignore-unmatch", NEW)


def tracked_as_pipe(box: Repo) -> None:
    box.commit({f"{BOX}/old.txt": "x"})
    box.write({f"{BOX}/old.txt": None})
    os.mkfifo(box.path / BOX / "old.txt")


def tracked_as_socket(box: Repo) -> None:
    box.commit({f"{BOX}/old.txt": "x"})
    box.write({f"{BOX}/old.txt": None})
    here = os.getcwd()
    os.chdir(box.path / BOX)
    try:
        socket.socket(socket.AF_UNIX).bind("old.txt")
    finally:
        os.chdir(here)


def unsafe_line_ends(box: Repo) -> None:
    box.git("config", "core.autocrlf", "input")
    box.git("config", "core.safecrlf", "true")
    box.write({f"{BOX}/mixed.txt": "a\r\nb\n"})


def failing_filter(box: Repo) -> None:
    box.git("config", "filter.no.clean", "false")
    box.git("config", "filter.no.required", "true")
    box.write({".gitattributes": "*.bin filter=no\n", f"{BOX}/x.bin": "x"})


def outside_the_sparse_checkout(box: Repo) -> None:
    box.git("sparse-checkout", "set", "--no-cone", "/*", f"!/{BOX}/far/")
    box.write({f"{BOX}/far/x.md": topic()})


OWN = "a git repository of its own, of which no commit here holds a file"
LEFT = [
    (nested, f"{BOX}/nested: {OWN}"),
    (empty_repository, f"{BOX}/nested: {OWN}"),
    (tracked_as_pipe, f"{BOX}/old.txt: no regular file"),
    (tracked_as_socket, f"{BOX}/old.txt: no regular file"),
    (unsafe_line_ends, f"{BOX}/mixed.txt: git cannot add it: fatal: CRLF would be replaced by LF"),
    (failing_filter, f"{BOX}/x.bin: git cannot add it: "),
    (outside_the_sparse_checkout, f"{BOX}/far/x.md: git cannot add it: "),
]


@pytest.mark.quick(3)
@pytest.mark.parametrize(("prepare", "said"), LEFT, ids=[row[0].__name__ for row in LEFT])
def test_what_git_cannot_add_holds_back_nothing_else(box: Repo, prepare: object, said: str) -> None:
    assert callable(prepare)
    prepare(box)
    box.write({NEW: topic()})
    start = time.monotonic()
    done = box.call(NAME, BOX, "-m", "memory")
    assert time.monotonic() - start < 3
    assert done.code == 1
    assert done.err.startswith(f"{NOTE}{NAME}: left out: {said}")
    assert done.err.count("\n") == 2
    assert committed(box) == [MEMORY, NEW]
    assert "new.md" in box.git("show", f"HEAD:{MEMORY}")
    again = box.call(NAME, BOX, "-m", "memory")
    assert (again.code, again.err) == (1, done.err.replace("committed", "nothing to commit"))


def test_many_files_with_some_that_git_cannot_add(box: Repo) -> None:
    box.git("config", "core.autocrlf", "input")
    box.git("config", "core.safecrlf", "true")
    bad = {f"{BOX}/{number:03}.txt": "a\r\nb\n" for number in (7, 90)}
    good = {f"{BOX}/{number:03}.txt": "a\n" for number in range(100)}
    box.write({**good, **bad})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done.code == 1
    assert done.err.count("left out") == 2
    assert committed(box) == sorted(good.keys() - bad.keys())


def test_of_very_many_that_git_cannot_add_not_each_is_looked_for(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(staging, "_MOST_REFUSED", 1)
    box.git("config", "core.autocrlf", "input")
    box.git("config", "core.safecrlf", "true")
    box.write({f"{BOX}/{number}.txt": "a\r\nb\n" for number in range(8)})
    assert commit.main([BOX, "-m", "memory"]) == 1
    said = capsys.readouterr().err.splitlines()[1:]
    singly = "git cannot add it: fatal: CRLF would be replaced by LF in"
    assert [line.split(": ", 3)[2] for line in said] == [
        *(f"{BOX}/{number}.txt" for number in (7, 6, 4, 5, 0, 1, 2, 3))
    ]
    assert [singly in line for line in said] == [True] * 2 + [False] * 6
    assert "git cannot add it, or one of 4 with it: fatal: CRLF would be" in said[-1]


def test_a_file_that_git_tracks_in_a_folder_that_it_ignores(box: Repo) -> None:
    box.commit({".gitignore": "agents\n"})
    time.sleep(0.02)
    box.write({HOSTS: LONG, NEW: topic()})
    said = f"{NOTE}{NAME}: left out: {NEW}: {IGNORED.format('.gitignore')}\n"
    assert box.call(NAME, BOX, "-m", "memory") == (1, "", said)
    assert committed(box) == [HOSTS, MEMORY]
    assert box.git("status", "--porcelain") == ""


def test_a_file_that_git_ignores_is_said_once(box: Repo, tmp_path: Path) -> None:
    """And only memory that came after the last commit."""
    ignore = tmp_path / "ignore"
    ignore.write_text("*draft*\n")
    box.git("config", "core.excludesFile", str(ignore))
    old, new = f"{BOX}/old-draft.md", f"{BOX}/sub/draft.md"
    box.write({old: topic(), "shared/draft.md": topic()})
    os.utime(box.path / ".git/logs/HEAD", (time.time() + 5, time.time() + 5))
    box.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    time.sleep(0.02)
    others = (
        f"{BOX}/draft.txt",
        f"{BOX}/local/draft.md",
        f"{BOX}/a/b/draft.md",
        f"{BOX}/.draft/x.md",
    )
    box.write({new: topic(), **dict.fromkeys(others, topic())})
    said = f"{NAME}: left out: {new}: {IGNORED.format(ignore)}\n"
    nothing = f"{NAME}: nothing to commit; please note:\n"
    assert box.call(NAME, BOX, "-m", "memory") == (1, "", nothing + said)
    assert box.call(NAME, BOX, "-m", "memory", "--exclude", "draft") == (0, "", "")
    box.write({HOSTS: topic()})
    assert box.call(NAME, BOX, "-m", "memory") == (1, "", NOTE + said)
    box.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")


@pytest.mark.parametrize("where", ["a link", "a repository", "a file that is taken back"])
def test_what_is_no_memory_that_git_ignores(box: Repo, tmp_path: Path, where: str) -> None:
    (tmp_path / "x.md").write_text("x\n")
    box.commit({".gitignore": "*draft*\n!keep-draft.md\n"})
    time.sleep(0.02)
    if where == "a link":
        box.write({f"{BOX}/draft.md": tmp_path / "x.md", f"{BOX}/draft": tmp_path})
    elif where == "a repository":
        box.git("init", "-q", str(box.path / BOX / "draft"))
        box.write({f"{BOX}/draft/x.md": "x\n"})
    else:
        box.write({f"{BOX}/keep-draft.md": topic()})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")


def test_without_a_reflog_nothing_that_git_ignores_is_news(box: Repo) -> None:
    box.commit({".gitignore": "*draft*\n"})
    shutil.rmtree(box.path / ".git/logs")
    box.write({f"{BOX}/draft.md": topic()})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")


@pytest.mark.slow
def test_a_thousand_folders(box: Repo) -> None:
    folder = os.open(box.path / BOX, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(os.open("x.txt", os.O_WRONLY | os.O_CREAT, dir_fd=folder))
    os.close(folder)
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    assert committed(box) == [f"{BOX}/{'d/' * 1200}x.txt"]
    box.run("rm", "-r", f"{BOX}/d")  # Which others may not be able to.


def test_a_read_only_clone_is_not_waited_for(box: Repo) -> None:
    box.write({HOSTS: LONG})
    (box.path / ".git").chmod(0o555)
    start = time.monotonic()
    done = unprivileged(box, NAME, BOX, "-m", "memory")
    (box.path / ".git").chmod(0o755)
    assert time.monotonic() - start < 3
    assert done.code == 2
    assert "index.lock': Permission denied" in done.err


def test_uncommitted_names_repositories_in_a_scope(box: Repo) -> None:
    nested(box)
    done = box.call("nestwork-check", BOX, "--uncommitted")
    assert "in a repository of its own nested/" in done.out
    box.git("add", BOX)
    done = box.call("nestwork-check", BOX, "--uncommitted")
    assert "in a repository of its own nested/" in done.out


def test_a_repository_that_somebody_staged_is_not_committed(box: Repo) -> None:
    nested(box)
    box.git("add", BOX)
    box.write({NEW: topic()})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done == (1, "", f"{NOTE}{NAME}: left out: {BOX}/nested: {OWN}\n")
    assert committed(box) == [MEMORY, NEW]


# Links, files and folders that take each other's places

SUB = f"{BOX}/sub/deep.md"


def folder_to_link(box: Repo) -> None:
    (box.path / BOX / "sub").rename(box.path.parent / "sub")
    (box.path / BOX / "sub").symlink_to(box.path.parent / "sub")


def folder_to_dangling_link(box: Repo) -> None:
    shutil.rmtree(box.path / BOX / "sub")
    (box.path / BOX / "sub").symlink_to("nowhere")


def folder_to_file(box: Repo) -> None:
    shutil.rmtree(box.path / BOX / "sub")
    box.write({f"{BOX}/sub": "x"})


def file_to_folder(box: Repo) -> None:
    box.write({HOSTS: None, f"{HOSTS}/in.md": topic()})


def file_to_link(box: Repo) -> None:
    box.write({HOSTS: Path("sub/deep.md")})


def link_to_folder(box: Repo) -> None:
    box.write({f"{BOX}/link": None, f"{BOX}/link/in.md": topic()})


def link_to_file(box: Repo) -> None:
    box.write({f"{BOX}/link": None})
    box.write({f"{BOX}/link": "x"})


CHANGES = [
    folder_to_link,
    folder_to_dangling_link,
    folder_to_file,
    file_to_folder,
    file_to_link,
    link_to_folder,
    link_to_file,
]


@pytest.mark.quick(4)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("staged", [False, True])
def test_head_holds_what_lies_there(box: Repo, change: object, staged: bool) -> None:
    assert callable(change)
    box.commit({SUB: topic(), f"{BOX}/link": Path("hosts.md")})
    box.call("nestwork-fix-index", "--all")
    box.commit()
    change(box)
    if staged:
        box.git("add", BOX)
    said = box.call(NAME, BOX, "-m", "memory").err.splitlines()[1:]
    assert {line.rpartition(" ")[2] for line in said} <= {"[not-a-file]"}
    assert box.git("status", "--porcelain", "-uall") == ""
    assert box.call("nestwork-check", BOX, "--staged", "--ignore", "not-a-file") == (0, "", "")
    box.write({NEW: topic()})
    assert box.call(NAME, BOX, "-m", "again") == (0, "", "")
    assert committed(box) == [MEMORY, NEW]


def test_a_file_taken_out_of_git_that_stays_on_disk_is_said(box: Repo) -> None:
    box.write({f"{BOX}/private.txt": "x"})
    box.git("add", "-f", f"{BOX}/private.txt")
    box.commit({".gitignore": "private.txt\n"})
    box.git("rm", "-q", "--cached", f"{BOX}/private.txt")
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    said = "staged as removed, but still on disk: only a git commit takes that"
    assert done == (1, "", f"{NOTE}{NAME}: left out: {BOX}/private.txt: {said}\n")
    assert committed(box) == [HOSTS, MEMORY]
    assert box.git("status", "--porcelain") == f"D  {BOX}/private.txt\n"


# What others do to the staging area in the meantime


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "what", [["reset", "-q"], ["read-tree", "HEAD"], ["rm", "-qr", "--cached", BOX]]
)
@pytest.mark.parametrize("how_often", [1, 99])
def test_somebody_takes_it_off_the_staging_area(
    box: Repo,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    what: list[str],
    how_often: int,
) -> None:
    commit_them = staging.commit
    taken_off: list[int] = []

    def after_another(paths: list[str], *more: Any, **env: Any) -> None:
        if len(taken_off) < how_often:
            taken_off.append(1)
            box.git(*what)
        commit_them(paths, *more, **env)

    monkeypatch.setattr(staging, "commit", after_another)
    box.write({NEW: topic()})
    assert commit.main([BOX, "-m", "memory"]) == (0 if how_often == 1 else 2)
    said = capsys.readouterr().err
    if how_often == 1:
        assert said == ""
        assert committed(box) == [MEMORY, NEW]
    else:
        assert said.startswith(f"{NAME}: not committed: {BOX} stays staged, its index true; git")
    assert box.call("nestwork-check", BOX, "--staged") == (0, "", "")


def test_without_locks_another_run_commits_the_same_and_more_is_written(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commit_them = staging.commit
    raced: list[int] = []

    def after_another(*args: Any, **env: Any) -> None:
        if not raced:
            raced.append(1)
            box.git("commit", "-qm", "another", "--", BOX)
            box.write({NEW: topic()})
        commit_them(*args, **env)

    monkeypatch.setattr(staging, "commit", after_another)
    box.write({HOSTS: topic(body="# U\n")})
    assert commit.main([BOX, "-m", "memory"]) == 0
    assert capsys.readouterr().err == ""
    assert committed(box) == [MEMORY, NEW]
    assert box.git("status", "--porcelain") == ""


def test_a_hook_that_refuses_without_a_word_is_asked_once(
    box: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    hook(box, "pre-commit", f"echo x >>{box.path}/asked\nexit 1")
    box.write({HOSTS: topic(body="# U\n")})
    assert commit.main([BOX, "-m", "memory"]) == 2
    said = f"{NAME}: not committed: {BOX} stays staged, its index true; git or a hook says:"
    assert capsys.readouterr().err == f"{said}\n> (nothing; exit code 1)\n"
    assert box.read("asked") == "x\n"


# Names that a file system does not tell apart


@pytest.fixture
def caseless(box: Repo) -> Iterator[Repo]:
    """The nest on a file system without case."""
    if not shutil.which("lowntfs-3g") or os.geteuid() != 0:
        pytest.skip("needs ntfs-3g and root")
    image = box.path.parent / "image"
    image.write_bytes(bytes(24 << 20))
    point = box.path.parent / "caseless"
    point.mkdir()
    box.run("mkntfs", "-q", "-F", str(image))
    if box.run("lowntfs-3g", "-o", "ignore_case", str(image), str(point)).code:
        pytest.skip("this machine cannot mount")
    try:
        box.git("clone", "-q", str(box.path), str(point / "nest"))
        yield Repo(point / "nest", box.env)
    finally:
        box.run("umount", "-l", str(point))


@pytest.mark.parametrize("spelled", ["agents/Box/claude-a7k2", "agents/box/CLAUDE-a7k2"])
def test_a_scope_in_another_case(caseless: Repo, spelled: str) -> None:
    caseless.write({HOSTS: LONG})
    assert caseless.call(NAME, spelled, "-m", "memory") == (0, "", "")
    assert committed(caseless) == [HOSTS, MEMORY]
    assert caseless.git("status", "--porcelain") == ""


def test_case_counts_where_the_file_system_tells_it(box: Repo) -> None:
    box.write({"agents/Box/claude-a7k2/x.md": topic()})
    assert box.call(NAME, "agents/Box/claude-a7k2", "-m", "memory").code == 0
    assert committed(box) == ["agents/Box/claude-a7k2/x.md"]


# What is under way


def test_a_detached_head_is_told_of(box: Repo) -> None:
    box.git("checkout", "-q", "--detach")
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done == (1, "", f"{NOTE}{NAME}: {committer.PASSING['detached']}\n")
    assert committed(box) == [HOSTS, MEMORY]


def test_a_head_that_a_hook_detaches(box: Repo) -> None:
    hook(box, "pre-commit", "id=$(git rev-parse HEAD); echo $id >.git/HEAD")
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done == (1, "", f"{NOTE}{NAME}: {committer.PASSING['detached']}\n")


@pytest.mark.quick(2)
@pytest.mark.parametrize("kind", ["a linked worktree", "a symbolic link", "the first commit"])
def test_a_branch_is_no_detached_head(box: Repo, kind: str) -> None:
    if kind == "a linked worktree":
        box.git("worktree", "add", "-q", "-b", "linked", "../linked")
        box = Repo(box.path.parent / "linked", box.env)
    elif kind == "a symbolic link":
        box.git("config", "core.preferSymlinkRefs", "true")
        box.git("checkout", "-q", "-b", "side")
    else:
        box.git("checkout", "-q", "--orphan", "fresh")
    box.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")


def test_git_am_is_no_rebase(box: Repo) -> None:
    box.git("checkout", "-q", "-b", "side")
    box.commit({"other.md": "theirs\n"})
    patch = box.git("format-patch", "-1", "--stdout")
    box.git("checkout", "-q", "main")
    box.commit({"other.md": "ours\n"})
    mailbox = box.path.parent / "patch"
    mailbox.write_text(patch)
    assert box.run("git", "am", str(mailbox)).code
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    assert done == (1, "", f"{NOTE}{NAME}: {committer.PASSING['git am']}\n")


def test_an_empty_pick_of_a_rebase_is_no_cherry_pick(box: Repo) -> None:
    box.git("checkout", "-q", "-b", "side")
    box.commit({"other.md": "same\n"})
    box.commit({"other.md": "same\n", "more.md": "x\n"})
    box.git("checkout", "-q", "main")
    box.commit({"other.md": "same\n", "more.md": "y\n"})
    box.git("checkout", "-q", "side")
    box.run("git", "rebase", "-q", "main")
    box.write({"more.md": "y\n"})
    box.git("add", "more.md")
    box.run("git", "rebase", "--continue", GIT_EDITOR="true")
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", "memory")
    if (box.path / ".git/CHERRY_PICK_HEAD").exists():
        assert done.code == 2
        assert "git makes no partial commit during a rebase pick; go on (git rebase" in done.err
    else:
        assert done.code in (0, 1)


# Our own hooks

CHECK = "nestwork-check"


def judged_by(box: Repo, name: str, *words: str) -> str:
    """What a hook of the committer's own commit says of an unsound topic."""
    box.write({NEW: "no front matter\n"})
    command = " ".join([CHECK, *words])
    hook(box, name, f"{command} >.git/said 2>&1; echo $? >>.git/said")
    assert box.call(NAME, BOX, "-m", "memory").code == 1
    return box.read(".git/said")


def test_a_hook_of_this_very_commit_does_not_judge_again(box: Repo) -> None:
    assert judged_by(box, "pre-commit") == "0\n"


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pre-commit", ["--all"]),
        ("pre-commit", [BOX]),
        ("post-commit", [BOX]),
        ("post-commit", ["--all"]),
    ],
)
def test_everything_else_that_the_commit_starts_judges(
    box: Repo, name: str, words: list[str]
) -> None:
    assert "new.md:1: error: no YAML front matter" in judged_by(box, name, *words)


def test_a_push_that_a_hook_starts_is_judged(box: Repo) -> None:
    bare = box.path.parent / "bare.git"
    box.git("init", "-q", "--bare", str(bare))
    box.git("remote", "add", "origin", str(bare))
    box.git("push", "-q", "origin", "main")
    hook(box, "pre-push", f"{CHECK} --all >.git/said 2>&1; exit 0")
    hook(box, "post-commit", "git push -q origin main")
    box.write({NEW: "no front matter\n"})
    assert box.call(NAME, BOX, "-m", "memory").code == 1
    assert "no YAML front matter" in box.read(".git/said")


def test_the_mark_of_a_committer_that_ended_silences_nothing(box: Repo) -> None:
    box.stage({NEW: "no front matter\n"})
    index = box.path / ".git/next-index-1.lock"
    shutil.copy(box.path / ".git/index", index)
    ended = subprocess.Popen(["true"])
    ended.wait()
    marks = {
        "another process": f"{ended.pid} {box.path}/.git",
        "another clone": f"{os.getpid()} {box.path.parent}/.git",
        "an old form": "1",
        "nonsense": "x y z",
        "far too large": f"{10**30} {box.path}/.git",
    }
    for name, value in marks.items():
        done = box.call(CHECK, NESTWORK_COMMIT=value, GIT_INDEX_FILE=str(index))
        assert (name, done.code) == (name, 1)
    own = f"{os.getpid()} {box.path}/.git"
    assert box.call(CHECK, NESTWORK_COMMIT=own, GIT_INDEX_FILE=str(index)) == (0, "", "")
    range_ = {"PRE_COMMIT_FROM_REF": "HEAD", "PRE_COMMIT_TO_REF": "HEAD", "PRE_COMMIT": "1"}
    box.commit({})
    range_["PRE_COMMIT_FROM_REF"] = "HEAD~1"
    assert box.call(CHECK, NESTWORK_COMMIT=own, GIT_INDEX_FILE=str(index), **range_).code == 1


# Ends


def test_a_hook_that_never_answers_is_ended(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(acting, "LONGEST", 0.5)
    hook(box, "pre-commit", "sleep 30")
    box.write({HOSTS: LONG})
    assert commit.main([BOX, "-m", "memory"]) == 2
    assert "> git commit, or what it runs or asks, gave no answer" in (capsys.readouterr().err)
    assert not list((box.path / ".git").rglob("*.lock"))


def test_a_hook_that_does_not_want_to_end(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(acting, "LONGEST", 0.3)
    monkeypatch.setattr(acting, "_CLEANING_UP", 0.3)
    hook(box, "pre-commit", "trap '' TERM; sleep 5 & wait; sleep 5")
    box.write({HOSTS: LONG})
    start = time.monotonic()
    assert commit.main([BOX, "-m", "memory"]) == 2
    assert time.monotonic() - start < 4
    assert "gave no answer" in capsys.readouterr().err


def test_of_a_flood_a_megabyte_is_read(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(acting, "_MOST_SAID", 30)
    hook(box, "pre-commit", "seq 1000 >&2; exit 1")
    box.write({HOSTS: LONG})
    assert commit.main([BOX, "-m", "memory"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] in ("> 13", "> 1")


@pytest.mark.parametrize("what", ["add", "commit"])
def test_a_git_that_a_signal_ends(box: Repo, what: str) -> None:
    box.write({NEW: topic()})
    if what == "add":
        box.write({".gitattributes": f"{NEW} filter=x\n"})
        box.git("config", "filter.x.clean", "kill -9 $PPID; sleep 1")
    else:
        hook(box, "pre-commit", "kill -TERM $PPID; sleep 1")
    done = box.call(NAME, BOX, "-m", "memory", "--retries", "0")
    assert done.code == 2
    assert done.err.startswith(f"{NAME}: not committed: ")
    number = {"add": 9, "commit": 15}[what]
    assert done.err.splitlines()[1:] == [f"> git {what} was ended by signal {number}"]


@pytest.mark.quick(1)
@pytest.mark.parametrize("stderr", ["closed", "full"])
def test_nobody_can_listen(box: Repo, stderr: str) -> None:
    box.write({NEW: "no front matter\n"})
    where = {"closed": "2>&-", "full": "2>/dev/full"}[stderr]
    assert box.run("sh", "-c", f"{NAME} {BOX} -m memory {where}").code == 1
    assert committed(box) == [MEMORY, NEW] or committed(box) == [NEW]
    assert box.run("sh", "-c", f"{NAME} {BOX} -m memory {where}").code == 0


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    ("config", "message", "code"),
    [
        ([], "# only a comment", 0),
        (["commit.cleanup=strip"], "# only a comment\n\n# and one more", 2),
        (["commit.cleanup=strip"], "# a comment\nand a text", 0),
        (["commit.cleanup=strip", "core.commentChar=;"], "; only a comment", 2),
        (["commit.cleanup=strip", "core.commentChar=;"], "# a text", 0),
        (["commit.cleanup=whitespace"], "# a text", 0),
    ],
)
def test_a_message_of_comments(box: Repo, config: list[str], message: str, code: int) -> None:
    for setting in config:
        box.git("config", *setting.split("="))
    box.write({HOSTS: LONG})
    done = box.call(NAME, BOX, "-m", message)
    assert done.code == code
    if code:
        assert done.err == (
            f"{NAME}: not committed: the message holds nothing but comments, which"
            " commit.cleanup=strip takes away: start it with another character\n"
        )
        assert box.git("diff", "--cached", "--name-only") == ""


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (git.GitError("broken"), "broken"),
        (KeyboardInterrupt(), "interrupted"),
        (ZeroDivisionError("0"), "internal error in commands/committer.py, line "),
    ],
)
def test_what_cannot_be_judged_after_the_commit_is_committed(
    box: Repo,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    said: str,
) -> None:
    def fail(*_: object) -> object:
        raise error

    monkeypatch.setattr("nestwork_hooks.git.trees.committed", fail)
    box.write({HOSTS: LONG})
    assert commit.main([BOX, "-m", "memory"]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"{NAME}: committed, but not judged: {said}")
    assert err.count("\n") == 1
    assert committed(box) == [HOSTS, MEMORY]


def test_a_commit_that_was_done_when_the_interrupt_came_is_one(
    box: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    act = staging.commit

    def interrupted(*args: Any, **env: Any) -> None:
        act(*args, **env)
        raise acting.Interrupted("commit", done=True)

    monkeypatch.setattr(staging, "commit", interrupted)
    box.write({HOSTS: LONG})
    assert commit.main([BOX, "-m", "memory"]) == 1
    said = "committed, but not judged: interrupted; git commit had just been done"
    assert capsys.readouterr().err == f"{NAME}: {said}\n"
    assert committed(box) == [HOSTS, MEMORY]


def test_whoever_interrupts_what_is_said_takes_no_commit_back(
    box: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(streams, "print_lines", interrupted)
    monkeypatch.setattr(streams, "drop", lambda _: None)
    box.write({HOSTS: LONG, NEW: "no front matter\n"})
    assert commit.main([BOX, "-m", "memory"]) == 1
    assert committed(box) == [HOSTS, MEMORY, NEW]


def test_a_file_that_orders_diffs_and_is_missing(box: Repo) -> None:
    box.git("config", "diff.orderFile", "/nowhere/order")
    box.write({HOSTS: LONG})
    assert box.call(NAME, BOX, "-m", "memory") == (0, "", "")
    box.git("config", "--unset", "diff.orderFile")
    assert committed(box) == [HOSTS, MEMORY]


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["x" * 300 + ".md", "d/" * 2_100 + "x.md"])
def test_a_path_that_no_system_holds_is_not_deleted(box: Repo, name: str) -> None:
    blob = box.git("rev-parse", f"HEAD:{HOSTS}").strip()
    path = f"{BOX}/{name}"
    box.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
    box.git("commit", "-q", "-m", "long")
    box.write({NEW: topic()})
    assert box.call(NAME, BOX, "-m", "memory").code == 1
    assert path in box.git("ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")
    assert NEW in committed(box)


@pytest.mark.quick(1)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("at", ["add", "commit"])
def test_interrupted_at_the_moment_git_starts(
    box: Repo, tmp_path: Path, at: str, number: signal.Signals
) -> None:
    """Whatever is said to be not committed is not committed later by a git that goes on alone."""
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("the tests were started to ignore it, as below nohup")
    program = tmp_path / "git"
    real = shutil.which("git", path=box.env["PATH"])
    program.write_text(
        f"#!/bin/sh\nfor word; do [ $word = {at} ] && kill -{number} $PPID && sleep 0.5; done\n"
        f'exec {real} "$@"\n'
    )
    program.chmod(0o755)
    box.write({HOSTS: topic(body="# U\n")})
    done = box.run(NAME, BOX, "-m", "memory", PATH=f"{tmp_path}:{box.env['PATH']}")
    assert done.code == 2, done.text
    assert done.err.startswith(f"{NAME}: not committed: interrupted; git {at} was ended")
    time.sleep(1)
    assert box.git("log", "--format=%s").splitlines()[0] != "memory"


@pytest.mark.skipif(not shutil.which("pgrep"), reason="pgrep is not installed (Debian: procps)")
def test_a_reader_that_is_ended_while_it_waits(box: Repo) -> None:
    reader = "$(pgrep -P $(ps -o ppid= $PPID) -f cat-file)"
    hook(box, "post-commit", f"kill -9 {reader} && touch {box.path}/killed")
    box.write({HOSTS: topic(body="# U\n")})
    assert box.run(NAME, BOX, "-m", "memory") == (0, "", "")
    assert (box.path / "killed").exists()
    assert committed(box) == [HOSTS]


def test_a_caller_that_ignores_its_children(box: Repo) -> None:
    """As some supervisors do, so that the system throws exit codes away."""
    hook(box, "commit-msg", "echo no >&2\nexit 1")
    box.write({HOSTS: topic(body="# U\n")})
    script = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
    script += "os.execvp(sys.argv[1], sys.argv[1:])"
    done = box.run(sys.executable, "-c", script, NAME, BOX, "-m", "memory")
    assert (done.code, done.err.splitlines()[-1]) == (2, "> no")
    (box.path / ".git").rename(box.path / "git")
    done = box.run(sys.executable, "-c", script, NAME, BOX, "-m", "memory")
    assert (done.code, "not a git repository" in done.err) == (2, True), done.err
