"""The operator's chart is to make a ConfigMap and lacks its name or its content.

## What it does
Finds `create: true` under `devicePlugin.config` or `migManager.config` in the values of the GPU Operator's chart without a
`name` or without `data` beside it, or with an empty one.

## Why it matters
For the device plugin Helm stops from chart v26.7 on and says which of the two cannot be empty; before that the plugin's Pods
wait for a ConfigMap that nobody makes. For the MIG manager a missing `data` is passed over in silence: no ConfigMap is made,
and the MIG manager waits for one that is not there.

## Example
```yaml values.yaml
mig:
  strategy: single
devicePlugin:
  config:
    create: true
    name: time-slicing
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
- NVIDIA/gpu-operator v26.7.0, deployments/gpu-operator/templates/validations.yaml, plugin_config.yaml and mig_config.yaml
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.manifests.objects import ConfigReference
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import truthy
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at `create`."""
    for document, operator in subject.operators:
        if operator.kind is Kind.GPU_OPERATOR_VALUES:
            yield from _incomplete(document, "devicePlugin.config", operator.plugin_config)
            yield from _incomplete(document, "migManager.config", operator.mig_manager_config)


def _incomplete(document: LintDocument, key: str, config: ConfigReference) -> Iterator[Finding]:
    if config.create is None or not truthy(config.create):
        return
    named, filled = truthy(config.name), truthy(config.data_field)
    if named and filled:
        return
    ignored = not filled and key.startswith("migManager")
    variant = "ignored" if ignored else "" if named else "nameless"
    yield RULE.at(
        document,
        config.create.key,
        severity=Severity.WARNING if ignored else None,
        variant=variant,
        key=key,
    )


RULE = Rule(
    "GL518",
    "config-create-incomplete",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("nameless", "ignored"),
)
