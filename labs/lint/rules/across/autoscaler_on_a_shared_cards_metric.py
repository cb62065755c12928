"""An autoscaler goes by a metric of the card, which several Pods share.

## What it does
Finds a HorizontalPodAutoscaler, or a ScaledObject of KEDA, that scales by a metric of the card (`DCGM_FI_DEV_GPU_UTIL`,
`DCGM_FI_DEV_FB_USED`, `nvidia_smi_…` and the like), where every config given shares GPUs by time-slicing or MPS.

## Why it matters
DCGM measures the card. Each Pod of a shared card gets the value of all of them together: one busy neighbour scales out a
workload that has nothing to do, and new replicas, which land on the same cards, do not bring the value down. Scale by what
the program itself counts: requests in its queue, or their latency.

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
```yaml autoscaler.yaml
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: server
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: server}
  maxReplicas: 8
  metrics:
    - type: Pods
      pods:
        metric:
          name: DCGM_FI_DEV_GPU_UTIL
        target: {type: AverageValue, averageValue: "80"}
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
```yaml autoscaler.yaml
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: server
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: server}
  maxReplicas: 8
  metrics:
    - type: Pods
      pods:
        metric:
          name: http_requests_waiting
        target: {type: AverageValue, averageValue: "4"}
```

## References
- NVIDIA/dcgm-exporter issues 151, 201, 307 and 587
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.goyaml import Scalar
from labs.config.manifests import field, mappings
from labs.config.own import quoted
from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.market import Offer, offers, related, sharing_place
from labs.lint.subject import LintDocument, Rule, Subject

_OF_CARD = re.compile(
    r"(?<!\w)(?:DCGM_FI_(?:DEV|PROF)_\w+|nvidia_smi_\w+|nvidia_gpu_\w+|gpu_utilization\b)", re.IGNORECASE
)
_LONGEST_QUERY = 10_000
_PLACES = (("pods",), ("external",), ("object",))


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the metric, or at the query that names it."""
    scalers = subject.of(Kind.HORIZONTAL_POD_AUTOSCALER, Kind.SCALED_OBJECT)
    if not scalers or not subject.plugins:
        return
    offered = offers(subject)
    if not offered or not all(_is_shared(offer) for offer in offered):
        return
    for document in scalers:
        for place in _metrics(document):
            match = _OF_CARD.search(place.text[:_LONGEST_QUERY])
            if match is not None:
                yield RULE.at(
                    document,
                    place,
                    related=related(((offer, sharing_place(offer)) for offer in offered), "config"),
                    metric=quoted(place) if place.text == match[0] else match[0][:80],
                )


def _is_shared(offer: Offer) -> bool:
    return offer.setting.strategy in (SharingStrategy.TIME_SLICING, SharingStrategy.MPS)


def _metrics(document: LintDocument) -> Iterator[Scalar]:
    root = document.document.root
    fields = [
        field(metric, *path, "metric", "name")
        for metric in mappings(root, "spec", "metrics")
        for path in _PLACES
    ]
    for trigger in mappings(root, "spec", "triggers"):
        fields += [field(trigger, "metadata", key) for key in ("query", "metricName")]
    yield from (each.value for each in fields if each is not None and isinstance(each.value, Scalar))


RULE = Rule(
    "GL911", "autoscaler-on-a-shared-cards-metric", Severity.WARNING, "0.1", check, __doc__, notes=("config",)
)
