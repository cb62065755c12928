"""Can the MIG devices of an entry exist on a card together?

mig-parted tries every order of the wanted devices and puts a compute instance into the GPU instance before it where that has
the same profile and room; so a config fits if there is any way to lay the GPU instances out
(``pkg/mig/config/config.go``, ``SetMigConfig``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from labs.config.go_json import GoError
from labs.config.mig_parted_profile import ProfileName, parse_profile
from labs.hardware.catalog import GpuModel
from labs.hardware.mig_profile import MigProfile

COMPUTE_INSTANCE_SLICES = (1, 2, 3, 4, 7)
"""The sizes of compute instances that drivers know; none is 3 of a GPU instance of 4."""


def find_profile(name: ProfileName, model: GpuModel) -> MigProfile | None:
    """The card's profile for the GPU instance that a device of this profile needs, or None where it has none such."""
    own, slices = name.compute_instance_slices, name.compute_slices
    if own != slices and (own > slices or own not in COMPUTE_INSTANCE_SLICES or (own, slices) == (3, 4)):
        return None
    wanted = str(name.gpu_instance)
    return model.mig_profile(wanted)


def fits(mig_devices: Mapping[str, int], model: GpuModel) -> bool | None:
    """Whether the card can have these MIG devices at once; None where the catalog does not know where a profile may lie."""
    if model.compute_slices is None:
        return None
    wanted: dict[str, list[int]] = {}
    profiles: dict[str, MigProfile] = {}
    for text, count in mig_devices.items():
        if count == 0:
            continue
        name = _parsed(text)
        profile = None if name is None else find_profile(name, model)
        if name is None or profile is None:
            return False
        if count * name.compute_instance_slices > model.compute_slices:
            return False
        profiles[profile.name] = profile
        wanted.setdefault(profile.name, []).extend([name.compute_instance_slices] * count)
    needed = Counter(
        {name: _instances(sizes, profiles[name].compute_slices) for name, sizes in wanted.items()}
    )
    instances = [profiles[name] for name in sorted(needed.elements())]
    if sum(profile.compute_slices for profile in instances) > model.compute_slices:
        return False
    return _placeable(instances)


def _parsed(text: str) -> ProfileName | None:
    try:
        return parse_profile(text)
    except GoError:
        return None


def _instances(sizes: Sequence[int], capacity: int) -> int:
    """How many GPU instances of ``capacity`` compute slices hold compute instances of these sizes.

    First fit, largest first: exact for the few sizes there are, since a card has no more than seven slices.
    """
    rooms: list[int] = []
    for size in sorted(sizes, reverse=True):
        for index, room in enumerate(rooms):
            if size <= room:
                rooms[index] -= size
                break
        else:
            rooms.append(capacity - size)
    return len(rooms)


def _placeable(instances: Sequence[MigProfile]) -> bool | None:
    for profile, count in Counter(instances).items():
        if profile.max_instances.value is not None and count > profile.max_instances.value:
            return False
    spans: list[tuple[int, ...]] = []
    for profile in instances:
        placements = profile.placements.value
        if placements is None:
            return None
        spans.append(tuple(((1 << placements.size) - 1) << start for start in placements.starts))
    return _lay(sorted(spans, key=len), 0)


def _lay(spans: Sequence[tuple[int, ...]], taken: int) -> bool:
    """Whether each instance finds one of its spans of memory slices free, given those taken."""
    if not spans:
        return True
    return any(_lay(spans[1:], taken | span) for span in spans[0] if not taken & span)
