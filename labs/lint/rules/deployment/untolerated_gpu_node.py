"""A node with GPUs whose taint the device plugin does not tolerate.

## What it does
Finds a Node with GPUs, given together with the DaemonSet of the device plugin, that has a `NoSchedule` or `NoExecute`
taint which the DaemonSet's Pods do not tolerate.

## Why it matters
No device plugin starts on such a node, so it offers no GPUs. One that has been running there since before a `NoSchedule`
taint stays for the time being; the next rollout deletes it, nothing takes its place, and the rollout reports success. A
`NoExecute` taint has it deleted at once.

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
```yaml node.yaml
apiVersion: v1
kind: Node
metadata:
  name: gpu-node-1
spec:
  taints:
    - {key: dedicated, value: gpu, effect: NoSchedule}
status:
  capacity:
    nvidia.com/gpu: 8
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
      labels: {name: nvidia-device-plugin-ds}
    spec:
      tolerations:
        - {key: dedicated, operator: Exists}
      containers:
        - name: nvidia-device-plugin-ctr
          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
```
```yaml node.yaml
apiVersion: v1
kind: Node
metadata:
  name: gpu-node-1
spec:
  taints:
    - {key: dedicated, value: gpu, effect: NoSchedule}
status:
  capacity:
    nvidia.com/gpu: 8
```

## References
- Kubernetes, pkg/controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod
- Kubernetes, pkg/controller/daemon/util/daemonset_util.go, AddOrUpdateDaemonPodTolerations
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from labs.config.goyaml import Mapping
from labs.config.manifests import Field, field, text
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import PluginDaemonSet, plugin_daemonsets
from labs.lint.meaning.daemonset import given_nodes, is_meant_for, tolerates
from labs.lint.subject import Rule, Subject

_MOST = 20
_PASSING = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/")
"""Taints that say how a node is just now, and not what it is for."""


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the plugin's container and at the taint; of many nodes at the first few."""
    for plugin in plugin_daemonsets(subject):
        for node in given_nodes(subject)[:_MOST]:
            if not node.has_gpus or not is_meant_for(plugin.template.node, node):
                continue
            taints = list(_untolerated(plugin, node.taints))
            if not taints:
                continue
            key, effect = next((taint for taint in taints if taint[1] == "NoExecute"), taints[0])
            yield RULE.at(
                plugin.document,
                plugin.place,
                variant="execute" if effect == "NoExecute" else "",
                related=[node.document.related(key.value, "taint")],
                taint=f"{key.text}:{effect}"[:80],
                node=node.name[:80],
            )


def _untolerated(plugin: PluginDaemonSet, taints: Iterable[Mapping]) -> Iterator[tuple[Field, str]]:
    """The key and the effect of each taint that is not tolerated and says what the node is for."""
    for taint in taints:
        key = field(taint, "key")
        if (
            key is not None
            and key.text
            and not key.text.startswith(_PASSING)
            and not tolerates(plugin.template.node, taint)
        ):
            yield key, text(taint, "effect") or ""


RULE = Rule(
    "GL531",
    "untolerated-gpu-node",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("execute",),
    notes=("taint",),
)
