"""A GPU is requested without a limit, or with another one.

## What it does
Finds a request of an `nvidia.com/` resource without a limit, and one whose limit is another number.

## Why it matters
GPUs cannot be overcommitted, so the API server demands a limit, and a request equal to it. It refuses the Pod with
`Limit must be set for non overcommitable resources` or `must be equal to nvidia.com/gpu limit`. A limit alone is
enough: the request is then filled in.

## Example
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
    - name: train
      image: example.com/train:1
      resources:
        requests:
          nvidia.com/gpu: 1
```

## Use instead
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
    - name: train
      image: example.com/train:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- Kubernetes documentation, Schedule GPUs
- kubernetes/kubernetes, pkg/apis/core/validation/validation.go, ValidateResourceRequirements
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import Edit, add_member, rewrite
from labs.config.goyaml import Scalar
from labs.config.manifests import Field, mapping
from labs.config.manifests.objects import NVIDIA_PREFIX, Container
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import asked, containers
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the request: at its name where a limit is missing, else at its number."""
    for document, pod in subject.pods:
        for container in containers(pod):
            written = _Written(document, container)
            for resource in asked(container):
                if resource.name.startswith(NVIDIA_PREFIX) and resource.request is not None:
                    yield from _judged(written, resource.request, resource.limit)


def _judged(written: _Written, request: Field, limit: Field | None) -> Iterator[Finding]:
    document = written.document
    if request.whole is None:
        return
    if limit is None:
        yield RULE.at(
            document,
            request.key if written.alias is None else written.alias,
            fix=document.fix(written.limit(request), safe=True),
            resource=quoted(request.key),
            request=request.whole,
        )
    elif limit.whole is not None and limit.whole != request.whole:
        yield RULE.at(
            document,
            request.value,
            variant="unequal",
            related=[document.related(limit.value, "limit")],
            fix=document.fix(rewrite(request.value, str(limit.whole))),
            resource=quoted(request.key),
            request=request.whole,
            limit=limit.whole,
        )


class _Written:
    """A container's resources as they are written, to add a limit there."""

    def __init__(self, document: LintDocument, container: Container) -> None:
        self.document = document
        self._resources = mapping(container.node, "resources")
        self._limits = mapping(container.node, "resources", "limits")
        self._single = len(container.requests) == 1
        requests = mapping(container.node, "resources", "requests")
        self.alias = None if requests is None else requests.alias

    def limit(self, request: Field) -> Edit | None:
        """Adds to the limits there are; with none, requests of nothing else become limits, or a map of limits is added."""
        resources, limits = self._resources, self._limits
        text = self.document.document.text
        if resources is None or resources.alias is not None or self.alias is not None:
            return None
        quote = '"' if isinstance(request.key, Scalar) and request.key.style == "double" else ""
        member = f"{quote}{request.name}{quote}: {request.whole}"
        if limits is not None and limits.entries:
            return add_member(text, limits, member) if limits.alias is None else None
        entry = resources.entry("requests")
        if entry is None or resources.entry("limits") is not None:
            return None
        if self._single:
            return rewrite(entry.key, "limits")
        return add_member(text, resources, f"{quote}limits{quote}: {{{member}}}")


RULE = Rule(
    "GL402",
    "gpu-request-without-equal-limit",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("unequal",),
    notes=("limit",),
    fixable=True,
)
