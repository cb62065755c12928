"""A device plugin that names no config file, beside configs for it.

## What it does
Finds a DaemonSet that runs the device plugin without `CONFIG_FILE` and `--config-file`, while a ConfigMap of its
namespace among the files holds configs for it, and nothing else among the files deploys the plugin.

## Why it matters
The plugin reads its config from the file that the flag or the variable names, and from nowhere else. A ConfigMap that is
only mounted, or taken by `envFrom`, changes nothing: the plugin runs, its node offers whole GPUs as `nvidia.com/gpu`, and
no log says that something was left out.

## Example
```yaml plugin.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: plugin-config
data:
  any: |
    version: v1
    sharing:
      timeSlicing:
        failRequestsGreaterThanOne: true
        resources:
          - name: nvidia.com/gpu
            replicas: 4
---
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
      annotations: {checksum/config: 1b2c3d4e5f}
    spec:
      containers:
        - name: nvidia-device-plugin-ctr
          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
          volumeMounts:
            - name: config
              mountPath: /config
      volumes:
        - name: config
          configMap:
            name: plugin-config
```

## Use instead
```yaml plugin.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: plugin-config
data:
  any: |
    version: v1
    sharing:
      timeSlicing:
        failRequestsGreaterThanOne: true
        resources:
          - name: nvidia.com/gpu
            replicas: 4
---
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
      annotations: {checksum/config: 1b2c3d4e5f}
    spec:
      containers:
        - name: nvidia-device-plugin-ctr
          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
          env:
            - name: CONFIG_FILE
              value: /config/any
          volumeMounts:
            - name: config
              mountPath: /config
      volumes:
        - name: config
          configMap:
            name: plugin-config
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/nvidia-device-plugin/main.go
- NVIDIA/k8s-device-plugin issue 615
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import unread_configs
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the plugin's container, and beside it at the ConfigMap."""
    unread = unread_configs(subject)
    if unread is None:
        return
    plugin, config_map = unread
    name = field(config_map.document.root, "metadata", "name")
    related = [] if name is None else [config_map.related(name.value, "configs")]
    written = "" if name is None else name.written[:80]
    yield RULE.at(plugin.document, plugin.place, related=related, name=written)


RULE = Rule("GL535", "config-never-read", Severity.WARNING, "0.1", check, __doc__, notes=("configs",))
