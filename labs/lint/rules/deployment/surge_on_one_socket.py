"""Two device plugins beside each other on one socket, during a rollout.

## What it does
Finds a DaemonSet of the device plugin, values of its chart, or another DaemonSet that mounts
`/var/lib/kubelet/device-plugins`, with a `maxSurge` other than 0.

## Why it matters
Both Pods use the same socket: the new plugin removes the old one's and puts its own there, and the old one, when it
ends, removes that again. The kubelet marks the resource as unhealthy when a connection ends, without asking whose. New
Pods then find no GPU on the node until the plugin registers again. NVIDIA sets no surge anywhere.

## Example
```yaml plugin.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: nvidia-device-plugin-daemonset
spec:
  minReadySeconds: 30
  updateStrategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels: {name: nvidia-device-plugin-ds}
  template:
    metadata:
      labels: {name: nvidia-device-plugin-ds}
    spec:
      containers:
        - name: nvidia-device-plugin-ctr
          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
```

## Use instead
```yaml plugin.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: nvidia-device-plugin-daemonset
spec:
  minReadySeconds: 30
  updateStrategy:
    rollingUpdate:
      maxUnavailable: 2
  selector:
    matchLabels: {name: nvidia-device-plugin-ds}
  template:
    metadata:
      labels: {name: nvidia-device-plugin-ds}
    spec:
      containers:
        - name: nvidia-device-plugin-ctr
          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/plugin/server.go
- Kubernetes, pkg/kubelet/cm/devicemanager/manager.go, PluginDisconnected
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import Field, field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import Rollout, rollouts
from labs.lint.subject import Rule, Subject

SOCKETS = "/var/lib/kubelet/device-plugins"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the surge; where only the folder is known, at that too."""
    for rollout in rollouts(subject):
        if rollout.surge is None or not rollout.surges:
            continue
        document, place, fix = rollout.document, rollout.surge.place, rollout.without_surge()
        folder = _folder(rollout)
        if rollout.of_plugin:
            yield RULE.at(document, place, fix=fix)
        elif folder is not None:
            related = [document.related(folder.value, "folder")]
            severity = Severity.WARNING
            yield RULE.at(document, place, severity=severity, variant="folder", related=related, fix=fix)


def _folder(rollout: Rollout) -> Field | None:
    """The mounted folder in which device plugins have their sockets."""
    for volume in () if rollout.template is None else rollout.template.volumes:
        path = None if volume.source is None else field(volume.source.value, "path")
        if path is not None and (path.text or "").rstrip("/") == SOCKETS:
            return path
    return None


RULE = Rule(
    "GL524",
    "surge-on-one-socket",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("folder",),
    notes=("folder",),
    fixable=True,
)
