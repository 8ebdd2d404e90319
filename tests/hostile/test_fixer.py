"""The fixer under faults that really happen: old content or new, whole, and an honest exit code."""

from __future__ import annotations

import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import BEGIN, BIN, MARKERS, RULES, Done, Files, Repo, entry, memory, topic

OLD = MARKERS + "\nBelow \xff it.\n"
NEW = memory(entry("t.md")) + "\nBelow \xff it.\n"
FIX = ("nestwork-fix-index", "--all")
FAILED = "nestwork-fix-index: shared/memory.md: not rewritten: "
LONG = int(os.environ.get("NESTWORK_EXAMPLES", "1"))


@pytest.fixture
def stale(repo: Repo) -> Repo:
    """Three scopes with a stale index each; the faults happen to `shared`, the second."""
    scopes = ("agents/h/a", "shared", "agents/h/z")
    files = {f"{scope}/{name}": text for scope in scopes for name, text in _scope().items()}
    repo.commit({**RULES, **files})
    return repo


def _scope() -> dict[str, str]:
    return {"memory.md": OLD, "t.md": topic()}


def _others_are_done(repo: Repo) -> None:
    for scope in ("agents/h/a", "agents/h/z"):
        assert repo.read(f"{scope}/memory.md") == NEW


def _leftovers(repo: Repo) -> list[Path]:
    return list(repo.path.rglob(".nestwork-fix-*"))


def _only_shared_failed(repo: Repo, done: Done, reason: str) -> None:
    assert done.code == 2, done.text
    assert done.err == f"{FAILED}{reason}\n"
    _others_are_done(repo)
    assert not _leftovers(repo)


# Where a file cannot be written


def _unprivileged() -> list[str]:
    """What to put before a command so that a folder's mode binds it, for root too."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        pytest.skip("no setpriv to give up root's rights with")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]


def test_a_read_only_folder(stale: Repo) -> None:
    folder = stale.path / "shared"
    folder.chmod(0o555)
    done = stale.run(*_unprivileged(), *FIX)
    folder.chmod(0o755)
    _only_shared_failed(stale, done, "Permission denied")
    assert stale.read("shared/memory.md") == OLD


def test_a_folder_that_cannot_be_listed(stale: Repo) -> None:
    folder = stale.path / "shared"
    folder.chmod(0o311)
    done = stale.run(*_unprivileged(), *FIX)
    folder.chmod(0o755)
    assert done.code == 1
    assert stale.read("shared/memory.md") == NEW
    _others_are_done(stale)


def test_a_read_only_file_is_replaced_and_stays_read_only(stale: Repo) -> None:
    file = stale.path / "shared/memory.md"
    file.chmod(0o444)
    assert stale.run(*_unprivileged(), *FIX).code == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o444
    assert stale.read("shared/memory.md") == NEW


def test_an_unreadable_file_is_said_and_left(stale: Repo) -> None:
    file = stale.path / "shared/memory.md"
    file.chmod(0o200)
    done = stale.run(*_unprivileged(), *FIX)
    assert done.code == 1
    assert "shared/memory.md:1: error: cannot be read: Permission denied [unreadable]" in done.out
    assert stale.read("shared/memory.md") == OLD
    _others_are_done(stale)


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o640, 0o777])
def test_the_mode_stays(stale: Repo, mode: int) -> None:
    file = stale.path / "shared/memory.md"
    file.chmod(mode)
    assert stale.call(*FIX).code == 1
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_stays(stale: Repo) -> None:
    file = stale.path / "shared/memory.md"
    os.chown(file, 1234, 4321)
    assert stale.call(*FIX).code == 1
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 4321)


def test_a_hard_link_keeps_the_old_content(stale: Repo, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    os.link(stale.path / "shared/memory.md", other)
    assert stale.call(*FIX).code == 1
    assert stale.read("shared/memory.md") == NEW
    assert other.read_text() == OLD


def test_a_full_disk(stale: Repo, tmp_path: Path) -> None:
    """A tmpfs of 1 MB in a mount namespace of its own, filled to the last page."""
    disk = tmp_path / "disk"
    disk.mkdir()
    result = tmp_path / "result"
    script = f"""
        mount -t tmpfs -o size=1m none {disk} || exit 99
        cp -r agents shared queen .git {disk} && cd {disk} || exit 98
        dd if=/dev/zero of=fill bs=4096 2>/dev/null
        {BIN}/nestwork-fix-index --all; code=$?
        cp shared/memory.md {result}; ls -A shared >{result}/names
        exit $code
    """
    result.mkdir()
    done = stale.run("unshare", "-rm", "sh", "-c", script)
    if done.code in (98, 99) or "unshare failed" in done.err:
        pytest.skip("no tmpfs can be mounted here")
    assert done.code == 2
    failed = "not rewritten: No space left on device"
    assert done.err == "".join(
        f"nestwork-fix-index: {scope}/memory.md: {failed}\n"
        for scope in ("agents/h/a", "agents/h/z", "shared")
    )
    assert (result / "memory.md").read_text() == OLD
    assert (result / "names").read_text() == "memory.md\nt.md\n"


def test_a_file_size_limit(stale: Repo) -> None:
    big = "x" * 40_000 + "\n"
    stale.commit({"shared/memory.md": OLD + big})
    # Python would leave bytecode that is cut off.
    limited = "ulimit -f 20; exec nestwork-fix-index --all"
    done = stale.run("sh", "-c", limited, PYTHONDONTWRITEBYTECODE="1")
    _only_shared_failed(stale, done, "File too large")
    assert stale.read("shared/memory.md") == OLD + big


# Where something else stands in the place of memory.md, from the start or from one moment on

IMPOSTORS = {
    "link out of the repository": "import os; os.symlink('/etc/passwd', P)",
    "link to another file": "import os; os.symlink('t.md', P)",
    "link to nowhere": "import os; os.symlink('nowhere', P)",
    "directory": "import os; os.mkdir(P)",
    "FIFO": "import os; os.mkfifo(P)",
    "socket": "import socket; socket.socket(socket.AF_UNIX).bind(P)",
    "device": "import os, stat; os.mknod(P, stat.S_IFCHR | 0o600, os.makedev(1, 3))",
    "nothing": "pass",
    "another text": "open(P, 'w').write('# Mine\\n')",
    "a huge text": "open(P, 'w').truncate(1 << 30)",
}
PUT = "import os; P = 'shared/memory.md'; os.unlink(P); {}"


@pytest.mark.quick(4)
@pytest.mark.parametrize("kind", IMPOSTORS)
def test_something_else_in_its_place(stale: Repo, kind: str) -> None:
    if kind == "device" and os.geteuid() != 0:
        pytest.skip("only root can make devices")
    stale.run(sys.executable, "-IS", "-c", PUT.format(IMPOSTORS[kind]))
    before = _what_stands(stale.path / "shared/memory.md")
    done = stale.run("timeout", "20", *FIX)
    assert done.code == 1, done.text
    assert _what_stands(stale.path / "shared/memory.md") == before
    assert stale.read("shared/t.md") == topic()
    _others_are_done(stale)
    assert not _leftovers(stale)


def _what_stands(path: Path) -> object:
    if not os.path.lexists(path):
        return None
    status = path.lstat()
    link = os.readlink(path) if path.is_symlink() else None
    return status.st_ino, status.st_mode, status.st_size, link


def _start_of(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.read(1000)


# Runs the fixer with `ACTION` done at the `MOMENT`th line that it executes from `rewrite` on.
_AT_A_LINE = """
import os, signal, sys
moment, action = int(sys.argv[1]), sys.argv[2]
lines = 0
def on_line(frame, event, _):
    global lines
    if event == "line":
        lines += 1
        if lines == moment:
            sys.settrace(None)
            exec(action, {})
    return on_line
