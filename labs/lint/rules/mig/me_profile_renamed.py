"""The resource of a `+me` profile has another name in this version of the device plugin.

## What it does
Finds a shared resource of the device plugin such as `nvidia.com/mig-1g.5gb` beside a MIG config that creates only
`1g.5gb+me` of that size; before version 0.20 of the plugin, a shared `nvidia.com/mig-1g.5gb.me`.

## Why it matters
Version 0.20 of the device plugin calls the MIG devices of the profile `1g.5gb+me` `nvidia.com/mig-1g.5gb.me`, version 0.19
called them `nvidia.com/mig-1g.5gb`. A shared resource that no device has is passed over without a word. So with the upgrade
the MIG devices are no longer shared, and Pods that ask for the former name stay Pending.

## Example
```yaml mig.yaml
version: v1
mig-configs:
  media:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb+me": 1
        "3g.20gb": 1
```
```yaml plugin.yaml
version: v1
flags:
  migStrategy: mixed
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/mig-1g.5gb
        replicas: 2
```

## Use instead
```yaml mig.yaml
version: v1
mig-configs:
  media:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb+me": 1
        "3g.20gb": 1
```
```yaml plugin.yaml
version: v1
flags:
  migStrategy: mixed
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/mig-1g.5gb.me
        replicas: 2
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/rm.go
- NVIDIA/k8s-device-plugin PR #1807
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.node_labels import mig_resource_name
from labs.config.editing import rewrite
from labs.config.manifests import Field
from labs.config.mig_parted import parse_profile
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import MIXED, EntryPlace, entries, mig_strategy
from labs.lint.subject import Rule, Subject

_RENAMED_IN = (0, 20)
_PREFIX = "nvidia.com/"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the shared resource's name, and beside it at the profile."""
    if mig_strategy(subject) not in (None, MIXED):
        return
    offered, other = _names(subject)
    if not other:
        return
    for document, config in subject.plugins:
        block = config.in_effect if config.loaded.loads else None
        for entry in () if block is None else block.entries:
            name = None if entry.name is None else entry.name.text
            full = _PREFIX + (name or "").removeprefix(_PREFIX)
            if entry.name is None or name is None or full not in other or full in offered:
                continue
            place, field, right = other[full]
            yield RULE.at(
                document,
                entry.name.value,
                variant="" if subject.settings.plugin_version >= _RENAMED_IN else "older",
                related=[place.document.related(field.key, "profile")],
                fix=document.fix(rewrite(entry.name.value, right)),
                name=name[:80],
                right=right,
                profile=field.name[:80],
            )


def _names(subject: Subject) -> tuple[set[str], dict[str, tuple[EntryPlace, Field, str]]]:
    """The resources that the MIG configs lead to; and those of another version, with their profile and the right name."""
    offered: set[str] = set()
    other: dict[str, tuple[EntryPlace, Field, str]] = {}
    for place in entries(subject):
        for field in place.profiles:
            if not place.wanted.get(field.name):
                continue
            profile = parse_profile(field.name).gpu_instance
            newer = mig_resource_name(str(profile))
            plain = mig_resource_name(f"{profile.compute_slices}g.{profile.memory_gb}gb")
            older = plain if profile.attributes == ("me",) and not profile.without else newer
            now, then = newer, older
            if subject.settings.plugin_version < _RENAMED_IN:
                now, then = older, newer
            offered.add(now)
            if then != now:
                other.setdefault(then, (place, field, now))
    return offered, other


RULE = Rule(
    "GL315",
    "me-profile-renamed",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("older",),
    notes=("profile",),
    fixable=True,
)
