"""The ConfigMap that is named is not among the files, and one with nearly its name is.

## What it does
Finds a `config.name` of the GPU Operator (for the device plugin or for the MIG manager) or of the device plugin's chart
that no ConfigMap given has, where one that holds such configs differs in spelling only.

## Why it matters
A ConfigMap that is not there can't be mounted: Pods of the plugin wait in `ContainerCreating`, and the node offers no GPUs.
Where an old ConfigMap of that name is still in the cluster, the plugin goes by that one.

## Example
```yaml configs.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: time-slicing-config
data:
  any: |
    version: v1
```
```yaml values.yaml
mig:
  strategy: single
devicePlugin:
  config:
    name: timeslicing-config
    default: any
```

## Use instead
```yaml configs.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: time-slicing-config
data:
  any: |
    version: v1
```
```yaml values.yaml
mig:
  strategy: single
devicePlugin:
  config:
    name: time-slicing-config
    default: any
```

## References
- NVIDIA/gpu-operator issue 412
- NVIDIA GPU Operator documentation, "Time-Slicing GPUs in Kubernetes"
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.editing import rewrite
from labs.config.manifests import Field
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import Choice, maps_named, maps_with, truthy
from labs.lint.subject import LintDocument, Rule, Subject

_ALIKE, _SHORT, _MOST = 0.75, 4, 100


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name, and at the ConfigMap that may be meant."""
    if not subject.config_maps:
        return
    known: dict[tuple[str, Kind], Choice | None] = {}
    for document, name, kind in _names(subject):
        if not name.text or maps_named(subject, name.text):
            continue
        asked = (name.text, kind)
        if asked not in known:
            # One fleet has few such names; a file with more is none's.
            known[asked] = _alike(subject, name.text, kind) if len(known) < _MOST else None
        near = known[asked]
        if near is not None:
            yield _finding(document, name, near)


def _alike(subject: Subject, name: str, kind: Kind) -> Choice | None:
    """The ConfigMap whose name differs in spelling only, if it is the only one."""
    alike = [choice for choice in maps_with(subject, kind)[:_MOST] if _is_slip(name, choice.name)]
    return alike[0] if len({choice.name for choice in alike}) == 1 else None


def _finding(document: LintDocument, name: Field, near: Choice) -> Finding:
    return RULE.at(
        document,
        name.place,
        related=[near.document.related(near.place, "near")],
        fix=document.fix(rewrite(name.value, near.name)),
        name=quoted(name.value),
        near=near.name[:80],
    )


def _names(subject: Subject) -> Iterator[tuple[LintDocument, Field, Kind]]:
    """The names of ConfigMaps that something else makes."""
    for document, operator in subject.operators:
        for config, kind in (
            (operator.plugin_config, Kind.DEVICE_PLUGIN),
            (operator.mig_manager_config, Kind.MIG_PARTED),
        ):
            if config.name is not None and not truthy(config.create):
                yield document, config.name, kind
    for document, chart in subject.charts:
        if chart.config_name is not None and not chart.configs:
            yield document, chart.config_name, Kind.DEVICE_PLUGIN


def _is_slip(name: str, other: str) -> bool:
    """Whether two names differ in spelling only: word by word, so that `x-a100` and `x-h100` are two names."""
    words, others = re.split("[-._]", name[:_MOST].lower()), re.split("[-._]", other[:_MOST].lower())
    if "".join(words) == "".join(others):
        return True
    return len(words) == len(others) and all(map(_is_slip_of_word, words, others))


def _is_slip_of_word(word: str, other: str) -> bool:
    if word == other:
        return True
    if min(len(word), len(other)) < _SHORT or any(letter.isdigit() for letter in word + other):
        return False
    return difflib.SequenceMatcher(None, word, other).ratio() >= _ALIKE


RULE = Rule(
    "GL905", "config-map-name-nearly", Severity.WARNING, "0.1", check, __doc__, notes=("near",), fixable=True
)
