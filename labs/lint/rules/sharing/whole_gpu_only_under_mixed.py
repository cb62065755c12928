"""Only whole GPUs are shared although the strategy is `mixed`: MIG devices stay exclusive.

## What it does
Finds a time-slicing config under the MIG strategy `mixed` that shares `nvidia.com/gpu` and no MIG resource, where a node
that was given has MIG devices. Without nodes it is a hint, and only where the file itself chooses `mixed`.

## Why it matters
Under `mixed` each MIG profile is a resource of its own, `nvidia.com/mig-1g.5gb` and so on, and only resources that are
named are shared. `nvidia.com/gpu` means the GPUs that are not partitioned. So each slice still goes to one Pod at a time,
and a node all of whose GPUs are partitioned shares nothing.

## Example
```yaml
version: v1
flags:
  migStrategy: mixed
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## Use instead
```yaml
version: v1
flags:
  migStrategy: mixed
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
      - name: nvidia.com/mig-1g.5gb
        replicas: 4
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from labs.cluster.node_labels import GPU_RESOURCE, mig_resource_name
from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.plugin import FLAGS, SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Settings, Subject

_STRATEGY = next(flag for flag in FLAGS if flag.name == "mig-strategy")
_NODE = "a100-40gb-mig-7x1g-x2"
_NAMES_SHOWN = 4


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name of the whole GPU's resource."""
    for setup in deployed(subject):
        setting = setup.setting
        if (
            setting is None
            or setup.strategy is not SharingStrategy.TIME_SLICING
            or setting.mig_strategy != "mixed"
        ):
            continue
        if {resource.name for resource in setting.resources} != {GPU_RESOURCE}:
            continue
        place = next((entry.name.value for entry, _ in setup.shared if entry.name is not None), None)
        if place is None:
            continue
        if not subject.settings.nodes:
            if setup.written(_STRATEGY) is not None and _STRATEGY.name not in setup.overrides:
                yield RULE.at(
                    setup.document, place, severity=Severity.INFO, variant="unsaid", resource=GPU_RESOURCE
                )
            continue
        for name, gpus in setup.nodes.items():
            slices = sorted({mig_resource_name(profile) for gpu in gpus for profile in gpu.mig or ()})
            if slices:
                more = [] if len(slices) <= _NAMES_SHOWN else ["…"]
                listing = ", ".join([*slices[:_NAMES_SHOWN], *more])
                yield RULE.at(setup.document, place, resource=GPU_RESOURCE, node=name, slices=listing)
                break


RULE = Rule(
    "GL204",
    "whole-gpu-only-under-mixed",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("unsaid",),
    example_settings=Settings(nodes=MappingProxyType({_NODE: SAMPLE_NODES[_NODE]})),
)