def on_call(frame, event, _):
    ours = ("replacement.py", "rights.py", "exchange.py", "leftovers.py", "lock.py", "contents.py")
    if frame.f_code.co_filename.endswith(ours) and rewriting:
        return on_line
rewriting = False
from nestwork_hooks.commands import fix_index
from nestwork_hooks.writing import replacement
def rewrite(path, expected, plain=replacement.rewrite):
    global rewriting
    rewriting = path == "shared/memory.md"
    try:
        return plain(path, expected)
    finally:
        rewriting = False
replacement.rewrite = rewrite
sys.settrace(on_call)
code = fix_index.main(["--all"])
sys.settrace(None)
print("lines:", lines)
raise SystemExit(code)
"""


def _at_line(repo: Repo, moment: int, action: str, first: str = "") -> Done:
    return repo.run(sys.executable, "-c", first + _AT_A_LINE, str(moment), action)


def _lines(repo: Repo) -> int:
    done = _at_line(repo, 0, "")
    _start_again(repo)
    return int(done.out.split("lines: ")[1])


def _start_again(repo: Repo) -> None:
    shutil.rmtree(repo.path / "shared", ignore_errors=True)
    repo.git("checkout", "-q", "-f", "HEAD", "--", ".")


# Lines executed after the exchange count from here.
_EXCHANGED = 1_000_000
# An agent appends a line right before the two files change places.
_WRITE_AT_THE_EXCHANGE = f"""
import os
from nestwork_hooks.writing import exchange
def load(real=exchange.load()):
    def swap(one, other):
        global lines
        if other == b"shared/memory.md" and not os.path.exists("written"):
            open("written", "w").close()
            with open("shared/memory.md", "a") as file:
                file.write("Theirs.\\n")
            lines = {_EXCHANGED}
        return real(one, other)
    return swap
