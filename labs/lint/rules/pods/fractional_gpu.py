"""A part of a GPU is asked for, and only whole numbers can be.

## What it does
Finds a quantity of an `nvidia.com/` resource that is not a whole number from 0 up.

## Why it matters
A GPU is an extended resource, and those are counted in whole units: the API server refuses the Pod. Several tutorials
print fractions such as `nvidia.com/gpu: "0.25"`, also for time-slicing. To share a card, the administrator lets the
plugin offer it several times, and a Pod then asks for 1 of these slots.

## Example
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  containers:
    - name: notebook
      image: example.com/notebook:1
      resources:
        limits:
          nvidia.com/gpu: 0.25
```

## Use instead
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  containers:
    - name: notebook
      image: example.com/notebook:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- Kubernetes documentation, Schedule GPUs
- kubernetes/kubernetes, pkg/apis/core/validation/validation.go, validateResourceQuantityValue
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from labs.config.editing import rewrite
from labs.config.goyaml import Scalar
from labs.config.manifests import Field
from labs.config.manifests.objects import NVIDIA_PREFIX
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import asked, containers
from labs.lint.subject import LintDocument, Rule, Subject

_UNRENDERED = "${}<>[]()"
"""Signs of a template that something else fills in."""


def check(subject: Subject) -> Iterator[Finding]:
    """Points at every quantity, in limits and in requests."""
    for document, pod in subject.pods:
        for container in containers(pod):
            for resource in asked(container):
                if resource.name.startswith(NVIDIA_PREFIX):
                    for field in resource.written:
                        yield from _judged(document, field)


def _judged(document: LintDocument, field: Field) -> Iterator[Finding]:
    if not isinstance(field.value, Scalar) or field.is_null:
        return
    amount, variant, units = field.quantity, "", None
    if amount is None:
        if any(sign in _UNRENDERED for sign in field.written):
            return
        variant = "no-quantity"
    elif amount < 0:
        variant = "negative"
    elif amount.denominator == 1:
        return
    elif amount < 1_000_000:
        units = math.ceil(amount)
    yield RULE.at(
        document,
        field.value,
        variant=variant,
        fix=None if units is None else document.fix(rewrite(field.value, str(units))),
        value=quoted(field.value),
        resource=quoted(field.key),
    )


RULE = Rule(
    "GL401",
    "fractional-gpu",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("negative", "no-quantity"),
    fixable=True,
)
