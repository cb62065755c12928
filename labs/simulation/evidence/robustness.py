"""How far the laws are off where the data had no say in their constants: what to expect of jobs unlike those measured.

The constants of the laws were chosen on part of the published figures, so errors on these flatter. Here constants were chosen
anew without a dataset, or without half of it, and that was predicted: mean errors. This was worked out once, while the laws
were chosen, on all rows of the datasets, of which `points.jsonl` holds a part; no code here repeats it. The law of
time-slicing was then the mean of a closed queue and of max-min shares; the queue of `contexts.py` has the same constants.
"""

from __future__ import annotations

from dataclasses import dataclass

NJIT = "https://github.com/arcs-njit-edu/Docs"  # docs/MIG/index.md; not among `datasets.py`: 8 figures


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A dataset and the law of MIG with weight and exponent chosen on the others: so many figures, and the mean error in
    percent."""

    dataset: str
    chosen_on: tuple[str, ...]
    points: int
    mean_percent: float


@dataclass(frozen=True, slots=True)
class HalvesLeftOut:
    """Constants of time-slicing chosen on half of a dataset's model families: the mean error on the other half in points
    of the speed alone, over many halves, the least and the most of them, and what constants chosen on all of it give."""

    dataset: str
    mean_points: float
    least_points: float
    most_points: float
    tuned_points: float


MIG_LEFT_OUT = (
    LeftOut("D03", ("D02", "NJIT"), 71, 8.8),
    LeftOut("D02", ("D03", "NJIT"), 223, 4.6),
    LeftOut("NJIT", ("D03", "D02"), 8, 10.8),
)
TIME_SLICING_LEFT_OUT = HalvesLeftOut("D04", 7.9, 4.8, 11.8, 6.9)
QUEUE_MEAN_PERCENT = {"D02": 3.2, "D01": 5.0}
"""Mean errors under MPS of a closed queue, which has no constant to choose."""
