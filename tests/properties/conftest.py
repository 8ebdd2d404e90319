"""How many examples: `NESTWORK_EXAMPLES=100` runs a hundred times as many of each property.

Without it, a quick run has a third of them.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_TIMES = os.environ.get("NESTWORK_EXAMPLES")


def times(number: int) -> int:
    """So many examples, or the part of them that this run has."""
    return number * int(_TIMES) if _TIMES else number // 3


def examples(number: int) -> settings:
    """So many examples of a property. Each has a repository to itself, so fixtures may stay."""
    return settings(
        max_examples=times(number),
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
        print_blob=True,
    )
