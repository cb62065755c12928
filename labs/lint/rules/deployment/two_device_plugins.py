"""Two deployments of the device plugin for the same nodes.

## What it does
Finds a DaemonSet that runs the device plugin beside another such DaemonSet for the same nodes, or beside settings that
deploy it as well: a ClusterPolicy, or the values of the GPU Operator's or of the device plugin's chart.

## Why it matters
Two plugins on a node register the same resources under the same sockets, and whichever comes last wins. Typically one of
them is the static manifest, which has no config: the node then shows its cards unshared, now and then.

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
```
```yaml values.yaml
migStrategy: none
config:
  map:
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
- NVIDIA/k8s-device-plugin issue 990
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import field, text
from labs.lint.findings import Finding, Related, Severity
from labs.lint.meaning import PluginDaemonSet, plugin_daemonsets
from labs.lint.subject import Rule, Subject

_MOST = 20


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the DaemonSet's container; of two DaemonSets at the second."""
    plugins = list(plugin_daemonsets(subject))[:_MOST]
    for index, plugin in enumerate(plugins):
        other = next((earlier for earlier in plugins[:index] if _same_nodes(earlier, plugin)), None)
        if other is not None:
            yield _finding(plugin, "", other.document.related(other.place, "other"))
        elif not _deployed(plugin):
            settings = _settings(subject)
            if settings is not None:
                yield _finding(plugin, "settings", settings)


def _finding(plugin: PluginDaemonSet, variant: str, other: Related) -> Finding:
    name = (plugin.template.name or "")[:80]
    return RULE.at(plugin.document, plugin.place, variant=variant, related=[other], name=name)


def _same_nodes(plugin: PluginDaemonSet, other: PluginDaemonSet) -> bool:
    """Whether two different DaemonSets surely meet on a node: an affinity, or labels that differ, may keep them apart."""
    first, second = plugin.template, other.template
    if (first.name, first.namespace) == (second.name, second.namespace) or first.affinity or second.affinity:
        return False
    wanted = {label.name: label.written for label in first.node_selector}
    return all(wanted.get(label.name, label.written) == label.written for label in second.node_selector)


def _deployed(plugin: PluginDaemonSet) -> bool:
    """Whether the DaemonSet is itself what a chart or the operator made, or keeps to nodes of its own."""
    root = plugin.document.document.root
    managed = text(root, "metadata", "labels", "app.kubernetes.io/managed-by") is not None
    charted = text(root, "metadata", "labels", "helm.sh/chart") is not None
    owned = field(root, "metadata", "ownerReferences") is not None
    return managed or charted or owned or bool(plugin.template.node_selector or plugin.template.affinity)


def _settings(subject: Subject) -> Related | None:
    deployers = (
        *((document, operator.node, operator.plugin_enabled) for document, operator in subject.operators),
        *((document, chart.node, chart.plugin_enabled) for document, chart in subject.charts),
    )
    for document, node, enabled in deployers:
        if (enabled is None or enabled.boolean is not False) and node.entries:
            return document.related(node.entries[0].key, "settings")
    return None


RULE = Rule(
    "GL514",
    "two-device-plugins",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("settings",),
    notes=("other", "settings"),
)
