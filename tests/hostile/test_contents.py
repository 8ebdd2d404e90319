"""What stands in a nest in the place of a text: links, devices, pipes, and far too much."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from nestwork_hooks.nest import contents, scope
from nestwork_hooks.protocol.content import CHUNK
from nestwork_hooks.protocol.markers import MOST_BYTES
from tests.conftest import BIN, MARKERS, RULES, Files, Repo, entry, memory, topic
from tests.entry_points import main_of

SECRET = "---\ndescription: SECRET\n---\n"
CHECK = ("nestwork-check",)
FIX = ("nestwork-fix-index",)
_PUT = {
    "FIFO": "os.mkfifo(P)",
    "socket": "import socket; socket.socket(socket.AF_UNIX).bind(P)",
    "device": "import stat; os.mknod(P, stat.S_IFCHR | 0o600, os.makedev(1, 5))",
    "folder": "os.mkdir(P)",
    "link to a file outside": "os.symlink('../../outside/secret.md', P)",
    "link to /dev/zero": "os.symlink('/dev/zero', P)",
    "link to itself": "os.symlink('t.md', P)",
    "unreadable by a folder": "os.rmdir(os.path.dirname(P)); open(os.path.dirname(P), 'w')",
}
NAMES = {"topic": "shared/x/t.md", "memory": "shared/memory.md", "resident": "shared/resident.md"}


@pytest.fixture
def listed(repo: Repo, tmp_path: Path) -> Repo:
    """A nest in which git lists regular files; something else comes to lie on disk."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.md").write_text(SECRET)
    (tmp_path / "outside/memory.md").write_text(MARKERS)
    texts = {"shared/memory.md": MARKERS, "shared/resident.md": "r", "shared/x/t.md": topic()}
    repo.commit({**RULES, **texts})
    return repo


@pytest.fixture(autouse=True)
def _ends() -> Iterator[None]:
    """Who opens a pipe, or reads a device to its end, would never come back."""
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("no end"))
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.quick(7)
@pytest.mark.parametrize("what", NAMES)
@pytest.mark.parametrize("kind", list(_PUT)[:-1])
def test_nothing_but_a_regular_file_is_opened(listed: Repo, what: str, kind: str) -> None:
    if kind == "device" and os.geteuid() != 0:
        pytest.skip("only root can make devices")
    script = f"import os; P = {NAMES[what]!r}; os.unlink(P); {_PUT[kind]}"
    assert listed.run(sys.executable, "-c", script).code == 0
    done = listed.call(*CHECK, "--all")
    assert done.code == 1
    assert f"{NAMES[what]}:1: error: " in done.out
    assert "[unreadable]" in done.out
    assert "SECRET" not in done.text
    fixed = listed.call(*FIX, "--all")
    assert "SECRET" not in fixed.text
    assert "rewrote" not in fixed.out or what == "resident"


@pytest.mark.quick(4)
@pytest.mark.parametrize("folder", ["shared", "shared/x"])
@pytest.mark.parametrize("target", ["../outside", "../../outside", "/", "/dev/fd", "x"])
def test_a_folder_that_became_a_link(listed: Repo, folder: str, target: str) -> None:
    os.rename(folder, "moved")
    os.symlink(target, folder)
    for command in (CHECK, FIX):
        for flag in ("--all", "--staged"):
            done = listed.call(*command, flag)
            assert done.code in (0, 1, 2)
            assert "SECRET" not in done.text
    outside = listed.path.parent / "outside"
    assert (outside / "memory.md").read_text() == MARKERS
    assert sorted(os.listdir(outside)) == ["memory.md", "secret.md"]


def test_a_staged_index_is_not_written_through_a_link(listed: Repo) -> None:
    outside = listed.path.parent / "outside"
    os.rename("shared", "moved")
    os.symlink(outside, "shared")
    done = listed.call(*FIX, "--staged", "shared")
    assert done.code == 2
    assert done.err.startswith("nestwork-fix-index: shared/memory.md: not rewritten: ")
    assert (outside / "memory.md").read_text() == MARKERS


