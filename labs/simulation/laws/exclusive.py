"""Exclusive use: one Pod has the whole card, so it runs at its own speed."""

from __future__ import annotations

from collections.abc import Sequence

from labs.simulation.laws.mechanism import Rates, Split
from labs.simulation.laws.time_slicing import shared_rates
from labs.simulation.scenario import Job


class Exclusive:
    """No sharing.

    With a single job the sharing law has nobody to charge and gives the job's speed alone.
    """

    name = "exclusive"

    def rates(self, jobs: Sequence[Job]) -> Rates:
        """The rates of at most one job.

        Raises ValueError for more: two Pods can't have one card to themselves.
        """
        if len(jobs) > 1:
            raise ValueError(f"{len(jobs)} jobs on a card that is not shared")
        return shared_rates(jobs, switch_tax=0.0)

    def split(self, jobs: Sequence[Job]) -> Split:
        """The card is the one job's, whenever it wants."""
        return Split(tuple(jobs), takes_turns=True)
