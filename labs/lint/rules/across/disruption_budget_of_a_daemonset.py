"""A PodDisruptionBudget stands over the Pods of a DaemonSet.

## What it does
Finds a PodDisruptionBudget whose selector takes the Pods of a DaemonSet among the files, and of nothing else there.

## Why it matters
A budget limits evictions through the API only. The DaemonSet controller deletes its Pods when it rolls out, and `kubectl
drain` leaves Pods of DaemonSets where they are: the budget holds back neither. How many Pods a rollout may take down is
said by `maxUnavailable` in the DaemonSet.

## Example
```yaml daemons.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: gpu-agent
spec:
  minReadySeconds: 30
  selector:
    matchLabels: {app: gpu-agent}
  template:
    metadata:
      labels: {app: gpu-agent}
    spec:
      containers:
        - name: agent
          image: example.com/agent:1
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: gpu-agent
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {app: gpu-agent}
```

## Use instead
```yaml daemons.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: gpu-agent
spec:
  minReadySeconds: 30
  selector:
    matchLabels: {app: gpu-agent}
  template:
    metadata:
      labels: {app: gpu-agent}
    spec:
      containers:
        - name: agent
          image: example.com/agent:1
```

## References
- Kubernetes documentation, "Disruptions", Pod disruption budgets
- Kubernetes documentation, "Safely Drain a Node"
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.manifests import field, fields, items, text
from labs.lint.findings import Finding, Severity
from labs.lint.subject import Rule, Subject

_MOST = 500
"""Budgets, and DaemonSets, that are looked at."""


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the selector, and beside it at the first DaemonSet that it takes."""
    budgets = subject.of(Kind.POD_DISRUPTION_BUDGET)
    daemons = [
        (document, pod, {(label.name, label.written) for label in pod.labels})
        for document, pod in subject.pods
        if budgets and pod.kind is Kind.DAEMON_SET
    ][:_MOST]
    others = [
        ({(label.name, label.written) for label in pod.labels}, pod.namespace)
        for _, pod in subject.pods
        if budgets and pod.kind is not Kind.DAEMON_SET
    ][:_MOST]
    for document in budgets[:_MOST]:
        root = document.document.root
        selector = field(root, "spec", "selector")
        wanted = {(label.name, label.written) for label in fields(root, "spec", "selector", "matchLabels")}
        if selector is None or not wanted or items(root, "spec", "selector", "matchExpressions"):
            continue
        namespace = text(root, "metadata", "namespace") or "default"
        if any(wanted <= labels and (space or "default") == namespace for labels, space in others):
            continue  # it protects those
        for holder, pod, labels in daemons:
            if wanted <= labels and (pod.namespace or "default") == namespace:
                named = field(holder.document.root, "metadata", "name")
                related = [] if named is None else [holder.related(named.value, "daemonset")]
                yield RULE.at(document, selector.key, related=related, name=(pod.name or "")[:80])
                break


RULE = Rule(
    "GL910", "disruption-budget-of-a-daemonset", Severity.INFO, "0.1", check, __doc__, notes=("daemonset",)
)
