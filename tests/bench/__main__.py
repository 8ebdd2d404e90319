"""What the commands cost: whole processes, as multiples of what runs beside them.

    python -m tests.bench [--runs N] [--only WORD] [--huge]

A row compares a command with a bare start of Python, or with what its name has behind the
slash. Both run in turn in a temporary folder, so that both see the same machine. Each row has a
line for wall time and one for CPU time (user and system, of the process and all that it waited
for): the median of the command, the median and the quartiles of the ratio, the goal, and
whether the median meets it. In the rows of a nest that is a number, so many topics lie in other
scopes than the changed one. --huge adds the rows with so many files that a slow disk takes
minutes to remove them; TMPDIR names another.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.places import Places
from tests.bench.rows import ROWS, Row
from tests.bench.timing import Reading


def main() -> int:
    """Print the table; 0 always, since a time is no verdict."""
    args = _arguments()
    print(
        f"{'what':<46} {'nest':<7}      {'median':>10} {'ratio':>7} {'quartiles':>15} {'goal':>5}  met"
    )
    with tempfile.TemporaryDirectory() as folder:
        places = Places(Path(folder))
        for row in _chosen(args.only, huge=args.huge):
            for reading in row.take(places, row.nest, args.runs):
                print(_line(row, reading), flush=True)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=_several, default=21, metavar="N", help="21 by default")
    parser.add_argument("--only", default="", metavar="WORD", help="rows whose name holds it")
    parser.add_argument("--huge", action="store_true", help="also the rows with very many files")
    return parser.parse_args()


def _several(text: str) -> int:
    if (number := int(text)) < 2:
        raise argparse.ArgumentTypeError("quartiles need two runs")
    return number


def _chosen(word: str, *, huge: bool) -> Iterator[Row]:
    return (row for row in ROWS if word in row.name and (huge or not row.huge))


def _line(row: Row, reading: Reading) -> str:
    low, high = reading.quartiles
    goal, met = "-", ""
    if row.goal is not None and reading.measure in row.judged:
        goal, met = f"{row.goal:g}", "yes" if reading.ratio <= row.goal else "no"
    return (
        f"{row.name:<46} {row.nest:<7} {reading.measure:<4} {reading.amount:>10}"
        f" {reading.ratio:7.2f} {f'{low:.2f} - {high:.2f}':>15} {goal:>5}  {met}"
    ).rstrip()


if __name__ == "__main__":
    raise SystemExit(main())
