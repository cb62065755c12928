"""Creating MIG devices on a card: in the order given, at explicit starts, or in any order.

`place_in_order` does as `nvidia-smi mig -cgi A,B,...` does: one by one, up to the first that is refused. Which start
the driver takes is decided in its firmware and not published. `default_starts` is a **model, not NVIDIA's word**: the
first free start in a fixed list per kind of profile, which reproduces all 12 sequences with known starts that were found
(`GpuModel.placement_order`, confidence "inferred"). By it 3g, 2g, 1g, 1g work and 1g, 1g, 2g, 3g do not, as the MIG User
Guide says under "known issue".

`place_in_any_order` asks whether there is any way to lay the devices out, exactly. mig-parted comes to the same by trying
every order (`pkg/mig/config/config.go`, `iteratePermutationsUntilSuccess`), except where it takes starts that the driver
would not choose: `Attempt.needs_starts`. So four instances 4g, double-memory 1g, 1g, 1g have room on an empty card, but
only if the double-memory one is told to start at 6.

A compute instance (`1c.3g.20gb`) goes into the GPU instance created before it where that has the same profile and room,
as with mig-parted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from labs.hardware.catalog import GpuModel, MigProfile, UnknownFigureError
from labs.hardware.mig.device import MigDevice, find_device, share_instances
from labs.hardware.mig.layout import GpuInstance, Layout
from labs.hardware.mig.limits import broken_limit
from labs.hardware.mig.search import lay_out


class CreationRefusal(StrEnum):
    """Why a device is not created.

    `INSUFFICIENT_RESOURCES` is NVML's word for a place that is not free and for everything used up; for a
    profile that the card has not nvidia-smi prints `Invalid Argument`, mig-parted `MIG profile "X" not found on this GPU`.
    """

    INSUFFICIENT_RESOURCES = "Insufficient Resources"
    INVALID_PLACEMENT = "Invalid placement"
    UNSUPPORTED_PROFILE = "profile not supported on this GPU"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of creating devices.

    `placements` has the GPU instance of each of `names`, None for one that was not created; `layout` is the card
    afterwards. `needs_starts` says of devices placed in any order that by the model no order of creation comes to such a
    layout without explicit starts (`tests/unit/hardware/test_mig_search.py` holds that against all orders).
    """

    names: tuple[str, ...]
    placements: tuple[GpuInstance | None, ...]
    refusal: CreationRefusal | None
    layout: Layout
    needs_starts: bool = False

    @property
    def placeable(self) -> bool:
        """Whether all were created."""
        return self.refusal is None

    @property
    def refused(self) -> int | None:
        """The place of the first device that was not created, None where all were."""
        return None if self.placeable else self.placements.index(None)


def default_starts(model: GpuModel, profile: MigProfile) -> tuple[int, ...]:
    """The legal starts of the profile in the order in which the driver is modelled to try them.

    Raises `UnknownFigureError` where the card's order or the profile's starts are not known.
    """
    legal = Layout(model).placements(profile).starts
    if model.placement_order is None:
        raise UnknownFigureError(model.id, "placement_order")
    first = dict(model.placement_order.preference).get(_family(profile), ())
    return (*(start for start in first if start in legal), *(start for start in legal if start not in first))


def place_in_order(layout: Layout, names: Sequence[str]) -> Attempt:
    """Creates the devices one after the other, each at the first free of its `default_starts`.

    Raises `UnknownFigureError` where the catalog does not know where profiles of the card may lie.
    """
    return _one_by_one(layout, names, (None,) * len(names))


def place_at(layout: Layout, names: Sequence[str], starts: Sequence[int | None]) -> Attempt:
    """Creates the devices one after the other at these starts, as `nvidia-smi mig -cgi 9:4` does; None: by the driver.

    Raises `UnknownFigureError` as `place_in_order`, `ValueError` for a number of starts that is not that of the names.
    """
    return _one_by_one(layout, names, starts)


