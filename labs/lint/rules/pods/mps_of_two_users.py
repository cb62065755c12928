"""Pods of different users share a GPU by MPS.

## What it does
Finds a Pod that asks for a resource shared by MPS and runs as another user than an earlier Pod for the same resource, as
`runAsUser` says in both. It stays silent where selectors of nodes keep the two apart, or an affinity may.

## Why it matters
A control daemon of MPS serves one user at a time, unless it is started for several, and NVIDIA's device plugin does not
start it so. Where both Pods get the same GPU, the programs of the later one wait until all those of the other user have
ended, or fail. A slot is taken all the same.

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
```yaml pods.yaml
apiVersion: v1
kind: Pod
metadata:
  name: first
spec:
  securityContext:
    runAsUser: 1000
  containers:
    - name: main
      image: registry.example.com/serve:1
      resources:
        limits:
          nvidia.com/gpu: 1
---
apiVersion: v1
kind: Pod
metadata:
  name: second
spec:
  securityContext:
    runAsUser: 2000
  containers:
    - name: main
      image: registry.example.com/serve:1
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
```yaml pods.yaml
apiVersion: v1
kind: Pod
metadata:
  name: first
spec:
  securityContext:
    runAsUser: 1000
  containers:
    - name: main
      image: registry.example.com/serve:1
      resources:
        limits:
          nvidia.com/gpu: 1
---
apiVersion: v1
kind: Pod
metadata:
  name: second
spec:
  securityContext:
    runAsUser: 1000
  containers:
    - name: main
      image: registry.example.com/serve:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- NVIDIA, nvidia-cuda-mps-control manual page
- NVIDIA/k8s-device-plugin v0.20.0, cmd/mps-control-daemon/mps/daemon.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import Field, field
from labs.config.manifests.objects import Container, PodTemplate
from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import Sharing, containers
from labs.lint.subject import LintDocument, Rule, Subject

MOST_USERS = 20
"""So many users of a resource are kept: a Pod is held against the first of each."""

_Client = tuple[LintDocument, PodTemplate, Field]


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the user of the later Pod, and beside it at that of the earlier one."""
    sharing = Sharing(subject)
    clients: dict[str, dict[int, _Client]] = {}
    for document, pod in subject.pods:
        if pod.affinity:
            continue
        for container in containers(pod):
            user = _user(pod, container)
            number = None if user is None else user.whole
            if user is None or number is None:
                continue
            for use in sharing.uses(container, SharingStrategy.MPS):
                known = clients.setdefault(use.resource.name, {})
                other = next(
                    (each for uid, each in known.items() if uid != number and _meet(each[1], pod)), None
                )
                if other is not None:
                    yield RULE.at(
                        document,
                        user.value,
                        related=[other[0].related(other[2].value, "other")],
                        user=number,
                        other=other[2].whole or 0,
                        resource=use.resource.name[:80],
                    )
                if len(known) < MOST_USERS:
                    known.setdefault(number, (document, pod, user))


def _user(pod: PodTemplate, container: Container) -> Field | None:
    """The user that a container runs as, where that is written."""
    for node in (container.node, pod.node):
        user = field(node, "securityContext", "runAsUser")
        if user is not None and not user.is_null:
            return user
    return None


def _meet(pod: PodTemplate, other: PodTemplate) -> bool:
    """Whether no label of a node keeps two Pods apart; the containers of one Pod are together."""
    wanted = {label.name: label.written for label in pod.node_selector}
    return all(wanted.get(label.name, label.written) == label.written for label in other.node_selector)


RULE = Rule("GL415", "mps-of-two-users", Severity.WARNING, "0.1", check, __doc__, notes=("other",))
