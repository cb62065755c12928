"""A claim chooses a strategy of sharing that the DRA driver has switched off by default.

## What it does
Names the feature gate that the `strategy` of a claim for NVIDIA's DRA driver needs: `TimeSlicingSettings` for
`TimeSlicing`, `MPSSupport` for `MPS`. It holds of every such claim, so it speaks only when it is selected.

## Why it matters
Both gates are alpha and off by default. With the gate off, the driver refuses a correct claim with `unknown GPU sharing
strategy`, as if the name were misspelt, and the Pod never leaves `ContainerCreating`.

## Example
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
              strategy: MPS
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
```

## References
- kubernetes-sigs/dra-driver-nvidia-gpu, pkg/featuregates/featuregates.go, defaultFeatureGates
- NVIDIA/k8s-dra-driver-gpu, api/nvidia.com/resource/v1beta1/validate.go, GpuSharingStrategy.Validate
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import sharings
from labs.lint.subject import Rule, Subject

_GATES = {"TimeSlicing": "TimeSlicingSettings", "MPS": "MPSSupport"}


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the strategy."""
    for document, _, sharing in sharings(subject):
        strategy = sharing.strategy
        gate = _GATES.get(strategy.text or "") if strategy is not None else None
        if strategy is not None and gate is not None:
            yield RULE.at(document, strategy.value, strategy=strategy.text or "", gate=gate)


RULE = Rule("GL425", "dra-strategy-behind-a-gate", Severity.INFO, "0.1", check, __doc__, optional=True)
