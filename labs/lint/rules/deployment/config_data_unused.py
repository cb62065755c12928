"""Configs are written in the operator's values, and no ConfigMap is made of them.

## What it does
Finds `devicePlugin.config.data` or `migManager.config.data` in the values of the GPU Operator's chart where `create` beside
it is false or missing.

## Why it matters
The chart makes the ConfigMap only where `create` is true. Otherwise the data is dropped without a word, and `name` means a
ConfigMap that has to be there already: the plugin reads that one, or its Pods wait in `ContainerCreating` for it.

## Example
```yaml values.yaml
mig:
  strategy: single
devicePlugin:
  config:
    name: time-slicing
    default: any
    data:
      any: |
        version: v1
```

## Use instead
```yaml values.yaml
mig:
  strategy: single
devicePlugin:
  config:
    create: true
    name: time-slicing
    default: any
    data:
      any: |
        version: v1
```

## References
- NVIDIA/gpu-operator v26.7.0, deployments/gpu-operator/templates/plugin_config.yaml and mig_config.yaml
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.editing import add_member, replace
from labs.config.manifests.objects import ConfigReference
from labs.lint.findings import Finding, Fix, Severity
from labs.lint.meaning import truthy
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at `data`; the fix has the chart make the ConfigMap, where it has a name."""
    for document, operator in subject.operators:
        if operator.kind is not Kind.GPU_OPERATOR_VALUES:
            continue
        for owner, config in (
            ("devicePlugin", operator.plugin_config),
            ("migManager", operator.mig_manager_config),
        ):
            data = config.data_field
            if data is None or not truthy(data) or truthy(config.create):
                continue
            yield RULE.at(
                document,
                data.key,
                fix=_fix(document, config),
                key=f"{owner}.config.data",
                create=f"{owner}.config.create",
            )


def _fix(document: LintDocument, config: ConfigReference) -> Fix | None:
    if not truthy(config.name) or config.node is None or config.node.alias is not None:
        return None
    if config.create is not None:
        return document.fix(replace(config.create.value, "true"))
    return document.fix(add_member(document.document.text, config.node, "create: true"))


RULE = Rule("GL504", "config-data-unused", Severity.WARNING, "0.1", check, __doc__, fixable=True)
