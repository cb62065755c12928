"""MIG: a part of a card with its own SMs, memory and bandwidth. What happens on one part, no other feels.

A job that needs the share `demand` of a card runs longer on a part of it by the soft-roofline law, with exponent 3 and
the part's capacity as 3/4 of its share of the SMs and 1/4 of its share of the memory slices. Both constants were chosen on
published measurements (MISO, ParvaGPU, NJIT, on A100s); taken from two of them, the third is met within 5 to 11 %. NVIDIA
documents no such law. Several Pods on one MIG device take turns as on a card.
"""

from __future__ import annotations

from collections.abc import Sequence

from labs.simulation.mechanism import Mechanism, Rates, slowed, soft_roofline, stretched
from labs.simulation.scenario import Job, MigShare

EXPONENT = 3.0


class Mig:
    """A MIG device, whose Pods share it by `inner` (one has it to itself)."""

    name = "mig"

    def __init__(self, share: MigShare, inner: Mechanism, name: str = name) -> None:
        self.name = name
        self._share = share
        self.inner = inner

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of `jobs`, told against a whole card."""
        parts = [stretched(job, soft_roofline(job.demand, self._share.times_less, EXPONENT)) for job in jobs]
        return slowed(self.inner.rates(parts), jobs, parts)
