"""How long the commands take, as multiples of a bare start of Python.

    python -m tests.bench [--runs N]

Builds three nests in a temporary folder and runs each command and `python -c pass` in turn, so
that both see the same machine. Prints the medians, the quartiles of the ratio, the goal. The
committer is compared with the commands that it stands for.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.nests import SHAPES, Shape, build

BIN = Path(sys.executable).parent
TOPIC = "shared/subject-001.md"
# what is run, the command line, the nest, the goal as a multiple of bare
RUNS = [
    ("check, one topic changed", ["nestwork-check"], "small", 3.6),
    ("check, one topic changed", ["nestwork-check"], "author", 3.8),
    ("check, one topic changed", ["nestwork-check"], "large", 4.6),
    ("check --all", ["nestwork-check", "--all"], "author", 4.5),
    ("check --all", ["nestwork-check", "--all"], "large", 20.0),
    ("topic-size, one name", ["nestwork-topic-size", TOPIC], "author", 3.2),
    ("missing-description, one name", ["nestwork-missing-description", TOPIC], "author", 3.2),
    ("fix-index, nothing to do", ["nestwork-fix-index"], "author", 3.7),
]
# scopes of 100 topics beside the changed one: a commit's cost must not depend on them
NEIGHBOURS = [1, 10, 100, 1_000]
# What a tool hook without the committer runs; it leaves a stale index stale.
COMMANDS = f"git add shared; {BIN}/nestwork-check; git commit -q -m x -- shared"
COMMITTER = [str(BIN / "nestwork-commit"), "shared", "-m", "x"]
# An installed package has its bytecode; the first run, which is not counted, writes it.
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def main() -> int:
    """Print the table; 0 always, since a time is no verdict."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=21)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        for name, shape in SHAPES.items():
            build(Path(folder, name), shape)
        print(f"{'run':<32} {'nest':<7} {'ms':>7} {'x bare':>7} {'quartiles':>13} {'goal':>5}")
        for what, command, nest, goal in RUNS:
            _report(what, command, Path(folder, nest), goal, runs)
        _memory(Path(folder, "large"))
        for what, growth in [("stays true", ""), ("is mended", "y" * 300)]:
            _committer(what, growth, Path(folder, "author"), runs)
        for count in NEIGHBOURS:
            root = Path(folder, f"neighbours-{count}")
            build(root, Shape(count + 1, 100, 300))
            _neighbours(count, root, runs)
    return 0


def _report(what: str, command: list[str], root: Path, goal: float, runs: int) -> None:
    ours, ratios = _paired([str(BIN / command[0]), *command[1:]], root, runs)
    low, middle, high = statistics.quantiles(ratios, n=4)
    spread = f"{low:.2f} - {high:.2f}"
    print(f"{what:<32} {root.name:<7} {ours * 1e3:7.1f} {middle:7.2f} {spread:>13} {goal:5.1f}")


def _paired(command: list[str], root: Path, runs: int) -> tuple[float, list[float]]:
    """Median seconds of the command, and each run's ratio to the bare start beside it."""
    bare = [sys.executable, "-c", "pass"]
    pairs = [(_seconds(command, root), _seconds(bare, root)) for _ in range(runs + 1)][1:]
    return statistics.median(ours for ours, _ in pairs), [ours / other for ours, other in pairs]


def _seconds(command: list[str], root: Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=root, env=ENV, check=False, capture_output=True)
    return time.perf_counter() - start


def _memory(root: Path) -> None:
    script = (
        "from nestwork_hooks.commands.check import main; import resource, sys; main(['--all']);"
    )
    script += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], cwd=root, check=True, capture_output=True)
    print(f"peak memory, check --all, large nest: {int(done.stderr) / 1024:.1f} MiB (goal 35)")


def _committer(what: str, growth: str, root: Path, runs: int) -> None:
    """Commit one edit after another, in turn by the committer and by the commands."""
    topic = root / TOPIC
    text = topic.read_text()
    ratios = []
    for number in range(runs + 1):
        seconds: list[float] = []
        for command in (COMMITTER, ["sh", "-c", COMMANDS]):
            text += growth
            topic.write_text(f"{text}{number:03}{len(seconds)}\n")
            seconds.append(_seconds(command, root))
        ratios.append(seconds[0] / seconds[1])
    ratio = statistics.median(ratios[1:])
    print(
        f"nestwork-commit, the index {what}: {ratio:.2f} x git add; check; git commit (goal 1.30)"
    )


def _neighbours(count: int, root: Path, runs: int) -> None:
    ours, _ = _paired([str(BIN / "nestwork-check")], root, runs)
    listing, _ = _paired(["git", "ls-files", "-s", "-z", "--", "shared"], root, runs)
    diff, _ = _paired(["git", "diff", "--cached", "--raw", "-z"], root, runs)
    git = (listing + diff) * 1e3
    own = ours * 1e3 - git
    print(
        f"{count * 100:>7} topics elsewhere: check {ours * 1e3:6.1f} ms, git {git:5.1f}, own {own:5.1f}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
