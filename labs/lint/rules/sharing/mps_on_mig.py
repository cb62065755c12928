"""MPS on a node whose GPUs have MIG enabled.

## What it does
Finds a config that shares by MPS while a node that was given has MIG enabled, or while every config of a mig-parted file
given beside it enables MIG.

## Why it matters
The plugin can't share MIG devices by MPS. Under the strategy `single` it stops with `sharing using MPS is not supported for
MIG devices`. Under any strategy GPU feature discovery fails on such a node and sets no label at all, so
`nvidia.com/mps.capable` is missing and the MPS daemon is not scheduled: the node offers no GPU. Time-slicing works on MIG
devices.

## Example
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
  migStrategy: single
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 2
```

## Use instead
```yaml
version: v1
flags:
  migStrategy: single
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 2
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/plugin/mps.go and internal/lm/nvml.go
- NVIDIA/k8s-device-plugin issue 713
- NVIDIA/gpu-operator issue 717
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Related, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Settings, Subject

if TYPE_CHECKING:
    from labs.config.manifests.objects import MigDocument

_NODE = "a100-40gb-mig-7x1g-x2"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the MPS block; beside it at a MIG config that would enable MIG."""
    enabling = None if subject.settings.nodes else _enabling(subject)
    for setup in deployed(subject):
        block = setup.block
        if block is None or setup.strategy is not SharingStrategy.MPS:
            continue
        node = next(
            (name for name, gpus in setup.nodes.items() if any(gpu.mig_enabled for gpu in gpus)), None
        )
        if node is not None:
            yield RULE.at(setup.document, block.field.key, block=block.field.name, node=node)
        elif enabling is not None:
            yield RULE.at(
                setup.document,
                block.field.key,
                severity=Severity.INFO,
                variant="would",
                related=[enabling],
                block=block.field.name,
            )


def _enabling(subject: Subject) -> Related | None:
    """What enables MIG in mig-parted's files, where each of their configs does."""
    enabler: Related | None = None
    for document, config in subject.migs:
        if not config.configs or not _every_config_enables(config):
            return None
        enabler = enabler or document.related(config.configs[0].field.key, "enables")
    return enabler


def _every_config_enables(config: MigDocument) -> bool:
    return all(
        any(entry.decoded is not None and entry.decoded.mig_enabled for entry in named.entries)
        for named in config.configs
    )


RULE = Rule(
    "GL207",
    "mps-on-mig",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("would",),
    notes=("enables",),
    example_settings=Settings(nodes=MappingProxyType({_NODE: SAMPLE_NODES[_NODE]})),
)
