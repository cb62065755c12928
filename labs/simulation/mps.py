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

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import fsum, prod

from labs.simulation.mechanism import PPM, Rate, Rates, Split, competing, slowed, soft_roofline, stretched
from labs.simulation.scenario import Job, JobKind
from labs.simulation.time_slicing import Spend, freely, max_min, shared_rates

EXPONENT = 1.5
INTERFERENCE = 0.08
CLIENT_STEPS = 100  # of `queueing`: what working out the speed of one more kind of client takes

Clients = Mapping[Job, int]
"""How many equal clients there are of each job."""


class Mps:
    """Clients with `thread_percent` of the threads each; 100: no cap."""

    name = "mps"

    def __init__(self, thread_percent: int, interference: float = INTERFERENCE) -> None:
        self.thread_percent = thread_percent
        self._interference = interference
        self._known: dict[tuple[Job, ...], Rates] = {}
        self.spend: Spend = freely  # a world that has a budget puts its own here

    @property
    def is_capped(self) -> bool:
        """Whether every client has a part of the card of its own."""
        return self.thread_percent < 100

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of `jobs`, all of them clients of the card's daemon."""
        key = tuple(jobs)
        if key not in self._known:
            clients = Counter(key)
            self.spend(len(clients) * (CLIENT_STEPS + len(clients)))
            parts = self._capped(clients) if self.is_capped else _uncapped(clients)
            rates = {job: _alone(job, part) for job, part in parts.items()}
            if not self.is_capped:
                rates = _within_the_card(clients, rates)
            busy = _busy(clients, {job: _presence(job, parts[job], rate) for job, rate in rates.items()})
            self._known[key] = Rates(tuple(rates[job] for job in key), busy)
        return self._known[key]

    def split(self, jobs: Sequence[Job]) -> Split:
        """Side by side: under a cap, what no cap divides costs while anybody else has work; without one, everybody with work
        slows a request down in proportion to what it takes of the card, so much that the mean is that of `rates`."""
        if self.is_capped:
            times_less = 100.0 / self.thread_percent
            parts = [stretched(job, soft_roofline(job.demand, times_less, EXPONENT)) for job in jobs]
            most = tuple(_longer(part, stretched(part, 1.0 + self._interference)) for part in parts)
            return Split(tuple(parts), False, beside=most)
        clients = Counter(jobs)
        mean = _uncapped(clients)
        rates = {job: _alone(job, part) for job, part in mean.items()}
        held = _within_the_card(clients, rates)
        there = {job: _presence(job, mean[job], rate) for job, rate in held.items()}
        whole = {
            job: job if rate == rates[job] else stretched(job, rates[job].speed_ppm / max(1, rate.speed_ppm))
            for job, rate in held.items()
        }
        rows = {
            job: tuple(row[other] for other in jobs) for job, row in _slower(clients, mean, there).items()
        }
        return Split(tuple(whole[job] for job in jobs), False, slower=tuple(rows[job] for job in jobs))

    def _capped(self, clients: Clients) -> dict[Job, Job]:
        """Each has its own part of the card, but for what no cap divides."""
        times_less = 100.0 / self.thread_percent
        alone = {job: stretched(job, soft_roofline(job.demand, times_less, EXPONENT)) for job in clients}
        there = {job: _presence(job, part, _alone(job, part)) for job, part in alone.items()}
        return {
            job: stretched(part, 1.0 + self._interference * _others(job, clients, there))
            for job, part in alone.items()
        }


def _uncapped(clients: Clients) -> dict[Job, Job]:
    """Clients that compete for the whole card: each as the others let it run."""
    loads = {job: _used(job, shared_rates((job,), 0.0).jobs[0]) for job in clients}
    parts: dict[Job, Job] = {}
    for job, own in loads.items():
        others = [min(job.demand, load) * clients[other] for other, load in loads.items()]
        wanted = job.demand + max(0.0, fsum(others) - min(job.demand, own))
        parts[job] = stretched(job, competing(job.demand, wanted, EXPONENT))
    return parts


def _alone(job: Job, part: Job) -> Rate:
    """The rate of `part`, which is `job` as it runs on a part of the card, told against the whole."""
    return slowed(shared_rates((part,), 0.0), (job,), (part,)).jobs[0]


def _within_the_card(clients: Clients, rates: Mapping[Job, Rate]) -> dict[Job, Rate]:
    """Rates that take no more than the whole card: who has more than a max-min share gives way."""
    used = {job: _used(job, rate) for job, rate in rates.items()}
    if fsum(used[job] * count for job, count in clients.items()) <= 1.0:
        return dict(rates)
    order = sorted(clients, key=lambda job: used[job])  # equal uses get equal shares, in whatever order
    shares = max_min([used[job] for job in order], [clients[job] for job in order], 1.0)
    return {
        job: rates[job] if share >= used[job] else _given_way(job, rates[job], share / used[job])
        for job, share in zip(order, shares, strict=True)
    }


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


def _slower(
    clients: Clients, mean: Mapping[Job, Job], there: Mapping[Job, float]
) -> dict[Job, dict[Job, float]]:
    """By how much a client of each job is slower for every one of each that has work: in proportion to what that takes of the
    card, and so that with clients `there` as often as they are the slowdown is that of its `mean` part."""
    loads = {job: _used(job, shared_rates((job,), 0.0).jobs[0]) for job in clients}
    slower: dict[Job, dict[Job, float]] = {}
    for job in clients:
        taken = {other: min(job.demand, load) for other, load in loads.items()}
        others = fsum(taken[other] * count for other, count in clients.items()) - taken[job]
        longer = _longer(job, mean[job])
        slower[job] = {
            other: longer * share / others / there[other] if others > 0.0 and there[other] else 0.0
            for other, share in taken.items()
        }
    return slower


def _longer(part: Job, slowed_down: Job) -> float:
    """By which share of it the GPU phase of `slowed_down` is longer than that of `part`."""
    gpu = part.solo_time_us * part.residency
    return slowed_down.solo_time_us * slowed_down.residency / gpu - 1.0 if gpu else 0.0


def _others(job: Job, clients: Clients, there: Mapping[Job, float]) -> float:
    """The probability that another client than one of `job` has a kernel on the card."""
    return 1.0 - prod(
        prod([1.0 - there[other]] * (count - (other == job))) for other, count in clients.items()
    )


def _presence(job: Job, part: Job, rate: Rate) -> float:
    """The share of time in which a job that runs as `part` has a kernel on the card, as `nvidia-smi` shows it."""
    if job.rate_per_s is not None:
        return min(1.0, part.residency * part.solo_time_us / PPM * rate.requests_u / PPM)
    clients = max(1, job.clients)
    host = (1.0 - job.residency) * rate.speed_ppm / PPM
    return 1.0 - min(1.0, prod([host] * clients))


def _busy(clients: Clients, there: Mapping[Job, float]) -> int:
    """The share of time with any kernel on the card, as if the clients knew nothing of each other."""
    idle = [prod([1.0 - there[job]] * count) for job, count in clients.items()]
    return min(PPM, round((1.0 - prod(sorted(idle))) * PPM))
