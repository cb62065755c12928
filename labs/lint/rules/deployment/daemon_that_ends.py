"""Pods of a DaemonSet that are meant to end.

## What it does
Finds a DaemonSet whose template has a `restartPolicy` other than `Always`, or `activeDeadlineSeconds`.

## Why it matters
A daemon runs as long as its node does, so the API server refuses both. What has to run once, such as preparing a node,
goes into an init container, with a container that waits behind it.

## Example
```yaml agent.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
      restartPolicy: OnFailure
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
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
      restartPolicy: Always
      containers:
        - name: agent
          image: registry.example.com/agent:1.4
```

## References
- Kubernetes, pkg/apis/apps/validation/validation.go, ValidateDaemonSetSpec
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import remove_member, rewrite
from labs.config.manifests import field, mapping
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import rollouts
from labs.lint.subject import Rule, Subject

ALWAYS = "Always"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the policy, and at the deadline."""
    for rollout in rollouts(subject):
        document, spec = rollout.document, mapping(rollout.node, "template", "spec")
        if rollout.template is None or spec is None:
            continue
        policy, deadline = field(spec, "restartPolicy"), field(spec, "activeDeadlineSeconds")
        if policy is not None and policy.text not in (None, "", ALWAYS):
            fix = document.fix(rewrite(policy.value, ALWAYS))
            yield RULE.at(document, policy.place, fix=fix, value=quoted(policy.value))
        if deadline is not None and not deadline.is_null:
            entry = spec.entry(deadline.name)
            edit = None if entry is None else remove_member(document.document.text, spec, entry)
            yield RULE.at(document, deadline.key, variant="deadline", fix=document.fix(edit))


RULE = Rule(
    "GL521", "daemon-that-ends", Severity.ERROR, "0.1", check, __doc__, variants=("deadline",), fixable=True
)
