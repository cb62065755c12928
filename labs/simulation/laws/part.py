"""A job on a part of a card: how much longer its requests take there, and its rates told against the whole."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from labs.simulation.laws.mechanism import Rate, Rates
from labs.simulation.laws.time_slicing import load
from labs.simulation.scenario import Job


def stretched(job: Job, times: float, wanted: float) -> Job:
    """The job as it runs alone on a part of a card, where a request takes `times` as long.

    `wanted` is what it needs of the part's capacity for as long as a request takes alone on the whole card: its demand
    times how many times less there is.

    The host's time stays, and so does the time that no capacity would shorten, but no less than `wanted` of the GPU's time
    is work: several requests that follow each other on the GPU get no more done than the part has capacity for. Residency
    and demand are then told of that part.
    """
    if times == 1.0:
        return job
    solo_us = round(job.solo_time_us * times)
    demand = min(1.0, wanted / times)
    residency = max(1.0 - (1.0 - job.residency) / times, demand)
    return dataclasses.replace(job, solo_time_us=solo_us, residency=residency, demand=demand)


def against_whole(rates: Rates, jobs: Sequence[Job], parts: Sequence[Job]) -> Rates:
    """The rates of `parts`, told against the speed of the `jobs` they are made of alone on a whole card."""
    whole = tuple(
        dataclasses.replace(rate, speed_ppm=_speed(rate, job, part))
        for rate, job, part in zip(rates.jobs, jobs, parts, strict=True)
    )
    return Rates(whole, rates.busy_ppm)


def _speed(rate: Rate, job: Job, part: Job) -> int:
    """An open service answers what comes: its speed is the share of it that is answered. Others are slower."""
    if job.rate_per_s is not None:
        return rate.speed_ppm
    if job.clients > 1:
        return round(rate.speed_ppm * load(part).cycles_alone / load(job).cycles_alone)
    return rate.speed_ppm * job.solo_time_us // part.solo_time_us
