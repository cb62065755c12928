"""MPS: kernels of different processes run on the card at the same time. Charged by demand, not by residency.

As the device plugin's daemon sets it, every client may use 100/replicas percent of the threads, whoever else is there: it
sees `replicas` times less capacity and runs longer by the soft-roofline law. What no cap divides, caches, memory bandwidth
and power, costs another 8 % while a second client is busy (750 pairs measured on a V100: 1.00 to 1.23, mean 1.10).

Clients whose caps come to more than the card, or that have none, compete for it as well. One whose GPU phase needs `demand`
of the card has to wait for the others' as far as they have work of that size: it sees as much less capacity as
`demand + sum of min(demand, load of another)` is more than its demand, and runs longer by the same law. Equal clients see n
times less, a client beside ones that are hardly there almost nothing. A client is as slow as the slower of cap and
competition makes it. Interference is in what was measured of competition, so there is none on top.

That alone would let clients of different size take more than there is. So the card's work is also a queue: nobody is faster
than it would be if each client had the whole card in turn for the share of a request that is its demand (`contexts.py`).
All together then do no more than one card's work, and one client more makes nobody faster. Equal clients are slower by the
soft roofline anyway.

One exponent, 1.5, serves both. It is the only constant chosen here, on published measurements, and not by one of them:
under thread percentages (V100, iGniter) 1 to 1.5 are equally good, for YOLOS beside itself (Nebuly) 1 is best and for
ParvaGPU's models 3 (mean error 3.2 % against 3.8 %). What decides is that a demand taken from MPS runs should be the demand
that predicts the same job on MIG slices, which was used for none of this: 5.0 % in the mean with 1.5, 6 to 9 % with 2,
3 or a closed queue, which has no constant but makes YOLOS in 3 copies 12 % too fast. No published measurement covers
training.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import fsum, prod

from labs.hardware.units import PPM
from labs.simulation.laws.contexts import Load, Spend, freely, settle
from labs.simulation.laws.mechanism import Rate, Rates, Split, competing, soft_roofline
from labs.simulation.laws.part import against_whole, stretched
from labs.simulation.laws.slowdowns import Neighbour, slowdowns
from labs.simulation.laws.time_slicing import load, shared_rates, shown_alone
from labs.simulation.scenario import Job

EXPONENT = 1.5
INTERFERENCE = 0.08
CLIENT_STEPS = 200  # of `queueing`: what working out the speed of one more kind of client takes


class Mps:
    """Clients with `thread_percent` of the threads each; 100: no cap.

    There are `most` of them at most, if that is known; `spend` is told what working their speeds out takes.
    """

    name = "mps"

    def __init__(
        self,
        thread_percent: int,
        interference: float = INTERFERENCE,
        *,
        most: int | None = None,
        spend: Spend = freely,
    ) -> None:
        self._spend = spend
        self.thread_percent = thread_percent
        self.is_divided = most is not None and most * thread_percent <= 100
        """Whether every client has a part of the card of its own, which nobody else can want."""
        self._interference = interference
        self._known: dict[tuple[Job, ...], Rates] = {}

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of `jobs`, all of them clients of the card's daemon."""
        key = tuple(jobs)
        if key not in self._known:
            kinds = len(set(key))
            self._spend(kinds * (CLIENT_STEPS + kinds))
            crowd = self._crowd(key)
            rates = {job: crowd.rate(job) for job in crowd.clients}
            self._known[key] = Rates(tuple(rates[job] for job in key), round(crowd.busy * PPM))
        return self._known[key]

    def split(self, jobs: Sequence[Job]) -> Split:
        """How the jobs run side by side, so that the mean of what slows them is that of `rates`.

        What a request takes longer than its cap alone makes it, others make it while they have work. What no cap divides
        costs the same whoever that is; those that compete cost in proportion to what they take of the card.
        """
        crowd = self._crowd(tuple(jobs))
        begins = tuple(replace(crowd.begins(job), overlap=0.0) for job in jobs)
        if self.is_divided:
            return Split(begins, False, beside=tuple(crowd.interfered(job) for job in jobs))
        rows = {job: crowd.row(job) for job in crowd.clients}
        return Split(begins, False, slower=tuple(tuple(rows[job][other] for other in jobs) for job in jobs))

    def _crowd(self, jobs: tuple[Job, ...]) -> _Crowd:
        return _Crowd(Counter(jobs), 100.0 / self.thread_percent, self._interference, self._spend)


