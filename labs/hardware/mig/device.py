"""What is asked for by name: a MIG device, which is a compute instance in a GPU instance.

Mostly it is all of its GPU instance (`3g.20gb`); `1c.3g.20gb` is one compute slice of three, beside which others
have room in the same GPU instance and share its memory, cache and engines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from labs.hardware.catalog import GpuModel, MigProfile

COMPUTE_INSTANCE_SLICES = (1, 2, 3, 4, 7)
"""The sizes of compute instances that drivers know (`nvidia-smi mig -lcip`); none is 3 of a GPU instance of 4."""

_COMPUTE_INSTANCE = re.compile(r"([1-9][0-9]{0,2})c\.(.+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class MigDevice:
    """A compute instance of `compute_slices` slices in a GPU instance of `profile`, under the name it was asked by."""

    name: str
    profile: MigProfile
    compute_slices: int


@dataclass(frozen=True, slots=True)
class SharedInstance:
    """A GPU instance to create and the places in the list of the devices that it is for."""

    profile: MigProfile
    devices: tuple[int, ...]


def find_device(name: str, model: GpuModel) -> MigDevice | None:
    """The device of this name on this card, or None where the card has none such."""
    part = _COMPUTE_INSTANCE.fullmatch(name)
    profile = model.mig_profile(part[2] if part else name)
    if profile is None:
        return None
    slices = int(part[1]) if part else profile.compute_slices
    whole = slices == profile.compute_slices
    fits = slices < profile.compute_slices and slices in COMPUTE_INSTANCE_SLICES
    if not whole and (not fits or (slices, profile.compute_slices) == (3, 4)):
        return None
    return MigDevice(name, profile, slices)


def share_instances(devices: Sequence[MigDevice]) -> tuple[SharedInstance, ...]:
    """The fewest GPU instances that the devices need, in the order of their first devices.

    First fit, largest first. It is exact for the sizes there are in GPU instances of up to 4 slices, and of one of 7 a
    card has no second.
    """
    rooms: list[tuple[MigProfile, int, list[int]]] = []
    by_size = sorted(range(len(devices)), key=lambda index: -devices[index].compute_slices)
    for index in by_size:
        device = devices[index]
        for position, (profile, left, sharing) in enumerate(rooms):
            if profile.name == device.profile.name and device.compute_slices <= left:
                rooms[position] = (profile, left - device.compute_slices, [*sharing, index])
                break
        else:
            rooms.append((device.profile, device.profile.compute_slices - device.compute_slices, [index]))
    shared = (SharedInstance(profile, tuple(sorted(sharing))) for profile, _, sharing in rooms)
    return tuple(sorted(shared, key=lambda instance: instance.devices))
