"""A change of the MIG mode of some GPUs resets all GPUs of the node.

## What it does
Notes a config of mig-parted that sets the MIG mode for listed GPUs only. Optional: it holds of every such config.

## Why it matters
Where a GPU has to be reset for a change of its MIG mode, as an A100 or A30 has, mig-parted resets all GPUs of the node,
those too that the config leaves as they are. Work on the other GPUs is lost with it, so the node has to be drained first,
even if only one GPU is to be cut.

## Example
```yaml
version: v1
mig-configs:
  last-only:
    - devices: [0, 1, 2]
      mig-enabled: false
    - devices: [3]
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## Use instead
```yaml
version: v1
mig-configs:
  all-1g.5gb:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## References
- NVIDIA/mig-parted v0.15.0, pkg/mig/reconfigure
- NVIDIA/gpu-operator issue #2376
- NVIDIA/mig-parted issue #357
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import Cards, EntryPlace, configs
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the devices of the first entry that switches MIG on for listed GPUs."""
    cards = Cards(subject)
    for document, _, config, places in configs(subject):
        listed = next((place for place in places if _may_reset(cards, place)), None)
        if listed is not None and listed.view.devices is not None:
            yield RULE.at(document, listed.view.devices.value, config=config.name[:80])


def _may_reset(cards: Cards, place: EntryPlace) -> bool:
    """Whether MIG is switched on for listed GPUs, and not only for cards that need no reset for it."""
    if not place.entry.mig_enabled or not place.entry.devices:
        return False
    named = cards.named_by(place.entry)
    return not named or any(model.mig_mode_enable_needs_gpu_reset is not False for model in named)


RULE = Rule("GL319", "mig-mode-change-resets-all", Severity.INFO, "0.1", check, __doc__, optional=True)
