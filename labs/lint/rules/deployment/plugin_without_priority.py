"""A DaemonSet that other Pods may keep from its node.

## What it does
Notes a DaemonSet whose containers request resources while its Pods have no `priorityClassName`.

## Why it matters
During a rollout the old Pod goes before the new one comes, and another Pod may take its room meanwhile. With the
priority `system-node-critical` the device plugin makes room for itself, at the cost of Pods with less. Without one it
waits like any other Pod, the node offers no GPUs, and the rollout halts once as many nodes as `maxUnavailable` are in
that state. So does the rollout of any other DaemonSet.

## Example
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
          resources:
            requests: {cpu: 100m, memory: 128Mi}
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
      priorityClassName: system-node-critical
      containers:
        - name: nvidia-device-plugin-ctr
          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
          resources:
            requests: {cpu: 100m, memory: 128Mi}
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, nvidia-device-plugin.yml
- Kubernetes documentation, "Pod Priority and Preemption", system-node-critical
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from labs.config.editing import add_member
from labs.config.manifests import field
from labs.config.manifests.objects import Container
from labs.lint.findings import Finding, Severity, listed
from labs.lint.meaning import container_place, plugin_daemonsets
from labs.lint.meaning.daemonset import rollouts
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the container; the fix gives the plugin's Pods the priority that NVIDIA gives them."""
    for plugin in plugin_daemonsets(subject):
        spec, containers = plugin.template.node, plugin.template.containers
        asked, written = _asked(containers), field(spec, "priorityClassName")
        if spec is None or not asked or (written is not None and written.text != ""):
            continue
        edit = None
        if written is None:
            edit = add_member(plugin.document.document.text, spec, "priorityClassName: system-node-critical")
        resources = listed(dict.fromkeys(asked))
        yield RULE.at(plugin.document, plugin.place, fix=plugin.document.fix(edit), resources=resources)
    for rollout in rollouts(subject):
        template, strategy = rollout.template, rollout.accepted
        if template is None or rollout.of_plugin or strategy is None or strategy.allows_surge:
            continue
        running = tuple(each for each in template.containers if each.role == "containers" and each.image)
        asked, written = _asked(running), field(template.node, "priorityClassName")
        if asked and (written is None or written.text == ""):
            resources = listed(dict.fromkeys(asked))
            place = container_place(next(each for each in running if _asked((each,))))
            yield RULE.at(rollout.document, place, variant="other", resources=resources)


def _asked(containers: Iterable[Container]) -> list[str]:
    return [request.name for each in containers for request in (*each.requests, *each.limits)]


RULE = Rule(
    "GL530",
    "plugin-without-priority",
    Severity.INFO,
    "0.1",
    check,
    __doc__,
    variants=("other",),
    fixable=True,
)
