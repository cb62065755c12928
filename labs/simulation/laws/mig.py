"""MIG: a part of a card with its own SMs, memory and bandwidth. What happens on one part, no other feels.

A job that needs the share `demand` of a card runs longer on a part of it by the soft-roofline law, with exponent 2 and
the part's capacity as 3/4 of its share of the SMs and 1/4 of its share of the memory slices. Both constants were chosen on
published measurements (MISO, ParvaGPU, NJIT, on A100s). Chosen on two of them, the exponent is 2, 3 or 5, and the third is
met within 5 to 11 %: between 2 and 3 the data do not decide (ParvaGPU 4.6 % in the mean with either, MISO 4.3 % with 2 and
5.6 % with 3). 2 is taken, with which an error in the demand counts for less. NVIDIA documents no such law. Several Pods on
one MIG device take turns as on a card.
"""

from __future__ import annotations

from collections.abc import Sequence

from labs.simulation.laws.mechanism import Mechanism, Rates, Split, soft_roofline
from labs.simulation.laws.part import against_whole, stretched
from labs.simulation.scenario import Job, MigShare

EXPONENT = 2.0


class Mig:
    """A MIG device, whose Pods share it by `inner` (one has it to itself)."""

    name = "mig"

    def __init__(self, share: MigShare, inner: Mechanism, name: str = name) -> None:
        self.name = name
        self._share = share
        self.inner = inner

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of `jobs`, told against a whole card."""
        parts = self._parts(jobs)
        return against_whole(self.inner.rates(parts), jobs, parts)

    def split(self, jobs: Sequence[Job]) -> Split:
        """As a card is split, by jobs that take as much longer as a part of a card makes them."""
        return self.inner.split(self._parts(jobs))

    def _parts(self, jobs: Sequence[Job]) -> tuple[Job, ...]:
        times_less = self._share.times_less
        return tuple(
            stretched(job, soft_roofline(job.demand, times_less, EXPONENT), job.demand * times_less)
            for job in jobs
        )
