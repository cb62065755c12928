"""A container sets a limit of MPS that does nothing.

## What it does
Finds the variables `CUDA_MPS_ACTIVE_THREAD_PERCENTAGE` and `CUDA_MPS_PINNED_DEVICE_MEM_LIMIT` in a container whose GPU
is not shared by MPS, as the config given beside it shows, and a percentage above the one that the plugin sets.

## Why it matters
Only a client of an MPS daemon heeds these variables; under time-slicing the container may use the whole card all the
same. Under MPS they can make the plugin's share smaller, never larger: it sets 100 divided by the number of replicas.

## Example
```yaml config.yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
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
      env:
        - name: CUDA_MPS_PINNED_DEVICE_MEM_LIMIT
          value: 0=4G
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
- NVIDIA, Multi-Process Service documentation, Appendix: Environment Variables
- NVIDIA/k8s-device-plugin issue 467; v0.20.0, cmd/mps-control-daemon/mps/daemon.go
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.goyaml import find
from labs.config.manifests import Field
from labs.config.manifests.objects import Container, PodTemplate
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import Sharing, asked, containers
from labs.lint.subject import LintDocument, Rule, Subject

_PERCENTAGE = "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"
_VARIABLES = (_PERCENTAGE, "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT")
_PIPE = "CUDA_MPS_PIPE_DIRECTORY"
_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,4})?", re.ASCII)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the variable's name, or at its value where that is too large; a daemon of the Pod's own keeps it silent."""
    sharing = Sharing(subject)
    for document, pod in subject.pods:
        for container in containers(pod):
            if any(container.variable(name) for name in _VARIABLES) and not _own_daemon(pod):
                yield from _judged(document, container, sharing)


def _own_daemon(pod: PodTemplate) -> bool:
    """Whether the Pod may reach an MPS daemon that is not the plugin's."""
    return pod.host_ipc is not None or any(container.variable(_PIPE) for container in pod.containers)


def _judged(document: LintDocument, container: Container, sharing: Sharing) -> Iterator[Finding]:
    offering = [offer for request in asked(container) for offer in sharing.offering(request.name)]
    if not offering:
        return
    without = all(offer.setting.strategy != "mps" for offer in offering)
    shares = [100 // use.least_replicas for use in sharing.uses(container, "mps")]
    for name in _VARIABLES:
        variable = container.variable(name)
        if variable is None or variable.value is None:
            continue
        value = variable.value
        if without:
            place = find(variable.node, ("name",)) or variable.node
            yield RULE.at(document, place, name=name, value=quoted(value.value), share="")
        elif name == _PERCENTAGE and shares and _percentage(value) > max(shares):
            yield RULE.at(
                document,
                value.value,
                variant="above",
                name=name,
                value=quoted(value.value),
                share=max(shares),
            )


def _percentage(value: Field) -> float:
    return float(value.written) if _NUMBER.fullmatch(value.written) else 0.0


RULE = Rule("GL411", "mps-limit-without-effect", Severity.WARNING, "0.1", check, __doc__, variants=("above",))
