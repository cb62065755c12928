"""Nodes to try a config on: for the page's choice of a node, and for examples.

Names and memory are what NVML reports (NVIDIA's product names; MiB as `nvidia-smi` prints them), as in the cases that the
plugin was measured on.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from labs.cluster.gpu import PhysicalGpu

_A100 = ("NVIDIA A100-SXM4-40GB", 40960, (8, 0))

SAMPLE_NODES: Mapping[str, tuple[PhysicalGpu, ...]] = MappingProxyType(
    {
        "a100-40gb-x4": (PhysicalGpu(*_A100),) * 4,
        "t4-x1": (PhysicalGpu("Tesla T4", 15360, (7, 5)),),
        "v100-16gb-x1": (PhysicalGpu("Tesla V100-SXM2-16GB", 16384, (7, 0)),),
        "a100-40gb-mig-7x1g-x2": (PhysicalGpu(*_A100, mig=("1g.5gb",) * 7),) * 2,
        "a100-40gb-mig-mixed": (
            PhysicalGpu(*_A100, mig=("3g.20gb", "2g.10gb", "1g.5gb", "1g.5gb")),
            PhysicalGpu(*_A100),
        ),
    }
)
"""Nodes by an id: the cards' model and count, and how they are cut."""
