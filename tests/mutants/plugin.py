"""For pytest in the copy: run just the tests of a list, in its order, and write down outcomes.

`MUTANTS_RUN` names a folder: `tests.json` in it is the list (all, if there is none), `failed`
gets those that failed, `seconds.json` what the others took. Where the copy is traced, the tracer
is told which test runs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

_RUN = Path(os.environ["MUTANTS_RUN"])
_NOW = Path(".trace/now").absolute()
_seconds: dict[str, float] = {}
_failed: set[str] = set()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = _RUN / "tests.json"
    if not wanted.exists():
        return
    by_id = {item.nodeid: item for item in items}
    kept = [by_id[name] for name in json.loads(wanted.read_text()) if name in by_id]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if not _NOW.exists():
        return (yield)
    import coverage

    tracer = coverage.Coverage.current()
    assert tracer
    tracer.switch_context(item.nodeid)
    _NOW.write_text(item.nodeid, encoding="utf-8")
    try:
        return (yield)
    finally:
        tracer.switch_context("")
        _NOW.write_text("", encoding="utf-8")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        if report.nodeid not in _failed:
            with (_RUN / "failed").open("a", encoding="utf-8") as file:
                file.write(f"{report.nodeid}\n")
        _failed.add(report.nodeid)
    elif not report.skipped:
        _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish() -> None:
    passed = {name: took for name, took in _seconds.items() if name not in _failed}
    (_RUN / "seconds.json").write_text(json.dumps(passed), encoding="utf-8")
