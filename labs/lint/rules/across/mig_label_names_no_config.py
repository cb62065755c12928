"""A node's label names a MIG config that the file does not have.

## What it does
Finds Nodes whose label `nvidia.com/mig.config` names none of the MIG configs that are given. It is silent where the GPU
Operator's settings beside them do not name that ConfigMap: the MIG manager then makes its configs from the hardware.

## Why it matters
The MIG manager answers `selected mig-config not present`, sets the label `nvidia.com/mig.config.state` to `failed`, and
leaves the node's GPUs as they are.

## Example
```yaml mig.yaml
version: v1
mig-configs:
  all-disabled:
    - devices: all
      mig-enabled: false
  all-1g.5gb:
    - devices: all
      mig-enabled: true
      mig-devices:
        1g.5gb: 7
```
```yaml node.yaml
apiVersion: v1
kind: Node
metadata:
  name: gpu-node-1
  labels:
    nvidia.com/mig.config: all-1g5gb
```

## Use instead
```yaml mig.yaml
version: v1
mig-configs:
  all-disabled:
    - devices: all
      mig-enabled: false
  all-1g.5gb:
    - devices: all
      mig-enabled: true
      mig-devices:
        1g.5gb: 7
```
```yaml node.yaml
apiVersion: v1
kind: Node
metadata:
  name: gpu-node-1
  labels:
    nvidia.com/mig.config: all-1g.5gb
```

## References
- NVIDIA/mig-parted v0.15.0, cmd/nvidia-mig-parted/assert
- NVIDIA/gpu-operator issue 603; NVIDIA/mig-parted issue 100
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import rewrite
from labs.config.manifests.objects import MIG_CONFIG_LABEL
from labs.config.own import quoted
from labs.lint.findings import Finding, NearNames, Severity, listed
from labs.lint.meaning.mig import in_effect
from labs.lint.subject import Rule, Subject

_MOST_PLACES = 3


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the label's value, and at the files that should have such a config."""
    if not subject.labelled_nodes or not subject.migs:
        return
    migs = in_effect(subject)
    names = dict.fromkeys(config.name for _, mig in migs for config in mig.configs)
    if not names or not all(mig.loaded.loads for _, mig in migs):
        return
    near_names = NearNames(names)
    places = [document.related(mig.configs[0].field.key, "configs") for document, mig in migs if mig.configs]
    for document, label in subject.labels_of_nodes(MIG_CONFIG_LABEL):
        if not label.text or label.text in names:
            continue
        near = near_names.of(label.text)
        yield RULE.at(
            document,
            label.place,
            variant="near" if near else "",
            related=places[:_MOST_PLACES],
            fix=document.fix(rewrite(label.value, near) if near else None),
            value=quoted(label.value),
            names=listed(names),
            near=near,
        )


RULE = Rule(
    "GL908",
    "mig-label-names-no-config",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("near",),
    notes=("configs",),
    fixable=True,
)
