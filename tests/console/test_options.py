"""Which checkers run, where some do so only if they are selected."""

from __future__ import annotations

import pytest

from nestwork_hooks.commands.catalog import every
from nestwork_hooks.commands.check import command
from nestwork_hooks.console.options import Options

CHECKERS = every()
FIRST = CHECKERS[0]


@pytest.mark.parametrize(
    ("flags", "runs"),
    [
        ({}, False),
        ({"ignore": ["locked"]}, False),
        ({"select": ["topic-size"]}, False),
        ({"extend_select": ["topic-size"]}, False),
        ({"select": ["rare"]}, True),
        ({"extend_select": ["rare-rule"]}, True),
        ({"extend_select": ["all"]}, True),
        ({"extend_select": ["all"], "ignore": ["rare"]}, False),
    ],
)
def test_a_checker_that_does_not_run_by_default(flags: dict[str, list[str]], runs: bool) -> None:
    rule = type(FIRST.rules[0])("rare-rule", "error", "something rare")
    rare = FIRST.replace(name="rare", by_default=False, rules=(rule,))
    options = Options(command([]))
    for name, value in flags.items():
        setattr(options, name, value)
    running, rules = options.chosen([*CHECKERS, rare])
    assert (rare in running, "rare-rule" in rules) == (runs, runs)
