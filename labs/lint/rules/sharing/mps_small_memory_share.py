"""So many MPS replicas that the equal share of memory is known to be too small to work with.

## What it does
Finds MPS blocks whose replicas leave less of a given node's GPU to each client than people have made work: more than 5 on
an A16, more than 21 on a T4, more than 30 on an A30.

## Why it matters
The MPS daemon divides the memory of a GPU into equal parts, one for each replica, and limits every client to its part. A
program that needs more fails; that its neighbours leave theirs unused does not help, and no field of the config raises the
limit for one Pod. CUDA's own context takes its piece of the part first.

## Example
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 32
```

## Use instead
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 8
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/mps-control-daemon/mps/daemon.go
- NVIDIA/k8s-device-plugin issues 1118 and 1119
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from labs.cluster.advertise import MPS_LIMIT
from labs.cluster.node_labels import GPU_RESOURCE
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import DeployedConfig, deployed
from labs.lint.subject import Rule, Settings, Subject

MOST_REPLICAS = {"A16": 5, "T4": 21, "A30": 30}
"""The most that was reported to work, by the card's name (NVIDIA/k8s-device-plugin issues 1118 and 1119)."""

_WORD = re.compile(r"[A-Za-z0-9]+")
_NODE = "t4-x1"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the number of replicas; once for each, for the first card that is too small for it."""
    for setup in deployed(subject):
        if setup.strategy is not SharingStrategy.MPS:
            continue
        cards = sorted(_cards(setup))
        for entry, resource in setup.shared:
            if resource.name != GPU_RESOURCE or entry.replicas is None or resource.replicas > MPS_LIMIT:
                continue
            for name, memory_mib, most in cards:
                if resource.replicas > most:
                    yield RULE.at(
                        setup.document,
                        entry.replicas.place,
                        replicas=resource.replicas,
                        card=name,
                        share=memory_mib // resource.replicas,
                        most=most,
                    )
                    break


def _cards(setup: DeployedConfig) -> set[tuple[str, int, int]]:
    """The cards that the table knows: name, memory, most replicas."""
    gpus = {gpu for node in setup.nodes.values() for gpu in node}
    return {(gpu.name, gpu.memory_mib, most) for gpu in gpus if (most := _most(gpu.name)) is not None}


def _most(card: str) -> int | None:
    words = _WORD.findall(card)
    return next((most for name, most in MOST_REPLICAS.items() if name in words), None)


RULE = Rule(
    "GL212",
    "mps-small-memory-share",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    example_settings=Settings(nodes=MappingProxyType({_NODE: SAMPLE_NODES[_NODE]})),
)
