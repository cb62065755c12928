"""A DaemonSet of the device plugin sets a MIG strategy and may not look at MIG devices.

## What it does
Finds a DaemonSet whose device plugin has `MIG_STRATEGY` `single` or `mixed`, and is neither privileged nor has the
capability `SYS_ADMIN` together with `NVIDIA_MIG_MONITOR_DEVICES: all`.

## Why it matters
To list MIG devices the plugin needs the right to monitor them. Without it NVML answers `Insufficient Permissions`, the
plugin stops, and the node loses its GPUs. The static manifest drops all capabilities; the Helm chart adds the right as soon
as a strategy other than `none` is possible.

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
          env:
            - name: MIG_STRATEGY
              value: mixed
          securityContext:
            capabilities:
              drop: [ALL]
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
          env:
            - name: MIG_STRATEGY
              value: mixed
            - name: NVIDIA_MIG_MONITOR_DEVICES
              value: all
          securityContext:
            capabilities:
              add: [SYS_ADMIN]
```

## References
- NVIDIA/k8s-device-plugin issues 229 and 399
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin/templates/_helpers.tpl, requiresCapSysAdmin
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning import plugin_daemonsets
from labs.lint.subject import Rule, Subject

MONITOR = "NVIDIA_MIG_MONITOR_DEVICES"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the strategy where it is a variable, else at the container."""
    for plugin in plugin_daemonsets(subject):
        strategy = plugin.settings().get("MIG_STRATEGY")
        if strategy not in ("single", "mixed") or plugin.container.privileged:
            continue
        monitor = plugin.container.variable(MONITOR)
        watches = monitor is not None and (monitor.value is None or monitor.value.written == "all")
        missing = [] if watches else [f"{MONITOR}: all"]
        missing += [] if plugin.admin else ["SYS_ADMIN"]
        if missing:
            written = plugin.environment().get("MIG_STRATEGY")
            yield RULE.at(
                plugin.document,
                written.place if written is not None and written.written == strategy else plugin.place,
                strategy=strategy,
                missing=", ".join(missing),
            )


RULE = Rule("GL513", "daemonset-without-mig-rights", Severity.ERROR, "0.1", check, __doc__)
