"""Which slices of a card are wasted by a layout: nobody holds them, and nothing more can be created on them.

Memory slices are numbered as placements are. Compute slices are not placed by any published rule; here those of an
instance are the first of the ones over its memory slices, which is how the MIG User Guide draws a card: seven compute slices
over the first seven of eight memory slices. The numbers of used and wasted slices do not depend on that.
"""

from __future__ import annotations

from labs.hardware.catalog import MigProfile
from labs.hardware.mig import Layout, span


def wasted_memory_slices(layout: Layout) -> tuple[int, ...]:
    """The numbers of the wasted memory slices, ascending; raises `UnknownFigureError` as `Layout.placements`."""
    used = layout.taken
    for profile, start in _possible(layout):
        used |= span(start, layout.placements(profile).size)
    return _missing(used, layout.model.memory_slices or 0)


def wasted_compute_slices(layout: Layout) -> tuple[int, ...]:
    """The numbers of the wasted compute slices, ascending; raises `UnknownFigureError` as `Layout.placements`."""
    held = [(instance.profile, instance.start) for instance in layout.instances]
    used = 0
    for profile, start in (*held, *_possible(layout)):
        used |= span(start, profile.compute_slices)
    return _missing(used, layout.model.compute_slices or 0)


def _possible(layout: Layout) -> list[tuple[MigProfile, int]]:
    """What can still be created and where, each by itself."""
    return [
        (profile, start)
        for profile in layout.model.mig_profiles
        if profile.placements.known
        for start in layout.free_starts(profile)
    ]


def _missing(used: int, count: int) -> tuple[int, ...]:
    return tuple(index for index in range(count) if not used >> index & 1)
