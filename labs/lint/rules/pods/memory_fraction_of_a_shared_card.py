"""vLLM takes a fraction of the whole card, and the card is shared.

## What it does
Finds a container of vLLM on a time-sliced GPU, as the config given beside it shows, that may take more of the card's
memory than is left when its neighbours do the same: `--gpu-memory-utilization` times the replicas is more than 1.

## Why it matters
`--gpu-memory-utilization` is a fraction of the whole card, not of a slot, and vLLM takes it at its start; without the
option it takes about nine tenths. Time-slicing divides no memory. The first Pod runs and the next one on the card fails
when it sets up its cache.

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
  name: llm
spec:
  containers:
    - name: vllm
      image: vllm/vllm-openai:v0.10.0
      args:
        - --model=example/model
        - --gpu-memory-utilization=0.9
      resources:
        limits:
          nvidia.com/gpu: 1
```

## Use instead
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
  name: llm
spec:
  containers:
    - name: vllm
      image: vllm/vllm-openai:v0.10.0
      args:
        - --model=example/model
        - --gpu-memory-utilization=0.22
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- George15526/llm-gpu-sharing-benchmark (four replicas: two run, four fail)
- vLLM documentation, engine arguments; vllm-project/vllm issues 19186 and 40937
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from labs.config.goyaml import Node
from labs.config.manifests import items, text_of
from labs.config.manifests.objects import Container
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import Sharing, containers
from labs.lint.subject import Rule, Subject

_FRACTION = r"(0?\.\d{1,6}|1(?:\.0{1,6})?)"
_OPTION = re.compile(r"--gpu[-_]memory[-_]utilization")
_WITH_VALUE = re.compile(rf"--gpu[-_]memory[-_]utilization(?:=|\s+)[\"']?{_FRACTION}(?![\d.])", re.ASCII)
_VALUE = re.compile(_FRACTION, re.ASCII)
_CONFIG = re.compile(r"--config\b")
_IMAGE = re.compile(r"(?:\S*/)?vllm-openai(?:[:@]\S*)?")
_DEFAULT = Fraction(9, 10)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the word with the fraction, or at the image where the option is not given."""
    sharing = Sharing(subject)
    for document, pod in subject.pods:
        for container in containers(pod):
            place, fraction = _fraction(container)
            if place is None or fraction is None:
                continue
            use = next(sharing.uses(container, "time-slicing"), None)
            if use is None or fraction * use.least_replicas <= 1:
                continue
            is_written = container.image is None or place is not container.image.value
            yield RULE.at(
                document,
                place,
                severity=Severity.WARNING if fraction * 2 > 1 else Severity.INFO,
                variant="" if is_written else "default",
                fraction=f"{float(fraction):g}",
                replicas=use.least_replicas,
                together=f"{float(fraction * use.least_replicas):g}",
            )


def _fraction(container: Container) -> tuple[Node | None, Fraction | None]:
    """Where a container says which part of a card it takes, and which; nothing where that can't be told."""
    words = [*items(container.node, "command"), *items(container.node, "args")]
    for word, following in zip(words, [*words[1:], None], strict=False):
        text = text_of(word) or ""
        if not _OPTION.search(text):
            continue
        inside = _WITH_VALUE.search(text)
        if inside is not None:
            return word, Fraction(inside[1])
        behind = _VALUE.fullmatch(getattr(following, "text", "")) if _OPTION.fullmatch(text) else None
        return (following, Fraction(behind[0])) if behind is not None else (None, None)
    image = container.image
    if image is None or _IMAGE.fullmatch(image.text or "") is None:
        return None, None
    serves = not any(_CONFIG.search(text_of(word) or "") for word in words) and not items(
        container.node, "command"
    )
    return (image.value, _DEFAULT) if serves else (None, None)


RULE = Rule(
    "GL412",
    "memory-fraction-of-a-shared-card",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("default",),
)
