"""One nest, both wheels: every command line run on each, and where they differ."""

from __future__ import annotations

import difflib
import json
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from tests.compare.differences import Accepted, reason
from tests.compare.sides import Line, Runner, Said
from tests.compare.site import Site
from tests.compare.states import State, state_of

# Beyond so many lines two texts are compared line by line, as they come.
_LONG = 3_000
NONE = Line(("(all lines that only read)",))


class Case(NamedTuple):
    """A nest: `build` makes it and says which command lines it is for."""

    part: str
    name: str
    build: Callable[[Site], Iterable[Line]]


class Difference(NamedTuple):
    """A line that the wheels do not share, and why that is accepted, if it is."""

    case: Case
    line: Line
    where: str
    base: str
    head: str
    reason: str | None


class Result(NamedTuple):
    """How many command lines a case had, and what differed."""

    case: Case
    runs: int
    differences: list[Difference]


class Comparer:
    """Builds cases below `root` and runs them on both sides, one after the other."""

    def __init__(
        self, root: Path, runners: Sequence[Runner], site: Site, accepted: Sequence[Accepted]
    ) -> None:
        self._root = root
        self._runners = runners
        self._site = site
        self._accepted = tuple(accepted)

    def compare(self, case: Case) -> Result:
        """Build the case, compare all its lines; what differed stays on disk."""
        pristine = self._root / "cases" / case.name
        try:
            lines = list(dict.fromkeys(case.build(self._site.at(pristine))))
        except AssertionError as error:  # A git that failed, as tests.conftest tells it.
            return Result(case, 0, [Difference(case, NONE, "build", str(error), "", None)])
        copies = [self._fresh(runner, case) for runner in self._runners]
        found = list(self._readers(case, [line for line in lines if not line.writes], copies))
        for line in lines:
            if line.writes:
                found += self._writer(case, line, copies)
        for copy in copies:
            shutil.rmtree(copy)
        if all(difference.reason for difference in found):
            shutil.rmtree(pristine)
        return Result(case, len(lines), found)

    def _fresh(self, runner: Runner, case: Case) -> Path:
        """A copy of the case on a side, in place of the one that was there."""
        copy = runner.side.root / "cases" / case.name
        if copy.exists():
            shutil.rmtree(copy)
        shutil.copytree(self._root / "cases" / case.name, copy, symlinks=True)
        return copy

    def _readers(
        self, case: Case, lines: Sequence[Line], copies: Sequence[Path]
    ) -> Iterator[Difference]:
        for line in lines:
            base, head = self._said(line, copies)
            yield from self._differences(case, line, _of_output(base, head))
        yield from self._differences(case, NONE, _of_states(*self._states(copies)))

    def _writer(self, case: Case, line: Line, copies: Sequence[Path]) -> Iterator[Difference]:
        # What ran before may have refreshed the staging area or written.
        copies = [self._fresh(runner, case) for runner in self._runners]
        base, head = self._said(line, copies)
        yield from self._differences(case, line, _of_output(base, head))
        yield from self._differences(case, line, _of_states(*self._states(copies)))

    def _said(self, line: Line, copies: Sequence[Path]) -> list[Said]:
        pairs = zip(self._runners, copies, strict=True)
        return [runner.run(line, copy) for runner, copy in pairs]

    def _states(self, copies: Sequence[Path]) -> list[State]:
        return [state_of(copy, self._site.env) for copy in copies]

    def _differences(
        self, case: Case, line: Line, found: Iterable[tuple[str, str, str]]
    ) -> Iterator[Difference]:
        for where, base, head in found:
            why = reason(in_shell(line), where, base, head, self._accepted)
            yield Difference(case, line, where, base, head, why)


def in_shell(line: Line) -> str:
    """A command line as one can paste it in a shell; folders are named as in the line."""
    env = [f"{name}={shlex.quote(value)}" for name, value in line.env]
    return " ".join([*env, *map(shlex.quote, line.words)])


def _of_output(base: Said, head: Said) -> Iterator[tuple[str, str, str]]:
    if base.code != head.code:
        yield "code", str(base.code), str(head.code)
    for where in ("out", "err"):
        texts = (getattr(base, where), getattr(head, where))
        if texts[0] != texts[1]:
            for pair in _pairs(*map(_lines, texts)):
                yield where, *pair


def _of_states(base: State, head: State) -> Iterator[tuple[str, str, str]]:
    if base == head:
        return
    for name in sorted({*base, *head}):
        texts = [side.get(name) for side in (base, head)]
        if texts[0] != texts[1]:
            where, _, path = name.partition(" ")
            lines = [[] if text is None else text.splitlines() or [""] for text in texts]
            for pair in _pairs(*lines):
                yield where, _of_file(path, pair[0]), _of_file(path, pair[1])


def _of_file(path: str, line: str) -> str:
    return f"{path}: {line}" if line else ""


def _lines(text: bytes) -> list[str]:
    """The lines of an output; those of JSON are spread, so that each finding is one of its own."""
    try:
        value = json.loads(text)
    except ValueError:
        return text.decode("utf-8", "backslashreplace").splitlines(keepends=True)
    if not isinstance(value, dict):
        return [text.decode()]
    return [text.decode()[:1], *_spread(value)]


def _spread(value: dict[str, object]) -> Iterator[str]:
    for key, part in value.items():
        items = part if isinstance(part, list) else [part]
        yield from (f"{key}: {json.dumps(item)}" for item in items)


def _pairs(base: list[str], head: list[str]) -> list[tuple[str, str]]:
    """The lines that differ, each with the one in its place; `""` where there is none."""
    if base == head:
        return [("(the same lines, other bytes)", "(the same lines, other bytes)")]
    if max(len(base), len(head)) > _LONG:
        together = zip_longest(base, head, fillvalue="")
        return [(one, other) for one, other in together if one != other]
    found: list[tuple[str, str]] = []
    matcher = difflib.SequenceMatcher(None, base, head, autojunk=False)
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        if tag != "equal":
            there, here = base[start:end], head[other_start:other_end]
            found += zip_longest(there, here, fillvalue="")
    return [(one.rstrip("\n"), other.rstrip("\n")) for one, other in found]
