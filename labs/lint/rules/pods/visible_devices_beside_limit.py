"""A container that asks for a GPU chooses its devices itself as well.

## What it does
Finds a container that asks for GPUs and sets `NVIDIA_VISIBLE_DEVICES` to `all`, or to indexes or identifiers of devices.
It is a warning where the files given together show that the GPU is shared, that a node has several, or that MIG devices
are asked for, and a note otherwise. DaemonSets and NVIDIA's own programs are passed over.

## Why it matters
The device plugin gives a container its GPU by this very variable, unless it is set up otherwise. The kubelet puts the
values of the Pod behind those of the plugin, so what the Pod says counts: with `all` the container sees every GPU of its
node, with an index or an identifier that one, whichever it was given. Nothing counts that, so it works on cards that other
Pods were given.

## Example
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: video
spec:
  containers:
    - name: video
      image: registry.example.com/video:7
      env:
        - name: NVIDIA_VISIBLE_DEVICES
          value: all
      resources:
        limits:
          nvidia.com/gpu: 1
```

## Use instead
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: video
spec:
  containers:
    - name: video
      image: registry.example.com/video:7
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- Kubernetes, pkg/kubelet/kubelet_pods.go, GenerateRunContainerOptions
- NVIDIA/k8s-device-plugin v0.20.0, internal/plugin/server.go, Allocate
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import Neighbours, containers, is_nvidias_own
from labs.lint.subject import Rule, Subject

_VISIBLE = "NVIDIA_VISIBLE_DEVICES"
_DEVICES = re.compile(r"(?:GPU|MIG)-[0-9A-Za-z/,-]{1,400}|[0-9][0-9:,]{0,80}")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value."""
    neighbours = Neighbours(subject)
    for document, pod in subject.pods:
        if pod.kind is Kind.DAEMON_SET:
            continue
        for container in containers(pod):
            visible = container.variable(_VISIBLE)
            if visible is None or visible.value is None or is_nvidias_own(container):
                continue
            value = visible.value.written
            named = _DEVICES.fullmatch(value) is not None
            if (value == "all" or named) and neighbours.gpus(container):
                yield RULE.at(
                    document,
                    visible.value.value,
                    severity=Severity.WARNING if neighbours.of(container) else Severity.INFO,
                    variant="device" if named else "",
                    container=(container.name or "")[:80],
                    value=quoted(visible.value.value),
                )


RULE = Rule(
    "GL414", "visible-devices-beside-limit", Severity.WARNING, "0.1", check, __doc__, variants=("device",)
)
