"""`devices` lists indexes that no GPU has.

## What it does
Finds an empty list of `devices` in a mig-parted config, a negative index, and, where nodes are given, an index beyond their
GPUs: a warning where a given node takes the config, a hint where the file has several and nothing says which.

## Why it matters
mig-parted takes any numbers there and looks only whether the index of a GPU is among them. What is listed beyond that does
nothing and is not reported: a GPU that was to be cut stays as it is. Indexes begin at 0, so the last of four GPUs is 3.

## Example
```yaml
version: v1
mig-configs:
  all-but-one:
    - devices: []
      mig-enabled: false
    - devices: [0, 1, 2, -1]
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## Use instead
```yaml
version: v1
mig-configs:
  all-four:
    - devices: [0, 1, 2, 3]
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## References
- NVIDIA/mig-parted v0.15.0, api/spec/v1/spec.go and cmd/nvidia-mig-parted/assert
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.goyaml import Sequence
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import Cards, entries
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the empty list, or at the first index that no GPU has."""
    cards = Cards(subject)
    for place in entries(subject):
        field, indexes = place.view.devices, place.entry.devices
        if field is None or indexes is None:
            continue
        chosen = cards.nodes_of(place)
        most = max((len(cards.nodes[node]) for node in chosen or cards.nodes), default=None)
        items = field.value.items if isinstance(field.value, Sequence) else ()
        wrong = next(
            (at for at, index in enumerate(indexes) if index < 0 or (most is not None and index >= most)),
            None,
        )
        if not indexes:
            yield RULE.at(place.document, field.place, variant="empty", index="", count=0, last=0)
        elif wrong is not None:
            index = indexes[wrong]
            yield RULE.at(
                place.document,
                items[wrong] if wrong < len(items) else field.value,
                severity=None if chosen or index < 0 else Severity.INFO,
                variant="negative" if index < 0 else "" if chosen else "nowhere",
                index=str(index),
                count=most or 0,
                last=max((most or 0) - 1, 0),
            )


RULE = Rule(
    "GL317",
    "devices-match-nothing",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("negative", "empty", "nowhere"),
)
