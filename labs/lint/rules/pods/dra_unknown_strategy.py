"""A claim names a strategy of sharing that NVIDIA's DRA driver does not have.

## What it does
Finds a `sharing` block for NVIDIA's DRA driver whose `strategy` is missing or is none of `TimeSlicing` and `MPS`,
letter for letter.

## Why it matters
The driver looks at the block only when a node prepares the claim, after the Pod was scheduled. It then refuses with
`unknown GPU sharing strategy`, and the Pod never leaves `ContainerCreating`. Both strategies also need their feature
gate in the driver, `TimeSlicingSettings` or `MPSSupport`; without it the driver says the same.

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
              strategy: mps
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
              strategy: MPS
```

## References
- NVIDIA/k8s-dra-driver-gpu, api/nvidia.com/resource/v1beta1/validate.go, GpuSharingStrategy.Validate
- kubernetes-sigs/dra-driver-nvidia-gpu, pkg/featuregates/featuregates.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import rewrite
from labs.config.manifests.objects import STRATEGIES
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import meant_strategy, sharings
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the strategy; where there is none, at the block."""
    for document, config, sharing in sharings(subject):
        strategy = sharing.strategy
        if strategy is None or strategy.is_null:
            field = config.sharing_field
            if field is not None:
                yield RULE.at(
                    document, field.key, variant="missing", value="", meant="", allowed=", ".join(STRATEGIES)
                )
            continue
        if strategy.text in STRATEGIES:
            continue
        meant = meant_strategy(strategy.text or "")
        fix = document.fix(rewrite(strategy.value, meant), safe=True) if meant else None
        yield RULE.at(
            document,
            strategy.value,
            variant="near" if meant else "",
            fix=fix,
            value=quoted(strategy.value),
            meant=meant,
            allowed=", ".join(STRATEGIES),
        )


RULE = Rule(
    "GL420",
    "dra-unknown-strategy",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("near", "missing"),
    fixable=True,
)
