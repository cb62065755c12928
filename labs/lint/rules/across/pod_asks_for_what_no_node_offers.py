"""A Pod asks for a resource that no node offers under the configs given.

## What it does
Finds containers that ask for a GPU or MIG resource which none of the configs of the device plugin, given together with the
Pod, lets a node offer: since sharing renames it, does not rename it, or since the MIG strategy gives it another name.

## Why it matters
The Pod stays `Pending` with `Insufficient nvidia.com/...`. With `renameByDefault: true` a node offers
`nvidia.com/gpu.shared` and no `nvidia.com/gpu` any more; without it there is no `.shared`; and `nvidia.com/mig-1g.5gb`
exists only under the strategy `mixed`, while under `single` a MIG device is a `nvidia.com/gpu`.

## Example
```yaml config.yaml
version: v1
sharing:
  timeSlicing:
    renameByDefault: true
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
    renameByDefault: true
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
  containers:
    - name: main
      image: example.com/notebook:1
      resources:
        limits:
          nvidia.com/gpu.shared: 1
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go and api/config/v1/replicas.go
- NVIDIA GPU Operator documentation, "Time-Slicing GPUs in Kubernetes"
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.node_labels import GPU_RESOURCE
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.keys.resources import is_gpu_resource
from labs.lint.meaning.dra import Moved, extended_names, moved
from labs.lint.meaning.market import MIG_PREFIX, SHARED, Market, Offer, market, related, rename_place
from labs.lint.meaning.pods import asked, containers, renamed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name; the fix writes the one that is offered."""
    if not subject.pods:
        return
    sign = moved(subject)
    if sign is not None:
        yield from _by_dra(subject, sign)
        return
    if not subject.plugins:
        return
    offered = market(subject)
    for document, pod in subject.pods:
        for container in containers(pod):
            for resource in asked(container):
                name = resource.name
                if not is_gpu_resource(name) or resource.units == 0 or offered.may_offer(name):
                    continue
                near = next(
                    (suggestion for offer in offered.offers if (suggestion := _named(offered, offer, name))),
                    "",
                )
                yield RULE.at(
                    document,
                    resource.field.key,
                    variant="" if near else "nothing",
                    related=related(((offer, rename_place(offer)) for offer in offered.offers), "config"),
                    fix=renamed(
                        document, resource, near, {request.name for request in asked(container)}, safe=False
                    ),
                    name=quoted(resource.field.key),
                    near=near,
                )


def _by_dra(subject: Subject, sign: Moved) -> Iterator[Finding]:
    """Where GPUs are given out by DRA, every name but those that device classes stand in for."""
    names = extended_names(subject)
    for document, pod in subject.pods:
        for resource in (each for container in containers(pod) for each in asked(container)):
            if is_gpu_resource(resource.name) and resource.units != 0 and resource.name not in names:
                place = sign.document.related(sign.place, "moved")
                name = quoted(resource.field.key)
                yield RULE.at(document, resource.field.key, variant="moved", related=[place], name=name)


def _named(offered: Market, offer: Offer, name: str) -> str:
    """The name under which a config may offer what was meant; empty where it does not."""
    plain = name.removesuffix(SHARED)
    candidates = [offer.name_of(plain), plain]
    if plain.startswith(MIG_PREFIX) and offer.setting.mig_strategy == "single":
        candidates.append(offer.name_of(GPU_RESOURCE))
    return next(
        (candidate for candidate in candidates if candidate != name and offered.may_offer(candidate)), ""
    )


RULE = Rule(
    "GL901",
    "pod-asks-for-what-no-node-offers",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("nothing", "moved"),
    notes=("config", "moved"),
    fixable=True,
)
