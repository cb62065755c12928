"""A DaemonSet with maxSurge that goes to nodes which evict its Pods.

## What it does
Notes `maxSurge` in a DaemonSet whose Pods tolerate every taint, or those of a node under pressure, and have no critical
priority class.

## Why it matters
A node under disk pressure refuses Pods that are not critical, whatever they tolerate: each new one ends as `Evicted`.
Without `maxSurge` the DaemonSet's controller waits longer and longer before the next. With it, a node that has no running
Pod gets a new one at each sync, about one a second: the list of Pods and the load on the API server grow until the
pressure is over.

## Example
```yaml agent.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  minReadySeconds: 30
  updateStrategy:
    rollingUpdate:
      maxSurge: 2
      maxUnavailable: 0
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
      tolerations:
        - operator: Exists
      containers:
        - name: agent
          image: registry.example.com/agent:1.4
```

## Use instead
```yaml agent.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  minReadySeconds: 30
  updateStrategy:
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 2
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
      tolerations:
        - operator: Exists
      containers:
        - name: agent
          image: registry.example.com/agent:1.4
```

## References
- Kubernetes issue 124388
- Kubernetes, pkg/controller/daemon/daemon_controller.go, podsShouldBeOnNode
- Kubernetes, pkg/kubelet/eviction/eviction_manager.go, Admit
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import mappings, text
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import Rollout, rollouts
from labs.lint.subject import Rule, Subject

_CRITICAL = ("system-node-critical", "system-cluster-critical")
_PRESSURE = tuple(f"node.kubernetes.io/{kind}-pressure" for kind in ("disk", "memory", "pid"))


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the surge; the plugin's own DaemonSet is left to the rule on its socket."""
    for rollout in rollouts(subject):
        if rollout.surge is not None and rollout.surges and not rollout.of_plugin and _stays(rollout):
            yield RULE.at(rollout.document, rollout.surge.place, value=rollout.surge.written[:20])


def _stays(rollout: Rollout) -> bool:
    """Whether a node under pressure still is one that the Pods go to, and none that takes them."""
    spec = None if rollout.template is None else rollout.template.node
    if (text(spec, "priorityClassName") or "") in _CRITICAL:
        return False
    for toleration in mappings(spec, "tolerations"):
        key = text(toleration, "key") or ""
        if key in _PRESSURE or (not key and text(toleration, "operator") == "Exists"):
            return True
    return False


RULE = Rule("GL534", "surge-on-a-node-under-pressure", Severity.INFO, "0.1", check, __doc__, lab="rollout")
