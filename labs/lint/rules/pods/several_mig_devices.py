"""One container asks for several MIG devices.

## What it does
Finds a container that asks for more than one MIG device of a profile.

## Why it matters
A CUDA process can use one MIG device only. Programs that expect several GPUs, for data-parallel training or several
model instances, find one of the two and leave the other idle, although it is taken.

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
          nvidia.com/mig-2g.10gb: 2
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
          nvidia.com/mig-4g.20gb: 1
```

## References
- NVIDIA/k8s-device-plugin issues 446 and 728
- pytorch/pytorch issues 102715 and 130181
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.keys.resources import is_mig_resource
from labs.lint.meaning.pods import Sharing, asked, containers, requantified
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the number; of shared MIG devices other rules speak."""
    sharing = Sharing(subject)
    for document, pod in subject.pods:
        for container in containers(pod):
            for resource in asked(container):
                units = resource.units
                if units is None or units < 2 or not is_mig_resource(resource.name):
                    continue
                shared = sharing.uses(container, "time-slicing", "mps")
                if any(use.resource.name == resource.name for use in shared):
                    continue
                yield RULE.at(
                    document,
                    resource.field.value,
                    fix=requantified(document, resource, "1"),
                    resource=quoted(resource.field.key),
                    units=units,
                )


RULE = Rule("GL405", "several-mig-devices", Severity.WARNING, "0.1", check, __doc__, fixable=True)
