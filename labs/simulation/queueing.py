"""Mean values of a closed queueing network with one processor-sharing station (the GPU) and one delay (the
host).

Each class alternates a host phase and a GPU phase. Exact mean value analysis for several classes (M. Reiser
and S. S. Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing Networks", J. ACM 27(2), 1980); beyond
`EXACT_STATES` population vectors the approximation by P. J. Schweitzer (1979), whose error is a few percent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum, prod

EXACT_STATES = 3_000
SCHWEITZER_ROUNDS = 60


@dataclass(frozen=True, slots=True)
class CustomerClass:
    """`population` equal customers: seconds (any unit) of host time and of GPU time per cycle."""

    host: float
    gpu: float
    population: int


@dataclass(frozen=True, slots=True)
class ClassMeans:
    """Of one customer of the class: cycles per unit of time, time per cycle at the GPU, mean presence there
    (0 to 1)."""

    throughput: float
    gpu_time: float
    presence: float


def solve(classes: Sequence[CustomerClass]) -> tuple[ClassMeans, ...]:
    """The means of each class, in order.

    Classes with a population of 0 are not allowed.
    """
    states = prod(cls.population + 1 for cls in classes)
    residence = _exact(classes) if states <= EXACT_STATES else _schweitzer(classes)
    means = []
    for cls, gpu_time in zip(classes, residence, strict=True):
        throughput = 1.0 / (cls.host + gpu_time)
        means.append(ClassMeans(throughput, gpu_time, throughput * gpu_time))
    return tuple(means)


def steps(classes: Sequence[CustomerClass]) -> int:
    """What `solve` takes for these classes: how often it looks at one of them."""
    states = prod(cls.population + 1 for cls in classes)
    return (states if states <= EXACT_STATES else SCHWEITZER_ROUNDS) * len(classes)


def _exact(classes: Sequence[CustomerClass]) -> list[float]:
    """Time at the GPU per cycle and class, by recursion over all smaller populations."""
    full = tuple(cls.population for cls in classes)
    queue: dict[tuple[int, ...], float] = {(0,) * len(classes): 0.0}
    residence = [cls.gpu for cls in classes]
    for population in product(*(range(count + 1) for count in full)):
        if not any(population):
            continue
        length = []
        for index, (cls, count) in enumerate(zip(classes, population, strict=True)):
            if not count:
                continue
            one_less = (*population[:index], count - 1, *population[index + 1 :])
            residence[index] = cls.gpu * (1.0 + queue[one_less])
            length.append(count * residence[index] / (cls.host + residence[index]))
        queue[population] = fsum(length)
    return residence


def _schweitzer(classes: Sequence[CustomerClass]) -> list[float]:
    """The same, by a fixed point: an arriving customer sees the queue less its own share."""
    queues = [float(cls.population) / len(classes) for cls in classes]
    residence = [cls.gpu for cls in classes]
    for _ in range(SCHWEITZER_ROUNDS):
        total = fsum(queues)
        for index, cls in enumerate(classes):
            seen = total - queues[index] / cls.population
            residence[index] = cls.gpu * (1.0 + seen)
        queues = [
            cls.population * residence[index] / (cls.host + residence[index])
            for index, cls in enumerate(classes)
        ]
    return residence