def test_links_and_submodules_in_git_do_not_exist(repo: Repo) -> None:
    outside = repo.path.parent / "secret.md"
    outside.write_text(SECRET)
    repo.commit({**RULES, "shared/memory.md": memory(), "shared/l.md": outside})
    os.symlink("/dev/zero", "shared/zero.md")
    repo.git("add", "-A")
    assert repo.call(*CHECK, "--all", "--ignore", "not-a-file").text == ""
    assert SECRET not in repo.call(*CHECK, "--all").text


LONG = {
    "1,200 folders": ("d/" * 1_200 + "t.md", False),
    "3,000 folders, which no path of Linux can have": ("d/" * 3_000 + "t.md", True),
    "a folder of 300 letters": ("n" * 300 + "/t.md", True),
    "a file of 300 letters": ("n" * 300 + ".md", True),
}


@pytest.mark.quick(2)
@pytest.mark.skipif(sys.platform != "linux", reason="systems differ in what they can hold")
@pytest.mark.parametrize("kind", LONG)
def test_a_path_that_only_git_can_hold_is_a_finding(repo: Repo, kind: str) -> None:
    name, too_long = LONG[kind]
    path = f"shared/{name}"
    files = {**RULES, "shared/memory.md": MARKERS, path: topic()}
    repo.stage_blobs({key.encode(): str(text).encode() for key, text in files.items()})
    repo.write({**RULES, "shared/memory.md": MARKERS})
    said = f"{path[:4093]}..." if len(path) > 4096 else path
    start = f"{said}:1: error: "
    deep = f"{start}nested deeper than <topic>/<subtopic>.md, where no index lists it: git mv "
    fact = (
        f"{start}its path is too long for this system: rename it with git mv, or git rm --cached it"
    )
    for command in (CHECK, FIX):
        staged = repo.call(*command, "--all", "--staged")
        assert (staged.code, staged.err) == (1, "")
        assert (deep in staged.out) == (command == CHECK and name.count("/") > 1)
        assert fact not in staged.out
        done = repo.call(*command, "--all")
        assert (done.code, done.err) == (int(too_long or command == CHECK), "")
        assert (fact in done.out) == too_long
        assert (deep in done.out) == (too_long and command == CHECK and name.count("/") > 1)
    assert repo.call("nestwork-measure").err == ""


GROWING = [0, 1, 99, 100, 101, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK]


@pytest.mark.parametrize("size", GROWING)
@pytest.mark.parametrize("seen", GROWING)
def test_a_file_that_grows_or_shrinks_while_it_is_read(
    tmp_path: Path, size: int, seen: int
) -> None:
    file = tmp_path / "t.md"
    file.write_bytes(b"x" * size)
    descriptor = os.open(file, os.O_RDONLY)
    chunks = [len(chunk) for chunk in contents._read(descriptor, seen)]
    os.close(descriptor)
    assert sum(chunks) == size
    assert all(chunk == CHUNK for chunk in chunks[:-1])
    assert chunks[-1] < CHUNK


