"""How a card is cut into MIG devices for n equal copies: which profile, how many of it, and why that one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from labs.hardware.catalog import CONTEXT_MEMORY_BYTES, GpuModel, UnknownFigureError
from labs.hardware.mig import Layout
from labs.simulation.scenario import mig_share


class Reason(StrEnum):
    """Why a layout is as it is."""

    CHOSEN = "chosen"  # by the reader
    LARGEST = "largest"  # the largest profile of which the card takes as many as there are copies
    MEMORY = "memory"  # a larger one than there are copies for, since a copy needs its memory
    SMALLEST = "smallest"  # the card takes no more devices than that
    TOO_SMALL = "too-small"  # no device of the card has the memory


@dataclass(frozen=True, slots=True)
class CopiesLayout:
    """`devices` of one profile, and why."""

    profile: str
    count: int
    reason: Reason

    @property
    def devices(self) -> tuple[str, ...]:
        """The profile of each device."""
        return (self.profile,) * self.count


@dataclass(frozen=True, slots=True)
class Cut:
    """A profile that a card can be cut into: how many devices of it at `most`, and the bytes that each has."""

    profile: str
    most: int
    usable_bytes: int


def cuts(model: GpuModel) -> tuple[Cut, ...]:
    """The profiles without extras of which all is known that a run needs, the largest first."""
    if model.memory_mib.value is None:
        return ()
    empty, ways = Layout.empty(model), []
    for profile in sorted(
        model.mig_profiles, key=lambda profile: (-profile.compute_slices, -(profile.memory_slices or 0))
    ):
        if not profile.attributes:
            with suppress(UnknownFigureError):
                ways.append(
                    Cut(profile.name, empty.free_count(profile), mig_share(model, profile).usable_bytes)
                )
    return tuple(ways)


def copies_layout(
    known: Sequence[Cut], copies: int, memory_bytes: int, chosen: str | None
) -> CopiesLayout | None:
    """The layout, of a card that can be cut like that; None where it can't be cut here.

    It is for copies that hold so much beside their context.
    """
    if not known:
        return None
    for cut in known:
        if cut.profile == chosen:
            return CopiesLayout(cut.profile, min(copies, cut.most), Reason.CHOSEN)
    enough = [cut for cut in known if cut.usable_bytes >= memory_bytes + CONTEXT_MEMORY_BYTES]
    if not enough:
        return CopiesLayout(known[0].profile, min(copies, known[0].most), Reason.TOO_SMALL)
    for cut in enough:
        if cut.most >= copies:
            return CopiesLayout(cut.profile, copies, Reason.LARGEST)
    best = max(enough, key=lambda cut: cut.most)
    reason = Reason.SMALLEST if best.most == max(cut.most for cut in known) else Reason.MEMORY
    return CopiesLayout(best.profile, best.most, reason)
