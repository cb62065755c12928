"""A container asks for several units of a resource of which a node gives out one at a time.

## What it does
Finds containers that ask for more than one of a shared resource where each config that offers it refuses such requests: by
`failRequestsGreaterThanOne: true`, or under MPS, which does so unless it is told otherwise.

## Why it matters
The scheduler places the Pod, then the plugin refuses to allocate. The Pod fails with `UnexpectedAdmissionError`, is not
retried and has to be deleted by hand; a Deployment makes one failed Pod after the other. Up to v0.19 MPS refuses whatever
the config says.

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
  name: notebook
spec:
  containers:
    - name: main
      image: example.com/notebook:1
      resources:
        limits:
          nvidia.com/gpu: 2
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
  name: notebook
spec:
  containers:
    - name: main
      image: example.com/notebook:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/rm.go, ValidateRequest
- NVIDIA/k8s-device-plugin pull request 1762; issues 929, 1208 and 1695
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.market import Offer, fail_place, market, related
from labs.lint.meaning.pods import asked, containers, requantified
from labs.lint.subject import Rule, Subject

MPS_HONOURS_FALSE = (0, 20)
"""The version from which MPS can be told to take requests for more than one."""


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the number; the fix asks for one."""
    if not subject.pods or not subject.plugins:
        return
    offered = market(subject)
    version = subject.settings.plugin_version
    for document, pod in subject.pods:
        for container in containers(pod):
            for resource in asked(container):
                units = resource.units or 0
                offering = offered.offering(resource.name) if units > 1 else ()
                if not offering or not all(refuses(offer, resource.name, version) for offer in offering):
                    continue
                yield RULE.at(
                    document,
                    resource.field.place,
                    related=related(((offer, fail_place(offer)) for offer in offering), "config"),
                    fix=requantified(document, resource, "1"),
                    name=resource.name[:80],
                    units=units,
                )


def refuses(offer: Offer, resource: str, version: tuple[int, int]) -> bool:
    """Whether the plugin refuses a request for more than one of the resource under this config."""
    if offer.shared(resource) is None:
        return False
    setting = offer.setting
    forced = setting.strategy is SharingStrategy.MPS and version < MPS_HONOURS_FALSE
    return forced or setting.fail_requests_greater_than_one


RULE = Rule(
    "GL902",
    "pod-asks-more-than-one-shared",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    notes=("config",),
    fixable=True,
)
