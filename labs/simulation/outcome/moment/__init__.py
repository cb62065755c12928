"""The cluster at one moment, replayed from the Trace, and the moments at which a picture changes."""

from labs.simulation.outcome.moment.moments import moments, snapshot
from labs.simulation.outcome.moment.replay import CardReplay, FaultReplay, MigReplay, PodReplay, Replay
from labs.simulation.outcome.moment.snapshot import (
    BEING_DELETED,
    PHASES,
    Block,
    CardView,
    MemoryRefusal,
    MigPlace,
    NodeView,
    PodState,
    PodView,
    Slices,
    Slot,
    Snapshot,
)

__all__ = [
    "BEING_DELETED",
    "PHASES",
    "Block",
    "CardReplay",
    "CardView",
    "FaultReplay",
    "MemoryRefusal",
    "MigPlace",
    "MigReplay",
    "NodeView",
    "PodReplay",
    "PodState",
    "PodView",
    "Replay",
    "Slices",
    "Slot",
    "Snapshot",
    "moments",
    "snapshot",
]
