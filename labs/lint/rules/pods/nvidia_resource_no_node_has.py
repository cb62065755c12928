"""A resource of the domain nvidia.com is asked for that no plugin offers.

## What it does
Finds names under `nvidia.com/` that are a misspelling of what NVIDIA's device plugin offers: `nvidia.com/gpus`,
`nvidia.com/GPU`, `nvidia.com/mig-1g5gb`, `nvidia.com/mig-1g.5gb+me`. Names of other programs are passed over.

## Why it matters
The plugin offers `nvidia.com/gpu` and `nvidia.com/mig-<profile>`, the profile with a dot in place of `+`. A Pod that
asks for any other spelling stays `Pending` with `Insufficient nvidia.com/gpus`, or is refused where the name has a
character that names may not have.

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
          nvidia.com/mig-1g5gb: 1
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
          nvidia.com/mig-1g.5gb: 1
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go and api/config/v1/resources.go
- NVIDIA/k8s-device-plugin pull request 1807 (names of profiles with attributes)
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.own import quoted
from labs.lint.findings import Finding, NearNames, Severity
from labs.lint.keys.resources import Slip, mig_resources, misnomer
from labs.lint.meaning.pods import asked, containers, renamed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name, once for limits and requests."""
    known = NearNames(mig_resources(subject.settings.catalog))
    for document, pod in subject.pods:
        for container in containers(pod):
            resources = asked(container)
            names = {resource.name for resource in resources}
            for resource in resources:
                wrong = misnomer(resource.name)
                if wrong is None or wrong.slip is not Slip.NO_SUCH:
                    continue
                meant = wrong.meant or known.of(resource.name)
                yield RULE.at(
                    document,
                    resource.field.key,
                    variant="" if meant else "unknown",
                    related=[document.related(field.key, "also") for field in resource.written[1:]],
                    fix=renamed(document, resource, wrong.meant, names, safe=False),
                    name=quoted(resource.field.key),
                    meant=meant,
                )


RULE = Rule(
    "GL407",
    "nvidia-resource-no-node-has",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("unknown",),
    notes=("also",),
    fixable=True,
)
