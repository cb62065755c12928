"""Mean values of a closed queueing network: one processor-sharing station (the GPU), one delay (the host).

Each class alternates a host phase and a GPU phase. The network has a product form (F. Baskett, K. M. Chandy, R. R. Muntz
and F. G. Palacios, "Open, Closed, and Mixed Networks of Queues with Different Classes of Customers", J. ACM 22(2), 1975):
that a set S of the customers is at the GPU has the weight |S|! x the GPU times of these x the host times of the others.
What one customer finds there is what would be there without it (M. Reiser and S. S. Lavenberg, "Mean-Value Analysis of
Closed Multichain Queuing Networks", J. ACM 27(2), 1980). Past `EXACT_STEPS` it is the approximation by P. J. Schweitzer
(1979), whose error is a few percent.

One customer more, or one with more GPU time or less host time, never makes another wait less: the weights are
log-supermodular, so who is at the GPU is there more often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

EXACT_STEPS = 20_000
SCHWEITZER_ROUNDS = 60


@dataclass(frozen=True, slots=True)
class CustomerClass:
    """`population` equal customers: seconds (any unit) of host time and of GPU time per cycle."""

    host: float
    gpu: float
    population: int


@dataclass(frozen=True, slots=True)
class ClassMeans:
    """What one customer of the class does in the mean.

    Cycles per unit of time, time per cycle at the GPU, presence there (0 to 1).
    """

    throughput: float
    gpu_time: float
    presence: float


def solve(classes: Sequence[CustomerClass]) -> tuple[ClassMeans, ...]:
    """The means of each class, in order.

    Classes with a population of 0 are not allowed.
    """
    residence = _exact(classes) if _exact_steps(classes) <= EXACT_STEPS else _schweitzer(classes)
    means = []
    for cls, gpu_time in zip(classes, residence, strict=True):
        throughput = 1.0 / (cls.host + gpu_time)
        means.append(ClassMeans(throughput, gpu_time, throughput * gpu_time))
    return tuple(means)


def steps(classes: Sequence[CustomerClass]) -> int:
    """What `solve` takes for these classes: how often it looks at one of them, or at a number of customers."""
    exact = _exact_steps(classes)
    return exact if exact <= EXACT_STEPS else SCHWEITZER_ROUNDS * len(classes)


def _exact_steps(classes: Sequence[CustomerClass]) -> int:
    everybody = sum(cls.population for cls in classes)
    most = max((cls.population for cls in classes), default=0)
    return (everybody + 1) * (everybody - most + len(classes))


def _exact(classes: Sequence[CustomerClass]) -> list[float]:
    """Time at the GPU per cycle and class: as many times its own as it finds customers there, and itself."""
    order = sorted(range(len(classes)), key=lambda index: (-classes[index].population, index))
    weights = [1.0]  # of so many customers at the GPU
    for place, index in enumerate(order):
        cls = classes[index]
        if place == 0:
            weights = _weights(cls)
            continue
        for _ in range(cls.population):
            weights = _with_one_more(weights, cls)
    return [cls.gpu * (1.0 + _mean(_without_one(weights, cls))) if cls.gpu else 0.0 for cls in classes]


def _weights(cls: CustomerClass) -> list[float]:
    """The weights of 0 to all customers of one class at the GPU.

    Each is the next one's times host / (GPU x those who are not there), from the largest on in both directions.
    """
    count = cls.population
    if not cls.gpu:
        return [1.0] + [0.0] * count
    ratio = cls.host / cls.gpu
    top = count - int(min(count, ratio))
    weights = [0.0] * (count + 1)
    weights[top] = 1.0
    for number in range(top, 0, -1):
        weights[number - 1] = weights[number] * ratio / (count - number + 1)
    for number in range(top, count):
        weights[number + 1] = weights[number] * (count - number) / ratio
    return weights


def _with_one_more(weights: Sequence[float], cls: CustomerClass) -> list[float]:
    """The weights with one more customer, on the host or at the GPU; their largest is 1."""
    grown = [cls.host * weight for weight in weights] + [0.0]
    for number, weight in enumerate(weights, 1):
        grown[number] += number * cls.gpu * weight
    largest = max(grown)
    return [weight / largest for weight in grown]


def _without_one(weights: Sequence[float], cls: CustomerClass) -> list[float]:
    """The weights without one customer of the class: `_with_one_more` undone.

    From below where the host counts for more and from above where the GPU does, so that no error grows.
    """
    last = len(weights) - 1
    middle = int(min(last, cls.host / cls.gpu))
    less = [0.0] * last
    below = 0.0
    for number in range(middle):
        below = max(0.0, (weights[number] - number * cls.gpu * below) / cls.host)
        less[number] = below
    above = 0.0
    for number in range(last, middle, -1):
        above = max(0.0, (weights[number] - cls.host * above) / (number * cls.gpu))
        less[number - 1] = above
    return less


def _mean(weights: Sequence[float]) -> float:
    return fsum(number * weight for number, weight in enumerate(weights)) / fsum(weights)


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
