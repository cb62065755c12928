"""Strategies for jobs on one card, and the ways in which it can be shared."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import fsum

from hypothesis import strategies as st

from labs.hardware.units import PPM
from labs.simulation.laws.mechanism import Mechanism, Rate, Rates
from labs.simulation.laws.mig import Mig
from labs.simulation.laws.mps import Mps
from labs.simulation.laws.time_slicing import TimeSlicing, needed_share
from labs.simulation.scenario.scenario import Job, JobKind, MigShare

SOLO_US = st.sampled_from(
    [10_000, 88_150, 250_000, 5_000_000]
)  # so long that a rounded microsecond is nothing
SHARES = st.floats(0, 1).map(lambda share: round(share, 3)) | st.sampled_from([0.0, 0.01, 0.999, 1.0])


def _made(
    kind: str, solo_us: int, residency: float, share: float, overlap: float, load: float, clients: int
) -> Job:
    demand = round(residency * share, 4)
    if kind == "training":
        return Job(JobKind.TRAINING, solo_us, residency, demand, overlap, iterations=10)
    if kind == "open":
        return Job(JobKind.SERVICE, solo_us, residency, demand, rate_per_s=load * PPM / solo_us)
    return Job(JobKind.SERVICE, solo_us, residency, demand, overlap, clients=clients)


def jobs(*kinds: str) -> st.SearchStrategy[Job]:
    """Jobs of these kinds: `closed`, `open`, `training`."""
    return st.builds(
        _made,
        st.sampled_from(kinds),
        SOLO_US,
        SHARES,
        SHARES,
        st.sampled_from([0.0, 0.25, 0.5, 1.0]),
        st.sampled_from([0.05, 0.3, 0.6, 0.9, 1.0, 1.5]),
        st.sampled_from([1, 1, 2, 4, 8]),
    )


SOME_JOBS = jobs("closed", "open", "training")


def _inner(times_less: float, made: Callable[[], Mechanism]) -> Callable[[], Mechanism]:
    return lambda: Mig(MigShare("part", 1, times_less), made())


WAYS: dict[str, Callable[[], Mechanism]] = {
    "time-slicing": TimeSlicing,
    "time-slicing, switches free": lambda: TimeSlicing(0.0),
    **{f"mps at {percent} %": partial(Mps, percent) for percent in (100, 90, 60, 25, 7, 1)},
    "time-slicing on half a card": _inner(2.0, TimeSlicing),
    "mps on a seventh": _inner(7.8, lambda: Mps(100)),
}
CAPACITY = {"time-slicing on half a card": 0.5, "mps on a seventh": 1 / 7.8}
"""What there is of a whole card, where that is less than all."""


def work(way: str, job: Job, rate: Rate) -> float:
    """The share of the card that the job's work takes.

    Of its time where contexts take turns on a whole card, of its capacity else; of training that launches ahead and takes
    turns, what it really needs.
    """
    share = job.demand if way in CAPACITY or not way.startswith("time-slicing") else job.residency
    if way.startswith("time-slicing") and job.kind is JobKind.TRAINING:
        share *= needed_share(job.overlap)
    if job.kind is JobKind.SERVICE:
        return share * job.solo_time_us / PPM * rate.requests_u / PPM
    return share * rate.speed_ppm / PPM


def all_work(way: str, several: list[Job], rates: Rates) -> float:
    """The same of all jobs."""
    return fsum(work(way, job, rate) for job, rate in zip(several, rates.jobs, strict=True))
