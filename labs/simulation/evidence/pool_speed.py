"""How much slower work becomes in a node pool, where whoever harms it most is beside it all the time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labs.cluster.pools import Pool, Way, WorkloadGroup
from labs.hardware.catalog import Catalog
from labs.simulation.evidence.calibration import Shares, Sharing, UnknownDeviceError, job_with
from labs.simulation.outcome import EXPECTED_ERRORS
from labs.simulation.scenario import Job, JobKind

BUSY = job_with(JobKind.SERVICE, 1.0, 1.0)
"""A job of which nothing is known: on the GPU all the time, and able to fill it."""

MOST_BESIDE = 48


@dataclass(frozen=True, slots=True)
class Slowdown:
    """How many `times` as long as alone on a whole card a job takes at worst.

    That is off by `error_percent` (of published speeds nine in ten are within it); on MIG devices of `profile`, the
    slowest that the group gets. `assumed`: nothing is known of the job itself.
    """

    times: float
    error_percent: float
    profile: str | None
    assumed: bool


def pool_slowdowns(
    pool: Pool, jobs: Mapping[str, Job], catalog: Catalog
) -> Mapping[WorkloadGroup, Slowdown | None]:
    """By group its slowdown at worst; None where it has cards to itself, or its MIG device's size is not known.

    Groups whose name `jobs` does not have are taken to be `BUSY`.
    """
    shares = Shares(catalog)
    errors = {error.mechanism: error.percent for error in EXPECTED_ERRORS}
    return {group: _slowdown(pool, group, jobs, shares, errors) for group in pool.groups}


def _slowdown(
    pool: Pool,
    group: WorkloadGroup,
    jobs: Mapping[str, Job],
    shares: Shares,
    errors: Mapping[str, float],
) -> Slowdown | None:
    if pool.way is Way.EXCLUSIVE:
        return None
    job, error = jobs.get(group.name, BUSY), errors[str(pool.way)]
    if pool.way is Way.MIG:
        slowdowns = [
            (shares_of, name)
            for name in group_profiles(pool, group)
            if (shares_of := _on(pool, name, job, shares))
        ]
        if not slowdowns:
            return None
        times, profile = max(slowdowns)
        return Slowdown(times, error, profile, group.name not in jobs)
    beside = _worst_beside(pool, group, jobs)
    percent = 100 // pool.room.replicas if pool.way is Way.MPS else None
    sharing = Sharing(str(pool.way), pool.nodes.model.id, None, 1, percent)
    return Slowdown(shares.times(sharing, job, beside), error, None, group.name not in jobs)


def _on(pool: Pool, profile: str, job: Job, shares: Shares) -> float | None:
    try:
        return shares.times(Sharing("mig", pool.nodes.model.id, profile), job)
    except UnknownDeviceError:
        return None


def _worst_beside(pool: Pool, group: WorkloadGroup, jobs: Mapping[str, Job]) -> Sequence[Job]:
    """The jobs that harm most, one for each other slot of a card: by demand under MPS, else by residency."""
    others = [
        jobs.get(other.name, BUSY) for other in pool.groups for _ in range(other.count - int(other is group))
    ]

    def harm(job: Job) -> tuple[float, float]:
        shares = (job.demand, job.residency)
        return shares if pool.way is Way.MPS else shares[::-1]

    return sorted(others, key=harm, reverse=True)[: min(pool.room.replicas - 1, MOST_BESIDE)]


def group_profiles(pool: Pool, group: WorkloadGroup) -> tuple[str, ...]:
    """The MIG profiles that a group's Pods get, largest number first."""
    plan = pool.room.plan
    counts: dict[str, int] = {}
    for card in () if plan is None else plan.cards:
        for device in card.devices:
            if device.wish.text == group.name:
                name = device.instance.profile.name
                counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))
