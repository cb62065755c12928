"""The values configure a device plugin that is not deployed, since the operator gives GPUs out by DRA.

## What it does
Finds `devicePlugin.config` in values of the GPU Operator's chart that deploy a `GPUCluster` and no `ClusterPolicy`.

## Why it matters
Without a ClusterPolicy the operator deploys no device plugin, no GPU feature discovery and no MIG Manager. The config is
read by nobody: `nvidia.com/gpu` is not offered any more, and the replicas have no counterpart, since time-slicing by DRA
has none.

## Example
```yaml values.yaml
clusterPolicy:
  deployCR: false
gpuCluster:
  deployCR: true
dcgmExporter:
  enabled: true
devicePlugin:
  config:
    name: plugin-config
    default: any
```

## Use instead
```yaml values.yaml
clusterPolicy:
  deployCR: false
gpuCluster:
  deployCR: true
dcgmExporter:
  enabled: true

```

## References
- NVIDIA GPU Operator v26.7.0, templates/clusterpolicy.yaml and templates/validations.yaml
- jfroy/flatops pull request 2620
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.dra import moved
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the config, and beside it at what moves GPUs to DRA."""
    sign = moved(subject)
    if sign is None or sign.policy:
        return
    for document, operator in subject.operators:
        config = field(operator.node, "devicePlugin", "config")
        if config is not None and not config.is_null:
            yield RULE.at(document, config.key, related=[sign.document.related(sign.place, "moved")])


RULE = Rule(
    "GL546", "config-without-cluster-policy", Severity.WARNING, "0.1", check, __doc__, notes=("moved",)
)