def test_a_read_that_comes_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As network and user-space file systems may do."""
    file = tmp_path / "t.md"
    file.write_bytes(b"x" * 1000)
    real = os.read
    monkeypatch.setattr(os, "read", lambda descriptor, size: real(descriptor, min(size, 7)))
    descriptor = os.open(file, os.O_RDONLY)
    assert sum(map(len, contents._read(descriptor, 1000))) == 1000
    os.close(descriptor)


def test_a_memory_too_big_to_look_through(repo: Repo) -> None:
    repo.stage({**RULES, "shared/memory.md": MARKERS + "x" * MOST_BYTES, "shared/t.md": topic()})
    fact = "shared/memory.md:1: error: over 4,194,304 bytes, too much to find an index in"
    for flag in ("--all", "--staged"):
        assert fact in repo.call(*CHECK, flag).out
        assert repo.call(*FIX, flag).code == 1
    assert not repo.git("diff", "--name-only")


def test_the_report_names_a_memory_too_big_to_look_through(repo: Repo) -> None:
    repo.commit({**RULES, "shared/memory.md": MARKERS + "x" * MOST_BYTES, "shared/t.md": topic()})
    fact = "  shared/memory.md: over 4,194,304 bytes, too much to find an index in"
    for where in ((), ("--staged",), ("--rev", "HEAD")):
        done = repo.call("nestwork-measure", *where)
        assert (done.code, done.err) == (0, "")
        assert fact in done.out.splitlines()


def test_indexes_that_are_not_kept_are_judged_alike(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: Files = {**RULES}
    for agent in "abc":
        files[f"agents/h/{agent}/memory.md"] = memory(entry("gone.md")) if agent == "c" else MARKERS
        files[f"agents/h/{agent}/t.md"] = topic()
    repo.commit(files)
    main = main_of("nestwork-check")
    said = []
    for most in (scope._MOST_KEPT, 100, 0):
        monkeypatch.setattr(scope, "_MOST_KEPT", most)
        for flag in ("--all", "--staged"):
            with redirect_stdout(io.StringIO()) as out:
                assert main([flag, *["--all"] * (flag != "--all")]) == 1
            said.append(out.getvalue().replace(" --staged", ""))
    assert len(set(said)) == 1
    assert (
        "agents/h/c/memory.md:3: error: topic index is stale: missing a line for t.md; a line for"
        " gone.md, which is gone" in said[0]
    )
    with redirect_stdout(io.StringIO()):
        assert main_of("nestwork-fix-index")(["--all"]) == 1
        assert main(["--all"]) == 0


# Runs a command and says how much memory it took, in KB.
_MEASURE = """
import re, runpy, sys
sys.argv[:] = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print("peak", re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1], file=sys.stderr)
"""
# What stands once, and what then stands how often.
HUGE = {
    "a topic of 200 MB": (topic().encode(), b"text\n", 40 << 20),
    "200 MB of line ends": (topic().encode(), b"\r\n", 100 << 20),
    "front matter of 50 MB in one line": (b"---\ndescription: ", b"x", 50 << 20),
    "front matter of 50 MB in short lines": (b"---\n", b"a: b\n", 10 << 20),
    "a git-crypt header before 200 MB": (b"\0GITCRYPT\0", b"x", 200 << 20),
    "not UTF-8, 200 MB": (b"", b"\xff", 200 << 20),
}
MOST_KB = 64 << 10


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")
@pytest.mark.parametrize("kind", ["text around the index", "text in the index"])
def test_many_large_memories_are_held_one_at_a_time(repo: Repo, kind: str) -> None:
    text = ("x" * 78 + "\n") * 50_000
    begin, end = MARKERS.split("\n")[2:4]
    inside = kind == "text in the index"
    data = f"{begin}\n{text if inside else ''}{end}\n{'' if inside else text}"
    files: Files = {**RULES, **{f"agents/h/{number}/memory.md": data for number in range(30)}}
    repo.stage(files | {f"agents/h/{number}/t.md": topic() for number in range(30)})
    for flag in ("--all", "--staged"):
        done = repo.run(sys.executable, "-c", _MEASURE, str(BIN / "nestwork-check"), flag)
        assert done.code == 1
        assert done.out.count("[stale-index]") == 30
        assert int(done.err.rpartition("peak ")[2]) < MOST_KB


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")
@pytest.mark.parametrize("kind", HUGE)
def test_memory_is_bounded(repo: Repo, kind: str) -> None:
    start, again, times = HUGE[kind]
    repo.git("config", "core.compression", "0")
    files: Files = {**RULES, "shared/memory.md": MARKERS}
    repo.stage(files | dict.fromkeys(NAMES.values(), start + again * times + b"\n---\n"))
    for memory_too in (True, False):
        for command in ("nestwork-check", "nestwork-fix-index"):
            for flag in ("--all", "--staged"):
                done = repo.run(sys.executable, "-c", _MEASURE, str(BIN / command), flag)
                said, _, peak = done.err.rpartition("peak ")
                assert done.code in (0, 1), done.text
                assert said == ""
                print(f"{kind}, {command} {flag}, {memory_too}: {int(peak) >> 10} MB")
                assert int(peak) < MOST_KB
        repo.stage({"shared/memory.md": MARKERS})
