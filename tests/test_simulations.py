"""Agents that write memory, commit it with `nestwork-commit` and push it: does all of it arrive?

`SIMULATION_SECONDS` sets how long three agents write as fast as they can (default 60).
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from nestwork_hooks import git
from nestwork_hooks.git.blobs import Blobs
from nestwork_hooks.protocol import index, layout, markers
from nestwork_hooks.protocol.topic import Topic, read_topic
from tests import recipes
from tests.conftest import MARKERS, RULES, Done, Files, Repo, topic

pytestmark = pytest.mark.simulation

SECONDS = float(os.environ.get("SIMULATION_SECONDS", "60"))
HOOKS = {
    "pull first": """\
git pull -q --rebase --autostash
code=0
nestwork-commit "$1" -m "$2" || code=$?
git push -q
[ "$code" -eq 0 ] || exit 2
""",
    "as in docs/agents.md": recipes.KEEP_MEMORY,
}


class Clone(Repo):
    """One machine's clone of the nest, and the tool hook that follows each write in it."""

    def __init__(self, path: Path, env: dict[str, str], hook: str) -> None:
        super().__init__(path, env)
        self.hook = path.parent / f"{path.name}-hook"
        self.hook.write_text(f"#!/bin/sh\ncd {path} || exit\n{hook}")
        self.hook.chmod(0o755)

    def tool_hook(self, scope: str, message: str) -> Done:
        return self.run(str(self.hook), scope, message)


def remote_of(repo: Repo, *scopes: str) -> Repo:
    """A bare repository that holds a nest with these scopes."""
    files: Files = {**RULES, "shared/memory.md": MARKERS}
    for scope in scopes:
        files[f"{scope}/memory.md"] = MARKERS
        files[f"{scope}/hosts.md"] = topic()
        files[f"{scope}/ports.md"] = topic()
    repo.commit(files)
    repo.run("nestwork-fix-index", "--all")
    repo.commit()
    bare = repo.path.parent / "remote.git"
    repo.git("clone", "-q", "--bare", ".", str(bare))
    return Repo(bare, repo.env)


def clone_of(remote: Repo, name: str, hook: str) -> Clone:
    path = remote.path.parent / name
    remote.git("clone", "-q", str(remote.path), str(path))
    shutil.rmtree(path / ".git/hooks", ignore_errors=True)
    clone = Clone(path, remote.env, hook)
    # Its housekeeping goes on by itself behind a commit, with locks of its own.
    clone.git("config", "gc.auto", "0")
    return clone


def messages(repo: Repo) -> list[str]:
    """The subjects of the commits on main, the oldest first, those of `remote_of` left out."""
    return repo.git("log", "--reverse", "--format=%s", "main").splitlines()[2:]


