"""The two levels agree, whatever jobs are on a card: requests one by one come to the rates, within the stated bounds."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from labs.hardware.units import PPM
from labs.simulation.evidence.agreement import (
    COMPETING,
    COMPETING_OPEN_LATENCY,
    OPEN_BUSY,
    OPEN_LATENCY,
    THROUGHPUT,
)
from labs.simulation.laws.exclusive import Exclusive
from labs.simulation.laws.mechanism import Mechanism, Rate
from labs.simulation.laws.mig import Mig
from labs.simulation.laws.mps import Mps
from labs.simulation.laws.request_lines import line_of
from labs.simulation.laws.requests import Budget
from labs.simulation.laws.time_slicing import TimeSlicing
from labs.simulation.scenario.scenario import Job, JobKind, MigShare

MIXES = 12
CYCLES = 6_000  # of the slowest, which is looked at so long
SECOND_US = 1_000_000
WAYS: dict[str, Callable[[Sequence[Job]], Mechanism]] = {
    "time-slicing": lambda jobs: TimeSlicing(),
    "mps": lambda jobs: Mps(100 // len(jobs), most=len(jobs)),
    "mps at 20 %": lambda jobs: Mps(20),
    "mps at 60 %": lambda jobs: Mps(60),
    "mps without a cap": lambda jobs: Mps(100),
    "time-slicing on half a card": lambda jobs: Mig(MigShare("half", 1, 2.0), TimeSlicing()),
}
COMPETE = ("mps at 60 %", "mps without a cap")


def mix(number: int) -> tuple[Job, ...]:
    """Two to four different jobs: services that wait for answers, services whose requests come when they will, training."""
    draw = random.Random(f"mix:{number}")
    return tuple(_job(draw) for _ in range(draw.choice([2, 3, 4])))


def _job(draw: random.Random) -> Job:
    solo_us = draw.choice([10_000, 20_000, 50_000])
    residency = round(draw.uniform(0.2, 1.0), 2)
    demand = round(residency * draw.choice([0.3, 0.5, 0.8, 1.0]), 2)
    match draw.choice(["closed", "closed", "open", "training"]):
        case "closed":
            overlap = draw.choice([0.0, 0.0, 0.5])
            return Job(
                JobKind.SERVICE, solo_us, residency, demand, overlap, clients=draw.choice([1, 1, 2, 4])
            )
        case "open":
            rate = round(draw.choice([0.1, 0.2, 0.3, 0.5]) * SECOND_US / solo_us / residency, 3)
            return Job(JobKind.SERVICE, solo_us, residency, demand, rate_per_s=rate)
        case _:
            return Job(JobKind.TRAINING, solo_us, residency, demand, draw.choice([0.0, 0.5, 1.0]), 10**9)


def by_requests(law: Mechanism, jobs: Sequence[Job], seconds: int) -> list[tuple[float, float]]:
    """Of every job the requests or iterations per second, and the mean latency in seconds, after a tenth to warm up."""
    now = 0
    line = line_of(law)("levels", lambda: now, Budget(10**9, 10**9))
    line.share({str(place): job for place, job in enumerate(jobs)}, law)
    now = seconds * SECOND_US // 10
    line.catch_up()
    for place in range(len(jobs)):
        line.forget(str(place))
    now += seconds * SECOND_US
    line.catch_up()
    latencies = [context.latencies for context in line.contexts.values()]
    return [(len(each) / seconds, sum(each) / len(each) / SECOND_US) for each in latencies]


def per_second(job: Job, rate: Rate) -> float:
    if job.kind is JobKind.TRAINING:
        return rate.speed_ppm / job.solo_time_us
    return rate.requests_u / PPM


def has_work(job: Job, rate: Rate) -> float:
    """The share of the time in which an open service has work on the card, of its latency there by M/M/1."""
    assert rate.latency_us is not None
    assert job.rate_per_s is not None
    at_gpu = rate.latency_us / PPM - (1.0 - job.residency) * job.solo_time_us / PPM
    return job.rate_per_s * at_gpu / (1.0 + job.rate_per_s * at_gpu)


@pytest.mark.parametrize("number", range(MIXES))
@pytest.mark.parametrize("way", WAYS)
def test_requests_of_any_mix_come_to_the_rates(way: str, number: int) -> None:
    jobs = mix(number)
    law = WAYS[way](jobs)
    rates = law.rates(jobs).jobs
    seconds = round(CYCLES / min(per_second(job, rate) for job, rate in zip(jobs, rates, strict=True)))
    bound, open_bound = (COMPETING, COMPETING_OPEN_LATENCY) if way in COMPETE else (THROUGHPUT, OPEN_LATENCY)
    for job, rate, (found, latency) in zip(jobs, rates, by_requests(law, jobs, seconds), strict=True):
        assert found == pytest.approx(per_second(job, rate), rel=bound), job
        if job.kind is JobKind.TRAINING or rate.latency_us is None:
            continue
        if job.rate_per_s is None:
            assert latency == pytest.approx(rate.latency_us / PPM, rel=bound), job
        elif has_work(job, rate) <= OPEN_BUSY:
            assert latency == pytest.approx(rate.latency_us / PPM, rel=open_bound), job


@pytest.mark.parametrize("overlap", [0.0, 0.5, 1.0])
def test_a_service_beside_training_is_as_fast_by_requests_whatever_training_launches_ahead(
    overlap: float,
) -> None:
    """Four clients and one, beside training that has a kernel on the card two fifths of its time."""
    jobs = (
        Job(JobKind.SERVICE, 100_000, 0.67, 0.67, clients=1),
        Job(JobKind.TRAINING, 100_000, 0.39, 0.39, overlap, 10**9),
        Job(JobKind.SERVICE, 10_000, 0.49, 0.39, clients=4),
    )
    rates = TimeSlicing().rates(jobs).jobs
    for job, rate, (found, _) in zip(jobs, rates, by_requests(TimeSlicing(), jobs, 900), strict=True):
        assert found == pytest.approx(per_second(job, rate), rel=THROUGHPUT)


def test_who_gives_way_under_mps_gives_way_once() -> None:
    """The latency by rates and by requests are one, and so is the slowdown: four clients of a service wait in one context."""
    jobs = tuple(
        Job(JobKind.SERVICE, solo_us, residency, demand, clients=clients)
        for solo_us, residency, demand, clients in (
            (50_000, 0.21, 0.17, 4),
            (20_000, 0.97, 0.97, 4),
            (20_000, 0.7, 0.56, 1),
            (100_000, 0.33, 0.17, 4),
        )
    )
    rates = Mps(100).rates(jobs).jobs
    for job, rate, (found, latency) in zip(jobs, rates, by_requests(Mps(100), jobs, 900), strict=True):
        alone = Exclusive().rates((job,)).jobs[0]
        assert rate.latency_us is not None
        assert alone.latency_us is not None
        assert rate.latency_us / alone.latency_us == pytest.approx(PPM / rate.speed_ppm, rel=1e-3)
        assert found == pytest.approx(rate.requests_u / PPM, rel=COMPETING)
        assert latency == pytest.approx(rate.latency_us / PPM, rel=COMPETING)
