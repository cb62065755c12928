"""The device plugin reads a ConfigMap whose changes roll nothing out.

## What it does
Notes a DaemonSet of the device plugin that reads a ConfigMap, where nothing in its template changes with the content:
no annotation with a checksum, and no name with a hash.

## Why it matters
A DaemonSet rolls out when its template changes. A ConfigMap is named there, so its content may change without a rollout
and without a sign of it: the plugin goes on with what it has read. The mounted file does change after a while, so each
plugin takes the new config at its next restart, whatever causes that: one node after another, unplanned, outside any
budget. The plugin's chart writes such a checksum (`checksum/config`) for the configs in `config.map`, not for a
ConfigMap in `config.name`.

## Example
```yaml plugin.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: nvidia-device-plugin-daemonset
spec:
  minReadySeconds: 30
  selector:
    matchLabels: {name: nvidia-device-plugin-ds}
  template:
    metadata:
      labels: {name: nvidia-device-plugin-ds}
    spec:
      containers:
        - name: nvidia-device-plugin-ctr
          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
          args: [--config-file=/config/any.yaml]
          volumeMounts:
            - {name: config, mountPath: /config}
      volumes:
        - name: config
          configMap:
            name: time-slicing
```

## Use instead
```yaml plugin.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: nvidia-device-plugin-daemonset
spec:
  minReadySeconds: 30
  selector:
    matchLabels: {name: nvidia-device-plugin-ds}
  template:
    metadata:
      annotations:
        checksum/config: 9f86d081884c7d65
      labels: {name: nvidia-device-plugin-ds}
    spec:
      containers:
        - name: nvidia-device-plugin-ctr
          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
          args: [--config-file=/config/any.yaml]
          volumeMounts:
            - {name: config, mountPath: /config}
      volumes:
        - name: config
          configMap:
            name: time-slicing
```

## References
- NVIDIA GPU Operator documentation, "Time-Slicing GPUs in Kubernetes", updating a time-slicing config map
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin/templates/_helpers.tpl, podAnnotations
- NVIDIA/k8s-device-plugin v0.20.0, cmd/config-manager/main.go
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.manifests_fields import Field, field, fields
from labs.lint.finding import Finding, Severity
from labs.lint.plugin_daemonset import PluginDaemonSet, plugin_daemonsets
from labs.lint.rule import Rule
from labs.lint.subject import Subject

_HASHED = re.compile(r".*-[0-9a-z]{10}")
"""A name with Kustomize's hash of the content behind it."""
_SUM = re.compile(r"checksum|hash|sha(?:1|256)|version", re.IGNORECASE)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name of the first ConfigMap."""
    for plugin in plugin_daemonsets(subject):
        template = field(plugin.document.document.root, "spec", "template")
        notes = () if template is None else fields(template.value, "metadata", "annotations")
        name = next(_unfollowed(plugin), None)
        if name is not None and not any(_SUM.search(one.name) for one in notes):
            yield RULE.at(plugin.document, name.value, name=(name.text or "")[:80])


def _unfollowed(plugin: PluginDaemonSet) -> Iterator[Field]:
    """The names of ConfigMaps that stay the same when the content changes, and that the plugin's Pod mounts."""
    mounted = {one.name for container in plugin.template.containers for one in container.mounts}
    for volume in plugin.template.volumes:
        source, called = volume.source, None if volume.name is None else volume.name.text
        name = field(source.value, "name") if source is not None and source.name == "configMap" else None
        if name is not None and name.text and called in mounted and not _HASHED.fullmatch(name.text):
            yield name


RULE = Rule("GL528", "config-change-without-rollout", Severity.INFO, "0.1", check, __doc__)
