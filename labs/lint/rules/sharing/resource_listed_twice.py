"""The same resource stands twice in a sharing block.

## What it does
Finds entries of a sharing block that name a resource which an entry before them names, with or without `nvidia.com/`.

## Why it matters
The plugin takes both: it offers the larger number of replicas, while the label `nvidia.com/gpu.replicas` that GPU feature
discovery sets shows the number of the first entry. Two entries do not mean two groups of GPUs; a config holds for every GPU
of the node.

## Example
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 2
      - name: gpu
        replicas: 8
```

## Use instead
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 8
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go and internal/lm/resource.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import remove_item
from labs.config.goyaml import Sequence
from labs.config.manifests import SharedEntry
from labs.config.own import quoted
from labs.config.plugin import SharedResource
from labs.lint.findings import Finding, Fix, Severity
from labs.lint.meaning import DeployedConfig, deployed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the later name, and beside it at the first."""
    for setup in deployed(subject):
        first: dict[str, tuple[SharedEntry, SharedResource]] = {}
        most: dict[str, int] = {}
        for _, resource in setup.shared:
            most[resource.name] = max(resource.replicas, most.get(resource.name, 0))
        for entry, resource in setup.shared:
            before, counted = first.setdefault(resource.name, (entry, resource))
            if before is entry or entry.name is None or before.name is None:
                continue
            yield RULE.at(
                setup.document,
                entry.name.value,
                related=[setup.document.related(before.name.value, "first")],
                fix=_fix(setup, before, entry, counted.replicas, resource.replicas),
                name=quoted(entry.name.value),
                resource=resource.name,
                first=counted.replicas,
                most=most[resource.name],
            )


def _fix(
    setup: DeployedConfig, before: SharedEntry, entry: SharedEntry, first: int, later: int
) -> Fix | None:
    """Takes out the entry with the smaller number; with equal numbers nothing changes."""
    items = None if setup.block is None or setup.block.resources is None else setup.block.resources.value
    if not isinstance(items, Sequence):
        return None
    removed = before if first < later else entry
    return setup.document.fix(
        remove_item(setup.document.document.text, items, removed.node), safe=first == later
    )


RULE = Rule(
    "GL217", "resource-listed-twice", Severity.WARNING, "0.1", check, __doc__, notes=("first",), fixable=True
)
