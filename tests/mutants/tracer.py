"""Copied into the copy's environment: record which test executes which lines of the package.

Every Python process there imports it at its start. It does nothing unless the folder `.trace`
is there; in it, `now` names the test that runs, and `lines` gets a line of JSON at the end of
each process: test, then file, then line numbers.
"""

from __future__ import annotations

import atexit
import json
import os
import sys

_ROOT = os.path.abspath(os.path.join(sys.prefix, ".."))
_TRACE = os.path.join(_ROOT, ".trace")


def _begin() -> None:
    import coverage

    with open(os.path.join(_TRACE, "now"), encoding="utf-8") as file:
        now = file.read()
    package = os.path.join(_ROOT, "nestwork_hooks")
    tracer = coverage.Coverage(data_file=None, config_file=False, source=[package])
    tracer.start()
    atexit.register(_end, tracer, now)


def _end(tracer: object, now: str) -> None:
    import coverage

    assert isinstance(tracer, coverage.Coverage)
    tracer.stop()
    data = tracer.get_data()
    found: dict[str, dict[str, list[int]]] = {}
    for path in data.measured_files():
        name = os.path.relpath(path, _ROOT)
        for line, contexts in data.contexts_by_lineno(path).items():
            for test in contexts:
                found.setdefault(test or now, {}).setdefault(name, []).append(line)
    with open(os.path.join(_TRACE, "lines"), "a", encoding="utf-8") as file:
        file.write(json.dumps(found) + "\n")


if os.path.exists(os.path.join(_TRACE, "now")):
    os.environ.setdefault("COVERAGE_CORE", "ctrace")
    _begin()
