"""What holds of `gpulab check` for every file, over some hundred mutated ones; `python -m tests.fuzz_check` asks more."""

from __future__ import annotations

import pytest

from tests.property.check_laws import hold
from tests.property.mutated_files import known, mutated
from tests.some import some

BATCHES, OF_EACH = 8, 60


@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_laws_hold_for_mutated_files(batch: int) -> None:
    for seed in some(range(batch * OF_EACH, (batch + 1) * OF_EACH)):
        hold(mutated(seed), seed)


def test_the_laws_hold_for_what_is_mutated() -> None:
    for number, given in some(enumerate(known())):
        hold(given, number)


def test_a_seed_gives_the_same_files_again() -> None:
    assert [mutated(seed) for seed in range(50)] == [mutated(seed) for seed in range(50)]
