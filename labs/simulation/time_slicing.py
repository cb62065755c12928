"""Time-slicing: contexts take turns on the whole card, and a context without work gives its turn away.

Charged by residency: while a kernel of one context is on the card, no other context runs, however few SMs
it fills. Two laws bound what a job can do, and its overlap says where between them it stands:

* closed queue (overlap 0, synchronous work): host and GPU phases alternate, and the job waits for its turn
  (`queueing.py`);
* fair share (overlap 1, work launched far ahead): host time hides behind the GPU's, the card's time is
  shared max-min.

Every switch costs `switch_tax` = switch time / slice length, paid while a second context has work: 8 % by
default, between 0 (RTX 3090, training) and 11 % (A100, inference) in published measurements. NVIDIA
publishes neither time nor slice length; only their ratio can be seen from outside. The residency of
asynchronous training as `nvidia-smi` shows it overstates what the job needs by about a fifth (1,388 pairs
of training jobs measured for Lucid, ASPLOS 2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, prod

from labs.simulation.mechanism import PPM, Rate, Rates
from labs.simulation.queueing import ClassMeans, CustomerClass, solve
from labs.simulation.scenario import Job, JobKind

SWITCH_TAX = 0.08
ASYNC_RESIDENCY = 0.8  # share of the shown residency that asynchronous training really needs
TAX_ROUNDS = 24  # the tax depends on who has work, which depends on the tax: rounds of that fixed point


class TimeSlicing:
    """Work-conserving round robin of the contexts on a card."""

    name = "time-slicing"

    def __init__(self, switch_tax: float = SWITCH_TAX) -> None:
        self._switch_tax = switch_tax
        self._known: dict[tuple[Job, ...], Rates] = {}

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of the jobs that have work on the card."""
        key = tuple(jobs)
        if key not in self._known:
            self._known[key] = shared_rates(key, self._switch_tax)
        return self._known[key]


@dataclass(frozen=True, slots=True)
class _Load:
    """A job in seconds: host and GPU time per cycle, customers in its closed queue, requests per second if
    open."""

    host: float
    gpu: float
    clients: int
    overlap: float
    open_rate: float | None

    @property
    def residency(self) -> float:
        """Share of a cycle alone in which it is on the GPU."""
        return self.gpu / (self.host + self.gpu)


def shared_rates(jobs: Sequence[Job], switch_tax: float) -> Rates:
    """The rates of `jobs` on one card.

    Empty input: nobody runs, the card is idle.
    """
    if not jobs:
        return Rates((), 0)
    loads = [_load(job) for job in jobs]
    taxes = [1.0] * len(loads)
    means: list[ClassMeans] = []
    open_now: list[bool] = []
    for _ in range(TAX_ROUNDS if switch_tax and len(loads) > 1 else 1):
        open_now = _stable_open(loads, taxes)
        means = _queue_means(loads, taxes, open_now)
        taxes = _taxes(loads, means, switch_tax)
    shares = _fair_shares(loads, taxes)
    results = [
        _rate(job, load, means[index], open_now[index], shares[index])
        for index, (job, load) in enumerate(zip(jobs, loads, strict=True))
    ]
    busy = fsum(work * load.gpu * tax for (work, _), load, tax in zip(results, loads, taxes, strict=True))
    return Rates(tuple(rate for _, rate in results), min(PPM, round(busy * PPM)))


def _load(job: Job) -> _Load:
    solo = job.solo_time_us / PPM
    residency = job.residency * (ASYNC_RESIDENCY if job.kind is JobKind.TRAINING and job.overlap else 1.0)
    return _Load(solo * (1.0 - residency), solo * residency, job.clients or 1, job.overlap, job.rate_per_s)


def _stable_open(loads: Sequence[_Load], taxes: Sequence[float]) -> list[bool]:
    """Which loads are open services that the card can keep up with; one that it can't is as busy as a closed
    one."""
    shares = _fair_shares(loads, taxes)
    return [
        load.open_rate is not None and load.open_rate * load.gpu * tax < share * 0.999_999
        for load, tax, share in zip(loads, taxes, _spare(loads, taxes, shares), strict=True)
    ]


