"""One node that fails stops a rollout of this DaemonSet.

## What it does
Notes each DaemonSet whose rollout one node stops: `maxUnavailable` or `maxSurge` comes to one Pod, as it does by
default. It speaks only when it is selected.

## Why it matters
A DaemonSet's rollout halts by design once as many new Pods are unavailable as its budget allows: it has no time limit,
no condition and no event for that. Percentages are rounded up, on the nodes that there are at that moment. With Nodes
among the files the number is theirs. A larger budget passes one bad node and takes a broken version to more nodes at
once. Under the GPU Operator the setting is `daemonsets.rollingUpdate.maxUnavailable`.

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
      maxUnavailable: 10%
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
- Kubernetes, pkg/controller/daemon/update.go, rollingUpdate
- Kubernetes, pkg/controller/daemon/util/daemonset_util.go, UnavailableCount
- Kubernetes documentation, "Perform a Rolling Update on a DaemonSet"
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.daemonset_spec import UpdateStrategy, numeric, scaled
from labs.config.manifests_fields import field
from labs.lint.finding import Finding, Severity
from labs.lint.rollouts import Rollout, rollouts
from labs.lint.rule import Rule
from labs.lint.subject import Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the budget, or where none is written at ``updateStrategy`` or the DaemonSet's template."""
    for rollout in rollouts(subject):
        strategy = rollout.accepted
        if strategy is None or not strategy.rolls:
            continue
        found = _finding(rollout, strategy, len(subject.cluster_nodes))
        if found is not None:
            yield found


def _finding(rollout: Rollout, strategy: UpdateStrategy, nodes: int) -> Finding | None:
    """``nodes`` 0: not known."""
    surge = strategy.allows_surge
    budget = strategy.max_surge if surge else strategy.max_unavailable
    written = rollout.surge if surge else rollout.unavailable
    block = field(rollout.node, "updateStrategy")
    unwritten = rollout.node.entries[0].key.place if block is None else block.key.place
    place = unwritten if written is None else written.place
    if isinstance(budget, int) or nodes:
        if scaled(budget, nodes) != 1:
            return None
        return RULE.at(rollout.document, place, variant="surge" if surge else "")
    most = 100 // numeric(budget)
    if most < 2:
        return None
    return RULE.at(rollout.document, place, variant="percent", nodes=most, value=budget)


RULE = Rule(
    "GL523", "rollout-halts-at-one-node", Severity.INFO, "0.1", check, __doc__, optional=True, lab="rollout"
)
