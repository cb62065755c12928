"""What a share of a GPU does not promise, by mechanism, each with the source of what is said of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Aspect(StrEnum):
    """What a reader may expect of a share of a GPU and is not promised."""

    MEMORY = "memory"
    SPEED = "speed"
    FAULTS = "faults"
    CARD = "card"
    REST = "rest"


NOT_PROMISED: Mapping[str, Mapping[Aspect, str]] = MappingProxyType(
    {
        "time-slicing": MappingProxyType(
            {
                Aspect.MEMORY: "NVIDIA/k8s-device-plugin v0.20.0, README, Shared Access to GPUs; issue 323",
                Aspect.SPEED: "NVIDIA GPU Operator, Time-Slicing GPUs in Kubernetes; labs/simulation/laws/time_slicing.py",
                Aspect.FAULTS: "NVIDIA/k8s-device-plugin v0.20.0, README, Shared Access to GPUs; NVIDIA MIG User Guide r580, "
                "Concepts; NVIDIA Xid errors",
                Aspect.CARD: "NVIDIA/k8s-device-plugin v0.20.0, internal/rm/allocate.go",
            }
        ),
        "mps": MappingProxyType(
            {
                Aspect.MEMORY: "NVIDIA Multi-Process Service, CUDA_MPS_PINNED_DEVICE_MEM_LIMIT; NVIDIA/k8s-device-plugin "
                "issues 594 and 720; cmd/mps-control-daemon/mps/daemon.go v0.20.0",
                Aspect.SPEED: "NVIDIA Multi-Process Service, CUDA_MPS_ACTIVE_THREAD_PERCENTAGE; labs/simulation/laws/mps.py",
                Aspect.FAULTS: "NVIDIA Multi-Process Service (r590), Error Containment",
                Aspect.CARD: "NVIDIA/k8s-device-plugin v0.20.0, internal/rm/allocate.go",
            }
        ),
        "mig": MappingProxyType(
            {
                Aspect.REST: "NVIDIA MIG User Guide r580, Concepts; NVIDIA technical blog (PCIe, power and clocks)"
            }
        ),
    }
)
"""By mechanism what is not promised, with the source of what is said of it."""
