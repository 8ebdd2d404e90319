"""What whole processes cost, one beside the other."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

# An installed package has its bytecode; the first run, which is not counted, writes it.
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Command(NamedTuple):
    """A command line, what it finds in the environment beside the rest, and how it must end."""

    words: Sequence[str]
    exits: int = 0
    env: Sequence[tuple[str, str]] = ()


class Side(NamedTuple):
    """Commands that count as one, run in a folder. `before` gets the run's number, untimed."""

    root: Path
    commands: Sequence[Command]
    before: Callable[[int], None] = lambda _: None


class Reading(NamedTuple):
    """One measure of a row: a typical amount, as it is printed, and one ratio for each run."""

    measure: str
    amount: str
    ratios: list[float]

    @property
    def ratio(self) -> float:
        """The median."""
        return statistics.median(self.ratios)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The ratios that a quarter of the runs is below, and above."""
        low, _, high = statistics.quantiles(self.ratios, n=4)
        return low, high


class _Cost(NamedTuple):
    wall: float  # seconds
    cpu: float  # seconds, user and system, of the process and all that it waited for


def compare(sides: Sequence[Side], runs: int) -> list[Reading]:
    """Wall time and CPU time of the first side, less those between, as multiples of the last.

    Every run takes each side in turn, so that all see the same machine.
    """
    costs = [[_side(side, run) for side in sides] for run in range(runs + 1)][1:]
    return [
        _reading("wall", [[cost.wall for cost in row] for row in costs]),
        _reading("cpu", [[cost.cpu for cost in row] for row in costs]),
    ]


def _reading(measure: str, rows: list[list[float]]) -> Reading:
    counted = [row[0] - sum(row[1:-1]) for row in rows]
    ratios = [amount / row[-1] for amount, row in zip(counted, rows, strict=True)]
    return Reading(measure, f"{statistics.median(counted) * 1e3:.1f} ms", ratios)


def _side(side: Side, run: int) -> _Cost:
    side.before(run)
    os.chdir(side.root)  # os.posix_spawn, the cheapest start, has no folder
    costs = [_process(command) for command in side.commands]
    return _Cost(sum(cost.wall for cost in costs), sum(cost.cpu for cost in costs))


def _process(command: Command) -> _Cost:
    words, env = [str(word) for word in command.words], ENV | dict(command.env)
    quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(3)]
    start = time.perf_counter()
    child = os.posix_spawnp(words[0], words, env, file_actions=quiet)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - start
    # What ends otherwise does something else than the row says.
    if (code := os.waitstatus_to_exitcode(status)) != command.exits:
        raise SystemExit(f"{os.getcwd()}: {' '.join(words)}: exit code {code}")
    return _Cost(wall, used.ru_utime + used.ru_stime)


# In a process of its own: the memory of a process counts from that of the one which started it.
_PEAK = """
import os, sys
quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(3)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
print(os.wait4(child, 0)[2].ru_maxrss)
"""


def peaks(root: Path, command: Command, runs: int) -> Reading:
    """The most memory, in MiB, that a process held, or one that it started."""
    words = [sys.executable, "-c", _PEAK, *command.words]
    done = [
        subprocess.run(words, cwd=root, env=ENV, check=True, capture_output=True)
        for _ in range(runs + 1)
    ][1:]
    sizes = [int(run.stdout) / 1024 for run in done]
    return Reading("peak", f"{statistics.median(sizes):.1f} MiB", sizes)
