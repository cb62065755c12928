"""A node keeps a state in which the operator left it, and in which something does not run.

## What it does
Finds Nodes with a label of the GPU Operator that says that a change did not come to its end: `nvidia.com/mig.config.state:
failed`, `nvidia.com/gpu-driver-upgrade-state: upgrade-failed`, and `nvidia.com/gpu.deploy.…` with a value such as
`paused-for-mig-change`.

## Why it matters
The states are meant for minutes. A component that is paused has no Pod on the node: without the device plugin there are no
GPUs, and nothing takes the label off again once MIG Manager has stopped in the middle. After a failed change the cards are
not cut as the label says. After a failed upgrade the node stays cordoned, and the operator goes no further with it.

## Example
```yaml node.yaml
apiVersion: v1
kind: Node
metadata:
  name: gpu-node-1
  labels:
    nvidia.com/gpu.present: "true"
    nvidia.com/gpu.deploy.device-plugin: paused-for-mig-change
```

## Use instead
```yaml node.yaml
apiVersion: v1
kind: Node
metadata:
  name: gpu-node-1
  labels:
    nvidia.com/gpu.present: "true"
    nvidia.com/gpu.deploy.device-plugin: "true"
```

## References
- NVIDIA/mig-parted, deployments/container, reconfigure-mig.sh
- NVIDIA/mig-parted issue 485
- NVIDIA/k8s-operator-libs, pkg/upgrade/consts.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import Field
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.subject import Rule, Subject

_DEPLOY = "nvidia.com/gpu.deploy."
_FAILED = {
    "nvidia.com/mig.config.state": ("failed", "mig"),
    "nvidia.com/gpu-driver-upgrade-state": ("upgrade-failed", "upgrade"),
}


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the label's value."""
    for document, node in subject.cluster_nodes:
        for label in node.labels:
            variant = _variant(label)
            if variant is not None:
                yield RULE.at(
                    document,
                    label.place,
                    variant=variant,
                    component=label.name.removeprefix(_DEPLOY)[:80],
                    value=quoted(label.value),
                )


def _variant(label: Field) -> str | None:
    if label.name.startswith(_DEPLOY):
        return "" if label.written.startswith("paused-") else None
    state, variant = _FAILED.get(label.name, ("", ""))
    return variant if state and label.written == state else None


RULE = Rule(
    "GL912", "node-left-in-a-state", Severity.WARNING, "0.1", check, __doc__, variants=("mig", "upgrade")
)
