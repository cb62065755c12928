"""A privileged container that asks for a GPU, and can use all of them.

## What it does
Finds a privileged container that asks for GPUs or MIG devices. It is a warning where the files given together show that
the GPU is shared, that a node has several, or that MIG devices are asked for, and a note otherwise. DaemonSets and
NVIDIA's own programs are passed over.

## Why it matters
A container that is privileged gets all devices of its node, whichever the device plugin gave it. It sees every GPU and
every MIG device, and a program that takes the first one, or all, works on those of other Pods and takes their memory.
Its limit is only counted.

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
      securityContext:
        privileged: true
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
- NVIDIA/k8s-device-plugin issues 336 and 1294
- Kubernetes issue 81256
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.manifests import field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import Neighbours, containers, is_nvidias_own
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at `privileged`."""
    neighbours = Neighbours(subject)
    for document, pod in subject.pods:
        if pod.kind is Kind.DAEMON_SET:
            continue
        for container in containers(pod):
            written = field(container.node, "securityContext", "privileged")
            if not container.privileged or written is None or is_nvidias_own(container):
                continue
            if neighbours.gpus(container):
                yield RULE.at(
                    document,
                    written.place,
                    severity=Severity.WARNING if neighbours.of(container) else Severity.INFO,
                    container=(container.name or "")[:80],
                )


RULE = Rule("GL413", "privileged-sees-every-gpu", Severity.WARNING, "0.1", check, __doc__)
