"""A key of a rollout that a DaemonSet does not have.

## What it does
Finds keys in the `spec` and the `updateStrategy` of a DaemonSet that belong to a Deployment or a StatefulSet, stand one
level off, or are one slip away from a key that there is.

## Why it matters
`kubectl apply` refuses an unknown field or warns of it; other clients have it dropped without a word. The default is in
force then: one Pod at a time. A Deployment's `strategy` is called `updateStrategy` here, and `replicas`, `paused`,
`progressDeadlineSeconds` and `partition` do not exist.

## Example
```yaml agent.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  minReadySeconds: 30
  strategy:
    rollingUpdate:
      maxUnavailable: 10%
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
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
      maxUnavailable: 10%
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
      containers:
        - name: agent
          image: registry.example.com/agent:1.4
```

## References
- Kubernetes, staging/src/k8s.io/api/apps/v1/types.go, DaemonSetSpec
- Kubernetes documentation, "Kubernetes API Concepts", field validation
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import rename
from labs.config.goyaml import Mapping, find
from labs.config.manifests import Field, fields
from labs.config.own import quoted
from labs.lint.findings import Finding, NearNames, Severity
from labs.lint.meaning.daemonset import Rollout, rollouts
from labs.lint.subject import Rule, Subject

_STRATEGY, _ROLLING = ("updateStrategy",), ("updateStrategy", "rollingUpdate")
_KNOWN = {
    (): ("selector", "template", "updateStrategy", "minReadySeconds", "revisionHistoryLimit"),
    _STRATEGY: ("type", "rollingUpdate"),
    _ROLLING: ("maxUnavailable", "maxSurge"),
}
_BUDGETS = {name: f"rollingUpdate.{name}" for name in _KNOWN[_ROLLING]}
_MEANT = {
    (): {"strategy": "updateStrategy", "rollingUpdate": "updateStrategy.rollingUpdate"},
    _STRATEGY: _BUDGETS,
    _ROLLING: {},
}
"""Keys of other objects, or of the level below, and what they are called here."""
_FOREIGN = {
    (): ("replicas", "paused", "progressDeadlineSeconds", "podManagementPolicy", "serviceName"),
    _STRATEGY: ("partition", "paused"),
    _ROLLING: ("partition", "paused"),
}
_MOST_KEYS = 100


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the key; the right one is written over it where it belongs in the same place."""
    for rollout in rollouts(subject):
        for path, known in _KNOWN.items():
            if path or rollout.template is not None:
                yield from _unknown(rollout, path, known)


def _unknown(rollout: Rollout, path: tuple[str, ...], known: tuple[str, ...]) -> Iterator[Finding]:
    names, holder = NearNames(known), find(rollout.node, path)
    strange = [member for member in fields(rollout.node, *path) if member.name not in known]
    for member in strange[:_MOST_KEYS]:
        near = _MEANT[path].get(member.name, "")
        if not near and member.name not in _FOREIGN[path]:
            near = names.of(member.name)
            if not near:
                continue
        yield _finding(rollout, holder if isinstance(holder, Mapping) else None, member, near)


def _finding(rollout: Rollout, holder: Mapping | None, member: Field, near: str) -> Finding:
    document, variant = rollout.document, "near" if near else ""
    fix = document.fix(rename(holder, member.key, near)) if near and "." not in near else None
    return RULE.at(document, member.key, variant=variant, fix=fix, key=quoted(member.key), near=near)


RULE = Rule(
    "GL533", "unknown-rollout-key", Severity.WARNING, "0.1", check, __doc__, variants=("near",), fixable=True
)