def _spare(loads: Sequence[_Load], taxes: Sequence[float], shares: Sequence[float]) -> list[float]:
    """GPU time that each load could have if it had more work: its share, and what nobody else wants."""
    left = max(0.0, 1.0 - fsum(shares))
    equal = 1.0 / len(loads)
    return [
        max(equal, share + left) if load.open_rate is not None else share
        for load, share in zip(loads, shares, strict=True)
    ]


def _fair_shares(loads: Sequence[_Load], taxes: Sequence[float]) -> list[float]:
    """Max-min shares of the card's time: nobody gets more than it wants, what it leaves is shared by the
    others."""
    wants = [
        (min(1.0, load.open_rate * load.gpu) if load.open_rate is not None else load.residency) * tax
        for load, tax in zip(loads, taxes, strict=True)
    ]
    shares = [0.0] * len(loads)
    left, waiting = 1.0, sorted(range(len(loads)), key=lambda index: (wants[index], index))
    for place, index in enumerate(waiting):
        shares[index] = min(wants[index], left / (len(waiting) - place))
        left -= shares[index]
    return shares


def _queue_means(
    loads: Sequence[_Load], taxes: Sequence[float], open_now: Sequence[bool]
) -> list[ClassMeans]:
    """Means per load of the mixed network: open services take their part first, the closed ones queue for
    the rest."""
    taken = fsum(
        (load.open_rate or 0.0) * load.gpu * tax
        for load, tax, is_open in zip(loads, taxes, open_now, strict=True)
        if is_open
    )
    classes: dict[tuple[float, float], list[int]] = {}
    for index, load in enumerate(loads):
        if not open_now[index]:
            classes.setdefault((load.host, load.gpu * taxes[index] / (1.0 - taken)), []).append(index)
    solved = solve(
        [
            CustomerClass(host, gpu, sum(loads[index].clients for index in members))
            for (host, gpu), members in classes.items()
        ]
    )
    closed: dict[int, ClassMeans] = {}
    for means, members in zip(solved, classes.values(), strict=True):
        closed.update(dict.fromkeys(members, means))
    waiting = fsum(means.presence * loads[index].clients for index, means in closed.items())
    return [
        closed[index] if index in closed else _open_means(load, taxes[index], taken, waiting)
        for index, load in enumerate(loads)
    ]


def _open_means(load: _Load, tax: float, taken: float, waiting: float) -> ClassMeans:
    """An open service: all its requests are answered; each shares the card with those it finds there."""
    rate = load.open_rate or 0.0
    gpu_time = load.gpu * tax * (1.0 + waiting) / (1.0 - taken)
    return ClassMeans(rate, gpu_time, min(1.0, rate * gpu_time))


def _taxes(loads: Sequence[_Load], means: Sequence[ClassMeans], switch_tax: float) -> list[float]:
    """1 + tax x the probability that another context has work, for each load."""
    idle = [1.0 - min(1.0, mean.presence * load.clients) for load, mean in zip(loads, means, strict=True)]
    return [
        1.0 + switch_tax * (1.0 - prod(idle[other] for other in range(len(loads)) if other != index))
        for index in range(len(loads))
    ]


def _rate(job: Job, load: _Load, mean: ClassMeans, is_open: bool, share: float) -> tuple[float, Rate]:
    """Cycles per second of the whole job, and the rate as recorded."""
    if is_open:
        latency = round((load.host + mean.gpu_time) * PPM)
        return mean.throughput, Rate(PPM, round(mean.throughput * PPM), latency)
    alone = solo_cycles(load.host, load.gpu, load.clients)
    queued = min(1.0, mean.throughput * load.clients / alone)
    fair = min(1.0, share / load.residency) if load.residency else 1.0
    speed = load.overlap * fair + (1.0 - load.overlap) * queued
    cycles = speed * alone
    if job.kind is JobKind.TRAINING:
        return cycles, Rate(round(speed * PPM))
    if load.open_rate is not None:  # overloaded: it answers what it can, and the queue grows
        answered = min(cycles, load.open_rate)
        return answered, Rate(round(answered / load.open_rate * PPM), round(answered * PPM), None)
    return cycles, Rate(round(speed * PPM), round(cycles * PPM), round(load.clients / cycles * PPM))


def solo_cycles(host: float, gpu: float, clients: int) -> float:
    """Cycles per second of a closed job with the card to itself."""
    return solve([CustomerClass(host, gpu, clients)])[0].throughput * clients
