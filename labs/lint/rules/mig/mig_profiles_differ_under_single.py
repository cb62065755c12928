"""A config cuts GPUs into different MIG devices while the MIG strategy is `single`.

## What it does
Finds a config of mig-parted with more than one profile, or with MIG on for some GPUs and off for others, where the device
plugin is known to run with the MIG strategy `single`.

## Why it matters
Under `single` all MIG devices of a node are one resource, `nvidia.com/gpu`, so they have to be of one profile and MIG has
to be on for all GPUs. Otherwise the device plugin stops with an error, GPU feature discovery labels the node `MIG-INVALID`,
and the node offers no GPU at all. `single` is what the chart of the GPU Operator sets unless told otherwise.

## Example
```yaml
version: v1
mig-configs:
  all-balanced:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb": 2
        "2g.10gb": 1
        "3g.20gb": 1
```

## Use instead
```yaml
version: v1
mig-configs:
  all-2g.10gb:
    - devices: all
      mig-enabled: true
      mig-devices:
        "2g.10gb": 3
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go and internal/lm/mig-strategy.go
- NVIDIA/gpu-operator issues #460 and #479
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.config.goyaml import Node
from labs.config.mig_parted import parse_profile
from labs.config.plugin import Deployer
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import SINGLE, Chosen, EntryPlace, Reach, configs, mig_strategy
from labs.lint.subject import Rule, Settings, Subject

_MOST_COMPARED = 50


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the first profile that differs, or the first GPUs whose mode does, and at what they differ from."""
    if mig_strategy(subject) != SINGLE:
        return
    chosen = Chosen(subject)
    for document, mig, config, places in configs(subject):
        difference = _difference(places[:_MOST_COMPARED])
        if difference is not None:
            (first, what), (second, other) = difference
            yield RULE.at(
                document,
                second,
                severity=chosen.severity(mig, config),
                variant="" if what and other else "mode",
                related=[document.related(first, "first")],
                config=config.name[:80],
                profile=what or other,
                other=other or what,
            )


def _difference(places: Sequence[EntryPlace]) -> tuple[tuple[Node, str], tuple[Node, str]] | None:
    """The first two that differ and may be on one node: their places, and their profiles ("": MIG is off)."""
    before: list[tuple[Reach, tuple[Node, str]]] = []
    for place in places:
        reach = Reach.of(place.entry)
        for what in _cut(place):
            for other, earlier in before:
                if earlier[1] != what[1] and reach.kinds_meet(other):
                    return earlier, what
            before.append((reach, what))
    return None


def _cut(place: EntryPlace) -> Iterator[tuple[Node, str]]:
    """What the entry cuts its GPUs into, each profile once."""
    if not place.entry.mig_enabled:
        yield (place.view.node if place.view.mig_enabled is None else place.view.mig_enabled.value), ""
    for field in place.profiles:
        if place.wanted.get(field.name):
            yield field.key, str(parse_profile(field.name))[:80]


RULE = Rule(
    "GL310",
    "mig-profiles-differ-under-single",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("mode",),
    notes=("first",),
    example_settings=Settings(deployer=Deployer.OPERATOR),
)