def stale_commits(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commits on main, those of `remote_of` left out, in which an index is not true."""
    monkeypatch.chdir(repo.path)
    commits = repo.git("rev-list", "--reverse", "main").split()[2:]
    blobs = Blobs()
    cache: dict[str, bytes] = {}

    def read(blob: str) -> bytes:
        if blob not in cache:
            cache[blob] = b"".join(next(blobs.read([blob])))
        return cache[blob]

    try:
        return [commit for commit in commits if not _is_true(git.committed(commit, ["."]), read)]
    finally:
        blobs.close()


def _is_true(entries: dict[str, git.Entry], read: object) -> bool:
    assert callable(read)
    topics: dict[str, list[Topic]] = {}
    for path, entry in entries.items():
        name = layout.topic_name(path)
        if name:
            found = read_topic(name, [read(entry.blob)])
            assert isinstance(found, Topic)
            topics.setdefault(layout.scope_of(path) or "", []).append(found)
    for path in filter(layout.is_memory, entries):
        memory = read(entries[path].blob)
        block = markers.find_block(memory)
        assert isinstance(block, markers.Block)
        expected = index.render(topics.get(layout.scope_of(path) or "", []))
        if index.current(memory, block) != expected:
            return False
    return True


def locks(repo: Repo) -> list[str]:
    """What a git or a fixer that was killed has left behind."""
    found = [*repo.path.rglob("*.lock"), *repo.path.rglob(f"{layout.TEMPORARY}*")]
    return sorted(str(path.relative_to(repo.path)) for path in found)


LONG = "A line that an agent has just learned.\n" * 40
BOX = "agents/box/claude-a7k2"
SESSION: list[Files] = [
    {f"{BOX}/hosts.md": topic(body=LONG)},
    {f"{BOX}/hosts.md": topic(body=LONG * 2)},
    {f"{BOX}/hosts.md": topic(body=LONG * 3)},
    {f"{BOX}/mail.md": topic("Read before sending mail")},
    {f"{BOX}/mail.md": topic("Read before sending mail", LONG)},
    {f"{BOX}/bare.md": "# Nobody knows when to read this\n"},
    {f"{BOX}/ports.md": topic(body=LONG)},
]
SAID = f"nestwork-commit: committed; please note:\n{BOX}/bare.md:1: error: no YAML front matter at the first byte"


@pytest.mark.parametrize("own_hooks", [[], ["nestwork-fix-index", "nestwork-check"]])
@pytest.mark.parametrize("hook", HOOKS)
def test_a_session_of_seven_writes(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, hook: str, own_hooks: list[str]
) -> None:
    remote = remote_of(repo, BOX)
    clone = clone_of(remote, "clone", HOOKS[hook])
    if own_hooks:
        clone.plain_hook(*own_hooks)
    done = []
    for number, files in enumerate(SESSION):
        clone.write(files)
        done.append(clone.tool_hook(BOX, f"write {number}"))
    assert [one.code for one in done] == [0, 0, 0, 0, 0, 2, 0]
    assert [one.err for one in done[:5]] == [""] * 5
    assert done[5].err.startswith(SAID)
    assert done[5].err.count("\n") == 2
    assert messages(remote) == [f"write {number}" for number in range(7)]
    assert stale_commits(remote, monkeypatch) == []
    assert locks(clone) == []


@pytest.mark.parametrize("hook", HOOKS)
def test_two_machines_taking_turns(repo: Repo, monkeypatch: pytest.MonkeyPatch, hook: str) -> None:
    scopes = [BOX, "agents/mill/b"]
    remote = remote_of(repo, *scopes)
    clones = [clone_of(remote, name, HOOKS[hook]) for name in ("box", "mill")]
    expected = []
    for number in range(12):
        which = random.Random(number).randrange(2) if number > 3 else number % 2
        clone, scope = clones[which], scopes[which]
        clone.write({f"{scope}/hosts.md": topic(body="x\n" * 60 * (number + 1))})
        expected.append(f"write {number}")
        assert clone.tool_hook(scope, expected[-1]).code == 0
    assert messages(remote) == expected
    assert stale_commits(remote, monkeypatch) == []
    assert [locks(clone) for clone in clones] == [[], []]


def _write_without_rest(clone: Repo, scope: str, until: float, failed: list[Done]) -> None:
    body = ""
    number = 0
    while time.monotonic() < until:
        body += f"{number}\n"
        files: Files = {f"{scope}/hosts.md": topic(body=body)}
        if number % 7 == 3:
            files[f"{scope}/new-{number}.md"] = topic()
        if number % 7 == 6:
            files[f"{scope}/new-{number - 3}.md"] = None
        clone.write(files)
        done = clone.run("nestwork-commit", scope, "-m", f"{scope} {number}")
        if done != (0, "", ""):
            failed.append(done)
        number += 1


def test_three_agents_in_one_clone(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    scopes = ["agents/box/claude-a7k2", "agents/box/codex-b", "agents/some-longer-box/c"]
    clone = clone_of(remote_of(repo, *scopes), "clone", "")
    clone.write({"shared/loose.md": "x", "shared/staged.md": topic()})
    clone.git("add", "shared/staged.md")
    before = clone.git("status", "--porcelain", "-uall")
    failed: list[Done] = []
    until = time.monotonic() + SECONDS
    agents = [
        threading.Thread(target=_write_without_rest, args=(clone, scope, until, failed))
        for scope in scopes
    ]
    for agent in agents:
        agent.start()
    for agent in agents:
        agent.join()
    assert failed == []
    said = messages(clone)
    for scope in scopes:
        own = [message for message in said if message.startswith(f"{scope} ")]
        assert len(own) > SECONDS / 10
        assert own == [f"{scope} {number}" for number in range(len(own))]
        learned = clone.git("show", f"HEAD:{scope}/hosts.md")
        assert learned.endswith("".join(f"{number}\n" for number in range(len(own))))
    assert clone.git("status", "--porcelain", "-uall") == before
    assert stale_commits(clone, monkeypatch) == []
    assert locks(clone) == []
    clone.git("fsck", "--no-progress")


def test_two_writers_of_one_scope(repo: Repo) -> None:
    clone = clone_of(remote_of(repo, BOX), "clone", "")
    stop = threading.Event()

    def edit() -> None:
        size = 0
        while not stop.wait(0.03):
            size += 60
            clone.write({f"{BOX}/ports.md": topic(body="x\n" * (size % 5_000))})

    editor = threading.Thread(target=edit)
    editor.start()
    try:
        for number in range(15):
            clone.write({f"{BOX}/hosts.md": topic(body=f"{number}\n" * 60 * (number + 1))})
            assert clone.run("nestwork-commit", BOX, "-m", f"{number}").code in (0, 1)
    finally:
        stop.set()
        editor.join()
    clone.run("nestwork-commit", BOX, "-m", "last")
    clone.git("push", "-q")
    assert clone.run("nestwork-check", BOX, "--uncommitted", "--strict") == (0, "", "")
    assert clone.git("status", "--porcelain", "-uall") == ""
    assert locks(clone) == []


def test_the_tool_hook_killed_at_a_random_moment(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = remote_of(repo, BOX)
    clone = clone_of(remote, "clone", HOOKS["as in docs/agents.md"])
    _other_machine(clone)
    chance = random.Random(7)
    body = ""
    start = time.monotonic()
    clone.write({f"{BOX}/ports.md": topic(body=LONG)})
    assert clone.tool_hook(BOX, "first").code == 0
    whole = time.monotonic() - start
    for number in range(20):
        for half in ("killed", "whole"):
            body += f"{number} {half}\n" * 20
            clone.write({f"{BOX}/hosts.md": topic(body=body)})
            if half == "killed":
                _start_and_kill(clone, chance.uniform(0, whole))
        done = clone.tool_hook(BOX, f"write {number}")
        assert done.code == 0, done.err
        assert remote.git("show", f"main:{BOX}/hosts.md") == topic(body=body)
        assert clone.git("status", "--porcelain", "-uno") == ""
    # A commit outlives its killed hook, and may meet the next write: the one after it mends that.
    stale = stale_commits(remote, monkeypatch)
    assert len(stale) < 4
    assert remote.git("rev-parse", "main").strip() not in stale
    assert clone.run("nestwork-check", BOX, "--uncommitted", "--strict") == (0, "", "")
    left = [name for name in locks(clone) if not name.startswith((".git/refs/remotes", BOX))]
    assert left == []


def _other_machine(clone: Clone) -> None:
    """Let the receiving end of a push live on when the process group of the hook is killed."""
    receive = clone.path.parent / "receive"
    program = "import os, sys; os.setsid(); os.execvp('git', ['git', 'receive-pack', sys.argv[1]])"
    receive.write_text(f"#!{sys.executable}\n{program}\n")
    receive.chmod(0o755)
    clone.git("config", "remote.origin.receivepack", str(receive))


def _start_and_kill(clone: Clone, after: float) -> None:
    hook = [str(clone.hook), BOX, "killed"]
    with subprocess.Popen(
        hook,
        cwd=clone.path,
        env=clone.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        time.sleep(after)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
