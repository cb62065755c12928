"""MPS: kernels of different processes run on the card at the same time. Charged by demand, not by residency.

As the device plugin's daemon sets it, every client may use 100/replicas percent of the threads, whoever else is there: it
sees `replicas` times less capacity and runs longer by the soft-roofline law. Exponent 1 was measured for synchronous
inference under a thread percentage (V100, 4 models: 1.7 % off); for work launched far ahead 3 is taken, as for
several whole processes, which is an assumption. What no cap divides, caches, memory bandwidth and power, costs another 8 %
while a second client is busy (750 pairs measured on a V100: 1.00 to 1.23, mean 1.10).

Without a cap the clients share the card's capacity as it is needed: a closed queue with a host phase and a GPU phase as
long as the demand (`time_slicing.shared_rates` without a tax), which meets 231 published points of ParvaGPU within
3.2 % in the mean.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from math import prod

from labs.simulation.mechanism import PPM, Rate, Rates, slowed, soft_roofline, stretched
from labs.simulation.scenario import Job
from labs.simulation.time_slicing import shared_rates

SYNCHRONOUS_EXPONENT = 1.0
ASYNCHRONOUS_EXPONENT = 3.0
FULL_OVERLAP = 0.5  # from this overlap on a job counts as launched far ahead
INTERFERENCE = 0.08


class Mps:
    """Clients with `thread_percent` of the threads each; 100: no cap."""

    name = "mps"

    def __init__(self, thread_percent: int, interference: float = INTERFERENCE) -> None:
        self.thread_percent = thread_percent
        self._interference = interference
        self._known: dict[tuple[Job, ...], Rates] = {}

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of `jobs`, all of them clients of the card's daemon."""
        key = tuple(jobs)
        if key not in self._known:
            self._known[key] = self._capped(key) if self.thread_percent < 100 else _uncapped(key)
        return self._known[key]

    def _capped(self, jobs: Sequence[Job]) -> Rates:
        """Each has its own part of the card, but for what no cap divides."""
        times_less = 100.0 / self.thread_percent
        alone = [stretched(job, soft_roofline(job.demand, times_less, exponent(job))) for job in jobs]
        there = [_presence(job, shared_rates((job,), 0.0).jobs[0]) for job in alone]
        parts = [
            stretched(part, 1.0 + self._interference * _others(there, index))
            for index, part in enumerate(alone)
        ]
        rates = tuple(shared_rates((part,), 0.0).jobs[0] for part in parts)
        busy = _busy(_presence(part, rate) for part, rate in zip(parts, rates, strict=True))
        return slowed(Rates(rates, busy), jobs, parts)


def exponent(job: Job) -> float:
    """The exponent of the soft-roofline law under a thread percentage."""
    share = min(1.0, job.overlap / FULL_OVERLAP)
    return SYNCHRONOUS_EXPONENT + (ASYNCHRONOUS_EXPONENT - SYNCHRONOUS_EXPONENT) * share


def _uncapped(jobs: Sequence[Job]) -> Rates:
    """Processor sharing by demand; what `nvidia-smi` shows as busy is still counted by residency."""
    needed = [dataclasses.replace(job, residency=job.demand, overlap=0.0) for job in jobs]
    rates = shared_rates(needed, 0.0).jobs
    return Rates(rates, _busy(_presence(job, rate) for job, rate in zip(jobs, rates, strict=True)))


def _others(there: Sequence[float], index: int) -> float:
    """The probability that another client has a kernel on the card."""
    return 1.0 - prod(1.0 - share for place, share in enumerate(there) if place != index)


def _presence(job: Job, rate: Rate) -> float:
    """The share of time in which a job has a kernel on the card."""
    if job.rate_per_s is not None:
        return min(1.0, job.residency * job.solo_time_us / PPM * rate.requests_u / PPM)
    clients = max(1, job.clients)
    host = (1.0 - job.residency) * rate.speed_ppm / PPM
    return 1.0 - min(1.0, host) ** clients


def _busy(there: Iterable[float]) -> int:
    """The share of time with any kernel on the card, as if the jobs knew nothing of each other."""
    return min(PPM, round((1.0 - prod(1.0 - share for share in there)) * PPM))
