"""A claim chooses a strategy whose feature gate the given values of the DRA driver leave closed.

## What it does
Finds claims for NVIDIA's DRA driver whose `strategy` needs a feature gate (`TimeSlicingSettings` for `TimeSlicing`,
`MPSSupport` for `MPS`), where values of the driver's or the operator's chart, a GPUCluster or the driver's DaemonSet among
the files name feature gates and not this one.

## Why it matters
Both gates are alpha and off by default. With the gate off, the driver refuses a correct claim with `unknown GPU sharing
strategy`, as if the name were misspelt, and the Pod never leaves `ContainerCreating`.

## Example
```yaml values.yaml
resources:
  gpus:
    enabled: true
featureGates:
  MPSSupport: true
```
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

## Use instead
```yaml values.yaml
resources:
  gpus:
    enabled: true
featureGates:
  MPSSupport: true
  TimeSlicingSettings: true
```
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

## References
- kubernetes-sigs/dra-driver-nvidia-gpu, pkg/featuregates/featuregates.go, defaultFeatureGates
- kubernetes-sigs/dra-driver-nvidia-gpu issue 762
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning.dra import gate, gate_sources
from labs.lint.meaning.pods import sharings
from labs.lint.subject import Rule, Subject

_GATES = {"TimeSlicing": "TimeSlicingSettings", "MPS": "MPSSupport"}
_MOST_PLACES = 3


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the strategy, and beside it at where gates are named."""
    sources = gate_sources(subject)
    for document, _, sharing in sharings(subject) if sources else ():
        strategy = sharing.strategy
        needed = _GATES.get(strategy.text or "") if strategy is not None else None
        if strategy is not None and needed is not None and gate(subject, needed) is False:
            yield RULE.at(
                document,
                strategy.value,
                related=[source.document.related(source.place, "gates") for source in sources[:_MOST_PLACES]],
                strategy=strategy.text or "",
                gate=needed,
            )


RULE = Rule("GL430", "dra-gate-closed", Severity.ERROR, "0.1", check, __doc__, notes=("gates",))
