"""Time-slicing: contexts take turns on the whole card, and a context without work gives its turn away.

Charged by residency: while a kernel of one context is on the card, no other context runs, however few SMs
it fills. A Pod is one context however many requests wait in it, so its turn is as long as anybody's. How long a turn
lets a job wait, and how much of that hides behind its host's work, `contexts.py` works out. Held against a simulation
of single turns in `tests/unit/simulation/test_turns.py`: within a few percent, but for services whose requests come when
they will and that load a card heavily together, whose queues then grow at the same times (`agreement.py` says how far).

Every switch costs `switch_tax` = switch time / slice length, paid while a second context has work: 8 % by
default, between 0 (RTX 3090, training) and 11 % (A100, inference) in published measurements. NVIDIA
publishes neither time nor slice length; only their ratio can be seen from outside. The residency of
asynchronous training as `nvidia-smi` shows it overstates what the job needs by about a fifth (1,388 pairs
of training jobs measured for Lucid, ASPLOS 2023). Only that is measured: pairs, and jobs whose overlap was taken to
be a half. For less overlap the share that is not needed shrinks in proportion, down to none for synchronous
training; for three and more jobs it is assumed to stay as it is. A card's utilization is never below what any of its
jobs shows alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from labs.hardware.units import PPM
from labs.simulation.laws.contexts import Load, Served, Spend, freely, settle
from labs.simulation.laws.mechanism import Rate, Rates, Split
from labs.simulation.scenario import Job, JobKind

SWITCH_TAX = 0.08
ASYNC_RESIDENCY = 0.8  # share of the shown residency that asynchronous training really needs …
ASYNC_OVERLAP = 0.5  # … from this overlap on


class TimeSlicing:
    """Work-conserving round robin of the contexts on a card; `spend` is told what working it out takes."""

    name = "time-slicing"

    def __init__(self, switch_tax: float = SWITCH_TAX, spend: Spend = freely) -> None:
        self._spend = spend
        self._switch_tax = switch_tax
        self._known: dict[tuple[Job, ...], Rates] = {}

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of the jobs that have work on the card."""
        key = tuple(jobs)
        if key not in self._known:
            self._known[key] = shared_rates(key, self._switch_tax, self._spend)
        return self._known[key]

    def split(self, jobs: Sequence[Job]) -> Split:
        """The whole card in turns, each as long as what its job really needs."""
        needed = (replace(job, residency=job.residency * _needed(job)) for job in jobs)
        return Split(tuple(needed), takes_turns=True, switch_tax=self._switch_tax)


def shared_rates(jobs: Sequence[Job], switch_tax: float, spend: Spend = freely) -> Rates:
    """The rates of `jobs` on one card; `spend` is told what that takes.

    Empty input: nobody runs, the card is idle.
    """
    load_of = {job: load(job) for job in dict.fromkeys(jobs)}
    settled = settle(Counter(load_of[job] for job in jobs), switch_tax, spend)
    rates = {job: _rate(job, own, settled.served[own]) for job, own in load_of.items()}
    busy = max([settled.busy, *(shown_alone(job, own) for job, own in load_of.items())])
    return Rates(tuple(rates[job] for job in jobs), round(busy * PPM))


def load(job: Job) -> Load:
    """What the job's context does while it takes turns: it needs the card for what it really needs of its residency."""
    solo = job.solo_time_us / PPM
    residency = job.residency * _needed(job)
    return Load(solo * (1.0 - residency), solo * residency, job.clients or 1, job.overlap, job.rate_per_s)


def _needed(job: Job) -> float:
    """The share of the residency that a job shows and needs."""
    return needed_share(job.overlap) if job.kind is JobKind.TRAINING else 1.0


def needed_share(overlap: float) -> float:
    """The share of the shown residency that training with this overlap needs."""
    return 1.0 - (1.0 - ASYNC_RESIDENCY) * min(1.0, overlap / ASYNC_OVERLAP)


def shown_alone(job: Job, own: Load) -> float:
    """The share of time in which the job alone has a kernel on the card, as `nvidia-smi` shows it."""
    return min(1.0, own.cycles_alone * job.solo_time_us / PPM * job.residency)


def _rate(job: Job, own: Load, served: Served) -> Rate:
    """The rate of the job, as recorded."""
    requests_u = round(served.cycles * PPM)
    if own.open_rate is not None:
        if not served.keeps_up:  # it answers what it can, and the queue grows
            return Rate(round(served.cycles / own.open_rate * PPM), requests_u, None)
        waiting = served.request_time / (1.0 - own.open_rate * served.request_time)
        return Rate(PPM, requests_u, round((own.host + waiting) * PPM))
    speed = round(served.cycles / own.cycles_alone * PPM)
    if job.kind is JobKind.TRAINING:
        return Rate(speed)
    return Rate(speed, requests_u, round(own.clients / served.cycles * PPM))
