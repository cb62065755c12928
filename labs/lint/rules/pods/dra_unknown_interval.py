"""A claim names a time slice that NVIDIA's DRA driver does not have.

## What it does
Finds an `interval` of a claim for NVIDIA's DRA driver that is none of `Default`, `Short`, `Medium` and `Long`, letter
for letter, and a `timeSlicingConfig` without an interval.

## Why it matters
The interval is a name, not a time: the driver refuses anything else with `unknown time-slice interval` when a node
prepares the claim, and the Pod never starts. A `timeSlicingConfig` without an interval is worse, for the driver then
reads a value that is not there and crashes; without any `timeSlicingConfig` it takes `Default`.

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
              timeSlicingConfig:
                interval: long
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
              timeSlicingConfig:
                interval: Long
```

## References
- NVIDIA/k8s-dra-driver-gpu, api/nvidia.com/resource/v1beta1/validate.go, TimeSliceInterval.Validate
- NVIDIA/k8s-dra-driver-gpu, api/nvidia.com/resource/v1beta1/gpuconfig.go, Normalize
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import rewrite
from labs.config.goyaml import Mapping
from labs.config.manifests.objects import INTERVALS
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import chosen_strategy, sharings
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the interval, or at the settings that lack one, where the strategy uses them."""
    for document, config, sharing in sharings(subject):
        strategy = chosen_strategy(sharing)
        of_mig = config.kind is not None and config.kind.text == "MigDeviceConfig"
        if of_mig or strategy != "TimeSlicing" or sharing.time_slicing is None:
            continue
        allowed = ", ".join(INTERVALS)
        interval = sharing.interval
        if interval is None or interval.is_null:
            if isinstance(sharing.time_slicing.value, Mapping):
                place = sharing.time_slicing.key if interval is None else interval.key
                yield RULE.at(document, place, variant="missing", value="", meant="", allowed=allowed)
            continue
        if interval.text in INTERVALS:
            continue
        meant = {candidate.casefold(): candidate for candidate in INTERVALS}.get(
            (interval.text or "").strip().casefold(), ""
        )
        yield RULE.at(
            document,
            interval.value,
            variant="near" if meant else "",
            fix=document.fix(rewrite(interval.value, meant), safe=True) if meant else None,
            value=quoted(interval.value),
            meant=meant,
            allowed=allowed,
        )


RULE = Rule(
    "GL422",
    "dra-unknown-interval",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("near", "missing"),
    fixable=True,
)
