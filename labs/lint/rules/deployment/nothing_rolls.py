"""A DaemonSet whose Pods nobody replaces when it changes.

## What it does
Finds `rollingUpdate` beside the update strategy `OnDelete`, and notes `OnDelete` itself: in any DaemonSet, in the values
of the device plugin's chart and under `daemonsets` of the GPU Operator.

## Why it matters
With `OnDelete` the controller replaces no Pod by itself, so a budget means nothing. A node has the new version once its
old Pod is deleted or the node is new: old and new go on beside each other for as long as that takes. A reboot starts the
same Pod again. `kubectl rollout status` knows nothing to report
(`rollout status is only available for RollingUpdate strategy type`).

## Example
```yaml agent.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  minReadySeconds: 30
  updateStrategy:
    type: OnDelete
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
    type: RollingUpdate
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
```

## References
- Kubernetes documentation, "Perform a Rolling Update on a DaemonSet"
- kubernetes/kubectl, pkg/polymorphichelpers/rollout_status.go
- NVIDIA/gpu-operator v26.7.0, controllers/object_controls.go, applyUpdateStrategyConfig
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.daemonset import ON_DELETE
from labs.config.manifests import Field, field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import rollouts
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at `rollingUpdate` with the type beside it, or at the type."""
    for rollout in rollouts(subject):
        block = field(rollout.node, "updateStrategy", "rollingUpdate")
        yield from _findings(rollout.document, rollout.type, block, rollout.of_plugin)
    for document, operator in subject.operators:
        kind = field(operator.node, "daemonsets", "updateStrategy")
        # Its chart's own values have a budget whatever the strategy is, so that is no mistake of the reader's.
        yield from _findings(document, kind, None, of_plugin=True)


def _findings(
    document: LintDocument, kind: Field | None, block: Field | None, of_plugin: bool
) -> Iterator[Finding]:
    if kind is None or kind.text != ON_DELETE:
        return
    if block is not None and not block.is_null:
        related = [document.related(kind.value, "type")]
        yield RULE.at(document, block.key, related=related)
    else:
        yield RULE.at(
            document, kind.place, severity=Severity.INFO, variant="plugin" if of_plugin else "other"
        )


RULE = Rule(
    "GL526",
    "nothing-rolls",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("plugin", "other"),
    notes=("type",),
    lab="rollout",
)
