"""The values deploy a ClusterPolicy and a GPUCluster at once.

## What it does
Finds values of the GPU Operator's chart in which both `clusterPolicy.deployCR` and `gpuCluster.deployCR` are true.

## Why it matters
The two give GPUs out in different ways, by the device plugin and by DRA, and exclude each other. The chart checks that:
Helm stops with an error, and nothing is installed or upgraded.

## Example
```yaml values.yaml
clusterPolicy:
  deployCR: true
gpuCluster:
  deployCR: true
dcgmExporter:
  enabled: true

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
- NVIDIA GPU Operator v26.7.0, templates/validations.yaml
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.manifests import field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.dra import OF_CLUSTER, OF_POLICY
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the second of the two, and beside it at the first."""
    for document, operator in subject.operators:
        if operator.kind is not Kind.GPU_OPERATOR_VALUES:
            continue
        switches = [field(operator.node, *path) for path in (OF_POLICY, OF_CLUSTER)]
        both = [switch for switch in switches if switch is not None and switch.boolean is True]
        if len(both) == len(switches):
            first, second = sorted(both, key=lambda switch: switch.key.place.start_offset)
            yield RULE.at(document, second.value, related=[document.related(first.value, "first")])


RULE = Rule("GL547", "policy-and-cluster", Severity.ERROR, "0.1", check, __doc__, notes=("first",))
