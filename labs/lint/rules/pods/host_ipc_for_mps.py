"""A Pod shares the node's IPC namespace although its MPS does not need that.

## What it does
Finds `hostIPC: true` in a Pod that uses MPS by way of NVIDIA's device plugin or DRA driver, as the config or the claim
given beside it shows.

## Why it matters
The plugin and the driver mount the daemon's pipe directory and its shared memory into the container, so MPS works
without the node's IPC namespace. Older guides, and setups with another plugin such as GKE's, need it; here it only lets
the Pod reach the shared memory of other processes on the node.

## Example
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
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: serve
spec:
  hostIPC: true
  containers:
    - name: serve
      image: example.com/serve:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## Use instead
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
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: serve
spec:
  containers:
    - name: serve
      image: example.com/serve:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/plugin/mps.go; issue 843
- NVIDIA/k8s-dra-driver-gpu, cmd/gpu-kubelet-plugin/sharing.go, GetCDIContainerEdits
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import remove_member
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import MpsClaims, Sharing, containers
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the setting of the Pod."""
    sharing, claims = Sharing(subject), MpsClaims(subject)
    for document, pod in subject.pods:
        if pod.host_ipc is None or pod.host_ipc.boolean is not True:
            continue
        if not any(
            any(sharing.uses(container, "mps")) or claims.used_by(pod, container)
            for container in containers(pod)
        ):
            continue
        entry = None if pod.node is None else pod.node.entry("hostIPC")
        edit = None
        if pod.node is not None and entry is not None:
            edit = remove_member(document.document.text, pod.node, entry)
        yield RULE.at(document, pod.host_ipc.key, fix=document.fix(edit))


RULE = Rule("GL408", "host-ipc-for-mps", Severity.INFO, "0.1", check, __doc__, fixable=True)
