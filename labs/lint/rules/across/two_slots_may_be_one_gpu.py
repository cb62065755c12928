"""A container asks for several units of a shared resource, and they may be one and the same GPU.

## What it does
Finds containers that ask for more than one of a shared resource where the configs that offer it let such requests through.

## Why it matters
A unit of a shared resource is a slot, not a card. Two slots may be on one GPU, which the container then sees once, and
never with twice the compute; whether a job that needs two devices finds two depends on what else runs. For several GPUs ask
for unshared ones; for one GPU ask for one slot.

## Example
```yaml config.yaml
version: v1
sharing:
  # gpulab: ignore[GL214] each team decides for itself
  timeSlicing:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: training
spec:
  containers:
    - name: main
      image: example.com/training:1
      resources:
        limits:
          nvidia.com/gpu: 2
```

## Use instead
```yaml config.yaml
version: v1
sharing:
  # gpulab: ignore[GL214] each team decides for itself
  timeSlicing:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: training
spec:
  containers:
    - name: main
      image: example.com/training:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- NVIDIA/gpu-operator issue 386; NVIDIA/k8s-device-plugin issues 491 and 1690
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/allocate.go and README.md
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning.market import market, related, sharing_place
from labs.lint.meaning.pods import asked, containers, requantified
from labs.lint.rules.across.pod_asks_more_than_one_shared import refuses
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the number; the fix asks for one."""
    if not subject.pods or not subject.plugins:
        return
    offered = market(subject)
    version = subject.settings.plugin_version
    for document, pod in subject.pods:
        for container in containers(pod):
            for resource in asked(container):
                units = resource.units or 0
                offering = offered.offering(resource.name) if units > 1 else ()
                shares = [share for offer in offering if (share := offer.shared(resource.name)) is not None]
                if not shares or len(shares) < len(offering):
                    continue
                taking = [offer for offer in offering if not refuses(offer, resource.name, version)]
                if not taking:
                    continue
                yield RULE.at(
                    document,
                    resource.field.place,
                    related=related(((offer, sharing_place(offer)) for offer in taking), "config"),
                    fix=requantified(document, resource, "1"),
                    name=resource.name[:80],
                    units=units,
                    replicas=max(share.replicas for share in shares),
                )


RULE = Rule(
    "GL903",
    "two-slots-may-be-one-gpu",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    notes=("config",),
    fixable=True,
)
