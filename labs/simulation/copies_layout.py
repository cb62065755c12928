"""How a card is cut into MIG devices for n equal copies: which profile, how many of it, and why that one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from labs.hardware.catalog import GpuModel
from labs.hardware.errors import UnknownFigureError
from labs.hardware.memory import CONTEXT_MEMORY_BYTES
from labs.hardware.mig_layout import Layout
from labs.hardware.mig_profile import MigProfile
from labs.simulation.mig_share import mig_share


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


def cuttable(model: GpuModel) -> tuple[MigProfile, ...]:
    """The profiles without extras of which all is known that a run needs, the largest first."""
    if model.memory_mib.value is None:
        return ()
    found = [
        profile for profile in model.mig_profiles if not profile.attributes and _is_known(model, profile)
    ]
    return tuple(sorted(found, key=lambda one: (-one.compute_slices, -(one.memory_slices or 0))))


def copies_layout(model: GpuModel, copies: int, memory_bytes: int, chosen: str | None) -> CopiesLayout | None:
    """The layout for copies that hold so much beside their context; None for a card that can't be cut here."""
    profiles = cuttable(model)
    if not profiles:
        return None
    counts = {profile.name: Layout.empty(model).free_count(profile) for profile in profiles}
    if chosen in counts:
        return CopiesLayout(chosen, min(copies, counts[chosen]), Reason.CHOSEN)
    enough = [
        one for one in profiles if mig_share(model, one).usable_bytes >= memory_bytes + CONTEXT_MEMORY_BYTES
    ]
    if not enough:
        return CopiesLayout(profiles[0].name, min(copies, counts[profiles[0].name]), Reason.TOO_SMALL)
    for profile in enough:
        if counts[profile.name] >= copies:
            return CopiesLayout(profile.name, copies, Reason.LARGEST)
    most = max(enough, key=lambda one: counts[one.name])
    reason = Reason.SMALLEST if counts[most.name] == max(counts.values()) else Reason.MEMORY
    return CopiesLayout(most.name, counts[most.name], reason)


def _is_known(model: GpuModel, profile: MigProfile) -> bool:
    try:
        mig_share(model, profile)
        Layout.empty(model).free_count(profile)
    except UnknownFigureError:
        return False
    return True
