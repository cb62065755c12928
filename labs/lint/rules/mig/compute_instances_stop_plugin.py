"""Compute instances of a part of a GPU instance stop the device plugin.

## What it does
Finds a profile such as `1c.3g.20gb`, a compute instance that is only a part of its GPU instance, where the MIG strategy is
known to be `mixed` and the device plugin is of version 0.20 or later.

## Why it matters
Since version 0.20 the device plugin names resources by the whole profile, and it has no name for such a MIG device: it does
not start, with `MIG profile '1c.3g.20gb' does not match any resource patterns`, and the node loses all its GPUs. Version
0.19 offered the device as `nvidia.com/mig-3g.20gb`, as if it were the whole GPU instance.

## Example
```yaml mig.yaml
version: v1
mig-configs:
  parts:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1c.3g.20gb": 6
```
```yaml plugin.yaml
version: v1
flags:
  migStrategy: mixed
```

## Use instead
```yaml mig.yaml
version: v1
mig-configs:
  parts:
    - devices: all
      mig-enabled: true
      mig-devices:
        "3g.20gb": 2
```
```yaml plugin.yaml
version: v1
flags:
  migStrategy: mixed
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/rm.go and api/config/v1/resources.go, Matches
- NVIDIA/k8s-device-plugin PR #1807 and issue #1462
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.mig_parted import parse_profile
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import MIXED, entries, mig_strategy
from labs.lint.subject import Rule, Subject

_SINCE = (0, 20)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the profile."""
    if subject.settings.plugin_version < _SINCE or mig_strategy(subject) != MIXED:
        return
    for place in entries(subject):
        for field in place.profiles:
            profile = parse_profile(field.name) if place.wanted.get(field.name) else None
            if profile is not None and profile.compute_instance_slices != profile.compute_slices:
                whole = str(profile.gpu_instance)[:80]
                yield RULE.at(place.document, field.key, profile=field.name[:80], whole=whole)


RULE = Rule("GL314", "compute-instances-stop-plugin", Severity.ERROR, "0.1", check, __doc__)
