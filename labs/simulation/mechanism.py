"""The seam between a card and the law by which its jobs share it.

A mechanism is a pure function from the jobs that have work on a card to the speed of each. It is asked again
only when that set changes, so the number of events in a run depends on what happens, not on how long it
lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from labs.simulation.scenario import Job, JobKind

PPM = 1_000_000


@dataclass(frozen=True, slots=True)
class Rate:
    """How one job fares.

    Integers, so that progress adds up exactly and a run is the same on every machine.     `speed_ppm`: parts
    per million of its speed alone on a whole GPU. `requests_u`: millionths of a request per second.
    `latency_us`: mean latency of a request, None where it grows without bound or the job answers none.
    """

    speed_ppm: int
    requests_u: int = 0
    latency_us: int | None = None


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates of a card's jobs, in their order, and the share of time with a kernel on the card (as NVML
    counts it)."""

    jobs: tuple[Rate, ...]
    busy_ppm: int


class Mechanism(Protocol):
    """A way to share a card."""

    name: str

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of `jobs`, all of which have work and memory (idle jobs are not among them)."""
        ...


def works(job: Job) -> bool:
    """Whether the job ever puts a kernel on the GPU."""
    return job.kind is not JobKind.IDLE
