"""The MIG devices of an entry can't exist on one card together.

## What it does
Finds an entry of a mig-parted config whose `mig-devices` can't be placed together: on a card that its `device-filter`
names, on the cards of a given node, or, where neither says which card it is for, on any card known here.

## Why it matters
mig-parted loads the file and checks only that the config's name is there. When it applies the config it tries every order
of the devices, fails with `all orderings failed`, and leaves the GPU without any MIG device: the node loses its GPUs. The
sum of the compute slices alone does not tell: a `3g` profile takes half of the memory slices, so two of them leave no room
for a `1g`.

## Example
```yaml
version: v1
mig-configs:
  training:
    - devices: all
      device-filter: "0x20B010DE"
      mig-enabled: true
      mig-devices:
        "1g.5gb": 1
        "3g.20gb": 2
  notebooks:
    - devices: all
      device-filter: "0x20B010DE"
      mig-enabled: true
      mig-devices:
        "1g.10gb": 7
```

## Use instead
```yaml
version: v1
mig-configs:
  training:
    - devices: all
      device-filter: "0x20B010DE"
      mig-enabled: true
      mig-devices:
        "1g.5gb": 2
        "2g.10gb": 1
        "3g.20gb": 1
  notebooks:
    - devices: all
      device-filter: "0x20B010DE"
      mig-enabled: true
      mig-devices:
        "1g.10gb": 4
```

## References
- NVIDIA/mig-parted v0.15.0, pkg/mig/config/config.go, SetMigConfig
- NVIDIA/mig-parted issues #29 and #97
- NVIDIA MIG User Guide, supported MIG profiles
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import replace
from labs.hardware.catalog import GpuModel
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import Cards, EntryPlace, entries, most_devices, names
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the devices, or at the one count that is above a card's maximum."""
    cards = Cards(subject)
    for place in entries(subject):
        targets = cards.targets(place)
        answers = [(model, [cards.has(name, model) for name in place.wanted]) for model in targets.models]
        having = [model for model, has in answers if all(has)]
        unsure = any(None in has and False not in has for _, has in answers)
        failing = [model for model in having if cards.fits(place.wanted, model) is False]
        if failing and (targets.every or (len(failing) == len(having) and not unsure)):
            yield _finding(cards, place, failing)
        elif answers and not (having or targets.every or unsure):
            columns = zip(*(has for _, has in answers), strict=True)
            if all(True in column for column in columns):
                yield RULE.at(place.document, place.devices_key, variant="together", wanted=place.summary)


def _finding(cards: Cards, place: EntryPlace, failing: list[GpuModel]) -> Finding:
    for field in place.profiles:
        count = place.wanted.get(field.name, 0)
        most = max((most_devices(field.name, model) for model in failing), default=0) if count else 0
        if 0 < most < count:
            fits = all(cards.fits({**place.wanted, field.name: most}, model) for model in failing)
            return RULE.at(
                place.document,
                field.value,
                variant="count",
                fix=place.document.fix(replace(field.value, str(most)) if fits else None),
                profile=field.name[:80],
                count=count,
                most=most,
                cards=names(failing),
            )
    reason = cards.too_much(place.wanted, failing[0])
    needed, most_of = (None, None) if reason is None else (reason.needed, reason.most)
    return RULE.at(
        place.document,
        place.devices_key,
        variant="" if reason is None or needed is None or most_of is None else reason.limit.value,
        wanted=place.summary,
        cards=names(failing),
        needed=needed or 0,
        most=most_of or 0,
    )


RULE = Rule(
    "GL301",
    "mig-layout-does-not-fit",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("count", "compute-slices", "memory-slices", "together"),
    fixable=True,
)
