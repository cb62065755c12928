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
from labs.config.manifests import Field, text_of
from labs.config.manifests.objects import PodTemplate
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.market import Market, Offer, market, related, sharing_place
from labs.lint.meaning.pods import asked, containers
from labs.lint.subject import LintDocument, Rule, Subject

PRODUCT = f"{GPU_RESOURCE}.product"
SUFFIX = "-SHARED"
_NAMES = (GPU_RESOURCE, f"{GPU_RESOURCE}.shared")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value; the fix adds or drops the suffix."""
    flavors = [(document, nodes.selected) for document, nodes in subject.labelled_nodes if nodes.selected]
    if not (subject.pods or flavors) or not subject.plugins:
        return
    offered = market(subject)
    every = tuple({id(offer): offer for name in _NAMES for offer in offered.offering(name)}.values())
    for document, labels in flavors:
        yield from _judged(document, every, functools.partial(_selected, labels))
    for document, pod in subject.pods:
        yield from _judged(document, _offering(offered, pod), functools.partial(_required, pod))


def _judged(
    document: LintDocument, offering: Sequence[Offer], failing: Callable[[bool], Iterator[Node]]
) -> Iterator[Finding]:
    """Of what selects nodes that offer in these ways: the values that can't match."""
    suffixed = {_has_suffix(offer) for offer in offering}
    if len(suffixed) == 1:
        shared = suffixed == {True}
        for value in failing(shared):
            text = text_of(value) or ""
            meant = f"{text}{SUFFIX}" if shared else text.removesuffix(SUFFIX)
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


def _selected(labels: Sequence[Field], shared: bool) -> Iterator[Node]:
    """The values of a ResourceFlavor that can't match."""
    for label in labels:
        if label.name == PRODUCT and _fails([label.value], shared):
            yield label.value


def _required(pod: PodTemplate, shared: bool) -> Iterator[Node]:
    """The values that can't match, where none beside them can."""
    yield from _selected(pod.node_selector, shared)
    terms = [
        [
            expression.values
            for expression in term
            if expression.operator == "In" and expression.key is not None and expression.key.text == PRODUCT
        ]
        for term in pod.affinity
    ]
    if terms and all(any(_fails(values, shared) for values in term) for term in terms):
        for term in terms:
            for values in term:
                if _fails(values, shared):
                    yield from values


def _fails(values: Sequence[Node], shared: bool) -> bool:
    """Whether none of the values is a product that a node has."""
    texts = [text_of(value) for value in values]
    return bool(texts) and all(bool(word) and (word or "").endswith(SUFFIX) is not shared for word in texts)


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
