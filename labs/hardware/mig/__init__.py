"""MIG instances on cards: what fits where, why not, and which layout wastes least."""

from labs.hardware.mig.creation import (
    Attempt,
    CreationRefusal,
    default_starts,
    place_at,
    place_in_any_order,
    place_in_order,
)
from labs.hardware.mig.device import find_device, share_instances
from labs.hardware.mig.layout import Defect, GpuInstance, ImpossibleInstanceError, Layout
from labs.hardware.mig.limits import Limit, broken_limit
from labs.hardware.mig.search import span

__all__ = [
    "Attempt",
    "CreationRefusal",
    "Defect",
    "GpuInstance",
    "ImpossibleInstanceError",
    "Layout",
    "Limit",
    "broken_limit",
    "default_starts",
    "find_device",
    "place_at",
    "place_in_any_order",
    "place_in_order",
    "share_instances",
    "span",
]
