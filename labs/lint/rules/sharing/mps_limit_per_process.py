"""The limits of MPS hold for each process, not for the Pod.

## What it does
Notes, for every config that shares by MPS, whom its limits bind. Off unless it is selected.

## Why it matters
The memory limit and the share of threads are set for each MPS client, and a client is a process that uses CUDA. A Pod that
runs several of them, a web server with four workers for example, may use several shares of the GPU, and its neighbours miss
what it takes.

## Example
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## Use instead
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/mps-control-daemon/mps/daemon.go
- NVIDIA/k8s-device-plugin issues 594 and 720
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
        if setup.strategy is SharingStrategy.MPS and setup.block is not None:
            yield RULE.at(setup.document, setup.block.field.key, block=setup.block.field.name)


RULE = Rule("GL213", "mps-limit-per-process", Severity.INFO, "0.1", check, __doc__, optional=True)
