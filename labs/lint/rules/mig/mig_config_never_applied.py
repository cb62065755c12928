"""A config is written so that it never counts as applied.

## What it does
Finds a profile with the count 0 beside others, and a profile that is spelt otherwise than the driver spells it:
`3c.3g.20gb` for `3g.20gb`, `01g.05gb` for `1g.5gb`.

## Why it matters
mig-parted creates the right MIG devices, but it compares a config with what a GPU has by the spelling and the number of the
profiles. Such a config never equals it. So each time that the MIG manager runs, it stops the device plugin and the other
GPU daemons of the node and applies the config again, although nothing has changed.

## Example
```yaml
version: v1
mig-configs:
  halves:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb": 0
        "3c.3g.20gb": 2
```

## Use instead
```yaml
version: v1
mig-configs:
  halves:
    - devices: all
      mig-enabled: true
      mig-devices:
        "3g.20gb": 2
```

## References
- NVIDIA/mig-parted v0.15.0, pkg/types/mig_config.go, Equals
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import remove_member, rename
from labs.config.goyaml import Mapping
from labs.config.mig_parted import parse_profile
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import Cards, entries
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the profile that is never there, or never there by this name."""
    cards = Cards(subject)
    for place in entries(subject):
        counts, mapping = place.entry.mig_devices or {}, place.mapping
        for field in place.profiles:
            if field.name not in counts:
                continue
            right = _spelt(field.name, cards)
            if counts[field.name] == 0:
                entry = mapping.entry(field.name) if isinstance(mapping, Mapping) else None
                edit = None
                if isinstance(mapping, Mapping) and entry is not None:
                    edit = remove_member(place.document.document.text, mapping, entry)
            elif right != field.name:
                edit = rename(mapping, field.key, right)
            else:
                continue
            yield RULE.at(
                place.document,
                field.key,
                variant="zero" if counts[field.name] == 0 else "",
                fix=place.document.fix(edit, safe=True),
                profile=field.name[:80],
                right=right[:80],
            )


def _spelt(name: str, cards: Cards) -> str:
    """The driver's spelling of a profile; the name itself where no card has such a profile."""
    models = cards.catalog.models
    unknown = models and all(cards.has(name, model) is False for model in models)
    return name if unknown else str(parse_profile(name))


RULE = Rule(
    "GL309",
    "mig-config-never-applied",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("zero",),
    fixable=True,
)
