"""What a MIG device has of its card: memory, and how many times less capacity than the whole.

The capacity is 3/4 the share of the SMs and 1/4 the share of the memory slices, which stand for bandwidth (see `mig.py`).
"""

from __future__ import annotations

from labs.hardware.catalog import GpuModel, MigProfile, UnknownFigureError
from labs.hardware.units import MIB
from labs.simulation.scenario.scenario import MigShare

SM_WEIGHT = 0.75


def mig_share(model: GpuModel, profile: MigProfile) -> MigShare:
    """What a MIG device of this profile has.

    Raises `UnknownFigureError` where the catalog does not know its memory, its SMs or its memory slices.
    """
    memory = profile.memory_mib.value
    if memory is None and profile.memory_gib.value is not None:
        memory = round(profile.memory_gib.value * 1024)
    if memory is None:
        raise UnknownFigureError(model.id, "memory_mib")
    if model.sm_total.value is None or profile.sms.value is None:
        raise UnknownFigureError(model.id, "sm_total")
    if model.memory_slices is None or profile.memory_slices is None:
        raise UnknownFigureError(model.id, "placements")
    sms = model.sm_total.value / profile.sms.value
    bandwidth = model.memory_slices / profile.memory_slices
    times_less = max(1.0, SM_WEIGHT * sms + (1.0 - SM_WEIGHT) * bandwidth)
    return MigShare(profile.name, memory * MIB, times_less)
