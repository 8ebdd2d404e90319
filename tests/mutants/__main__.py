"""The command; `tests.mutants` says what it does."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import tests.mutants
from tests.mutants.changes import Change, choose
from tests.mutants.judging import Judge
from tests.mutants.project import PACKAGE, ROOT, Project

_REASONS = Path(__file__).parent / "reasons.txt"
_SURVIVED = "SURVIVED"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description=tests.mutants.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("paths", nargs="*", default=[PACKAGE], metavar="PATH", help="modules or folders of them")
    add("--count", type=int, default=200, help="how many changes (default 200)")
    add("--seed", type=int, default=1, help="which ones (default 1)")
    add("--work", type=Path, help="keep the copy, the recording and the results in this folder")
    add("--minutes", type=float, help="end after so many, and say how many changes are left")
    add("--line", action="append", metavar="FILE:LINE", help="judge these again, and only these")
    add("--list", action="store_true", help="only say which changes are chosen")
    return parser.parse_args()


def _sources(paths: list[str]) -> dict[str, str]:
    files: set[Path] = set()
    for path in map(ROOT.joinpath, paths):
        files.update(path.rglob("*.py") if path.is_dir() else [path])
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def _reasons() -> dict[tuple[str, str], str]:
    """By source line and change, why it does not count.

    Each is three lines, and an empty one behind it: the source, the change, the reason.
    """
    found = {}
    for block in _REASONS.read_text(encoding="utf-8").strip().split("\n\n"):
        source, what, *reason = map(str.strip, block.splitlines())
        found[source, what] = " ".join(reason)
    return found


def _shown(change: Change, outcome: str, reason: str) -> str:
    said = f"{outcome} (it does not count: {reason})" if reason else outcome
    new = change.text.split("\n")[change.line - 1].strip()
    place = f"{change.path}:{change.line}: {change.what}"
    return f"{place}\n    {change.source}\n    {new}\n    {said}"


class _Results:
    """What came out so far, by change, kept in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.found: dict[str, str] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self.found.update(json.loads(line))

    def add(self, key: str, outcome: str) -> None:
        self.found[key] = outcome
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({key: outcome}) + "\n")


def _judged(
    chosen: list[Change], work: Path, options: argparse.Namespace
) -> Iterator[tuple[Change, str]]:
    """Each change with what noticed it; those that time is left for."""
    end = time.monotonic() + options.minutes * 60 if options.minutes else float("inf")
    results = _Results(work / "results.jsonl")
    project = Project(work / "copy")
    project.refresh()
    project.require_own_package()
    judge = Judge(project)
    for change in chosen:
        again = options.line and f"{change.path}:{change.line}" in options.line
        if (again or change.key not in results.found) and time.monotonic() < end:
            results.add(change.key, judge.notice(change) or _SURVIVED)
        if change.key in results.found:
            yield change, results.found[change.key]


def _report(chosen: list[Change], work: Path, options: argparse.Namespace) -> None:
    reasons = _reasons()
    counts = noticed = judged = 0
    for change, outcome in _judged(chosen, work, options):
        judged += 1
        reason = reasons.get((change.source, change.what), "") if outcome == _SURVIVED else ""
        counts += not reason
        noticed += outcome != _SURVIVED
        print(_shown(change, outcome, reason), flush=True)
    left = f", {len(chosen) - judged} not judged yet" if judged < len(chosen) else ""
    share = f"{noticed / counts:.1%}" if counts else "none"
    print(f"{noticed} of {counts} noticed ({share}); {judged - counts} with a reason{left}")


def _stop(*_: object) -> None:
    raise SystemExit(1)  # Which ends the tests that run, too.


def main() -> int:
    options = _arguments()
    signal.signal(signal.SIGTERM, _stop)
    chosen = choose(_sources(options.paths), options.count, options.seed)
    if options.line and not options.work:
        chosen = [change for change in chosen if f"{change.path}:{change.line}" in options.line]
    if options.list:
        print(
            *(
                f"{change.path}:{change.line}: {change.what}    {change.source}"
                for change in chosen
            ),
            sep="\n",
        )
    elif options.work:
        options.work.mkdir(parents=True, exist_ok=True)
        _report(chosen, options.work.absolute(), options)
    else:
        with TemporaryDirectory() as folder:
            _report(chosen, Path(folder), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
