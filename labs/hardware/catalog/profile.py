"""MIG profiles as facts: what a card can be cut into, before anything is placed."""

from __future__ import annotations

from dataclasses import dataclass

from labs.hardware.catalog.figures import Confidence, Figure


@dataclass(frozen=True, slots=True)
class Placements:
    """Where a profile may lie on a card: `size` memory slices from any of `starts` (ascending)."""

    size: int
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Engines:
    """The fixed-function engines that a GPU instance of a profile owns; None for a count not found."""

    copy_engines: int | None
    decoders: int | None
    encoders: int | None
    jpeg: int | None
    ofa: int | None


@dataclass(frozen=True, slots=True)
class MemoryReading:
    """What another driver or tool printed for a profile's memory, in the unit that it printed."""

    source: str
    gib: float | None = None
    mib: int | None = None


@dataclass(frozen=True, slots=True)
class PlacementOrder:
    """In which order a driver tries the starts of a profile.

    `preference` maps a family of profiles (`1g`, `1g_double_memory`, `2g`, ...) to starts, first tried first.
    NVIDIA does not publish the rule; `confidence` says how it was found.
    """

    algorithm: str
    preference: tuple[tuple[str, tuple[int, ...]], ...]
    source: str
    confidence: Confidence
    note: str | None = None


@dataclass(frozen=True, slots=True)
class MigProfile:
    """A GPU instance profile of one card, for example `3g.20gb` of an A100 40GB.

    `compute_slices` and `memory_slices` count slices of the card; `attributes` are the suffixes of the
    name (`+me`, `+gfx`, `-me`, `+me.all`). Ids are those of `nvidia-smi mig -lgip` and of NVML.
    """

    name: str
    compute_slices: int
    memory_slices: int | None
    attributes: tuple[str, ...]
    gi_profile_id: int | None
    nvml_profile_enum: int | None
    memory_gib: Figure[float]
    memory_mib: Figure[int]
    sms: Figure[int]
    max_instances: Figure[int]
    placements: Figure[Placements]
    engines: Figure[Engines]
    notes: str | None = None
    memory_other_readings: tuple[MemoryReading, ...] = ()

    @property
    def figures(self) -> tuple[tuple[str, Figure[object]], ...]:
        """All figures of the profile with their names, in the order of the data file."""
        return (
            ("memory_gib", self.memory_gib),
            ("memory_mib", self.memory_mib),
            ("sms", self.sms),
            ("max_instances", self.max_instances),
            ("placements", self.placements),
            ("engines", self.engines),
        )