def place_in_any_order(layout: Layout, names: Sequence[str]) -> Attempt:
    """Lays the devices out beside the instances there are, in any way that works; creates all of them or none.

    Where the driver's own choice works largest first, that is the layout found. Raises as `place_in_order`.
    """
    wanted = tuple(names)
    none: tuple[GpuInstance | None, ...] = (None,) * len(wanted)
    devices = [find_device(name, layout.model) for name in wanted]
    known = [device for device in devices if device is not None]
    if len(known) < len(devices):
        return Attempt(wanted, none, CreationRefusal.UNSUPPORTED_PROFILE, layout)
    insufficient = Attempt(wanted, none, CreationRefusal.INSUFFICIENT_RESOURCES, layout)
    most = layout.model.compute_slices
    if most is not None and sum(device.compute_slices for device in known) > most:
        return insufficient
    instances = sorted(
        share_instances(known),
        key=lambda instance: (
            -layout.placements(instance.profile).size,
            -instance.profile.compute_slices,
            instance.devices,
        ),
    )
    profiles = [instance.profile for instance in instances]
    if broken_limit(layout.model, (*layout.profiles, *profiles)) is not None:
        return insufficient
    starts = [_search_order(layout.model, profile) for profile in profiles]
    choices = [layout.spans(profile, tried) for profile, tried in zip(profiles, starts, strict=True)]
    spans_taken = lay_out(choices, layout.taken)
    if spans_taken is None:
        return insufficient
    chosen = [tried[index] for tried, index in zip(starts, spans_taken, strict=True)]
    placed = list(none)
    after = layout
    for instance, start in zip(instances, chosen, strict=True):
        after = after.having(instance.profile, start)
        for index in instance.devices:
            placed[index] = after.instances[-1]
    return Attempt(
        wanted, tuple(placed), None, after, needs_starts=_backtracked(choices, spans_taken, layout.taken)
    )


def _one_by_one(layout: Layout, names: Sequence[str], starts: Sequence[int | None]) -> Attempt:
    placed: list[GpuInstance | None] = []
    refusal: CreationRefusal | None = None
    room = 0  # compute slices left of the GPU instance created last
    for name, start in zip(names, starts, strict=True):
        device = find_device(name, layout.model)
        if device is None:
            refusal = CreationRefusal.UNSUPPORTED_PROFILE
            break
        last = placed[-1] if placed else None
        if last is not None and _shares(device, last, room, start):
            room -= device.compute_slices
            placed.append(last)
            continue
        created = _create(layout, device.profile, start)
        if isinstance(created, CreationRefusal):
            refusal = created
            break
        layout = created
        room = device.profile.compute_slices - device.compute_slices
        placed.append(layout.instances[-1])
    missing = (None,) * (len(names) - len(placed))
    return Attempt(tuple(names), (*placed, *missing), refusal, layout)


def _shares(device: MigDevice, last: GpuInstance, room: int, start: int | None) -> bool:
    same = device.profile.name == last.profile.name and start in (None, last.start)
    return same and device.compute_slices <= room


def _create(layout: Layout, profile: MigProfile, start: int | None) -> Layout | CreationRefusal:
    """The layout with one more instance at `start`, or where the driver puts it."""
    if start is not None and start not in layout.placements(profile).starts:
        return CreationRefusal.INVALID_PLACEMENT
    wanted = default_starts(layout.model, profile) if start is None else (start,)
    free = layout.free_starts(profile)
    free_start = next((each for each in wanted if each in free), None)
    return (
        CreationRefusal.INSUFFICIENT_RESOURCES if free_start is None else layout.having(profile, free_start)
    )


def _search_order(model: GpuModel, profile: MigProfile) -> tuple[int, ...]:
    """As the driver would choose where that is known."""
    if model.placement_order is None:
        return Layout(model).placements(profile).starts
    return default_starts(model, profile)


def _backtracked(choices: Sequence[Sequence[int]], indices: Sequence[int], taken: int) -> bool:
    """Whether the spans found are not the first free ones."""
    for spans, index in zip(choices, indices, strict=True):
        if any(not earlier & taken for earlier in spans[:index]):
            return True
        taken |= spans[index]
    return False


def _family(profile: MigProfile) -> str:
    """The kind of profile that `PlacementOrder.preference` speaks of."""
    doubled = profile.compute_slices == 1 and profile.memory_slices == 2
    return f"{profile.compute_slices}g" + ("_double_memory" if doubled else "")
