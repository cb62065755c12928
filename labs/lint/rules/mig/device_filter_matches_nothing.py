"""A device filter is written in a form that matches no card.

## What it does
Finds a `device-filter` that mig-parted can't read as PCI ids, or whose vendor is not NVIDIA: the name of a model,
hexadecimal digits without `0x`, the vendor before the device, the device alone, several filters in one string.

## Why it matters
The filter is one number, `0x<device><vendor>`, such as `0x20B010DE` for an A100. What is not of that form is not refused
and not logged: it matches no card, so the entry does nothing and the GPUs stay as they are, without the MIG devices that
were meant.

## Example
```yaml
version: v1
mig-configs:
  all-1g.5gb:
    - device-filter: ["0x10DE20B0", "20B110DE"]
      devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## Use instead
```yaml
version: v1
mig-configs:
  all-1g.5gb:
    - device-filter: ["0x20B010DE", "0x20B110DE"]
      devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## References
- NVIDIA/mig-parted v0.15.0, pkg/types/device.go
- NVIDIA/mig-parted issues #343 and #435
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from labs.config.editing import Edit, rewrite
from labs.config.goyaml import Node, Scalar, Sequence
from labs.config.mig_parted import NVIDIA_VENDOR, parse_device_id
from labs.config.own import quoted
from labs.hardware.catalog import Catalog
from labs.lint.findings import Finding, Severity
from labs.lint.keys.resources import meant
from labs.lint.meaning.mig import entries
from labs.lint.subject import Rule, Subject

_NO_CARDS = Catalog((), MappingProxyType({}))
_MOST_GUESSES = 50


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each filter that matches nothing, with the form that it should have."""
    catalog = subject.settings.catalog or _NO_CARDS
    guessed = 0
    for place in entries(subject):
        field = place.view.device_filter
        problems, written = place.entry.filter_problems, frozenset(place.entry.filters)
        items: tuple[Node, ...] = () if field is None else (field.value,)
        if field is not None and isinstance(field.value, Sequence):
            items = field.value.items
        for item in items:
            if not isinstance(item, Scalar) or item.text not in written:
                continue
            if item.text not in problems:
                parsed = parse_device_id(item.text)
                if parsed.vendor == NVIDIA_VENDOR and parsed.device:
                    continue
            guessed += 1
            guess = meant(item.text, catalog if guessed <= _MOST_GUESSES else _NO_CARDS)
            edit: Edit | None = None
            if guess.certain and len(guess.ids) == 1:
                edit = rewrite(item, guess.ids[0])
            elif guess.certain and field is not None and field.value is item and item.style == "double":
                edit = Edit(item.span, "[" + ", ".join(f'"{device_id}"' for device_id in guess.ids) + "]")
            yield RULE.at(
                place.document,
                item,
                variant=guess.form,
                fix=place.document.fix(edit),
                value=quoted(item),
                right=", ".join(guess.ids),
            )


RULE = Rule(
    "GL303",
    "device-filter-matches-nothing",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("swapped", "bare", "spaces", "device", "several", "model"),
    fixable=True,
)
