"""Editing this ConfigMap changes nothing on nodes that run already.

## What it does
Notes each ConfigMap that holds configs of the device plugin. It speaks only when it is selected.

## Why it matters
Nothing watches the content: config-manager follows the node's label, and the operator does not monitor the ConfigMap. After
an edit the plugin keeps its old config until it restarts, by whatever cause, so nodes change one by one and unplanned.
Restart the DaemonSet yourself: `kubectl rollout restart -n gpu-operator daemonset/nvidia-device-plugin-daemonset`. Only a
`config.map` of the device plugin's chart rolls the Pods by itself.

## Example
```yaml configs.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: time-slicing
data:
  any: |
    version: v1
```

## Use instead
```yaml values.yaml
migStrategy: none
config:
  map:
    any: |
      version: v1
```

## References
- NVIDIA GPU Operator documentation, "Time-Slicing GPUs in Kubernetes", updating a time-slicing config map
- NVIDIA/gpu-operator issue 1144
- NVIDIA/k8s-device-plugin v0.20.0, cmd/config-manager/main.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import maps_with
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the ConfigMap's name."""
    for choice in maps_with(subject, Kind.DEVICE_PLUGIN):
        yield RULE.at(choice.document, choice.place, name=choice.name[:80])


RULE = Rule("GL516", "config-not-reloaded", Severity.INFO, "0.1", check, __doc__, optional=True)
