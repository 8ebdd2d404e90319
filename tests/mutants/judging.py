"""Which tests meet a change, and whether one notices."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from itertools import chain, zip_longest
from pathlib import Path, PurePosixPath
from time import time

from tests.mutants.changes import Change
from tests.mutants.project import Project

# Seconds: no test of the quick part takes so long, on a busy machine either.
_STALLED = 90
_MOST_UNSOUND = 10
# Seconds up to which a test is quick; how many others, beside those of a module's own files, are
# tried at most, for there are lines that all commands execute.
_QUICK, _MOST_SLOW = 0.05, 300
_QUIETLY = ("-q", "-p", "no:cacheprovider", "-p", "tests.mutants.plugin", "--tb=no", "--no-header")
_PASSED, _NO_TESTS = 0, 5


class Run:
    """How one run of pytest ended: the tests that failed, in their order, and what others took.

    `code` is None where one took too long.
    """

    def __init__(self, code: int | None, failed: list[str], seconds: dict[str, float]) -> None:
        self.code = code
        self.failed = failed
        self.seconds = seconds


class Judge:
    """The tests of the copy, and which lines of the package each executes."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._map = project.path.parent / "map.json"
        self._sound: set[str] = set()
        self._unsound: set[str] = set()
        if not self._map.exists():
            self._record()
        found = json.loads(self._map.read_text(encoding="utf-8"))
        self.seconds: dict[str, float] = found["seconds"]
        self._lines: dict[str, dict[str, list[int]]] = found["lines"]
        self._by_line = self._tests_by_line()

    def _record(self) -> None:
        trace = self.project.trace
        shutil.rmtree(trace, ignore_errors=True)
        trace.mkdir()
        (trace / "now").write_text("")
        lines: dict[str, dict[str, set[int]]] = {}
        try:
            traced = self._run([], stop=False)
            for record in (trace / "lines").read_text(encoding="utf-8").splitlines():
                for test, files in json.loads(record).items():
                    for path, numbers in files.items():
                        lines.setdefault(test, {}).setdefault(path, set()).update(numbers)
        finally:
            shutil.rmtree(trace)
        # A test that bears no tracer counts where it passes without one, for every change.
        files = self._files(traced.failed)
        plain = self._run(files, tests=traced.failed, stop=False) if files else None
        seconds = {**traced.seconds, **(plain.seconds if plain else {})}
        found = {
            test: {path: sorted(numbers) for path, numbers in lines.get(test, {}).items()}
            for test in traced.seconds
        }
        text = json.dumps({"seconds": seconds, "lines": found})
        self._map.write_text(text, encoding="utf-8")

    def _tests_by_line(self) -> dict[tuple[str, int], set[str]]:
        found: dict[tuple[str, int], set[str]] = {}
        for test, files in self._lines.items():
            for path, numbers in files.items():
                for number in numbers:
                    found.setdefault((path, number), set()).add(test)
        return found

    def notice(self, change: Change) -> str:
        """The test that notices the change, `""` where none does."""
        own = self._own_files(change.path)
        found = self._first_failure(change, own, None) if own else ""
        if found:
            return found
        others = self._meeting(change, own)
        return self._first_failure(change, self._files(others), others) if others else ""

    def _own_files(self, path: str) -> list[str]:
        """The test files of the module's name, else of the name of its folder."""
        module = PurePosixPath(path)
        for stem in (module.stem, module.parent.name):
            found = sorted(self.project.path.glob(f"tests/**/test_{stem}.py"))
            if found:
                return [file.relative_to(self.project.path).as_posix() for file in found]
        return []

    def _meeting(self, change: Change, own: list[str]) -> list[str]:
        """Others that execute the change: the quick ones, then of each function one in turn."""
        if change.lines:
            met = set().union(
                *(self._by_line.get((change.path, line), set()) for line in change.lines)
            )
        else:
            met = {test for test, files in self._lines.items() if change.path in files}
        met.update(self.seconds.keys() - self._lines.keys())
        others = [test for test in met if test.partition("::")[0] not in own]
        functions: dict[str, list[str]] = {}
        for test in sorted(others, key=lambda test: (self.seconds[test], test)):
            functions.setdefault(test.partition("[")[0], []).append(test)
        turns = list(filter(None, chain.from_iterable(zip_longest(*functions.values()))))
        quick = [test for test in turns if self.seconds[test] < _QUICK]
        slow = [test for test in turns if self.seconds[test] >= _QUICK]
        return [*quick, *slow[:_MOST_SLOW]]

    def _files(self, tests: list[str]) -> list[str]:
        return sorted({test.partition("::")[0] for test in tests})

    def _first_failure(self, change: Change, files: list[str], tests: list[str] | None) -> str:
        """What notices the change, of these files or, of their tests, of these alone."""
        while True:
            with self.project.changed(change.path, change.text):
                run = self._run(files, tests=tests)
            if run.code in (_PASSED, _NO_TESTS):
                return ""
            if run.code is None:
                return "time-out"
            if not run.failed:
                return "the tests cannot be collected"
            if self._is_told_by(run.failed[0], change):
                return run.failed[0]
            wanted = tests or [test for test in self.seconds if test.partition("::")[0] in files]
            tests = [test for test in wanted if test not in {*self._unsound, *run.failed}]

    def _is_told_by(self, test: str, change: Change) -> bool:
        """Whether a test fails for the change, and not by chance or for the tests before it."""
        with self.project.changed(change.path, change.text):
            fails = self._run(self._files([test]), tests=[test]).code != _PASSED
        return fails and self._is_sound(test)

    def _is_sound(self, test: str) -> bool:
        """Whether a test passes without a change, asked once."""
        if test not in self._sound | self._unsound:
            run = self._run(self._files([test]), tests=[test])
            (self._sound if run.code == _PASSED else self._unsound).add(test)
            if len(self._unsound) > _MOST_UNSOUND:
                raise SystemExit(f"too many tests fail without a change: {sorted(self._unsound)}")
        return test in self._sound

    def _run(
        self,
        files: list[str],
        *,
        tests: list[str] | None = None,
        stop: bool = True,
    ) -> Run:
        folder = self.project.path.parent / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if tests is not None:
            (folder / "tests.json").write_text(json.dumps(tests), encoding="utf-8")
        temporary = self.project.temporary()
        words = (*_QUIETLY, *(["-x"] * stop), "--hypothesis-seed=0", f"--basetemp={temporary}/t")
        process = subprocess.Popen(
            [self.project.python, "-m", "pytest", *words, *files],
            cwd=self.project.path,
            env=self.project.env() | {"MUTANTS_RUN": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=(folder / "output").open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = _wait(process, folder / "output")
        finally:
            _end_group(process)
        failed = _read(folder / "failed").splitlines()
        return Run(code, failed, json.loads(_read(folder / "seconds.json") or "{}"))


def _wait(process: subprocess.Popen[bytes], output: Path) -> int | None:
    """The exit code; None, while it still runs, if it has said nothing more for too long."""
    while True:
        try:
            return process.wait(1)
        except subprocess.TimeoutExpired:
            if time() - output.stat().st_mtime > _STALLED:
                return None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End what a run has left, too."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
