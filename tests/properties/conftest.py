"""How many examples: `NESTWORK_EXAMPLES=100` runs a hundred times as many of each property."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("NESTWORK_EXAMPLES", "1"))


def examples(number: int) -> settings:
    """So many examples in a normal run. Each has a repository to itself, so fixtures may stay."""
    return settings(
        max_examples=number * TIMES,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
        print_blob=True,
    )
