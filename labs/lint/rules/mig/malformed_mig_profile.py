"""A profile is not written in the form that mig-parted reads, and the file is refused.

## What it does
Finds a profile under `mig-devices` of another form than `1g.5gb` or `1g.5gb+me`: the name of the resource (`mig-1g.5gb`,
`1g.5gb.me`), capitals, spaces, a missing dot.

## Why it matters
mig-parted refuses the whole file for one such profile, so that none of the configs in it can be applied. The same MIG
device is called `1g.5gb+me` here, by `nvidia-smi` and by the driver, and `nvidia.com/mig-1g.5gb.me` as a resource of
Kubernetes.

## Example
```yaml
version: v1
mig-configs:
  media:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb.me": 1
        "MIG 2g.10gb": 2
```

## Use instead
```yaml
version: v1
mig-configs:
  media:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb+me": 1
        "2g.10gb": 2
```

## References
- NVIDIA/go-nvlib, pkg/nvlib/device/mig_profile.go
- NVIDIA/mig-parted v0.15.0, pkg/types/mig_config.go
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.editing import rename
from labs.config.gojson import GoError
from labs.config.mig_parted import parse_profile
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import refused_entries
from labs.lint.subject import Rule, Subject

_MEANT = re.compile(
    r"(?:nvidia\.com/)?(?:mig[-_.]?)?(?:([1-9])c[._-]?)?([1-9])g[._-]?([1-9][0-9]{0,2})gi?b?"
    r"([.+_-](?:me\.all|me|gfx))?",
    re.ASCII,
)
_LONGEST = 60


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the profile, with what it must have been meant for."""
    for document, view in refused_entries(subject):
        for field in view.profiles:
            try:
                parse_profile(field.name)
            except GoError:
                right = _meant(field.name)
                mapping = None if view.mig_devices is None else view.mig_devices.value
                edit = rename(mapping, field.key, right) if right else None
                yield RULE.at(
                    document,
                    field.key,
                    variant="" if right else "far",
                    fix=document.fix(edit, safe=True),
                    profile=field.name[:80],
                    right=right,
                )


def _meant(text: str) -> str:
    """The profile that a name of another form means; "" where it can't be told."""
    match = _MEANT.fullmatch("".join(text.split()).lower()) if len(text) <= _LONGEST else None
    if match is None:
        return ""
    part = f"{match[1]}c." if match[1] else ""
    attribute = match[4] or ""
    if attribute and attribute[0] in "._":
        attribute = "+" + attribute[1:]
    return f"{part}{match[2]}g.{match[3]}gb{attribute}"


RULE = Rule(
    "GL316",
    "malformed-mig-profile",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("far",),
    explains_refusal=True,
    fixable=True,
)
