"""Cards and MIG profiles as facts: what is known of each, and from which source."""

from labs.hardware.catalog.builtin import builtin_catalog
from labs.hardware.catalog.catalog import Catalog, GpuModel
from labs.hardware.catalog.errors import UnknownFigureError, UnknownGpuError
from labs.hardware.catalog.figures import Confidence, Figure
from labs.hardware.catalog.memory import (
    BYTES_PER_MIB,
    CONTEXT_MEMORY_BYTES,
    DRIVER_RESERVE_FRACTION,
    total_memory_bytes,
    usable_memory_bytes,
)
from labs.hardware.catalog.profile import MigProfile, Placements

__all__ = [
    "BYTES_PER_MIB",
    "CONTEXT_MEMORY_BYTES",
    "DRIVER_RESERVE_FRACTION",
    "Catalog",
    "Confidence",
    "Figure",
    "GpuModel",
    "MigProfile",
    "Placements",
    "UnknownFigureError",
    "UnknownGpuError",
    "builtin_catalog",
    "total_memory_bytes",
    "usable_memory_bytes",
]
