"""How much memory of a card its processes can really have."""

from __future__ import annotations

import functools
from fractions import Fraction

from labs.hardware.catalog.catalog import GpuModel
from labs.hardware.catalog.errors import UnknownFigureError
from labs.hardware.units import MIB

DRIVER_RESERVE_FRACTION = 0.02
"""Share of the total that the driver keeps for itself.

Readers of `nvidia-smi` see 96 to 98 % of the nominal memory as usable: about 450 MiB of a T4 are reserved
(kai-scheduler issue 2212), 518 MiB of an A100 40GB with older drivers, 480 MiB of an H100 80GB
(`nvidia-smi -q` captures in NVIDIA/k8s-test-infra). The default is the low end, on the total that current
drivers print.
"""

CONTEXT_MEMORY_BYTES = 300 * MIB
"""Memory of a CUDA context, taken with a process's first allocation, in bytes.

One number for what varies: exactly 100 MiB counted on a T4 (Project-HAMi, GPU partitioning lab, 2026),
about 300 MB since lazy loading (pytorch issue 107667), 300 to 400 MB on a V100 (pytorch issue 20532),
250 to 600 MB in the constants of public PyTorch tools, "a few 100s of MiB" (NVIDIA forum 177372). Grows with
the number of SMs. A scenario sets its own with `contextMemory`.
"""


def total_memory_bytes(model: GpuModel) -> int:
    """The card's total memory in bytes, as `nvidia-smi` prints it.

    Raises `UnknownFigureError` where the catalog does not know it.
    """
    if model.memory_mib.value is None:
        raise UnknownFigureError(model.id, "memory_mib", model.memory_mib.note)
    return model.memory_mib.value * MIB


def usable_memory_bytes(
    model_or_total_mib: GpuModel | int, driver_reserve_fraction: float | Fraction = DRIVER_RESERVE_FRACTION
) -> int:
    """What the processes on a whole card can have together, in bytes, rounded down.

    The total is that of a `GpuModel` or a number of MiB; the driver's reserve is a fraction of it, at least
    0 and below 1, taken at its decimal value (0.02 is exactly one fiftieth).

    Raises `UnknownFigureError` where the catalog does not know the card's total, `ValueError` for a fraction
    or a total out of range.
    """
    reserve = _decimal(driver_reserve_fraction)
    if not 0 <= reserve < 1:
        raise ValueError(
            f"driver reserve {driver_reserve_fraction} is out of range: expected 0 or more, below 1"
        )
    total = (
        total_memory_bytes(model_or_total_mib)
        if isinstance(model_or_total_mib, GpuModel)
        else model_or_total_mib * MIB
    )
    if total <= 0:
        raise ValueError(f"total memory {model_or_total_mib} MiB is out of range: expected more than 0")
    return int(total * (1 - reserve))


@functools.lru_cache(maxsize=64)
def _decimal(fraction: float | Fraction) -> Fraction:
    """The fraction at its decimal value; what every scenario asks for again."""
    return Fraction(str(fraction))
