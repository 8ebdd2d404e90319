"""Many agents at once: every file whole at every moment, and no text lost to a fixer."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.conftest import BEGIN, BIN, END, MARKERS, RULES, Repo, memory, topic

LONG = int(os.environ.get("NESTWORK_EXAMPLES", "1"))
LAST = "The last line.\n"

# Runs a command again and again until the file `stop` is there; says how often it wrote.
_AGAIN = """
import os, subprocess, sys
wrote = 0
while not os.path.exists("stop"):
    done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
    wrote += done.returncode == 1
    if done.returncode not in (0, 1) and "run this again" not in done.stderr:
        sys.exit(f"{done.returncode}: {done.stdout}{done.stderr}")
print(wrote)
"""


@pytest.mark.slow
def test_ten_fixers_beside_a_writer(repo: Repo) -> None:
    repo.commit({**RULES, "shared/memory.md": MARKERS + LAST, "shared/t.md": topic()})
    command = [sys.executable, "-c", _AGAIN, str(BIN / "nestwork-fix-index"), "shared"]
    fixers = [
        subprocess.Popen(
            command, cwd=repo.path, env=repo.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(10)
    ]
    notes, lost, seen = _write_notes(repo.path / "shared", 20.0 * LONG)
    (repo.path / "stop").touch()
    said = [fixer.communicate() for fixer in fixers]
    assert [fixer.returncode for fixer in fixers] == [0] * 10, said
    wrote = sum(int(out) for out, _ in said)
    print(f"{notes} notes, {wrote} rewrites, {seen} looks, {lost} notes lost")
    assert wrote > 20
    # Only a note written and overwritten between an exchange and its taking back can be lost.
    assert lost <= notes / 100
    assert repo.run("nestwork-fix-index", "shared").code in (0, 1)
    assert repo.run("nestwork-stale-index", "--all").code == 0
    assert not list((repo.path / "shared").glob(".nestwork*"))


def _write_notes(folder: Path, seconds: float) -> tuple[int, int, int]:
    """Add notes below the index, as an editor does; how many were, were lost, were looked for."""
    path, new = folder / "memory.md", folder / "new"
    faults: list[str] = []
    looks = 0
    over = threading.Event()

    def look() -> None:
        nonlocal looks
        while not over.is_set():
            looks += 1
            faults.extend(filter(None, [_torn(path.read_text())]))
            time.sleep(0.001)

    looker = threading.Thread(target=look)
    looker.start()
    end = time.monotonic() + seconds
    notes = 0
    while time.monotonic() < end:
        (folder / "t.md").write_text(topic("Read it", "x" * (notes * 97 % 9000)))
        new.write_text(path.read_text().replace(LAST, f"note {notes}.\n{LAST}"))
        os.replace(new, path)
        notes += 1
        time.sleep(0.005)
    over.set()
    looker.join()
    assert not faults, faults[0]
    text = path.read_text()
    return notes, sum(f"\nnote {number}.\n" not in text for number in range(notes)), looks


def _torn(text: str) -> str:
    whole = text.startswith("# Memory\n") and text.endswith(LAST)
    return "" if whole and text.count(BEGIN) == text.count(END) == 1 else text


# An agent: writes memory, mends the index, commits what is its own.
_AGENT = """
import subprocess, sys
scope, times = sys.argv[1], int(sys.argv[2])
def run(*command, codes=(0,)):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"{command}: {done.returncode}: {done.stdout}{done.stderr}")
for number in range(times):
    for name in (f"topic-{number % 3}.md", "log.md"):
        with open(f"{scope}/{name}", "a" if number > 2 else "w") as file:
            file.write("" if number > 2 else "---\\ndescription: Read it\\n---\\n")
            file.write("x" * 700 + "\\n")
    run("git", "add", scope)
    run("nestwork-fix-index", codes=(1,))
    run("git", "add", scope)
    run("git", "commit", "-q", "-m", f"{number}", "--", scope)
"""


@pytest.mark.slow
def test_thirty_agents_commit_in_thirty_worktrees(repo: Repo, tmp_path: Path) -> None:
    scopes = [f"agents/host-{number:02}/agent" for number in range(30)]
    repo.commit({**RULES, **{f"{scope}/memory.md": memory() for scope in scopes}})
    repo.plain_hook("nestwork-check")
    trees = []
    for number in range(30):
        trees.append(tmp_path / f"tree-{number}")
        repo.git("worktree", "add", "-q", "-b", f"b{number}", str(trees[-1]))
    times = 4 * LONG
    agents = [
        subprocess.Popen(
            [sys.executable, "-c", _AGENT, scope, str(times)],
            cwd=tree,
            env=repo.env,
            stderr=subprocess.PIPE,
        )
        for scope, tree in zip(scopes, trees, strict=True)
    ]
    said = [agent.communicate()[1] for agent in agents]
    assert [agent.returncode for agent in agents] == [0] * 30, said
    for tree in trees:
        there = Repo(tree, repo.env)
        assert there.git("rev-list", "--count", "HEAD").strip() == str(times + 1)
        assert there.git("status", "--porcelain") == ""
        assert there.run("nestwork-stale-index", "--all").text == ""
        assert not list(tree.rglob(".nestwork*"))
