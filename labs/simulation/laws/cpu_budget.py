"""The CPU budget of a job: what its Pod's CPU limit makes of the host's part of its cycles.

A cycle alone is a host part, (1 - residency) x solo time, in which the job keeps `cpus` cores busy, and a GPU part. Under the
quota of a lower limit the host part takes `cpus / cpu_limit` times as long, since the same CPU time is spread over more
(Linux CFS bandwidth control: quota = limit x period); the GPU part takes as long as ever. The job is then one with a longer
cycle and a smaller residency and demand, which every mechanism shares a card between by its own law, by rates and request by
request. Its speed is told against the job without a limit.

No published measurement stands behind this. It takes the host part for perfectly parallel down to the limit, and each
request's for its own: requests of one Pod that are on the host together do not take each other's CPU time. Pods without a
limit that contend for a node's cores, data loaders and PCIe are no part of it (Gavel, OSDI 2020, pairs on a V100: in 22 % of
them both jobs together are slower than one alone). No limit makes a job faster, but for several clients of one Pod under MPS,
who may be told up to a tenth too fast: the law of MPS knows of one request what it needs of the card, not of several at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from labs.simulation.laws.mechanism import Rates
from labs.simulation.laws.part import against_whole
from labs.simulation.scenario import Job


def under_cpu_limit(job: Job) -> Job:
    """The job as it runs on a whole card under its CPU limit; the same where there is none that it feels."""
    if job.cpu_times == 1.0:
        return job if job.cpus is None else replace(job, cpus=None, cpu_limit=None)
    times = (1.0 - job.residency) * job.cpu_times + job.residency
    return replace(
        job,
        solo_time_us=round(job.solo_time_us * times),
        residency=job.residency / times,
        demand=job.demand / times,
        cpus=None,
        cpu_limit=None,
    )


def rates_under_cpu_limits(rates: Rates, jobs: Sequence[Job], parts: Sequence[Job]) -> Rates:
    """The rates of `parts`, the jobs under their CPU limits, told against the speed of `jobs` alone without."""
    return against_whole(rates, jobs, parts)
