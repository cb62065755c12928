"""A rollout that a crash loop does not stop.

## What it does
Notes a DaemonSet of the device plugin whose plugin container has no readiness probe while `minReadySeconds` is 0, and
any other that writes an update strategy and whose containers have no readiness or startup probe.

## Why it matters
A rollout waits while as many new Pods as `maxUnavailable` allows are not available: nothing times out, and the nodes
still to come keep the old Pod until somebody acts. That brake needs a Pod that is seen to be bad. Without a readiness
probe and with `minReadySeconds: 0` a Pod counts as available as soon as it runs, also between two crashes, so a broken
version reaches one node after another, and `kubectl rollout status` may even report success. NVIDIA's manifests have
neither. A plugin that runs without finding a GPU counts as available in any case.

## Example
```yaml plugin.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: nvidia-device-plugin-daemonset
spec:
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
- Kubernetes documentation, "Perform a Rolling Update on a DaemonSet"
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin/templates/daemonset-device-plugin.yml
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import add_member, replace
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import container_place
from labs.lint.meaning.daemonset import (
    EVERY_POD_CRASHES,
    NODES,
    Rollout,
    desired_nodes,
    rollouts,
    scenario,
)
from labs.lint.subject import Rule, Subject

SECONDS = 30


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the container; the fix has its Pods run for a while before they count."""
    for rollout in rollouts(subject):
        strategy, container, template = rollout.accepted, rollout.unbraked, rollout.template
        if strategy is None or container is None or template is None or not _is_judged(rollout):
            continue
        if rollout.min_ready is not None:
            edit = replace(rollout.min_ready.value, str(SECONDS))
        else:
            edit = add_member(rollout.document.document.text, rollout.node, f"minReadySeconds: {SECONDS}")
        nodes = desired_nodes(rollout, subject) or NODES
        yield RULE.at(
            rollout.document,
            container_place(container),
            fix=rollout.document.fix(edit),
            scenario=scenario(rollout, strategy, nodes, EVERY_POD_CRASHES),
            container=(container.name or "")[:80],
        )


def _is_judged(rollout: Rollout) -> bool:
    """Whether it is the plugin's, or somebody wrote how it rolls."""
    return rollout.plugin is not None or rollout.rolling is not None or rollout.type is not None


RULE = Rule(
    "GL522", "rollout-without-a-brake", Severity.INFO, "0.1", check, __doc__, fixable=True, lab="rollout"
)
