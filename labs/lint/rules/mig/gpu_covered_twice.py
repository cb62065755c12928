"""Two entries of a config are for the same GPU.

## What it does
Finds an entry of a mig-parted config whose `devices` and `device-filter` let a GPU through that an entry before it is for
too.

## Why it matters
mig-parted walks the entries in order and applies each: the GPU is cut twice, and what the last entry says remains. The
result never equals what the config asks for, so the MIG manager applies it again each time that it runs and stops the
device plugin and the other GPU daemons of the node meanwhile. Where the entries differ in `mig-enabled`, the mode is
switched to and fro.

## Example
```yaml
version: v1
mig-configs:
  mostly-small:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
    - devices: [0]
      mig-enabled: true
      mig-devices:
        "7g.40gb": 1
```

## Use instead
```yaml
version: v1
mig-configs:
  mostly-small:
    - devices: [0]
      mig-enabled: true
      mig-devices:
        "7g.40gb": 1
    - devices: [1, 2, 3]
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## References
- NVIDIA/mig-parted v0.15.0, cmd/nvidia-mig-parted/assert and cmd/nvidia-mig-parted/apply
- NVIDIA/gpu-operator issue #2376
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import EntryPlace, Reach, entries
from labs.lint.subject import Rule, Subject

_MOST_PAIRS = 5_000


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the later entry's devices, and beside them at the earlier one's."""
    left = _MOST_PAIRS
    before: list[tuple[EntryPlace, Reach]] = []
    for place in entries(subject):
        if before and before[0][0].config is not place.config:
            before.clear()
        reach = Reach.of(place.entry)
        for earlier, other in before:
            left -= 1
            if left < 0:
                return
            if reach.meets(other):
                yield _finding(place, earlier, reach.shared(other))
                break
        before.append((place, reach))


def _finding(place: EntryPlace, earlier: EntryPlace, gpus: str) -> Finding:
    first, second = earlier.view.devices, place.view.devices
    return RULE.at(
        place.document,
        place.view.node if second is None else second.value,
        variant="mode" if place.entry.mig_enabled != earlier.entry.mig_enabled else "",
        related=[earlier.document.related(earlier.view.node if first is None else first.value, "first")],
        config=place.config.name[:80],
        gpus=gpus,
    )


RULE = Rule(
    "GL306",
    "gpu-covered-twice",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("mode",),
    notes=("first",),
)
