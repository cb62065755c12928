"""A claim has settings of a strategy that it does not choose.

## What it does
Finds a `sharing` block for NVIDIA's DRA driver with `mpsConfig` under the strategy `TimeSlicing`, or
`timeSlicingConfig` under `MPS` or in a `MigDeviceConfig`.

## Why it matters
For a whole GPU the driver refuses the pair when a node prepares the claim, `cannot use MpsConfig with the 'TimeSlicing'
strategy`, and the Pod never starts. A `MigDeviceConfig` knows no `timeSlicingConfig` at all, and drops an `mpsConfig`
under `TimeSlicing` without a word.

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
              strategy: TimeSlicing
              mpsConfig:
                defaultActiveThreadPercentage: 50
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
              mpsConfig:
                defaultActiveThreadPercentage: 50
```

## References
- NVIDIA/k8s-dra-driver-gpu, api/nvidia.com/resource/v1beta1/sharing.go, GetTimeSlicingConfig and GetMpsConfig
- NVIDIA/k8s-dra-driver-gpu, cmd/gpu-kubelet-plugin/device_state.go, applySharingConfig
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import remove_member
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import chosen_strategy, sharings
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the settings, and beside them at the strategy."""
    for document, config, sharing in sharings(subject):
        strategy = chosen_strategy(sharing)
        of_mig = config.kind is not None and config.kind.text == "MigDeviceConfig"
        for settings, own in ((sharing.time_slicing, "TimeSlicing"), (sharing.mps, "MPS")):
            if settings is None:
                continue
            unknown = of_mig and own == "TimeSlicing"
            another = strategy in ("TimeSlicing", "MPS") and strategy != own and not settings.is_null
            if not unknown and not another:
                continue
            entry = sharing.node.entry(settings.name)
            edit = None if entry is None else remove_member(document.document.text, sharing.node, entry)
            dropped = another and of_mig and not unknown
            chosen = (
                [] if sharing.strategy is None else [document.related(sharing.strategy.value, "strategy")]
            )
            yield RULE.at(
                document,
                settings.key,
                severity=Severity.WARNING if dropped else Severity.ERROR,
                variant="mig" if unknown else "dropped" if dropped else "",
                related=chosen,
                fix=document.fix(edit, safe=dropped),
                settings=settings.name,
                strategy=strategy,
                own=own,
            )


RULE = Rule(
    "GL421",
    "dra-settings-of-another-strategy",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("mig", "dropped"),
    notes=("strategy",),
    fixable=True,
)
