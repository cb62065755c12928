"""One node that fails stops a rollout of this DaemonSet.

## What it does
Says what a rollout does when the new Pod of one node does not become available: where `maxUnavailable` or `maxSurge`
comes to one Pod, as it does by default, it stops there. It speaks where an update strategy is written: in the device
plugin's DaemonSet, and with a budget in any other or in the chart's values. Of a percentage it speaks where the number of
nodes is known, and of the plugin's always. A budget of more Pods passes one such node, and is not noted; nor is another
DaemonSet without a brake (GL522), whose rollout a crash loop does not stop.

## Why it matters
A DaemonSet's rollout halts by design once as many new Pods are unavailable as its budget allows: it has no time limit,
no condition and no event for that. Percentages are rounded up, on the nodes that there are at that moment. With Nodes
among the files the number is that of those the DaemonSet is for. A larger budget passes one bad node and takes a broken
version to more nodes at once. Under the GPU Operator the setting is `daemonsets.rollingUpdate.maxUnavailable`.

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

from labs.cluster.daemonset import UpdateStrategy, numeric
from labs.config.manifests import field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import (
    NODES,
    Rollout,
    desired_nodes,
    first_node_fails,
    one_node_fails,
    rollouts,
    scenario,
    whole,
)
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the budget, or where none is written at `updateStrategy`."""
    for rollout in rollouts(subject):
        strategy = rollout.accepted
        if strategy is None or not strategy.rolls or (whole(rollout.min_ready) or 0) < 0:
            continue
        if not _is_judged(rollout, strategy) or _slips(rollout):
            continue
        finding = _finding(rollout, strategy, desired_nodes(rollout, subject))
        if finding is not None:
            yield finding


def _is_judged(rollout: Rollout, strategy: UpdateStrategy) -> bool:
    """Whether somebody wrote how it rolls: a budget, or of the plugin's own DaemonSet any part of the strategy.

    Surge with a device plugin is a mistake of another rule's.
    """
    block = field(rollout.node, "updateStrategy")
    if block is None or block.is_null or (strategy.allows_surge and rollout.of_plugin):
        return False
    return rollout.plugin is not None or rollout.unavailable is not None or rollout.surge is not None


def _slips(rollout: Rollout) -> bool:
    """Whether GL522 says that such a rollout may not stop; of the plugin's both are told, since it often fails to start."""
    return rollout.plugin is None and rollout.unbraked is not None


def _finding(rollout: Rollout, strategy: UpdateStrategy, count: int | None) -> Finding | None:
    """`count`: how many of the Nodes given it is for; None: not known. One node alone has none behind it."""
    surge = strategy.allows_surge
    budget = strategy.max_surge if surge else strategy.max_unavailable
    if count is None and isinstance(budget, str) and not rollout.of_plugin:
        return None
    nodes = _fleet(budget) if count is None else count
    outlook = one_node_fails(strategy, nodes) if nodes > 1 else None
    if outlook is None:
        return None
    written = rollout.surge if surge else rollout.unavailable
    block = field(rollout.node, "updateStrategy")
    assert block is not None, "a strategy that is not written is not judged"
    variant = "surge" if surge else "" if count else "percent" if isinstance(budget, str) else "fleet"
    return RULE.at(
        rollout.document,
        block.key.place if written is None else written.place,
        variant=variant,
        scenario=scenario(rollout, strategy, nodes, first_node_fails(nodes)),
        nodes=nodes,
        left=outlook.left,
        value=str(budget),
    )


def _fleet(budget: int | str) -> int:
    """How many nodes to think of; for a percentage as many as it is one Pod of."""
    return NODES if isinstance(budget, int) else 100 // max(1, numeric(budget))


RULE = Rule(
    "GL523",
    "rollout-halts-at-one-node",
    Severity.INFO,
    "0.1",
    check,
    __doc__,
    variants=("percent", "surge", "fleet"),
    lab="rollout",
)
