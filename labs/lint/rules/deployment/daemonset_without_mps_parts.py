"""A DaemonSet of the device plugin lacks what MPS needs, and a config beside it turns MPS on.

## What it does
Finds a DaemonSet that runs the device plugin, given together with a config that shares by MPS, without `MPS_ROOT`, without
the MPS folder at `/mps` or without its shared memory at `/dev/shm`.

## Why it matters
The static manifest of the device plugin has none of these parts. Without `MPS_ROOT` the plugin stops with
`using MPS requires --mps-root to be specified`; without the folders it waits for an MPS daemon that it cannot reach, and
the node offers no GPUs. MPS also needs the second DaemonSet, `mps-control-daemon`, and GPU feature discovery: the Helm
chart and the GPU Operator bring all of it.

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
```
```yaml config.yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
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
          volumeMounts:
            - {name: mps-root, mountPath: /mps}
            - {name: mps-shm, mountPath: /dev/shm}
      volumes:
        - name: mps-root
          hostPath: {path: /run/nvidia/mps}
        - name: mps-shm
          hostPath: {path: /run/nvidia/mps/shm}
```
```yaml config.yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## References
- NVIDIA/k8s-device-plugin issues 816 and 1132
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin/templates/daemonset-device-plugin.yml
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import MPS
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import plugin_daemonsets
from labs.lint.subject import LintDocument, Rule, Subject

FOLDER, MEMORY = "/mps", "/dev/shm"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the plugin's container, and at the `mps` block."""
    using = list(_using_mps(subject))
    for plugin in plugin_daemonsets(subject) if using else ():
        mounted = plugin.config_maps()
        if not mounted and (subject.operators or subject.charts):
            # The configs are those of another deployment, which GL514 speaks of.
            continue
        config = next((candidate for candidate in using if not mounted or candidate[1] in mounted), None)
        block = None if config is None or config[0].plugin is None else config[0].plugin.mps
        if config is None or block is None:
            continue
        document, _, names_folder = config
        missing = [] if names_folder or plugin.settings().get("MPS_ROOT") else ["MPS_ROOT"]
        missing += [path for path in (FOLDER, MEMORY) if plugin.mount(path) is None]
        if missing:
            yield RULE.at(
                plugin.document,
                plugin.place,
                related=[document.related(block.field.key, "mps")],
                missing=", ".join(missing),
                container=(plugin.container.name or "")[:80],
            )


def _using_mps(subject: Subject) -> Iterator[tuple[LintDocument, str | None, bool]]:
    """The configs with MPS, one of each ConfigMap: its name, and whether the config names the folder itself."""
    names = {
        id(document.document): None if config_map.name is None else config_map.name.text
        for document, config_map in subject.config_maps
    }
    seen: set[str | None] = set()
    for document, config in subject.plugins:
        block = config.in_effect
        if block is None or block.name != MPS or block.field.is_null or not block.entries:
            continue
        name = names.get(id(document.document.container))
        if name not in seen:
            seen.add(name)
            root = config.flag("mpsRoot")
            yield document, name, root is not None and bool(root.text)


RULE = Rule("GL512", "daemonset-without-mps-parts", Severity.ERROR, "0.1", check, __doc__, notes=("mps",))
