"""Why devices were not created, and what would have to change: another order, other starts, instances that go."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from labs.hardware.catalog import MigProfile
from labs.hardware.mig import (
    Attempt,
    CreationRefusal,
    GpuInstance,
    Layout,
    Limit,
    broken_limit,
    find_device,
    place_in_any_order,
    share_instances,
    span,
)

NEAR_NAMES = 3


@dataclass(frozen=True, slots=True)
class UnknownProfile:
    """The card has no profile of this name; `near` are names it has that may be meant, best first."""

    name: str
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IllegalStart:
    """The profile never starts there, also on an empty card; `starts` are those it may have."""

    profile: str
    start: int
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TooMuch:
    """An empty card cannot have all that is wanted at once. `needed` and `most` count slices, else they are None."""

    limit: Limit
    needed: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class NoLayout:
    """Although the sums keep all limits, legal spans for all that is wanted overlap on every card."""


@dataclass(frozen=True, slots=True)
class OtherWay:
    """All would fit beside the instances there are: these, created in this order.

    With `needs_starts` they have to be created at these starts; else the driver, as modelled, chooses them.
    """

    instances: tuple[GpuInstance, ...]
    needs_starts: bool


@dataclass(frozen=True, slots=True)
class InTheWay:
    """The fewest instances that would have to go. `fragmented`: the free slices would do, if only they lay together."""

    instances: tuple[GpuInstance, ...]
    fragmented: bool


Reason = UnknownProfile | IllegalStart | TooMuch | NoLayout | OtherWay | InTheWay


def why_refused(
    before: Layout, attempt: Attempt, starts: Sequence[int | None] | None = None
) -> Reason | None:
    """Why an attempt on the layout `before` failed (None: it did not); `starts` are those asked for, if any.

    Raises `UnknownFigureError` as the attempt did.
    """
    if attempt.refused is None:
        return None
    name = attempt.names[attempt.refused]
    device = find_device(name, before.model)
    if attempt.refusal is CreationRefusal.UNSUPPORTED_PROFILE:
        return _unknown(before, attempt)
    start = None if starts is None else starts[attempt.refused]
    if attempt.refusal is CreationRefusal.INVALID_PLACEMENT and device is not None and start is not None:
        legal = before.placements(device.profile).starts
        return IllegalStart(device.profile.name, start, legal)
    names = [each for each in attempt.names if find_device(each, before.model) is not None]
    empty = Layout.empty(before.model)
    if not place_in_any_order(empty, names).placeable:
        return _never(empty, names)
    other = place_in_any_order(before, names)
    if other.placeable:
        return OtherWay(other.layout.instances[len(before.instances) :], other.needs_starts)
    return InTheWay(in_the_way(before, names), _enough_slices(before, names))


def holders(layout: Layout, profile: MigProfile) -> dict[int, tuple[GpuInstance, ...]]:
    """For each start of the profile the instances that hold slices it would need there, in the order of their starts."""
    legal = layout.placements(profile)
    held = sorted(layout.instances, key=lambda instance: instance.start)
    return {
        start: tuple(instance for instance in held if instance.span & span(start, legal.size))
        for start in legal.starts
    }


def in_the_way(layout: Layout, names: Sequence[str]) -> tuple[GpuInstance, ...]:
    """The instances that would have to go for these devices: the fewest, then those with the fewest slices.

    Empty where nothing has to go, and all of them where even an empty card has no room.
    """
    sets = (
        gone
        for count in range(len(layout.instances) + 1)
        for gone in sorted(
            itertools.combinations(layout.instances, count),
            key=lambda gone: sum(instance.size for instance in gone),
        )
    )
    for gone in sets:
        if place_in_any_order(layout.without(gone), names).placeable:
            return gone
    return layout.instances


def _unknown(before: Layout, attempt: Attempt) -> UnknownProfile:
    name = next(name for name in attempt.names if find_device(name, before.model) is None)
    known = [profile.name for profile in before.model.mig_profiles]
    plain = name.lower().removeprefix("nvidia.com/").removeprefix("mig-").replace(".me", "+me")
    near = (plain,) if plain in known else tuple(difflib.get_close_matches(plain, known, NEAR_NAMES))
    return UnknownProfile(name, near)


def _never(empty: Layout, names: Sequence[str]) -> TooMuch | NoLayout:
    profiles = _profiles(empty, names)
    limit = broken_limit(empty.model, profiles)
    if limit is None:
        return NoLayout()
    if limit is Limit.COMPUTE_SLICES:
        return TooMuch(limit, _compute_slices(profiles), empty.model.compute_slices)
    if limit is Limit.MEMORY_SLICES:
        return TooMuch(limit, _memory_slices(empty, profiles), empty.model.memory_slices)
    return TooMuch(limit)


def _enough_slices(layout: Layout, names: Sequence[str]) -> bool:
    wanted = _profiles(layout, names)
    return broken_limit(layout.model, (*layout.profiles, *wanted)) is None


def _profiles(layout: Layout, names: Sequence[str]) -> tuple[MigProfile, ...]:
    devices = [find_device(name, layout.model) for name in names]
    shared = share_instances([device for device in devices if device is not None])
    return tuple(instance.profile for instance in shared)


def _compute_slices(profiles: Sequence[MigProfile]) -> int:
    return sum(profile.compute_slices for profile in profiles)


def _memory_slices(layout: Layout, profiles: Sequence[MigProfile]) -> int:
    return sum(layout.placements(profile).size for profile in profiles)
