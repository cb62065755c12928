"""The device plugin reads a ConfigMap whose changes roll nothing out.

## What it does
Notes a DaemonSet of the device plugin that reads a ConfigMap, where nothing in its template changes with the content:
no annotation with a checksum or a version of the config, and no name with a hash.

## Why it matters
A DaemonSet rolls out when its template changes. A ConfigMap is named there, so its content may change without a rollout
and without a sign of it: the plugin goes on with what it has read. The mounted file does change after a while, so each
plugin takes the new config at its next restart, whatever causes that: one node after another, unplanned, outside any
budget. Mounted by `subPath`, the file stays as it is until the container itself starts again. The plugin's chart writes
such a checksum (`checksum/config`) for the configs in `config.map`, not for a ConfigMap in `config.name`.

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
- Kubernetes, pkg/volume/util/subpath/subpath_linux.go, prepareSubpathTarget
- Kubernetes documentation, "ConfigMaps", mounted ConfigMaps are updated automatically
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from labs.config.manifests import Field, field, fields
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import PluginDaemonSet, plugin_daemonsets
from labs.lint.subject import Rule, Subject

if TYPE_CHECKING:
    from labs.config.manifests.objects import VolumeMount

_HASHED = re.compile(r".*-[2456789bcdfghkmt]{10}")
"""A name with Kustomize's hash of the content behind it, in the letters that its hashes have."""
_CHECKSUM = re.compile(r"checksum", re.IGNORECASE)
_HASH = re.compile(r"(?<![a-z])(?:hash|sha1|sha256|md5|digest)(?:sum)?(?![a-z])", re.IGNORECASE)
_CONFIG = re.compile(r"config", re.IGNORECASE)
_VERSION = re.compile(r"version|revision|generation|hash|sha1|sha256|md5|digest", re.IGNORECASE)
_DIGEST = re.compile(r"[0-9a-f]{8,128}|.*\{\{.*", re.IGNORECASE | re.DOTALL)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name of the first ConfigMap."""
    for plugin in plugin_daemonsets(subject):
        template = field(plugin.document.document.root, "spec", "template")
        notes = () if template is None else fields(template.value, "metadata", "annotations")
        config_map = next(_unfollowed(plugin), None)
        if config_map is None or any(_follows(note) for note in notes):
            continue
        name, mounts = config_map
        stays = all(field(mount.node, "subPath") or field(mount.node, "subPathExpr") for mount in mounts)
        variant = "subpath" if stays else ""
        yield RULE.at(plugin.document, name.value, variant=variant, name=(name.text or "")[:80])


def _follows(note: Field) -> bool:
    """Whether an annotation says to change with the content: a checksum, a version of the config, or a hash by its looks."""
    key, value = note.name, note.written
    if not value:
        return False
    named = _CHECKSUM.search(key) or (_CONFIG.search(key) and _VERSION.search(key))
    return bool(named or (_HASH.search(key) and _DIGEST.fullmatch(value)))


def _unfollowed(plugin: PluginDaemonSet) -> Iterator[tuple[Field, list[VolumeMount]]]:
    """The names of ConfigMaps that stay the same when the content changes, and where the plugin's Pod mounts them."""
    mounts = [mount for container in plugin.template.containers for mount in container.mounts]
    for volume in plugin.template.volumes:
        source, called = volume.source, None if volume.name is None else volume.name.text
        name = field(source.value, "name") if source is not None and source.name == "configMap" else None
        mounted = [mount for mount in mounts if called is not None and mount.name == called]
        if name is not None and name.text and mounted and not _HASHED.fullmatch(name.text):
            yield name, mounted


RULE = Rule(
    "GL528", "config-change-without-rollout", Severity.INFO, "0.1", check, __doc__, variants=("subpath",)
)
