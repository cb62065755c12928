"""By how much contexts that run side by side slow a request of one of them down, each while it has work.

Only the mean of it all is known.

They share it in proportion to their weights. A request that outlasts them sees them come and go: its mean speed is then
more than that of its mean slowdown, so while they are there they have to cost it more. How much more is told from the
mean and the variance of the slowdown, as if there were one neighbour with these that comes and goes; neighbours that
outlast the request count for nothing here, the others in proportion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

MOST = 3.0  # so many times more at most; rare and short neighbours of a request can't cost it any mean
HALVINGS = 30


@dataclass(frozen=True, slots=True)
class Neighbour:
    """So many contexts beside the one in question.

    Each of the `count` has work for the share `there` of the time, `gpu_us` of it for a request in the mean, and its part
    in the slowdown is in proportion to `weight`.
    """

    count: int
    there: float
    gpu_us: float
    weight: float


def slowdowns(longer: float, gpu_us: float, neighbours: Sequence[Neighbour]) -> list[float]:
    """By which share of it a GPU phase of `gpu_us` is longer while one of each neighbour has work.

    In the mean it is longer by the share `longer`.
    """
    weights = fsum(neighbour.weight * neighbour.count for neighbour in neighbours)
    if longer <= 0.0 or weights <= 0.0:
        return [0.0] * len(neighbours)
    row = [
        longer * neighbour.weight / weights / neighbour.there if neighbour.there else 0.0
        for neighbour in neighbours
    ]
    variances = [
        neighbour.count * slower * slower * neighbour.there * (1.0 - neighbour.there)
        for neighbour, slower in zip(neighbours, row, strict=True)
    ]
    fleeting = [
        variance * _fleeting(neighbour, gpu_us)
        for neighbour, variance in zip(neighbours, variances, strict=True)
    ]
    times = _times(longer, fsum(variances), fsum(fleeting))
    return [round(times * slower, 9) for slower in row]


def _fleeting(neighbour: Neighbour, gpu_us: float) -> float:
    """How much of its coming and going happens within a request: none (0) to all (1)."""
    stays_us = neighbour.gpu_us * (1.0 - neighbour.there)
    return gpu_us / (gpu_us + stays_us) if gpu_us else 0.0


def _times(mean: float, variance: float, fleeting: float) -> float:
    """How many times more than in the mean neighbours cost while they are there.

    `variance` is that of the slowdown, `fleeting` the part of it within a request.
    """
    if not fleeting:
        return 1.0
    within = fleeting / variance
    there = mean * mean / (mean * mean + variance)  # of the one neighbour with this mean and variance
    low, high = 1.0, MOST
    for _ in range(HALVINGS):
        times = (low + high) / 2.0
        seen = 1.0 / (1.0 - there + there / (1.0 + times * mean / there))
        if (1.0 - within) * (1.0 + times * mean) + within * seen < 1.0 + mean:
            low = times
        else:
            high = times
    return low
