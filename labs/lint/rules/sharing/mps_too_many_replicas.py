"""More replicas than MPS has clients: the MPS daemon stops.

## What it does
Finds MPS blocks that give `nvidia.com/gpu` more than 48 replicas, or more than 16 where a node that was given has a GPU
below compute capability 7.5.

## Why it matters
The MPS daemon stops with `invalid device maximum allowed replicas exceeded`. The plugin does not check the number; it waits
for the daemon, and the node offers no GPU. The limit of 16 is meant for GPUs before Volta, but the daemon compares with
7.5, so a V100 (7.0) has it too.

## Example
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 64
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
        replicas: 48
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/mps-control-daemon/mps/device.go
- NVIDIA/k8s-device-plugin issue 647
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.advertise import MPS_LIMIT, VOLTA_LIMIT
from labs.cluster.node_labels import GPU_RESOURCE
from labs.config.editing import replace
from labs.config.own import quoted
from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import DeployedConfig, deployed
from labs.lint.subject import Rule, Subject

_VOLTA_AS_THE_DAEMON_ASKS = (7, 5)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each number that is too large."""
    for setup in deployed(subject):
        if setup.strategy is not SharingStrategy.MPS:
            continue
        old = _old_card(setup)
        for entry, resource in setup.shared:
            if resource.name != GPU_RESOURCE or entry.replicas is None:
                continue
            limit = MPS_LIMIT if old is None or resource.replicas > MPS_LIMIT else VOLTA_LIMIT
            if resource.replicas <= limit:
                continue
            node, card = old or ("", "")
            yield RULE.at(
                setup.document,
                entry.replicas.place,
                variant="node" if limit == VOLTA_LIMIT else "",
                fix=setup.document.fix(replace(entry.replicas.value, str(limit))),
                value=quoted(entry.replicas.value),
                limit=limit,
                node=node,
                card=card,
            )


def _old_card(setup: DeployedConfig) -> tuple[str, str] | None:
    """A node with a card that the daemon allows few clients on, and that card's name."""
    cards = ((node, gpu) for node, gpus in setup.nodes.items() for gpu in gpus)
    return next(
        ((node, gpu.name) for node, gpu in cards if gpu.compute_capability < _VOLTA_AS_THE_DAEMON_ASKS), None
    )


RULE = Rule(
    "GL211", "mps-too-many-replicas", Severity.ERROR, "0.1", check, __doc__, variants=("node",), fixable=True
)
