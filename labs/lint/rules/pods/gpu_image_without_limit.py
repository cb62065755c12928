"""A container that is made for GPUs asks for none, and so may see all of them.

## What it does
Finds a container that sets `NVIDIA_VISIBLE_DEVICES` to `all` without asking for a GPU, and one with a CUDA image in a
Pod that asks for none. DaemonSets and NVIDIA's own programs are passed over.

## Why it matters
Images of the CUDA family carry `NVIDIA_VISIBLE_DEVICES=all`. Where NVIDIA's runtime is the node's default, or the Pod
names it, such a container gets every GPU of the node. Kubernetes does not count it, so it works on cards that other
Pods were given.

## Example
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  runtimeClassName: nvidia
  containers:
    - name: notebook
      image: nvcr.io/nvidia/pytorch:25.06-py3
      env:
        - name: NVIDIA_VISIBLE_DEVICES
          value: all
```

## Use instead
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  runtimeClassName: nvidia
  containers:
    - name: notebook
      image: nvcr.io/nvidia/pytorch:25.06-py3
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- NVIDIA/k8s-device-plugin README, the warning about containers without a request for a GPU; issues 61, 87, 195 and 1605
- NVIDIA/gpu-operator issue 2570
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.manifests.objects import Container, PodTemplate
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import INIT, asked, containers, is_nvidias_own
from labs.lint.subject import LintDocument, Rule, Subject

_VISIBLE = "NVIDIA_VISIBLE_DEVICES"
_GPU_IMAGE = re.compile(
    r"(?:[\w.:-]+/)*(?:nvidia/(?:k8s/)?(?:cuda|cuda-sample|pytorch|tensorflow|tritonserver)|vllm/vllm-openai)(?:[:@].*)?"
)
"""Images that carry NVIDIA_VISIBLE_DEVICES=all, from whichever registry or mirror of one."""
_GPU_WORD = re.compile(r"gpu|nvidia|mig-|/", re.IGNORECASE)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the variable, or at the image of a container that does not set it."""
    for document, pod in subject.pods:
        if pod.kind not in (Kind.DAEMON_SET, Kind.WORKLOAD):  # operators add to what their objects say
            for container in containers(pod):
                yield from _judged(document, pod, container)


def _judged(document: LintDocument, pod: PodTemplate, container: Container) -> Iterator[Finding]:
    image = container.image.text if container.image is not None else None
    if _asks(container) or is_nvidias_own(container):
        return
    name = (container.name or "")[:80]
    visible = container.variable(_VISIBLE)
    if visible is not None:
        if visible.value is not None and visible.value.text == "all":
            yield RULE.at(document, visible.value.value, container=name)
        return
    if image is None or container.image is None or _GPU_IMAGE.fullmatch(image) is None:
        return
    if container.role == INIT or any(_asks(sibling) for sibling in pod.containers):
        return
    runtime = pod.runtime_class
    if runtime is not None and "nvidia" not in (runtime.text or ""):
        return
    yield RULE.at(
        document,
        container.image.value,
        variant="image",
        severity=Severity.INFO if runtime is None else Severity.WARNING,
        container=name,
        image=quoted(container.image.value),
    )


def _asks(container: Container) -> bool:
    """Whether it asks for a device, by whatever name and whoever gives it."""
    return bool(container.claims) or any(_GPU_WORD.search(request.name) for request in asked(container))


RULE = Rule("GL406", "gpu-image-without-limit", Severity.WARNING, "0.1", check, __doc__, variants=("image",))
