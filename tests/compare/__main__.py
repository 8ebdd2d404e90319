"""Compare what the commands of two versions say and do, over many nests.

    python -m tests.compare --base REV [--head REV] [--nests N] [--only PART]

Builds both wheels, installs each, and runs every command of both over the conformance nests, the
situations of git, wrong usage, generated nests and a few large ones. Prints what differs and is
not on the list in tests/compare/differences.py; exits with 1 if anything does.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

from tests.compare.comparing import Case, Comparer, Difference, Result, in_shell
from tests.compare.conformance import conformance
from tests.compare.differences import ACCEPTED, reason
from tests.compare.nests import generated, large
from tests.compare.sides import WORKTREE, Line, Runner, Side
from tests.compare.site import Site, make_template
from tests.compare.situations import situations
from tests.compare.usage import usage

PARTS = ("conformance", "situations", "usage", "nests", "large")
# Of one kind of difference, how many are shown, and how many characters of a line.
_SHOWN, _WIDTH = 3, 600
_SHARED = "/dev/shm"
_NAMES_AND_NUMBERS = re.compile(r"[^ \"'`]*\.md|\b[0-9a-f]{7,64}\b|\d[\d,.]*")


def main() -> int:
    """Compare; 0 if nothing differs that is not on the list, else 1."""
    options = _options()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="compare-", dir=_memory()))
    if options.keep and folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty")
    try:
        return _compare(options, folder.resolve())
    finally:
        if not options.keep:
            shutil.rmtree(folder)


def _memory() -> str | None:
    """A folder in memory, where thousands of small nests are made and removed in no time."""
    return _SHARED if os.access(_SHARED, os.W_OK) else None


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.compare", description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add(
        "--base",
        required=True,
        metavar="REV",
        help="the version that is right: a revision, or a folder",
    )
    add("--head", default=WORKTREE, metavar="REV", help="the other one (default: the working tree)")
    add("--nests", type=int, default=500, metavar="N", help="generated nests (default 500)")
    add("--lines", type=int, default=12, metavar="N", help="command lines of each (default 12)")
    add("--topics", type=int, default=20_000, metavar="N", help="of a large nest (default 20,000)")
    add("--seed", default="0", help="draws other nests")
    add("--only", action="append", choices=PARTS, help="this part; repeatable")
    add("--case", metavar="REGEX", default="", help="only cases with such a name")
    add("--cold", action="store_true", help="start a Python for every command, some times slower")
    add("--jobs", type=int, default=2, metavar="N", help="how many at a time (default 2)")
    add("--keep", type=Path, metavar="DIR", help="work there, and keep the nests that differ")
    return parser.parse_args()


def _compare(options: argparse.Namespace, folder: Path) -> int:
    sides = [Side(folder / name) for name in ("base", "head")]
    with ThreadPoolExecutor() as pool:
        list(pool.map(Side.install, sides, (options.base, options.head)))
        if {"situations", "usage"} & set(options.only or PARTS):
            list(pool.map(Side.add_tokenizer, sides))
    commands = [set(side.commands()) for side in sides]
    make_template(folder / "template", sides[0].environment())
    found = _Findings()
    found.add(_compared_commands(*commands))
    started = time.monotonic()
    try:
        for result in _results(options, folder, sides, sorted(commands[0] & commands[1])):
            found.add(result)
    except KeyboardInterrupt:
        print("interrupted: only a part was compared")
    found.print_counts(time.monotonic() - started)
    found.print_differences(folder if options.keep else None)
    return 1 if found.unexplained else 0


def _compared_commands(base: set[str], head: set[str]) -> Result:
    """The commands that only one version has, as differences."""
    case = Case("commands", "commands", lambda _: ())
    differences = []
    for name in sorted(base ^ head):
        pair = (name, "") if name in base else ("", name)
        why = reason(name, "commands", *pair)
        differences.append(Difference(case, Line((name,)), "commands", *pair, why))
    return Result(case, len(base | head), differences)


def _cases(options: argparse.Namespace, commands: Iterable[str]) -> Iterator[Case]:
    parts = {
        "conformance": conformance(),
        "situations": situations(),
        "usage": usage(commands),
        "nests": generated(options.nests, options.seed, options.lines),
        "large": large(options.topics, options.seed),
    }
    for name in options.only or PARTS:
        yield from (case for case in parts[name] if re.search(options.case, case.name))


def _results(
    options: argparse.Namespace, folder: Path, sides: list[Side], commands: list[str]
) -> Iterator[Result]:
    local = threading.local()
    runners: list[Runner] = []

    def compare(case: Case) -> Result:
        if not hasattr(local, "comparer"):
            scratch = folder / "scratch" / str(threading.get_ident())
            own = [Runner(side, scratch / side.name, cold=options.cold) for side in sides]
            runners.extend(own)
            site = Site(folder, folder / "template", sides[0].environment(), own[0])
            local.comparer = Comparer(folder, own, site, ACCEPTED)
        result: Result = local.comparer.compare(case)
        return result

    cases = _cases(options, commands)
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            # A few at a time, so that no case is made long before it is its turn.
            while batch := list(islice(cases, 20 * options.jobs)):
                yield from pool.map(compare, batch)
    finally:
        for runner in runners:
            runner.close()


class _Findings:
    """What was compared and what differed."""

    def __init__(self) -> None:
        self.unexplained: dict[tuple[str, ...], list[Difference]] = defaultdict(list)
        self._accepted: Counter[str] = Counter()
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, result: Result) -> None:
        """Count a case, and say on standard error how far it has come."""
        counts = self._counts[result.case.part]
        counts["nests"] += 1
        counts["command lines"] += result.runs
        for difference in result.differences:
            if difference.reason:
                counts["accepted"] += 1
                self._accepted[difference.reason] += 1
            else:
                counts["unexplained"] += 1
                self.unexplained[_kind(difference)].append(difference)
        if counts["nests"] % 50 == 0:
            print(f"{result.case.part}: {counts['nests']} nests", file=sys.stderr, flush=True)

    def print_counts(self, seconds: float) -> None:
        """Print a line for each part, and how often each reason explained a difference."""
        for part, counts in self._counts.items():
            line = ", ".join(
                f"{counts[name]:,} {name}"
                for name in ("nests", "command lines", "accepted", "unexplained")
            )
            print(f"{part}: {line}")
        for why, count in self._accepted.most_common():
            print(f"accepted {count:,} times: {why}")
        for entry in ACCEPTED:
            if entry.reason not in self._accepted:
                print(f"accepted and never seen: {entry.reason}")
        print(f"{seconds:.0f} s")

    def print_differences(self, kept: Path | None) -> None:
        """Print each kind of unexplained difference, with a few examples to repeat."""
        for differences in self.unexplained.values():
            first = differences[0]
            print(f"\n{len(differences):,} x {first.where}, as in")
            for difference in differences[:_SHOWN]:
                _print_one(difference, kept)
        if self.unexplained and not kept:
            print("\n--keep DIR keeps both versions and the nests that differ")


def _kind(difference: Difference) -> tuple[str, ...]:
    """What two differences share that are told together: their words without names and numbers."""
    pair = (difference.base, difference.head)
    masked = (_NAMES_AND_NUMBERS.sub("*", text)[:80] for text in pair)
    return (difference.line.words[0], difference.where, *masked)


def _print_one(difference: Difference, kept: Path | None) -> None:
    line = difference.line
    shell = in_shell(line)
    print(f"  {difference.case.name}, in {line.cwd}: {shell[:_WIDTH]}")
    if kept:
        where = shlex.quote(str(kept / "cases" / difference.case.name / line.cwd))
        print(f"    cd {where}; PATH={kept}/head/venv/bin:$PATH")
    for name, text in (("base", difference.base), ("head", difference.head)):
        print(f"    {name}: {text[:_WIDTH]!r}" if text else f"    {name}: nothing")


if __name__ == "__main__":
    raise SystemExit(main())
