"""A config holds for all GPUs of a node: no GPU of it is left out, none gets another number.

## What it does
Notes, for every config that shares GPUs, that its numbers are for each GPU of the node. Off unless it is selected.

## Why it matters
`replicas: 4` on a node with two GPUs offers 8, four tickets for each card. There is no way to share one card and keep the
other whole, or to give cards different numbers. Nodes can differ: each takes the config that its label
`nvidia.com/device-plugin.config` names.

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
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, README, Shared Access to GPUs
- NVIDIA/k8s-device-plugin issues 404, 628 and 1150
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the block in effect."""
    for setup in deployed(subject):
        if setup.block is not None:
            yield RULE.at(setup.document, setup.block.field.key, block=setup.block.field.name)


RULE = Rule("GL222", "one-config-per-node", Severity.INFO, "0.1", check, __doc__, optional=True)
