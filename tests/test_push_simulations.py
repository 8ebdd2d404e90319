"""Agents that write without rest, in several clones, and are killed: does all of it arrive?

`SIMULATION_SECONDS` sets how long they write (default 60).
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

from tests.commands.two_clones import git_to_try
from tests.conftest import BIN, Repo, topic
from tests.test_simulations import Clone, clone_of, messages, remote_of, stale_commits

pytestmark = pytest.mark.simulation

SECONDS = float(os.environ.get("SIMULATION_SECONDS", "60"))
BOX, MILL, BOTH = "agents/box/claude-a7k2", "agents/mill/b", "agents/both/notes"
EMPTY = "1: nestwork-commit: committed; please note:\nshared/"
OVERTAKEN = ("all the time; the next write tries again\n",)
COMMAND = [str(BIN / "nestwork-commit")]
WITHOUT_FCNTL = [
    sys.executable,
    "-c",
    "from nestwork_hooks.writing import lock; lock.fcntl = None\n"
    "from nestwork_hooks.commands.commit import main; raise SystemExit(main())",
]


def _by_truncating(path: Path, text: str) -> None:
    path.write_text(text)


def _by_renaming(path: Path, text: str) -> None:
    new = path.with_name(f".{path.name}.new")
    new.write_text(text)
    new.rename(path)


def _by_appending(path: Path, text: str) -> None:
    before = path.read_text() if path.exists() else ""
    with path.open("a") as file:
        file.write(text.removeprefix(before))


HOW = [_by_truncating, _by_renaming, _by_appending]


class Agent(threading.Thread):
    """Writes a line into one of its topics, commits and pushes, again and again.

    It has a scope of its own, and a topic in `shared/`, whose index all of them change. `learned`
    are its topics as it wrote them last; `odd` is what a command said that it should not say.
    """

    def __init__(self, clone: Clone, number: int, command: list[str], until: float) -> None:
        super().__init__()
        self.scope = f"agents/{clone.path.name}/agent-{number}"
        self.learned: dict[str, str] = {}
        self.odd: list[str] = []
        self.written = self.killed = 0
        self._clone = clone
        self._command = command
        self._until = until
        self._chance = random.Random(self.scope)

    def run(self) -> None:
        while time.monotonic() < self._until:
            self._learn()
            self.commit(may_be_killed=True)
        self.commit()

    def _learn(self) -> None:
        own = [f"{self.scope}/log.md", f"{self.scope}/hosts.md"]
        name = self._chance.choice([*own, f"shared/{self.scope.replace('/', '-')}.md"])
        self._last = name.rpartition("/")[0]
        text = self.learned.get(name, topic(body="")) + f"{self.scope} {self.written}\n"
        self.written += 1
        path = self._clone.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._chance.choice(HOW)(path, text)
        self.learned[name] = text

    def commit(self, *, may_be_killed: bool = False) -> None:
        for scope in {self._last} if may_be_killed else ("shared", self.scope):
            command = [*self._command, scope, "-m", f"{scope} {self.written}", "--push"]
            process = subprocess.Popen(
                command,
                cwd=self._clone.path,
                env=git_to_try(self._clone.env),
                stdin=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            if may_be_killed and self._chance.random() < 0.15:
                time.sleep(self._chance.uniform(0, 1))
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    self.killed += 1
                process.communicate()
                continue
            said = process.communicate()[1].decode()
            if process.returncode:
                self.odd.append(f"{process.returncode}: {said}")


@pytest.mark.parametrize("command", [COMMAND, WITHOUT_FCNTL], ids=["fcntl", "without fcntl"])
def test_six_agents_in_two_clones(
    repo: Repo, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = remote_of(repo)
    box, mill = (clone_of(remote, name, "") for name in ("box", "mill"))
    box.write({"projects/open.md": "not committed yet\n"})
    until = time.monotonic() + SECONDS
    agents = [Agent(box, number, command, until) for number in range(4)]
    agents += [Agent(mill, number, command, until) for number in range(2)]
    for agent in agents:
        agent.start()
    for agent in agents:
        agent.join()
    odd = [said for agent in agents for said in agent.odd]
    written, killed = (sum(getattr(a, name) for a in agents) for name in ("written", "killed"))
    print(f"{written} writes, {killed} killed, {len(messages(remote))} commits, odd: {odd}")
    # A clone asks what is there when it has something to push.
    for clone, name in ((box, "a"), (mill, "b"), (box, "c")):
        clone.write({f"shared/{name}.md": topic()})
        assert clone.run(*command, "shared", "-m", "last", "--push") == (0, "", "")
    mill.git("pull", "-q", "--ff-only")
    for clone in (box, mill):
        assert clone.git("rev-parse", "HEAD") == remote.git("rev-parse", "main")
    for agent in agents:
        for name, text in agent.learned.items():
            assert remote.git("show", f"main:{name}") == text
            assert (agent._clone.path / name).read_text() == text
    assert box.git("status", "--porcelain", "-uall") == "?? projects/open.md\n"
    assert mill.git("status", "--porcelain", "-uall") == ""
    for clone in (box, mill):
        assert clone.git("symbolic-ref", "HEAD") == "refs/heads/main\n"
        assert clone.git("stash", "list") == ""
        # A killed run leaves its own index, which one of the next runs removes.
        for folder in (clone.path / ".git").glob("nestwork-push-*"):
            shutil.rmtree(folder)
        assert [*clone.path.rglob("*.lock"), *clone.path.rglob(".nestwork-fix-*")] == []
        assert clone.run("nestwork-check", "--all").text == ""
    stale = stale_commits(remote, monkeypatch)
    assert len(stale) <= killed, "only what a killed run had not mended yet"
    assert remote.git("rev-parse", "main").strip() not in stale
    if command is WITHOUT_FCNTL:  # Two may commit at once; the next write has what is left.
        odd = [said for said in odd if " stays staged" not in said]
    # A file that is being truncated is empty for whoever commits the same scope.
    odd = [said for said in odd if not said.startswith(EMPTY)]
    # On a slow machine others may be quicker for 50 seconds; the next write has pushed that too.
    assert [said for said in odd if not said.endswith(OVERTAKEN)] == []
    remote.git("fsck", "--no-progress")


LONG = "A line that an agent has just learned.\n"


def test_a_day_of_twenty_writes(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two agents in two clones, who also write into one scope; a person edits and distils."""
    remote = remote_of(repo, BOX, MILL, BOTH)
    clones = {BOX: clone_of(remote, "box", ""), MILL: clone_of(remote, "mill", "")}
    chance = random.Random(14)
    expected = []

    def keep(clone: Repo, scope: str, message: str) -> None:
        done = clone.run(*COMMAND, scope, "-m", message, "--push")
        assert done == (0, "", ""), done.err
        expected.append(message)

    for number in range(20):
        scope = chance.choice([BOX, MILL]) if number > 1 else (BOX, MILL)[number]
        clone = clones[scope]
        if number % 5 == 2:  # Both learn something for one scope, whose index conflicts.
            for each in (BOX, MILL):
                name = f"{BOTH}/{each.replace('/', '-')}.md"
                clones[each].write({name: topic(f"When to read {name}", LONG * number)})
                keep(clones[each], BOTH, f"{number} {each}")
            continue
        clone.write({f"{scope}/hosts.md": topic(body=LONG * (number + 1))})
        if number == 6:  # A person thinks, for the rest of the day.
            clones[BOX].write({"queen/agent-rules.md": "# Rules\n\n- Be brief.\n- Be kind.\n"})
        if number == 9:  # Another one says so first, by hand.
            mill = clones[MILL]
            mill.git("pull", "-q", "--rebase", "--autostash")
            mill.write({"queen/strategy.md": "# Strategy\n"})
            mill.git("add", "queen")
            mill.git("commit", "-qm", "strategy", "--", "queen/strategy.md")
            mill.git("push", "-q")
            expected.append("strategy")
        keep(clone, scope, f"{number} {scope}")
        if number in (11, 17):  # A distillation: what shared/ holds becomes one topic.
            person = clones[MILL if number == 11 else BOX]
            person.git("pull", "-q", "--rebase", "--autostash")
            old = [path for path in person.path.glob("shared/*.md") if path.name != "memory.md"]
            person.write({f"shared/{path.name}": None for path in old})
            person.write({f"shared/{number}.md": topic(f"Distilled {number}", LONG * number)})
            keep(person, "shared", f"{number} memory: distill shared")
    arrived = messages(remote)
    assert sorted(arrived) == sorted(expected)
    assert stale_commits(remote, monkeypatch) == []
    for clone in clones.values():
        assert clone.git("symbolic-ref", "HEAD") == "refs/heads/main\n"
        assert clone.git("stash", "list") == ""
        assert not [*clone.path.rglob("*.lock"), *(clone.path / ".git").glob("nestwork*")]
    assert clones[BOX].git("status", "--porcelain", "-uall") == " M queen/agent-rules.md\n"
    assert clones[MILL].git("status", "--porcelain", "-uall") == ""
    assert clones[BOX].read("queen/agent-rules.md").endswith("- Be kind.\n")
