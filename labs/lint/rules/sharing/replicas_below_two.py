"""A resource has fewer than two replicas, and the plugin refuses the whole file.

## What it does
Finds entries of a sharing block whose `replicas` is below 2.

## Why it matters
`replicas: 1` reads like "not shared", but the plugin takes 2 or more and refuses everything else with `number of replicas
must be >= 2`. The file then does not load at all: the plugin, GPU feature discovery and the MPS daemon of the node stop
with it, and the node's GPUs go to 0 allocatable. Sharing is switched off by leaving the block out.

## Example
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 1
```

## Use instead
```yaml
version: v1
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/replicas.go
- NVIDIA/k8s-device-plugin issues 1548 and 1022
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import remove_at, remove_item
from labs.config.goyaml import Scalar, ScalarKind, Sequence
from labs.config.manifests import Field, PluginDocument, SharedEntry, SharingBlock
from labs.config.own import quoted
from labs.lint.findings import Finding, Fix, Severity
from labs.lint.subject import LintDocument, Rule, Subject

_REFUSAL = "number of replicas must be >= 2"
_LEAST = 2


def check(subject: Subject) -> Iterator[Finding]:
    """Points at every number of replicas that is too small, where that is what the plugin refuses the file for."""
    for document, config in subject.plugins:
        if not (config.loaded.error or "").endswith(_REFUSAL):
            continue
        for block in config.blocks:
            small = [entry for entry in block.entries if _is_small(entry.replicas)]
            # One fix for all where nothing would be left: with its edit computed once for thousands of entries.
            alone = len(small) == len(block.entries)
            whole = _without_block(document, config, block) if alone else None
            for entry in small:
                if entry.replicas is None:
                    continue
                off = isinstance(entry.replicas.value, Scalar) and entry.replicas.value.value in (0, 1)
                yield RULE.at(
                    document,
                    entry.replicas.place,
                    variant="empty" if entry.replicas.is_null else "",
                    fix=(whole if alone else _without_entry(document, block, entry)) if off else None,
                    value=quoted(entry.replicas.value),
                    resource="" if entry.name is None else quoted(entry.name.value),
                    block=block.field.name,
                )


def _is_small(replicas: Field | None) -> bool:
    value = None if replicas is None else replicas.value
    if not isinstance(value, Scalar):
        return False
    if value.kind is ScalarKind.NULL:
        return True
    if value.kind not in (ScalarKind.INT, ScalarKind.FLOAT) or not isinstance(value.value, int | float):
        return False
    return value.value < _LEAST and value.value == int(value.value)


def _without_block(document: LintDocument, config: PluginDocument, block: SharingBlock) -> Fix | None:
    if config.root is None or config.sharing is None:
        return None
    path = [config.sharing.name, block.field.name]
    return document.fix(remove_at(document.document.text, config.root, path))


def _without_entry(document: LintDocument, block: SharingBlock, entry: SharedEntry) -> Fix | None:
    items = None if block.resources is None else block.resources.value
    if not isinstance(items, Sequence):
        return None
    return document.fix(remove_item(document.document.text, items, entry.node))


RULE = Rule(
    "GL202",
    "replicas-below-two",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("empty",),
    explains_refusal=True,
    fixable=True,
)