class _Crowd:
    """Clients of one daemon, so many of each job, each of which sees `times_less` less capacity by its cap."""

    def __init__(self, clients: Counter[Job], times_less: float, interference: float, spend: Spend) -> None:
        self.clients = clients
        self.competes = sum(clients.values()) > times_less
        self._interference = interference if times_less > 1.0 else 0.0
        self._capped = {
            job: stretched(job, soft_roofline(job.demand, times_less, EXPONENT), job.demand * times_less)
            for job in clients
        }
        self._parts = self._interfering()
        if self.competes:
            self._parts = self._competing(spend)
        self._there = {job: _presence(part) for job, part in self._parts.items()}

    @property
    def busy(self) -> float:
        """The share of time with any kernel on the card, as if the clients knew nothing of each other."""
        idle = [prod([1.0 - self._there[job]] * count) for job, count in self.clients.items()]
        return 1.0 - prod(sorted(idle))

    def rate(self, job: Job) -> Rate:
        """The rate of a client, told against the whole card."""
        part = self._parts[job]
        return against_whole(shared_rates((part,), 0.0), (job,), (part,)).jobs[0]

    def begins(self, job: Job) -> Job:
        """The job as its cap alone makes it, with the host's time that it has beside the others."""
        part, capped = self._parts[job], self._capped[job]
        host_us = (1.0 - part.residency) * part.solo_time_us
        return replace(capped, residency=max(0.0, 1.0 - host_us / capped.solo_time_us))

    def interfered(self, job: Job) -> float:
        """By which share of it a GPU phase is longer while another client is busy."""
        capped = self._capped[job]
        return _longer(capped, stretched(capped, 1.0 + self._interference, capped.demand))

    def row(self, job: Job) -> Mapping[Job, float]:
        """By which share of it a GPU phase is longer while one of each job has work.

        In proportion to what that takes of the card where they compete, else the same for all.
        """
        part = self._parts[job]
        neighbours = [
            Neighbour(
                count - (other == job),
                self._there[other],
                _gpu_us(self._parts[other]),
                min(job.demand, self._loads[other]) if self.competes else 1.0,
            )
            for other, count in self.clients.items()
        ]
        shares = slowdowns(_longer(self.begins(job), part), _gpu_us(part), neighbours)
        return dict(zip(self.clients, shares, strict=True))

    def _interfering(self) -> dict[Job, Job]:
        """Each with its own part of the card, but for what no cap divides."""
        if not self._interference:
            return self._capped
        there = {job: _presence(part) for job, part in self._capped.items()}
        return {
            job: stretched(part, 1.0 + self._interference * self._others(job, there), part.demand)
            for job, part in self._capped.items()
        }

    def _competing(self, spend: Spend) -> dict[Job, Job]:
        """The same, but no faster than competition and the queue of the card's work allow."""
        self._loads = {
            job: load(job).cycles_alone * job.solo_time_us / PPM * job.demand for job in self.clients
        }
        work = {job: _work(job) for job in self.clients}
        served = settle(Counter(work[job] for job in self.clients.elements()), 0.0, spend).served
        parts: dict[Job, Job] = {}
        for job, part in self._parts.items():
            others = (min(job.demand, self._loads[other]) * count for other, count in self.clients.items())
            pressure = max(job.demand, job.demand + fsum(others) - min(job.demand, self._loads[job]))
            queued = job.demand * served[work[job]].times
            longest = max(competing(job.demand, pressure, EXPONENT), 1.0 - job.demand + queued)
            own = job.solo_time_us / part.solo_time_us
            parts[job] = stretched(
                part, max(1.0, own * longest), max(part.demand, own * pressure, own * queued)
            )
        return parts

    def _others(self, job: Job, there: Mapping[Job, float]) -> float:
        """The probability that another client than one of `job` has a kernel on the card."""
        return 1.0 - prod(
            prod([1.0 - there[other]] * (count - (other == job))) for other, count in self.clients.items()
        )


def _work(job: Job) -> Load:
    """What the job asks of the card's capacity: the whole of it, for as long as its demand is of a request."""
    solo = job.solo_time_us / PPM
    return Load(solo * (1.0 - job.demand), solo * job.demand, job.clients or 1, open_rate=job.rate_per_s)


def _presence(part: Job) -> float:
    """The share of time in which a job that runs as `part` has a kernel on the card, as `nvidia-smi` shows it."""
    return shown_alone(part, load(part))


def _longer(part: Job, slowed_down: Job) -> float:
    """By which share of it the GPU phase of `slowed_down` is longer than that of `part`."""
    gpu_us = _gpu_us(part)
    return _gpu_us(slowed_down) / gpu_us - 1.0 if gpu_us else 0.0


def _gpu_us(part: Job) -> float:
    return part.solo_time_us * part.residency
