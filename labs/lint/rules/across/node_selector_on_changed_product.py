"""A Pod selects nodes by a product label that sharing changes.

## What it does
Finds Pods that ask for the GPUs a config shares and require a value of the label `nvidia.com/gpu.product`, in a
`nodeSelector` or a required node affinity, which no node has under the configs given: without `-SHARED` where GPUs are
shared under their own name, or with it where they are not shared or are renamed. The same of the `nodeLabels` of a
ResourceFlavor of Kueue.

## Why it matters
GPU feature discovery adds `-SHARED` to the product of a shared GPU, unless sharing renames the resource. The Pod matches no
node and stays `Pending`, though nothing about it has changed.

## Example
```yaml config.yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  nodeSelector:
    nvidia.com/gpu.product: Tesla-T4
  containers:
    - name: main
      image: example.com/notebook:1
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
        replicas: 4
```
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  nodeSelector:
    nvidia.com/gpu.product: Tesla-T4-SHARED
  containers:
    - name: main
      image: example.com/notebook:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/lm/resource.go
- NVIDIA GPU Operator documentation, "Time-Slicing GPUs in Kubernetes", labels
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence

from labs.cluster.node_labels import GPU_RESOURCE
from labs.config.editing import rewrite
from labs.config.goyaml import Node
from labs.config.manifests import text_of
from labs.config.manifests.objects import PodTemplate
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.market import Market, Offer, market, related, sharing_place
from labs.lint.meaning.pods import SHARED_SUFFIX, asked, containers, required_products, selected_products
from labs.lint.subject import LintDocument, Rule, Subject

_NAMES = (GPU_RESOURCE, f"{GPU_RESOURCE}.shared")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value; the fix adds or drops the suffix."""
    flavors = [(document, nodes.selected) for document, nodes in subject.labelled_nodes if nodes.selected]
    if not (subject.pods or flavors) or not subject.plugins:
        return
    offered = market(subject)
    every = tuple({id(offer): offer for name in _NAMES for offer in offered.offering(name)}.values())
    for document, labels in flavors:
        yield from _judged(document, every, functools.partial(selected_products, labels))
    for document, pod in subject.pods:
        yield from _judged(document, _offering(offered, pod), functools.partial(required_products, pod))


def _judged(
    document: LintDocument, offering: Sequence[Offer], failing: Callable[[bool], Iterator[Node]]
) -> Iterator[Finding]:
    """Of what selects nodes that offer in these ways: the values that can't match."""
    suffixed = {_has_suffix(offer) for offer in offering}
    if len(suffixed) == 1:
        shared = suffixed == {True}
        for value in failing(shared):
            text = text_of(value) or ""
            meant = f"{text}{SHARED_SUFFIX}" if shared else text.removesuffix(SHARED_SUFFIX)
            yield RULE.at(
                document,
                value,
                variant="" if shared else "plain",
                related=related(((offer, sharing_place(offer)) for offer in offering), "config"),
                fix=document.fix(rewrite(value, meant)),
                value=quoted(value),
                meant=meant[:100],
            )


def _offering(offered: Market, pod: PodTemplate) -> tuple[Offer, ...]:
    """The configs whose nodes offer the GPUs that the Pod asks for, by whatever name; none where it asks for none."""
    names = {resource.name for container in containers(pod) for resource in asked(container)}
    for name in names.intersection(_NAMES):
        return offered.offering(name)
    return ()


def _has_suffix(offer: Offer) -> bool:
    entry = next((share for share in offer.setting.resources if share.name == GPU_RESOURCE), None)
    return entry is not None and entry.rename is None and entry.replicas > 1


RULE = Rule(
    "GL906",
    "node-selector-on-changed-product",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("plain",),
    notes=("config",),
    fixable=True,
)
