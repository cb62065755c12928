"""How much slower work becomes beside others of its kind: what a share of a card comes to when everybody wants it."""

from __future__ import annotations

from labs.hardware.units import PPM
from labs.simulation.evidence.calibration import job_with
from labs.simulation.laws import Mechanism, Mps, TimeSlicing
from labs.simulation.scenario import JobKind

BUSIEST = 48
"""Slots of a card for which the question makes sense: as many clients as the device plugin lets an MPS daemon have."""


def busy_times(strategy: str, slots: int) -> float:
    """How many times as long as alone a request takes on a card whose slots are all busy.

    Each of the slots, 2 to `BUSIEST`, has a job that is on the card all the time and could fill it. `strategy` is
    `time-slicing`, or `mps` with the cap on threads that the plugin sets.
    """
    mechanism: Mechanism = Mps(100 // slots) if strategy == "mps" else TimeSlicing()
    rates = mechanism.rates((job_with(JobKind.SERVICE, 1.0, 1.0),) * slots)
    return PPM / max(1, rates.jobs[0].speed_ppm)
