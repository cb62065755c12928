"""The MIG configs stand under another key than `config.yaml`, where the MIG manager looks for them.

## What it does
Finds a ConfigMap, or `migManager.config.data` in the values of the GPU Operator's chart, that holds a config of mig-parted
under some key, but has no key `config.yaml`.

## Why it matters
The operator mounts the ConfigMap and tells the MIG manager to read `/mig-parted-config/config.yaml`. Without that key the
MIG manager stops with `failed to read custom config`, and no node is configured.

## Example
```yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: custom-mig-config
  namespace: gpu-operator
data:
  mig.yaml: |
    version: v1
    mig-configs:
      all-1g.5gb:
        - devices: all
          mig-enabled: true
          mig-devices:
            "1g.5gb": 7
```

## Use instead
```yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: custom-mig-config
  namespace: gpu-operator
data:
  config.yaml: |
    version: v1
    mig-configs:
      all-1g.5gb:
        - devices: all
          mig-enabled: true
          mig-devices:
            "1g.5gb": 7
```

## References
- NVIDIA/gpu-operator v26.7.0, deployments/gpu-operator/values.yaml, migManager.config
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.editing import rewrite
from labs.config.manifests import Field
from labs.lint.findings import Finding, Severity
from labs.lint.subject import LintDocument, Rule, Subject

_KEY = "config.yaml"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the first key that holds a config; renames it where it is the only one."""
    held: dict[int, list[str]] = {}
    for document in subject.documents:
        container = document.document.container
        if document.kind is Kind.MIG_PARTED and container is not None and document.document.key is not None:
            held.setdefault(id(container), []).append(document.document.key)
    for document, data in _holders(subject):
        keys = frozenset(held.get(id(document.document), ()))
        members = [field for field in data if field.name in keys]
        if members and not any(field.name == _KEY for field in data):
            edit = rewrite(members[0].key, _KEY) if len(members) == 1 else None
            yield RULE.at(document, members[0].key, fix=document.fix(edit), key=members[0].name[:80])


def _holders(subject: Subject) -> Iterator[tuple[LintDocument, tuple[Field, ...]]]:
    """What may hold MIG configs, with its keys."""
    yield from ((document, configs.data) for document, configs in subject.config_maps)
    for document, operator in subject.operators:
        yield document, operator.mig_manager_config.data


RULE = Rule(
    "GL313", "mig-config-map-without-config-yaml", Severity.ERROR, "0.1", check, __doc__, fixable=True
)