exchange.load = load
"""

_KILL = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


def _moments(repo: Repo, few: int) -> list[int]:
    lines = _lines(repo)
    assert lines > 40
    moments = list(range(1, lines + 1))
    return moments if LONG > 1 else [*moments[:: max(1, lines // few)], lines]


@pytest.mark.slow
def test_killed_at_any_line(stale: Repo) -> None:
    seen = set()
    for moment in _moments(stale, 12):
        done = _at_line(stale, moment, _KILL)
        assert done.code == -signal.SIGKILL
        seen.add(stale.read("shared/memory.md"))
        for file in _leftovers(stale):
            os.utime(file, (time.time() - 60,) * 2)
        assert stale.run(*FIX).code in (0, 1)
        assert stale.read("shared/memory.md") == NEW
        assert not _leftovers(stale)
        _start_again(stale)
    assert seen == {OLD, NEW}


@pytest.mark.slow
def test_killed_before_a_text_is_given_back(stale: Repo) -> None:
    only_copy = 0
    for moment in range(1, 1_000, 1 if LONG > 1 else 5):
        done = _at_line(stale, _EXCHANGED + moment, _KILL, _WRITE_AT_THE_EXCHANGE)
        if done.code != -signal.SIGKILL:
            break
        only_copy += stale.read("shared/memory.md") == NEW
        for file in _leftovers(stale):
            os.utime(file, (time.time() - 60,) * 2)
        assert stale.run(*FIX).code in (0, 1)
        assert stale.read("shared/memory.md") == NEW + "Theirs.\n"
        assert not _leftovers(stale)
        stale.write({"written": None})
        _start_again(stale)
    assert done.code == 1, done.text
    assert only_copy


@pytest.mark.slow
def test_a_fault_at_any_line(stale: Repo) -> None:
    seen = set()
    for moment in _moments(stale, 12):
        done = _at_line(stale, moment, "raise OSError(5, 'Input/output error')")
        assert "Traceback" not in done.err
        now = stale.read("shared/memory.md")
        seen.add((done.code, now))
        assert (done.code, now) in {(2, OLD), (1, NEW), (2, NEW)}, moment
        _others_are_done(stale)
        for file in _leftovers(stale):
            file.unlink()
        _start_again(stale)
    assert (2, OLD) in seen


@pytest.mark.slow
@pytest.mark.parametrize("kind", IMPOSTORS)
def test_replaced_at_any_moment_before_the_last_look(stale: Repo, kind: str) -> None:
    if kind == "device" and os.geteuid() != 0:
        pytest.skip("only root can make devices")
    moments = _moments(stale, 3)
    for moment in moments:
        before = _what_stands(stale.path / "shared/memory.md")
        done = _at_line(stale, moment, PUT.format(IMPOSTORS[kind]))
        _others_are_done(stale)
        assert "Traceback" not in done.err
        assert not _leftovers(stale)
        path = stale.path / "shared/memory.md"
        if done.code == 2:
            assert _what_stands(path) != before
            assert path.is_symlink() or not path.is_file() or BEGIN not in _start_of(path)
        else:
            assert done.code == 1
        assert stale.read("shared/t.md") == topic()
        _start_again(stale)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_ended_kindly_it_leaves_nothing_behind(
    stale: Repo, number: int, request: pytest.FixtureRequest
) -> None:
    # Where this run itself ignores the signal, as below nohup, so would the fixer.
    before = signal.signal(number, signal.SIG_DFL)
    request.addfinalizer(lambda: signal.signal(number, before))
    said = []
    for moment in _moments(stale, 6):
        done = _at_line(stale, moment, f"import os; os.kill(os.getpid(), {int(number)})")
        # Where nothing is half-done yet, or any more, the signal may end it.
        said.append(done.code == 2)
        assert (done.code, done.err) in ((2, "nestwork-fix-index: interrupted\n"), (-number, ""))
        assert _leftovers(stale) == []
        assert stale.read("shared/memory.md") in (OLD, NEW)
        _start_again(stale)
    assert said.count(True) >= (len(said) if number == signal.SIGINT else len(said) - 2)


def test_nohup_is_respected(stale: Repo) -> None:
    script = f"trap '' HUP; exec {sys.executable} -c \"$@\""
    action = f"import os; os.kill(os.getpid(), {int(signal.SIGHUP)})"
    done = stale.run("sh", "-c", script, "sh", _AT_A_LINE, "30", action)
    assert done.code == 1, done.text
    assert stale.read("shared/memory.md") == NEW


@pytest.mark.slow
def test_killed_at_any_time(stale: Repo) -> None:
    """Many scopes, so that most of the time is spent in writing them."""
    scopes = [f"agents/many/{number:03}" for number in range(50)]
    files: Files = {f"{scope}/{name}": text for scope in scopes for name, text in _scope().items()}
    stale.commit(files)
    start = time.monotonic()
    stale.run(*FIX)
    whole = time.monotonic() - start
    for _ in range(50 * LONG):
        stale.git("checkout", "-q", "-f", "HEAD", "--", ".")
        process = subprocess.Popen([str(BIN / FIX[0]), "--all"], cwd=stale.path, env=stale.env)
        time.sleep(random.uniform(0, whole))
        process.kill()
        process.wait()
        assert {stale.read(f"{scope}/memory.md") for scope in scopes} <= {OLD, NEW}
        left = _leftovers(stale)
        assert len(left) <= 1
        for file in left:
            os.utime(file, (time.time() - 60,) * 2)
        assert stale.run(*FIX).code in (0, 1)
        assert {stale.read(f"{scope}/memory.md") for scope in scopes} == {NEW}
        assert not _leftovers(stale)
