"""A rollout of the device plugin that takes it from every node at once.

## What it does
Finds a `maxUnavailable` of the device plugin that comes to all nodes: 100%, or a whole number or percentage that is as
many as those of the Nodes given together with it that it is for. It looks at the DaemonSet, at the chart's values and at
`daemonsets` of the GPU Operator.

## Why it matters
While its plugin is away, a node offers no GPU to new Pods, and Pods that are already bound to it may fail with
`UnexpectedAdmissionError`. With a budget of all nodes that holds for the whole cluster at each change. And a version
that never becomes available is everywhere before anybody sees it: the rollout would have stopped at the budget.

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
      maxUnavailable: 100%
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
- Kubernetes, pkg/kubelet/cm/devicemanager/manager.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.daemonset import PERCENT, IntOrPercent, scaled
from labs.config.manifests import Field, field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import desired_nodes, operator_nodes, rollouts
from labs.lint.subject import LintDocument, Rule, Subject

WHOLE = "100%"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the budget."""
    for rollout in rollouts(subject):
        strategy = rollout.accepted
        if strategy is None or not strategy.rolls or not rollout.of_plugin or rollout.unavailable is None:
            continue
        nodes = desired_nodes(rollout, subject)
        yield from _all(rollout.document, rollout.unavailable, strategy.max_unavailable, nodes)
    for document, operator in subject.operators:
        budget = field(operator.node, "daemonsets", "rollingUpdate", "maxUnavailable")
        if budget is not None and PERCENT.fullmatch(budget.text or ""):
            yield from _all(document, budget, budget.text or "", operator_nodes(operator.node, subject))


def _all(
    document: LintDocument, written: Field, budget: IntOrPercent, nodes: int | None
) -> Iterator[Finding]:
    """`nodes` None: not known. On a single node there is nothing to spread a rollout over."""
    if budget == WHOLE and nodes != 1:
        yield RULE.at(document, written.place, value=budget)
    elif nodes is not None and nodes > 1 and scaled(budget, nodes) >= nodes:
        yield RULE.at(document, written.place, variant="nodes", value=str(budget), nodes=nodes)


RULE = Rule(
    "GL529", "every-node-at-once", Severity.WARNING, "0.1", check, __doc__, variants=("nodes",), lab="rollout"
)
