"""A device plugin of others runs beside NVIDIA's on the same nodes.

## What it does
Finds a DaemonSet with the device plugin of HAMi, Volcano, GKE or another cloud on nodes on which NVIDIA's plugin runs too:
by another DaemonSet, a ClusterPolicy, or values of a chart. Node selectors that may keep them apart, affinities, and nodes
that are labelled to do without the operator's plugin are left alone.

## Why it matters
Where both offer `nvidia.com/gpu`, the kubelet takes the list of whichever registered last. Restart one, and the number of
GPUs and the config that counts change, without an error. Where the other offers names of its own, each counts the same
cards by itself, and a card is given out twice.

## Example
```yaml plugins.yaml
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata:
  name: cluster-policy
spec:
  devicePlugin:
    enabled: true
---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: hami-device-plugin
  namespace: kube-system
spec:
  minReadySeconds: 30
  selector:
    matchLabels: {app: hami-device-plugin}
  template:
    metadata:
      labels: {app: hami-device-plugin}
    spec:
      priorityClassName: system-node-critical
      containers:
        - name: device-plugin
          image: docker.io/projecthami/hami:v2.6.1
```

## Use instead
```yaml plugins.yaml
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata:
  name: cluster-policy
spec:
  devicePlugin:
    enabled: false
---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: hami-device-plugin
  namespace: kube-system
spec:
  minReadySeconds: 30
  selector:
    matchLabels: {app: hami-device-plugin}
  template:
    metadata:
      labels: {app: hami-device-plugin}
    spec:
      priorityClassName: system-node-critical
      containers:
        - name: device-plugin
          image: docker.io/projecthami/hami:v2.6.1
```

## References
- Kubernetes, pkg/kubelet/cm/devicemanager/manager.go, PluginConnected
- Project-HAMi documentation, FAQ
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning import rivals
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the other plugin's container, and beside it at NVIDIA's."""
    for rival in rivals(subject, "nvidias"):
        yield RULE.at(
            rival.document,
            rival.place,
            variant="apart" if rival.names_its_own else "",
            related=[rival.beside],
            name=rival.name,
        )


RULE = Rule(
    "GL536",
    "another-device-plugin",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("apart",),
    notes=("nvidias",),
)
