"""The GPU instances on a card: which spans of memory slices they hold and what else there is room for.

A GPU instance holds the memory slices `start` to `start + size - 1`. Where a profile may start is fixed, and two
instances never share a slice: "Creation of new GPU instance will fail if there is overlap with the already
occupied memory slices" (nvml.h, nvmlDeviceGetGpuInstancePossiblePlacements_v2). So a `3g` with its three compute
slices holds half of the memory, and two of them leave no room for a `1g`. Instances never move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from labs.hardware.catalog import GpuModel, MigProfile, Placements, UnknownFigureError
from labs.hardware.mig.limits import broken_limit
from labs.hardware.mig.search import most_disjoint, span


class Defect(StrEnum):
    """Why a GPU instance cannot be on a card as it was said to be."""

    UNKNOWN_PROFILE = "unknown-profile"
    NO_LEGAL_START = "no-legal-start"
    NO_ROOM = "no-room"


class ImpossibleInstanceError(ValueError):
    """An instance that was said to exist and cannot; `starts` are those its profile may have."""

    def __init__(self, profile: str, start: int, defect: Defect, starts: tuple[int, ...] = ()) -> None:
        self.profile = profile
        self.start = start
        self.defect = defect
        self.starts = starts
        super().__init__(f"there can be no {profile} at {start}: {defect}; legal starts: {starts}")


@dataclass(frozen=True, slots=True)
class GpuInstance:
    """A GPU instance at its place: `size` memory slices from `start` on."""

    profile: MigProfile
    start: int
    size: int

    @property
    def span(self) -> int:
        """Its memory slices as a bit mask."""
        return span(self.start, self.size)


@dataclass(frozen=True, slots=True)
class Layout:
    """The GPU instances of a card in the order they came to be. Begin with `Layout.empty`."""

    model: GpuModel
    instances: tuple[GpuInstance, ...] = ()

    @classmethod
    def empty(cls, model: GpuModel) -> Layout:
        """The card without instances; raises `UnknownFigureError` where MIG profiles of a card were not found."""
        if model.supports_mig and not model.mig_profiles:
            raise UnknownFigureError(model.id, "mig_profiles")
        return cls(model)

    @classmethod
    def of(cls, model: GpuModel, instances: Iterable[tuple[str, int]]) -> Layout:
        """The card with instances that exist, each the name of its profile and its start.

        Raises `ImpossibleInstanceError` for what cannot be there beside the ones before it, and as `empty`.
        """
        layout = cls.empty(model)
        for name, start in instances:
            profile = model.mig_profile(name)
            if profile is None:
                raise ImpossibleInstanceError(name, start, Defect.UNKNOWN_PROFILE)
            legal = layout.placements(profile).starts
            if start not in legal:
                raise ImpossibleInstanceError(name, start, Defect.NO_LEGAL_START, legal)
            if start not in layout.free_starts(profile):
                raise ImpossibleInstanceError(name, start, Defect.NO_ROOM, legal)
            layout = layout.having(profile, start)
        return layout

    @property
    def taken(self) -> int:
        """The memory slices held, as a bit mask."""
        mask = 0
        for instance in self.instances:
            mask |= instance.span
        return mask

    @property
    def profiles(self) -> tuple[MigProfile, ...]:
        """The profiles of the instances, in their order."""
        return tuple(instance.profile for instance in self.instances)

    def placements(self, profile: MigProfile) -> Placements:
        """Where the profile may lie; raises `UnknownFigureError` where no source says."""
        placements = profile.placements.value
        if placements is None:
            raise UnknownFigureError(self.model.id, "placements", profile.placements.note)
        return placements

    def spans(self, profile: MigProfile, starts: Iterable[int] | None = None) -> tuple[int, ...]:
        """The profile's spans as bit masks, at all its legal starts or at `starts`."""
        legal = self.placements(profile)
        return tuple(span(start, legal.size) for start in (legal.starts if starts is None else starts))

    def free_starts(self, profile: MigProfile) -> tuple[int, ...]:
        """The legal starts at which one more instance of the profile can be created now, ascending."""
        if broken_limit(self.model, (*self.profiles, profile)) is not None:
            return ()
        taken = self.taken
        legal = self.placements(profile)
        return tuple(start for start in legal.starts if not span(start, legal.size) & taken)

    def free_count(self, profile: MigProfile) -> int:
        """How many more instances of the profile fit: `Free` of `nvidia-smi mig -lgip`."""
        most = most_disjoint(self.spans(profile), self.taken)
        held = self.profiles
        return next(
            n for n in range(most, -1, -1) if not n or broken_limit(self.model, held + (profile,) * n) is None
        )

    def free(self) -> dict[str, int]:
        """`free_count` of every profile of the card, by name, in the order of the catalog."""
        return {profile.name: self.free_count(profile) for profile in self.model.mig_profiles}

    def having(self, profile: MigProfile, start: int) -> Layout:
        """The layout with one more instance, whose place is taken for free."""
        instance = GpuInstance(profile, start, self.placements(profile).size)
        return Layout(self.model, (*self.instances, instance))

    def without(self, gone: Iterable[GpuInstance]) -> Layout:
        """The layout after these of its instances were destroyed."""
        kept = list(self.instances)
        for instance in gone:
            kept.remove(instance)
        return Layout(self.model, tuple(kept))
