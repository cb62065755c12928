"""MIG is to be switched on for cards that don't have it.

## What it does
Finds an entry of a mig-parted config with `mig-enabled: true` whose `device-filter` names only cards without MIG, and an
index in `devices` that is such a card's on a given node.

## Why it matters
With a list of indexes mig-parted stops at such a card with `cannot set MIG mode on non MIG-capable GPU`, and the node's
config fails. With `devices: all` it skips the card, so the entry does nothing.

## Example
```yaml
version: v1
mig-configs:
  inference:
    - device-filter: "0x26B910DE"
      devices: [0]
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## Use instead
```yaml
version: v1
mig-configs:
  inference:
    - device-filter: "0x26B910DE"
      devices: [0]
      mig-enabled: false
```

## References
- NVIDIA/mig-parted v0.15.0, pkg/mig/mode and cmd/nvidia-mig-parted/apply
- NVIDIA MIG User Guide, supported GPUs
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.goyaml import Node
from labs.hardware.catalog import GpuModel
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import Cards, EntryPlace, entries, names
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the filter, or at the devices."""
    cards = Cards(subject)
    for place in entries(subject):
        if not place.entry.mig_enabled:
            continue
        without = _without(cards, place)
        where: Node = place.view.node if place.view.devices is None else place.view.devices.value
        if place.view.device_filter is not None and place.entry.filters:
            where = place.view.device_filter.value
        if without:
            skipped = place.entry.devices is None
            yield RULE.at(
                place.document,
                where,
                severity=Severity.WARNING if skipped else Severity.ERROR,
                variant="skipped" if skipped else "",
                cards=names(without),
            )


def _without(cards: Cards, place: EntryPlace) -> list[GpuModel]:
    """The cards without MIG that the entry is for; where it is for all indexes, only if it is for no others."""
    entry = place.entry
    if entry.filters:
        known = [cards.named_by_one(text) for text in entry.filters]
        models = [model for each in known for model in each]
        return models if all(known) and not any(model.supports_mig for model in models) else []
    models = [
        model
        for node in cards.nodes_of(place)
        for index, model in enumerate(cards.nodes[node])
        if model is not None and entry.devices is not None and index in entry.devices
    ]
    sure = len(cards.nodes_of(place)) == 1 or cards.is_labelled(place.config)
    return [model for model in models if not model.supports_mig] if sure else []


RULE = Rule("GL318", "mig-on-cards-without-it", Severity.ERROR, "0.1", check, __doc__, variants=("skipped",))
