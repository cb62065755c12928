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


@dataclass(frozen=True, slots=True)
class Rate:
    """How one job fares.

    Integers, so that progress adds up exactly and a run is the same on every machine. `speed_ppm`: parts per million of
    its speed alone on a whole GPU. `requests_u`: millionths of a request per second. `latency_us`: mean latency of a
    request, None where it grows without bound or the job answers none.
    """

    speed_ppm: int
    requests_u: int = 0
    latency_us: int | None = None


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates of a card's jobs, in their order.

    `busy_ppm` is the share of time with a kernel on the card (as NVML counts it).
    """

    jobs: tuple[Rate, ...]
    busy_ppm: int


@dataclass(frozen=True, slots=True)
class Split:
    """How jobs share a card, for the request level: each as its `parts` has it when it is its turn.

    They take turns, and switches cost `switch_tax` while two or more have work. Or all run side by side, and a request of one
    takes `1 + s` times as long on the GPU: `s` is the sum of its row of `slower` over the others that have work, or where
    there is `beside`, as much as that says while anybody else has work, one or many.
    """

    parts: tuple[Job, ...]
    takes_turns: bool
    switch_tax: float = 0.0
    slower: tuple[tuple[float, ...], ...] = ()
    beside: tuple[float, ...] = ()


class Mechanism(Protocol):
    """A way to share a card."""

    name: str

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of `jobs`, all of which have work and memory (idle jobs are not among them)."""
        ...

    def split(self, jobs: Sequence[Job]) -> Split:
        """The same, request by request."""
        ...


def soft_roofline(demand: float, times_less: float, exponent: float) -> float:
    """How many times longer a request takes that sees `times_less` times less capacity than a whole card has.

    `((1 - u^P) + (u z)^P)^(1/P)` for demand u, z >= 1 and exponent P: 1 is host and GPU strictly one after the other
    (Amdahl), a large one a hard roofline, `max(1, u z)`. Exactly 1 where nothing is missing.
    """
    return competing(demand, demand * max(1.0, times_less), exponent)


def competing(demand: float, wanted: float, exponent: float) -> float:
    """The same where a request and those that compete with it need `wanted` of the capacity together (at least `demand`)."""
    if wanted <= demand or demand <= 0.0:
        return 1.0
    times = ((1.0 - demand**exponent) + wanted**exponent) ** (1.0 / exponent)
    return float(round(times, 9))  # the last bit of a power differs between C libraries


def works(job: Job) -> bool:
    """Whether the job ever puts a kernel on the GPU."""
    return job.kind is not JobKind.IDLE or job.busy is not None
