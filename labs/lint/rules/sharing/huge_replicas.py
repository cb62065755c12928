"""Tens of thousands of replicas: the plugin keeps and reports each of them.

## What it does
Finds time-slicing entries with more than 16,384 replicas, the most that a public report runs with.

## Why it matters
Nothing limits the number under time-slicing. But the plugin makes an entry in memory for each replica of each GPU and
reports all of them to the kubelet; with a number such as 999999999999 it runs out of memory before it offers anything. More
replicas than Pods that can be busy at once gain nothing either.

## Example
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 1000000
```

## Use instead
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 10
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go
- NVIDIA/k8s-device-plugin issue 1433
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.own import quoted
from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Subject

MOST_SEEN = 16_384
"""Replicas that NVIDIA/k8s-device-plugin issue 1433 runs with."""


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each such number."""
    for setup in deployed(subject):
        if setup.strategy is not SharingStrategy.TIME_SLICING:
            continue
        for entry, resource in setup.shared:
            if resource.replicas > MOST_SEEN and entry.replicas is not None:
                yield RULE.at(
                    setup.document, entry.replicas.place, value=quoted(entry.replicas.value), seen=MOST_SEEN
                )


RULE = Rule("GL219", "huge-replicas", Severity.INFO, "0.1", check, __doc__)
