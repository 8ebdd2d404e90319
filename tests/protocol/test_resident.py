from __future__ import annotations

import pytest

from nestwork_hooks.protocol.resident import Budgets, start_of


@pytest.mark.parametrize(
    ("path", "budget"),
    [
        ("queen/agent-rules.md", 4_096),
        ("shared/resident.md", 4_096),
        ("agents/box/claude/resident.md", 2_048),
    ],
)
def test_a_budget_is_the_largest_allowed_value(path: str, budget: int) -> None:
    assert Budgets().of(path) == budget
    assert not Budgets().is_over(path, budget)
    assert Budgets().is_over(path, budget + 1)


def test_one_start() -> None:
    assert Budgets().start == 10_240
    agent = "agents/box/claude/resident.md"
    assert start_of(agent) == ("queen/agent-rules.md", "shared/resident.md", agent)
