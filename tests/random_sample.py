"""How much is drawn at random: a fixed sample in `dev.py test`, many times as much, anew each time, in `dev.py fuzz`."""

from __future__ import annotations

import os

TIMES = int(os.environ.get("GPULAB_FUZZ_TIMES", "1"))


def examples(number: int) -> int:
    """How many examples a test draws that draws so many in `dev.py test`."""
    return number * TIMES
