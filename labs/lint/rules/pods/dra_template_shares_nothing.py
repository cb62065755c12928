"""Pods that are to share a GPU get their claims from a template, and so a GPU each.

## What it does
Finds a ResourceClaimTemplate with a `sharing` block for NVIDIA's DRA driver that several Pods name, or a workload of more
than one replica, while no Pod gives the claim to more than one of its containers.

## Why it matters
A template makes a claim for each Pod, and a claim has a GPU of its own, unless it asks for a part of one. The strategy is
then for a GPU with one user: nothing is shared, and the second Pod may wait for a GPU that is not there. Pods share through
one ResourceClaim that all of them name.

## Example
```yaml claim.yaml
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: shared
spec:
  spec:
    devices:
      requests:
        - name: gpu
          exactly:
            deviceClassName: gpu.nvidia.com
      config:
        - requests: [gpu]
          opaque:
            driver: gpu.nvidia.com
            parameters:
              apiVersion: resource.nvidia.com/v1beta1
              kind: GpuConfig
              sharing:
                strategy: TimeSlicing
```
```yaml deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: notebooks
spec:
  replicas: 4
  selector:
    matchLabels: {app: notebooks}
  template:
    metadata:
      labels: {app: notebooks}
    spec:
      containers:
        - name: main
          image: example.com/notebook:1
          resources:
            claims:
              - name: gpu
      resourceClaims:
        - name: gpu
          resourceClaimTemplateName: shared
```

## Use instead
```yaml claim.yaml
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: shared
spec:
  devices:
    requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
    config:
      - requests: [gpu]
        opaque:
          driver: gpu.nvidia.com
          parameters:
            apiVersion: resource.nvidia.com/v1beta1
            kind: GpuConfig
            sharing:
              strategy: TimeSlicing
```
```yaml deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: notebooks
spec:
  replicas: 4
  selector:
    matchLabels: {app: notebooks}
  template:
    metadata:
      labels: {app: notebooks}
    spec:
      containers:
        - name: main
          image: example.com/notebook:1
          resources:
            claims:
              - name: gpu
      resourceClaims:
        - name: gpu
          resourceClaimName: shared
```

## References
- Kubernetes documentation, "Dynamic Resource Allocation", ResourceClaims and ResourceClaimTemplates
- kubernetes-sigs/dra-driver-nvidia-gpu documentation, "Time-slicing"
- awslabs/ai-on-eks pull request 338
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning.dra import sharing_templates
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the sharing block, and beside it at a Pod's use of the template."""
    for document, block, (user, place), several in sharing_templates(subject):
        if several:
            yield RULE.at(document, block.key, related=[user.related(place, "pod")])


RULE = Rule("GL431", "dra-template-shares-nothing", Severity.WARNING, "0.1", check, __doc__, notes=("pod",))
