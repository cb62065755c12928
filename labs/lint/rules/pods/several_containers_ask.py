"""Several containers of a Pod each ask for a slot of a shared GPU.

## What it does
Finds a Pod of which several containers that run side by side ask for the same resource, where the config given beside
it offers each card several times.

## Why it matters
What the containers of a Pod ask for adds up, and each gets slots of its own: the Pod takes as many as all of them
together, perhaps on different cards. Where a card has fewer slots than that, nodes with a single card can never run the
Pod.

## Example
```yaml config.yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 2
```
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: pipeline
spec:
  containers:
    - name: decode
      image: example.com/decode:1
      resources:
        limits:
          nvidia.com/gpu: 1
    - name: infer
      image: example.com/infer:1
      resources:
        limits:
          nvidia.com/gpu: 1
    - name: encode
      image: example.com/encode:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## Use instead
```yaml config.yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 2
```
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: pipeline
spec:
  containers:
    - name: pipeline
      image: example.com/pipeline:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- NVIDIA/k8s-device-plugin issue 1690
- kubernetes-sigs/karpenter issue 2960 and aws/karpenter-provider-aws issue 9070
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import text
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import INIT, SharedUse, Sharing, containers
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the last container's name of the resource, and beside it at the others'."""
    sharing = Sharing(subject)
    for document, pod in subject.pods:
        beside = [
            container
            for container in containers(pod)
            if container.role != INIT or text(container.node, "restartPolicy") == "Always"
        ]
        uses: dict[str, list[SharedUse]] = {}
        for container in beside:
            for use in sharing.uses(container, "time-slicing", "mps"):
                if use.resource.units is not None and use.resource.units > 0:
                    uses.setdefault(use.resource.name, []).append(use)
        for same in uses.values():
            if len(same) < 2:
                continue
            total = sum(use.resource.units or 0 for use in same)
            last, slots = same[-1], same[-1].most_replicas
            yield RULE.at(
                document,
                last.resource.field.key,
                severity=Severity.WARNING if total > slots else Severity.INFO,
                variant="more" if total > slots else "",
                related=[document.related(use.resource.field.key, "also") for use in same[:-1][:10]],
                resource=quoted(last.resource.field.key),
                count=len(same),
                total=total,
                slots=slots,
            )


RULE = Rule(
    "GL410",
    "several-containers-ask",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("more",),
    notes=("also",),
)
