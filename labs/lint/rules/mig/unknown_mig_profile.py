"""A profile is of the right form, but the card has none such.

## What it does
Finds a profile under `mig-devices` that no card known here has, or that the card has not which the `device-filter` names or
which a given node has.

## Why it matters
mig-parted looks at the form of a profile's name only. The config passes its check, and when it is applied the MIG manager
stops with `MIG profile "7g.79gb" not found on this GPU`: the GPU is left without MIG devices. The memory in the name is
that of one product, so a config written for a card of 40 GB does not work on one of 80 GB.

## Example
```yaml
version: v1
mig-configs:
  whole:
    - devices: all
      mig-enabled: true
      mig-devices:
        "7g.79gb": 1
```

## Use instead
```yaml
version: v1
mig-configs:
  whole:
    - devices: all
      mig-enabled: true
      mig-devices:
        "7g.80gb": 1
```

## References
- NVIDIA/mig-parted v0.15.0, pkg/types/mig_config.go and go-nvlib pkg/nvlib/device/mig_profile.go
- NVIDIA/gpu-operator issue #351
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import rename
from labs.config.mig_parted import parse_profile
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import Cards, entries, names, nearest_profile
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the profile, with the one that may be meant."""
    cards = Cards(subject)
    for place in entries(subject):
        targets = cards.targets(place)
        for field in place.profiles:
            if not place.wanted.get(field.name):
                continue
            lacking = [model for model in targets.models if cards.has(field.name, model) is False]
            if not lacking or (not targets.every and len(lacking) < len(targets.models)):
                continue
            near = nearest_profile(parse_profile(field.name), lacking)
            variant = (
                ("" if targets.anywhere else "card") if near else ("far" if targets.anywhere else "card-far")
            )
            key = rename(place.mapping, field.key, near) if near else None
            yield RULE.at(
                place.document,
                field.key,
                variant=variant,
                fix=place.document.fix(key),
                profile=field.name[:80],
                cards=names(lacking),
                near=near,
            )


RULE = Rule(
    "GL302",
    "unknown-mig-profile",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("card", "far", "card-far"),
    fixable=True,
)
