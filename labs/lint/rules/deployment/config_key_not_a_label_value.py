"""A config whose name no node's label can carry.

## What it does
Finds configs of the device plugin, in a ConfigMap or in a chart's values, whose key can't be the value of a label: of more
than 63 characters, or not beginning and ending with a letter or digit. Keys that no ConfigMap can have are found too.

## Why it matters
A node chooses its config with the label `nvidia.com/device-plugin.config`. The API server refuses a label with such a
value, so the config can never be chosen, except as the default.

## Example
```yaml configs.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: time-slicing
data:
  any: |
    version: v1
  _small: |
    version: v1
```

## Use instead
```yaml configs.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: time-slicing
data:
  any: |
    version: v1
  small: |
    version: v1
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/config-manager/main.go
- Kubernetes documentation, "Labels and Selectors", syntax and character set
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.editing import rename
from labs.config.goyaml import Node, find
from labs.config.manifests import Field
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.subject import LintDocument, Rule, Subject

LONGEST_LABEL, LONGEST_KEY = 63, 253
_LABEL = re.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?", re.ASCII)
_KEY = re.compile("[-A-Za-z0-9_.]+", re.ASCII)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the key; silent about a key that a default names, and about the only one."""
    defaults = {
        default.text
        for default in (
            *(operator.plugin_config.default for _, operator in subject.operators),
            *(chart.config_default for _, chart in subject.charts),
        )
        if default is not None
    }
    for document, holder, keys in _keys(subject):
        for key in keys:
            valid = len(key.name) <= LONGEST_KEY and _KEY.fullmatch(key.name) is not None
            chosen = key.name in defaults or len(keys) == 1
            if valid and (chosen or (len(key.name) <= LONGEST_LABEL and _LABEL.fullmatch(key.name))):
                continue
            mended = re.sub("[^A-Za-z0-9]+$|^[^A-Za-z0-9]+", "", key.name)
            free = _LABEL.fullmatch(mended) and all(other.name != mended for other in keys[:100])
            edit = (
                rename(holder, key.key, mended) if valid and free and len(mended) <= LONGEST_LABEL else None
            )
            variant = "key" if not valid else "long" if len(key.name) > LONGEST_LABEL else ""
            yield RULE.at(
                document,
                key.key,
                severity=None if valid else Severity.ERROR,
                variant=variant,
                fix=document.fix(edit),
                key=quoted(key.key),
                length=len(key.name),
                longest=LONGEST_LABEL,
            )


def _keys(subject: Subject) -> Iterator[tuple[LintDocument, Node | None, tuple[Field, ...]]]:
    """The keys of configs of the plugin, together with what holds them."""
    held: dict[int, set[str]] = {}
    for document in subject.documents:
        if document.kind is Kind.DEVICE_PLUGIN and document.document.key is not None:
            held.setdefault(id(document.document.container), set()).add(document.document.key)
    for document in subject.documents:
        names = held.get(id(document.document))
        if not names:
            continue
        members: tuple[Field, ...] = ()
        map_field: Field | None = None
        if document.configs is not None:
            members = document.configs.data
        elif document.operator is not None:
            members, map_field = (
                document.operator.plugin_config.data,
                document.operator.plugin_config.data_field,
            )
        elif document.chart is not None:
            members, map_field = document.chart.configs, document.chart.config_map
        holder = find(document.document.root, ("data",)) if map_field is None else map_field.value
        yield document, holder, tuple(member for member in members if member.name in names)


RULE = Rule(
    "GL511",
    "config-key-not-a-label-value",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("long", "key"),
    fixable=True,
)
