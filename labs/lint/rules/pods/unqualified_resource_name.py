"""A GPU is asked for by a name without NVIDIA's domain.

## What it does
Finds resources of a container that were to be NVIDIA GPUs and whose name lacks `nvidia.com/`, or has another domain in
its place: `gpu`, `nvidia.com.gpu`, `nvidia/gpu`.

## Why it matters
A name without a slash must be one of Kubernetes' own resources, so the API server refuses `gpu` and `nvidia.com.gpu`. A
name of another domain is taken, but no plugin of NVIDIA's offers it, and the Pod stays `Pending`.

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
        limits:
          nvidia.com.gpu: 1
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
- NVIDIA/k8s-device-plugin issue 569
- kubernetes/kubernetes, pkg/apis/core/validation/validation.go, validateContainerResourceName
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.keys.resources import Slip, misnomer
from labs.lint.meaning.pods import asked, containers, renamed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name, once for limits and requests."""
    for document, pod in subject.pods:
        for container in containers(pod):
            resources = asked(container)
            names = {resource.name for resource in resources}
            for resource in resources:
                wrong = misnomer(resource.name)
                if wrong is None or wrong.slip is Slip.NO_SUCH:
                    continue
                refused = wrong.slip is Slip.UNQUALIFIED
                variant = "" if refused else "other-domain"
                yield RULE.at(
                    document,
                    resource.field.key,
                    variant=variant if wrong.meant else "unknown",
                    related=[document.related(field.key, "also") for field in resource.written[1:]],
                    fix=renamed(document, resource, wrong.meant, names, safe=refused and wrong.certain),
                    name=quoted(resource.field.key),
                    meant=wrong.meant,
                )


RULE = Rule(
    "GL403",
    "unqualified-resource-name",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("other-domain", "unknown"),
    notes=("also",),
    fixable=True,
)
