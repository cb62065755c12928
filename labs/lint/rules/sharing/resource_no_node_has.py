"""A shared resource with a name that no node can offer.

## What it does
Finds time-slicing entries whose `name` is neither `nvidia.com/gpu` nor the resource of a MIG profile that some GPU has.

## Why it matters
The plugin adds `nvidia.com/` where it is missing, checks the form of the name and skips a resource that no device has
without a word. So `gpus`, `nvidia.com.gpu` or `mig1g.5gb` load and share nothing. `gpu.shared` is not a name either: that
suffix is what `renameByDefault` adds when the resource is offered. MIG names are judged by the profiles of the cards in the
catalog.

## Example
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpus
        replicas: 4
```

## Use instead
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go
- NVIDIA/k8s-device-plugin pull request 1807
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from labs.cluster.node_labels import GPU_RESOURCE
from labs.config.editing import replace
from labs.config.own import quoted
from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.keys import (
    MEDIA_EXTENSIONS,
    MIG_PREFIX,
    SUGGESTIONS,
    can_exist,
    nearest_name,
    offered_names,
)
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Subject

_MEDIA_EXTENSIONS_NAMED = (0, 20)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each such name; what is shared already is not written once more."""
    version = subject.settings.plugin_version
    for setup in deployed(subject):
        if setup.strategy is not SharingStrategy.TIME_SLICING or setup.setting is None:
            continue
        mixed = setup.setting.mig_strategy == "mixed"
        count = 0
        shared = {resource.name for _, resource in setup.shared}
        for entry, resource in setup.shared:
            name = resource.name
            if entry.name is None or name == GPU_RESOURCE or (name.startswith(MIG_PREFIX) and not mixed):
                continue
            offered = _offered(subject)
            if can_exist(name, offered):
                continue
            count += 1
            near = nearest_name(name, offered) if count <= SUGGESTIONS else ""
            older = version < _MEDIA_EXTENSIONS_NAMED and name.endswith(MEDIA_EXTENSIONS)
            yield RULE.at(
                setup.document,
                entry.name.value,
                variant="older" if older else "near" if near else "",
                fix=setup.document.fix(replace(entry.name.value, near))
                if near and near not in shared
                else None,
                name=quoted(entry.name.value),
                near=near,
            )


@functools.lru_cache(maxsize=2)
def _offered(subject: Subject) -> frozenset[str] | None:
    """Kept, and asked for only where a config shares something other than whole GPUs: it reads the catalog."""
    return offered_names(subject.settings.catalog, subject.settings.plugin_version)


RULE = Rule(
    "GL216",
    "resource-no-node-has",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("near", "older"),
    fixable=True,
)
