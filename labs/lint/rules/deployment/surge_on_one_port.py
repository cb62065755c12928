"""Two Pods of a DaemonSet beside each other on one port of the node, during a rollout.

## What it does
Finds a DaemonSet with a `maxSurge` other than 0 and a container that takes a port of the node: by `hostPort`, or by any
port under `hostNetwork: true`.

## Why it matters
The new Pod is to start beside the old one, but the port is taken, so the scheduler finds no place for it (`didn't have
free ports for the requested pod ports`), and the old Pod stays until the new one is available. The API server takes
such a DaemonSet without a word.

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
      maxUnavailable: 0
      maxSurge: 2
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
      containers:
        - name: agent
          image: registry.example.com/agent:1.4
          ports:
            - {containerPort: 9100, hostPort: 9100}
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
      maxUnavailable: 2
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
      containers:
        - name: agent
          image: registry.example.com/agent:1.4
          ports:
            - {containerPort: 9100, hostPort: 9100}
```

## References
- Kubernetes issue 106417
- Kubernetes enhancement 1591, DaemonSet surge
- Kubernetes, pkg/controller/daemon/update.go, rollingUpdate
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import Field, boolean, field, mapping, mappings
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import Rollout, rollouts
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the surge and at the first port."""
    for rollout in rollouts(subject):
        if rollout.surge is None or not rollout.surges:
            continue
        port = next(_ports(rollout), None)
        if port is not None:
            document = rollout.document
            yield RULE.at(
                document,
                rollout.surge.place,
                related=[document.related(port.value, "port")],
                fix=rollout.without_surge(),
                port=port.whole or 0,
            )


def _ports(rollout: Rollout) -> Iterator[Field]:
    """The ports of the node that the Pods take."""
    on_host = boolean(mapping(rollout.node, "template", "spec"), "hostNetwork") is True
    for container in () if rollout.template is None else rollout.template.containers:
        if container.role != "containers":
            continue
        for port in mappings(container.node, "ports"):
            number = field(port, "hostPort") or (field(port, "containerPort") if on_host else None)
            if number is not None and (number.whole or 0) > 0:
                yield number


RULE = Rule(
    "GL525",
    "surge-on-one-port",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    notes=("port",),
    fixable=True,
    lab="rollout",
)
