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

from labs.config.fields import quoted
from labs.config.manifests_fields import mapping
from labs.config.manifests_pods import NVIDIA_PREFIX, Container
from labs.config.yaml_nodes import Mapping, Scalar
from labs.lint.edits import add_member, rewrite
from labs.lint.finding import Edit, Finding, Severity
from labs.lint.pod_requests import Asked, asked, containers
from labs.lint.rule import Rule
from labs.lint.subject import LintDocument, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the request: at its name where a limit is missing, else at its number."""
    for document, pod in subject.pods:
        for container in containers(pod):
            for resource in asked(container):
                if resource.name.startswith(NVIDIA_PREFIX) and resource.request is not None:
                    yield from _judged(document, container, resource)


def _judged(document: LintDocument, container: Container, resource: Asked) -> Iterator[Finding]:
    request, limit = resource.request, resource.limit
    if request is None or request.whole is None:
        return
    if limit is None:
        requests = mapping(container.node, "resources", "requests")
        yield RULE.at(
            document,
            request.key if requests is None or requests.alias is None else requests.alias,
            fix=document.fix(_limit(document, container, resource.name, str(request.whole)), safe=True),
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


def _limit(document: LintDocument, container: Container, name: str, units: str) -> Edit | None:
    """Adds the limit to those there are; with none, requests of nothing else become limits, or a map of limits is added."""
    text = document.document.text
    resources, limits = mapping(container.node, "resources"), mapping(container.node, "resources", "limits")
    if resources is None or resources.alias is not None:
        return None
    entry = resources.entry("requests")
    if entry is None or not isinstance(entry.value, Mapping) or entry.value.alias is not None:
        return None
    key = entry.value.entry(name)
    quote = '"' if key is not None and isinstance(key.key, Scalar) and key.key.style == "double" else ""
    member = f"{quote}{name}{quote}: {units}"
    if limits is not None and limits.entries:
        return add_member(text, limits, member) if limits.alias is None else None
    if resources.entry("limits") is not None:
        return None
    if len(container.requests) == 1:
        return rewrite(entry.key, "limits")
    return add_member(text, resources, f"{quote}limits{quote}: {{{member}}}")


RULE = Rule("GL402", "gpu-request-without-equal-limit", Severity.ERROR, "0.1", check, __doc__, fixable=True)
