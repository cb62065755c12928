"""A container asks for two slots of a node on which GKE shares GPUs.

## What it does
Finds a container that asks for more than one `nvidia.com/gpu` in a Pod whose `nodeSelector` chooses nodes of GKE with
time-sharing, or with MPS and several GPUs (`cloud.google.com/gke-accelerator-count`).

## Why it matters
GKE has a device plugin of its own. On nodes with time-sharing it gives a container one slot at most, and with MPS more
than one only where the node has a single GPU. It refuses the rest, so the Pod is bound to the node and fails there with
`UnexpectedAdmissionError`; a Deployment makes the next one, which fails as well.

## Example
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: serve
spec:
  nodeSelector:
    cloud.google.com/gke-gpu-sharing-strategy: time-sharing
    cloud.google.com/gke-max-shared-clients-per-gpu: "4"
  containers:
    - name: serve
      image: registry.example.com/serve:1
      resources:
        limits:
          nvidia.com/gpu: 2
```

## Use instead
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: serve
spec:
  nodeSelector:
    cloud.google.com/gke-gpu-sharing-strategy: time-sharing
    cloud.google.com/gke-max-shared-clients-per-gpu: "4"
  containers:
    - name: serve
      image: registry.example.com/serve:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- GoogleCloudPlatform/container-engine-accelerators, pkg/gpu/nvidia/gpusharing/gpusharing.go, ValidateRequest
- GKE documentation, "Share GPUs with multiple workloads using GPU time-sharing"
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.node_labels import GPU_RESOURCE
from labs.config.manifests import Field
from labs.config.manifests.objects import PodTemplate
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import asked, containers
from labs.lint.subject import Rule, Subject

_PREFIX = "cloud.google.com/gke-"
STRATEGY, COUNT = _PREFIX + "gpu-sharing-strategy", _PREFIX + "accelerator-count"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the number, and beside it at the label that chooses the nodes."""
    for document, pod in subject.pods:
        label = _one_each(pod)
        if label is None:
            continue
        for container in containers(pod):
            for resource in asked(container):
                if resource.name == GPU_RESOURCE and (resource.units or 0) > 1:
                    yield RULE.at(
                        document,
                        resource.field.value,
                        related=[document.related(label.value, "strategy")],
                        units=resource.units or 0,
                        strategy=label.written[:40],
                    )


def _one_each(pod: PodTemplate) -> Field | None:
    """The label by which its nodes give a container one slot at most."""
    labels = {label.name: label for label in pod.node_selector}
    strategy, count = labels.get(STRATEGY), labels.get(COUNT)
    if strategy is None:
        return None
    several = (
        count is not None and count.written.isascii() and count.written.isdigit() and count.written != "1"
    )
    return strategy if strategy.text == "time-sharing" or (strategy.text == "mps" and several) else None


RULE = Rule("GL416", "two-slots-on-gke", Severity.ERROR, "0.1", check, __doc__, notes=("strategy",))
