"""What `gpulab run` does around a run."""

from __future__ import annotations

import gc

import pytest

from labs.commands.run import collecting_seldom


def test_the_garbage_collector_is_back_at_work_after_a_run_that_failed() -> None:
    before = gc.get_threshold()

    def fail() -> None:
        with collecting_seldom():
            assert gc.get_threshold() > before
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    assert gc.get_threshold() == before
