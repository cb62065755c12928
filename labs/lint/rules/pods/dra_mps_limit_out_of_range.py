"""A claim sets a limit of MPS that NVIDIA's DRA driver cannot take.

## What it does
Finds, in the `mpsConfig` of a claim for NVIDIA's DRA driver, a percentage that is no whole number from 0 to 100, a
memory limit that is no quantity or is below 1 MiB, and a limit for a device that is named neither by its index nor by
its UUID.

## Why it matters
The driver reads the limits when a node prepares the claim. It refuses what is out of range, for example with `active
thread percentage must not be greater than 100` or `value set too low`, and the Pod never starts. Memory counts in whole
MiB, so `512` without a unit is 512 bytes.

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
              mpsConfig:
                defaultActiveThreadPercentage: 150
                defaultPinnedDeviceMemoryLimit: 4096
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
                defaultPinnedDeviceMemoryLimit: 4096Mi
```

## References
- NVIDIA/k8s-dra-driver-gpu, api/nvidia.com/resource/v1beta1/validate.go, MpsConfig.Validate
- NVIDIA/k8s-dra-driver-gpu, api/nvidia.com/resource/v1beta1/sharing.go, MpsPerDevicePinnedMemoryLimit.Normalize
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from labs.config.editing import rewrite
from labs.config.goyaml import Scalar, ScalarKind
from labs.config.manifests import Field
from labs.config.own import quoted
from labs.hardware.units import MIB
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.pods import chosen_strategy, sharings
from labs.lint.subject import LintDocument, Rule, Subject

_INDEX = re.compile(r"\+?\d{1,9}", re.ASCII)
_UUID = re.compile(r"(?:GPU|MIG)-\S+")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each value; a device at its key."""
    for document, _, sharing in sharings(subject):
        if chosen_strategy(sharing) != "MPS":
            continue
        percentage = sharing.active_thread_percentage
        if percentage is not None and not percentage.is_null and not _is_percentage(percentage):
            yield RULE.at(document, percentage.value, value=quoted(percentage.value), key=percentage.name)
        for limit in (sharing.pinned_memory_limit, *sharing.per_device_pinned_memory_limits):
            if limit is not None:
                yield from _memory(document, limit)
        for device in sharing.per_device_pinned_memory_limits:
            if not _INDEX.fullmatch(device.name) and not _UUID.fullmatch(device.name):
                yield RULE.at(
                    document, device.key, variant="device", value=quoted(device.key), key=device.name[:80]
                )


def _is_percentage(field: Field) -> bool:
    value = field.value
    if not isinstance(value, Scalar) or value.kind not in (ScalarKind.INT, ScalarKind.FLOAT):
        return False
    whole = field.whole
    return whole is not None and 0 <= whole <= 100


def _memory(document: LintDocument, limit: Field) -> Iterator[Finding]:
    if not isinstance(limit.value, Scalar):
        return
    amount = Fraction(0) if limit.is_null else limit.quantity
    if amount is not None and amount >= MIB:
        return
    if amount is None:
        yield RULE.at(
            document, limit.value, variant="no-quantity", value=quoted(limit.value), key=limit.name[:80]
        )
    elif not limit.is_null or limit.name[:1].isdigit():
        # A number without a unit that would be a sensible number of MiB.
        meant = (
            f"{int(amount)}Mi" if limit.written.isascii() and limit.written.isdigit() and amount >= 1 else ""
        )
        yield RULE.at(
            document,
            limit.value,
            variant="memory",
            fix=document.fix(rewrite(limit.value, meant)) if meant else None,
            value=quoted(limit.value),
            key=limit.name[:80],
        )


RULE = Rule(
    "GL423",
    "dra-mps-limit-out-of-range",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("memory", "no-quantity", "device"),
    fixable=True,
)
