"""A config has no entry for some of the node's GPUs.

## What it does
Finds a config of mig-parted whose entries leave GPUs out: of a given node, or evidently, where the listed indexes have a
gap.

## Why it matters
mig-parted takes a config for applied only if every GPU of the node is matched by an entry. With one GPU left out it says
`not all GPUs match the specified config` on every run, so the MIG manager stops the device plugin, GPU feature discovery
and DCGM and applies the config again, although nothing has changed.

## Example
```yaml
version: v1
mig-configs:
  one-of-four:
    - devices: [3]
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## Use instead
```yaml
version: v1
mig-configs:
  one-of-four:
    - devices: [0, 1, 2]
      mig-enabled: false
    - devices: [3]
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## References
- NVIDIA/mig-parted v0.15.0, cmd/nvidia-mig-parted/assert
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import Cards, EntryPlace, configs
from labs.lint.subject import Rule, Subject

_MOST_GPUS = 64
_MOST_NAMED = 8


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the config's name."""
    cards = Cards(subject)
    for document, mig, config, places in configs(subject):
        if not places or any(place.entry.filter_problems for place in places):
            continue
        nodes = cards.nodes_of_config(mig, config)
        missing = [(node, _left_out(cards, places, node)) for node in nodes]
        sure = all(gpus for _, gpus in missing) or cards.is_labelled(config)
        gaps = [("", _gap(places))] if not nodes else missing if sure else []
        for node, gpus in gaps:
            if gpus:
                yield RULE.at(
                    document,
                    config.field.key,
                    variant="node" if node else "here" if nodes else "",
                    config=config.name[:80],
                    node=node[:80],
                    gpus=_gpu_list(gpus),
                )


def _left_out(cards: Cards, places: Sequence[EntryPlace], node: str) -> list[int]:
    """The node's cards with MIG that no entry is for; a card that the catalog does not know counts as none."""
    return [
        index
        for index, model in enumerate(cards.nodes[node])
        if model is not None
        and model.supports_mig
        and not any(
            (place.entry.devices is None or index in place.entry.devices)
            and cards.may_match(place.entry, model)
            for place in places
        )
    ]


def _gap(places: Sequence[EntryPlace]) -> list[int]:
    """Indexes below the highest that no entry lists, where all entries list indexes of cards of any kind."""
    listed: set[int] = set()
    for place in places:
        if place.entry.devices is None or place.entry.filters:
            return []
        listed.update(place.entry.devices)
    highest = max(listed, default=0)
    return [index for index in range(highest) if index not in listed] if highest < _MOST_GPUS else []


def _gpu_list(gpus: Sequence[int]) -> str:
    return ", ".join([*map(str, gpus[:_MOST_NAMED]), *(["…"] if len(gpus) > _MOST_NAMED else [])])


RULE = Rule("GL307", "gpu-not-covered", Severity.WARNING, "0.1", check, __doc__, variants=("here", "node"))
