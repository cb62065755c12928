"""A container mounts a volume of its own at /dev/shm although MPS brings one.

## What it does
Finds a container that uses MPS by way of NVIDIA's device plugin or DRA driver, as the config or the claim given beside
it shows, and that mounts a volume at `/dev/shm`.

## Why it matters
A client of MPS reaches its daemon by the daemon's shared memory, which the plugin mounts at `/dev/shm`. A volume of the
Pod at the same place clashes with that mount: either may hide the other. Reports of Pods of this shape that fail exist;
their cause was not confirmed.

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
  containers:
    - name: serve
      image: example.com/serve:1
      resources:
        limits:
          nvidia.com/gpu: 1
      volumeMounts:
        - name: shm
          mountPath: /dev/shm
  volumes:
    - name: shm
      emptyDir:
        medium: Memory
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
- NVIDIA/k8s-device-plugin v0.20.0, internal/plugin/mps.go; issue 805
- NVIDIA/k8s-dra-driver-gpu, cmd/gpu-kubelet-plugin/sharing.go, GetCDIContainerEdits
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import MpsClaims, Sharing, containers
from labs.lint.subject import Rule, Subject

PLACE = "/dev/shm"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the place of the mount, and beside it at the volume."""
    sharing, claims = Sharing(subject), MpsClaims(subject)
    for document, pod in subject.pods:
        for container in containers(pod):
            for mount in container.mounts:
                if mount.path is None or (mount.path.text or "").rstrip("/") != PLACE:
                    continue
                if not any(sharing.uses(container, "mps")) and not claims.used_by(pod, container):
                    continue
                volume = pod.volume(mount.name)
                name = None if volume is None else volume.name
                yield RULE.at(
                    document,
                    mount.path.value,
                    related=[] if name is None else [document.related(name.value, "volume")],
                    mount=PLACE,
                )


RULE = Rule("GL409", "own-dev-shm-under-mps", Severity.INFO, "0.1", check, __doc__, notes=("volume",))
