"""MIG is switched on, and no MIG device is created.

## What it does
Finds an entry of a mig-parted config with `mig-enabled: true` and an empty `mig-devices`. A config called `all-enabled`
says by its name that it is meant and is passed over, unless the MIG strategy is known to be `single`.

## Why it matters
A GPU in MIG mode without MIG devices can't be used by anyone. Under the strategy `single` the device plugin stops with
`device has no MIG devices configured` and the node loses all its GPUs; under `mixed` it warns, and the GPU is missing from
what the node offers.

## Example
```yaml
version: v1
mig-configs:
  later:
    - devices: all
      mig-enabled: true
      mig-devices: {}
```

## Use instead
```yaml
version: v1
mig-configs:
  small:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go
- NVIDIA/k8s-device-plugin issue #253 and PR #806
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import SINGLE, Chosen, entries, mig_strategy
from labs.lint.subject import Rule, Subject

_MEANT = "all-enabled"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the empty map."""
    single, chosen = mig_strategy(subject) == SINGLE, Chosen(subject)
    for place in entries(subject):
        devices = place.view.mig_devices
        if not place.entry.mig_enabled or place.entry.mig_devices or devices is None:
            continue
        if single or place.config.name != _MEANT:
            severity = chosen.severity(place.mig, place.config) if single else Severity.WARNING
            variant = "single" if single else ""
            config = place.config.name[:80]
            yield RULE.at(place.document, devices.value, severity=severity, variant=variant, config=config)


RULE = Rule(
    "GL311", "mig-enabled-without-devices", Severity.WARNING, "0.1", check, __doc__, variants=("single",)
)
