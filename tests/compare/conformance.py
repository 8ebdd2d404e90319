"""The conformance nests: each run as its case has it, then the whole set of lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from tests.compare.comparing import Case
from tests.compare.lines import FIX, every_line
from tests.compare.sides import Line
from tests.compare.site import Site
from tests.test_conformance import CASES, WITH_NAMES, _build, _names


def conformance() -> Iterator[Case]:
    """Every case of tests/conformance/cases."""
    for path in CASES:
        described = json.loads(path.read_text(encoding="utf-8"))
        yield Case("conformance", f"conformance-{path.stem}", partial(_lines, described))


def _lines(case: dict[str, Any], site: Site) -> Iterable[Line]:
    repo = site.begin()
    _build(repo, case)
    names = _names(repo)
    for run in case["runs"]:
        words = [run["hook"], *run.get("args", [])]
        if run["hook"] in WITH_NAMES:
            words += names
        for form in ("json", "text"):
            yield Line((*words, "--format", form), writes=run["hook"] == FIX, cold=form == "json")
    yield from every_line(site)
