"""The plugin reads a config that nothing puts there, or that nothing tells it has changed.

## What it does
Finds a DaemonSet whose device plugin reads `CONFIG_FILE` where nothing is mounted, or from an empty folder without a
`config-manager` container that fills it, a config-manager that shares no processes with the plugin, and `hostPID`
together with `shareProcessNamespace`.

## Why it matters
Named configs are chosen by config-manager: as an init container it links the node's config into the empty folder, as a
sidecar it follows the node's label and signals the plugin. Without the first the plugin does not find its file and stops.
Without a shared process namespace (`shareProcessNamespace: true` or `hostPID: true`) the sidecar finds no process to
signal. Both of these at once are refused by the API server.

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
          env:
            - name: CONFIG_FILE
              value: /config/config.yaml
          volumeMounts:
            - name: config
              mountPath: /config
      volumes:
        - name: config
          emptyDir: {}
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
          env:
            - name: CONFIG_FILE
              value: /config/config.yaml
          volumeMounts:
            - name: config
              mountPath: /config
      volumes:
        - name: config
          configMap:
            name: time-slicing
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin/templates/daemonset-device-plugin.yml
- NVIDIA/k8s-device-plugin v0.20.0, cmd/config-manager/main.go
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.manifests import Field
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import (
    CONFIG_MANAGER,
    PluginDaemonSet,
    container_place,
    plugin_daemonsets,
    words,
)
from labs.lint.subject import Rule, Subject

_OWN_IMAGE = re.compile(r"(?:nvcr\.io/|docker\.io/)?nvidia/k8s-device-plugin(?:[:@]|$)")
"""NVIDIA's image of the plugin, which holds no config; another one may."""


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the file that is read, at the sidecar's process namespace, or at the second of two settings."""
    for plugin in plugin_daemonsets(subject):
        template = plugin.template
        host, shared = template.host_pid, template.share_process_namespace
        if host is not None and shared is not None and _true(host) and _true(shared):
            related = [plugin.document.related(host.key, "other")]
            yield RULE.at(plugin.document, shared.key, variant="both", related=related)
        managers = [container for container in template.containers if _is_manager(words(container))]
        sidecars = [container for container in managers if container.role == "containers"]
        if not managers:
            yield from _unfilled(plugin)
        for sidecar in sidecars[:1]:
            sends = sidecar.variable("SEND_SIGNAL")
            silent = sends is not None and sends.value is not None and sends.value.written == "false"
            if not silent and not _true(host) and not _true(shared):
                place = container_place(sidecar)
                yield RULE.at(plugin.document, place, severity=Severity.WARNING, variant="signal")


def _unfilled(plugin: PluginDaemonSet) -> Iterator[Finding]:
    file = plugin.container.variable("CONFIG_FILE")
    path = None if file is None or file.value is None else file.value.text
    if file is None or file.value is None or not path:
        return
    mount = plugin.mount(path)
    image = plugin.container.image
    if mount is None and image is not None and _OWN_IMAGE.match(image.text or ""):
        yield RULE.at(plugin.document, file.value.place, variant="unmounted", path=quoted(file.value.value))
    volume = None if mount is None else plugin.template.volume(mount.name)
    if volume is not None and volume.source is not None and volume.source.name == "emptyDir":
        yield RULE.at(plugin.document, file.value.place, path=quoted(file.value.value))


def _is_manager(command: tuple[str, ...]) -> bool:
    return any(CONFIG_MANAGER in word for word in command)


def _true(member: Field | None) -> bool:
    return member is not None and member.boolean is True


RULE = Rule(
    "GL515",
    "config-manager-missing",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("signal", "both", "unmounted"),
    notes=("other",),
)
