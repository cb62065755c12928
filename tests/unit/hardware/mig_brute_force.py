"""What MIG placement is held against: all combinations tried, with slices as sets, and no code of the product's search."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from labs.hardware.catalog import GpuModel, builtin_catalog
from labs.hardware.catalog.profile import MigProfile

Placed = tuple[MigProfile, int]

CARDS = tuple(
    model
    for model in builtin_catalog().models
    if model.mig_profiles and all(profile.placements.known for profile in model.mig_profiles)
)


def slices(profile: MigProfile, start: int) -> frozenset[int]:
    """The memory slices of an instance."""
    placements = profile.placements.value
    assert placements is not None
    return frozenset(range(start, start + placements.size))


def starts(profile: MigProfile) -> tuple[int, ...]:
    """The legal starts."""
    placements = profile.placements.value
    assert placements is not None
    return placements.starts


def legal(model: GpuModel, placed: Sequence[Placed]) -> bool:
    """Legal starts, disjoint slices, media engines of the whole card at most, one media extension at most."""
    held = [slices(*each) for each in placed]
    if any(start not in starts(profile) for profile, start in placed):
        return False
    if any(one & other for one, other in itertools.combinations(held, 2)):
        return False
    extended = [profile for profile, _ in placed if {"+me", "+me.all"} & set(profile.attributes)]
    if len(extended) > 1:
        return False
    whole = model.mig_profiles[-1]
    assert whole.compute_slices == model.compute_slices
    return all(
        sum(media(profile)[kind] for profile, _ in placed) <= media(whole)[kind]
        for kind in range(4)
        if whole.engines.known
    )


def media(profile: MigProfile) -> tuple[int, ...]:
    """The media engines of an instance; none where they are not known."""
    engines = profile.engines.value
    if engines is None:
        return (0, 0, 0, 0)
    return tuple(count or 0 for count in (engines.decoders, engines.encoders, engines.jpeg, engines.ofa))


def layouts(
    model: GpuModel, there: Sequence[Placed], wanted: Sequence[MigProfile]
) -> Iterator[tuple[Placed, ...]]:
    """Every legal way to lay the wanted profiles out beside what is there."""
    for chosen in itertools.product(*(starts(profile) for profile in wanted)):
        added = tuple(zip(wanted, chosen, strict=True))
        if legal(model, (*there, *added)):
            yield added


def most(model: GpuModel, there: Sequence[Placed], profile: MigProfile) -> int:
    """How many more instances of the profile can be had at once."""
    return max(
        count
        for count in range(len(starts(profile)) + 1)
        for chosen in itertools.combinations(starts(profile), count)
        if legal(model, (*there, *((profile, start) for start in chosen)))
    )
