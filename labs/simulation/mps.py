"""MPS: kernels of different processes run on the card at the same time. Charged by demand, not by residency.

As the device plugin's daemon sets it, every client may use 100/replicas percent of the threads, whoever else is there: it
sees `replicas` times less capacity and runs longer by the soft-roofline law. What no cap divides, caches, memory bandwidth
and power, costs another 8 % while a second client is busy (750 pairs measured on a V100: 1.00 to 1.23, mean 1.10).

Without a cap the clients compete for the card. A client whose GPU phase needs `demand` of it has to wait for the others'
as far as they have work of that size: it sees as much less capacity as `demand + sum of min(demand, load of another)` is
more than its demand, and runs longer by the same law. Equal clients see n times less, a client beside ones that
are hardly there almost nothing. Where clients of different size would so take more than there is, those with more than
a fair share give way. Interference is in what was measured, so there is none on top.

One exponent, 1.5, serves both. It is the only constant chosen here, on published measurements, and not by one of them:
under thread percentages (V100, iGniter) 1 to 1.5 are equally good, for YOLOS beside itself (Nebuly) 1 is best and for
ParvaGPU's models 3 (mean error 3.2 % against 3.8 %). What decides is that a demand taken from MPS runs should be the demand
that predicts the same job on MIG slices, which was used for none of this: 5.0 % in the mean with 1.5, 6 to 9 % with 2,
3 or a closed queue, which has no constant but makes YOLOS in 3 copies 12 % too fast. No published measurement covers
training.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import fsum, prod

from labs.simulation.mechanism import PPM, Rate, Rates, competing, slowed, soft_roofline, stretched
from labs.simulation.scenario import Job, JobKind
from labs.simulation.time_slicing import max_min, shared_rates

EXPONENT = 1.5
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
        alone = [stretched(job, soft_roofline(job.demand, times_less, EXPONENT)) for job in jobs]
        there = [_presence(job, shared_rates((job,), 0.0).jobs[0]) for job in alone]
        parts = [
            stretched(part, 1.0 + self._interference * _others(there, index))
            for index, part in enumerate(alone)
        ]
        rates = tuple(shared_rates((part,), 0.0).jobs[0] for part in parts)
        busy = _busy(_presence(part, rate) for part, rate in zip(parts, rates, strict=True))
        return slowed(Rates(rates, busy), jobs, parts)


def _uncapped(jobs: Sequence[Job]) -> Rates:
    """Clients that compete for the whole card; what `nvidia-smi` shows as busy is still counted by residency."""
    alone = {job: shared_rates((job,), 0.0).jobs[0] for job in jobs}
    loads = [_used(job, alone[job]) for job in jobs]
    parts = [_beside(job, loads, index) for index, job in enumerate(jobs)]
    rates = tuple(shared_rates((part,), 0.0).jobs[0] for part in parts)
    told = _within_the_card(slowed(Rates(rates, 0), jobs, parts).jobs, jobs)
    return Rates(told, _busy(_presence(job, rate) for job, rate in zip(jobs, told, strict=True)))


def _beside(job: Job, loads: Sequence[float], index: int) -> Job:
    """The job as the others let it run; `loads` are the shares of the card that all use alone, its own at `index`."""
    others = fsum(min(job.demand, load) for place, load in enumerate(loads) if place != index)
    return stretched(job, competing(job.demand, job.demand + others, EXPONENT))


def _within_the_card(rates: Sequence[Rate], jobs: Sequence[Job]) -> tuple[Rate, ...]:
    """Rates that take no more than the whole card: who has more than a max-min share gives way."""
    used = [_used(job, rate) for job, rate in zip(jobs, rates, strict=True)]
    if fsum(used) <= 1.0:
        return tuple(rates)
    shares = max_min(used, [1] * len(used), 1.0)
    return tuple(
        rate if share >= use else _given_way(job, rate, share / use)
        for job, rate, use, share in zip(jobs, rates, used, shares, strict=True)
    )


def _given_way(job: Job, rate: Rate, share: float) -> Rate:
    """The rate of a job that does only this share of its work; an open service then falls behind for ever."""
    latency = (
        None if rate.latency_us is None or job.rate_per_s is not None else round(rate.latency_us / share)
    )
    return replace(
        rate,
        speed_ppm=round(rate.speed_ppm * share),
        requests_u=round(rate.requests_u * share),
        latency_us=latency,
    )


def _used(job: Job, rate: Rate) -> float:
    """The share of the card's capacity that the job uses at this rate."""
    if job.kind is JobKind.SERVICE:
        return job.demand * job.solo_time_us / PPM * rate.requests_u / PPM
    return job.demand * rate.speed_ppm / PPM


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
