"""A DaemonSet that keeps nothing to go back to.

## What it does
Notes a DaemonSet with `revisionHistoryLimit: 0`.

## Why it matters
The controller keeps the old revisions that the limit allows, and any that a Pod still runs. With 0 the last good one is
gone as soon as the rollout has reached every node, and `kubectl rollout undo` answers `no last revision to roll back
to`. A revision is one small object.

## Example
```yaml agent.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  revisionHistoryLimit: 0
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
  revisionHistoryLimit: 3
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
- Kubernetes, pkg/controller/daemon/update.go, cleanupHistory
- kubernetes/kubectl, pkg/polymorphichelpers/rollback.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import remove_member
from labs.config.manifests import field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import rollouts, whole
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the limit; the fix leaves it to the default."""
    for rollout in rollouts(subject):
        limit = field(rollout.node, "revisionHistoryLimit") if rollout.template is not None else None
        if limit is None or whole(limit) != 0:
            continue
        entry, document = rollout.node.entry(limit.name), rollout.document
        edit = None if entry is None else remove_member(document.document.text, rollout.node, entry)
        yield RULE.at(document, limit.place, fix=document.fix(edit))


RULE = Rule("GL532", "no-revision-kept", Severity.INFO, "0.1", check, __doc__, fixable=True)
