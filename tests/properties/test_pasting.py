"""Every edit that is offered keeps the author's words, on files from a seed."""

from __future__ import annotations

import collections
import random

import pytest

from tests.properties.pasting import holds
from tests.properties.written import written

SEEDS = 20


def _try(count: int, seed: int) -> collections.Counter[str]:
    rng = random.Random(seed)
    return collections.Counter(holds(written(rng)) for _ in range(count))


def test_no_edit_loses_a_word() -> None:
    seen = _try(400, 1)
    assert min(seen[kind] for kind in ("an edit", "a line", "no edit", "sound")) > 10, seen


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 2 + SEEDS))
def test_no_edit_loses_a_word_in_100_000_files(seed: int) -> None:
    _try(100_000 // SEEDS, seed)
