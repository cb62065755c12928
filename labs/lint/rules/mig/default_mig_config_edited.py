"""A ConfigMap has the name of the one that the GPU Operator writes itself.

## What it does
Finds a ConfigMap called `default-mig-parted-config`.

## Why it matters
The ConfigMap of this name belongs to the GPU Operator, which puts its own content back when it next reconciles: the configs
that were added to it are gone, and nodes whose label names one of them can't be configured. Configs of one's own go into a
ConfigMap of another name, which `migManager.config.name` of the ClusterPolicy refers to.

## Example
```yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: default-mig-parted-config
  namespace: gpu-operator
data:
  config.yaml: |
    version: v1
    mig-configs:
      five-small:
        - devices: all
          mig-enabled: true
          mig-devices:
            "1g.5gb": 5
            "2g.10gb": 1
```

## Use instead
```yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: custom-mig-config
  namespace: gpu-operator
data:
  config.yaml: |
    version: v1
    mig-configs:
      five-small:
        - devices: all
          mig-enabled: true
          mig-devices:
            "1g.5gb": 5
            "2g.10gb": 1
```

## References
- NVIDIA/gpu-operator issues #281 and #249
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.subject import Rule, Subject

_OPERATORS_OWN = "default-mig-parted-config"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name."""
    for document, configs in subject.config_maps:
        if configs.name is not None and configs.name.text == _OPERATORS_OWN:
            yield RULE.at(document, configs.name.value, name=_OPERATORS_OWN)


RULE = Rule("GL312", "default-mig-config-edited", Severity.WARNING, "0.1", check, __doc__)
