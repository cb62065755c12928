"""Time-slicing parts neither memory nor faults between the Pods of a GPU.

## What it does
Notes, for every config that shares by time-slicing, what is not kept apart. Off unless it is selected.

## Why it matters
All Pods on a GPU allocate from the same memory, and no field limits what one of them takes: the one that comes last gets
the `out of memory`. A fault such as an illegal memory access usually stops its own program only, but NVIDIA guarantees no
such thing, and one that needs a reset of the GPU stops every program on it. Where Pods of different teams meet, MIG keeps
both apart, and MPS limits memory for each process.

## Example
```yaml
version: v1
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
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, README, Shared Access to GPUs
- NVIDIA/k8s-device-plugin issues 323 and 569
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the block."""
    for setup in deployed(subject):
        if setup.strategy is SharingStrategy.TIME_SLICING and setup.block is not None:
            yield RULE.at(setup.document, setup.block.field.key, block=setup.block.field.name)


RULE = Rule("GL221", "time-slicing-isolates-nothing", Severity.INFO, "0.1", check, __doc__, optional=True)
