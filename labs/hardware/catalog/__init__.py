"""Cards and MIG profiles as facts, each from its source; `reader` and `writer` of files are entered as modules."""

from labs.hardware.catalog.builtin import builtin_catalog
from labs.hardware.catalog.catalog import Catalog, GpuModel
from labs.hardware.catalog.errors import UnknownFigureError, UnknownGpuError
from labs.hardware.catalog.figures import Confidence, Figure
from labs.hardware.catalog.memory import (
    CONTEXT_MEMORY_BYTES,
    DRIVER_RESERVE_FRACTION,
    total_memory_bytes,
    usable_memory_bytes,
)
from labs.hardware.catalog.profile import MigProfile, Placements

__all__ = [
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
