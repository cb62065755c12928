"""Configs in values that are one text, where a map of names to texts belongs.

## What it does
Finds a `config.data` that is to become a ConfigMap and is a block of text instead of a map, and configs in it, or in
`config.map` of the device plugin's chart, that are maps instead of texts.

## Why it matters
A ConfigMap's `data` is a map from names to texts. The API server refuses one whose data is a text, or holds maps, and the
install or upgrade fails. The two are easily mixed up: `data:` takes no `|`, each name in it does.

## Example
```yaml values.yaml
mig:
  strategy: single
devicePlugin:
  config:
    create: true
    name: time-slicing
    default: any
    data: |
      any:
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
- NVIDIA/cloud-native-docs pull request 82
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.kinds import Kind
from labs.config.manifests_fields import Field
from labs.config.yaml_nodes import Mapping, Sequence
from labs.lint.config_choice import truthy
from labs.lint.finding import Finding, Severity
from labs.lint.rule import Rule
from labs.lint.subject import LintDocument, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the key whose value is of the wrong kind."""
    for document, operator in subject.operators:
        if operator.kind is not Kind.GPU_OPERATOR_VALUES:
            continue
        for owner, config in (
            ("devicePlugin", operator.plugin_config),
            ("migManager", operator.mig_manager_config),
        ):
            if config.data_field is not None and truthy(config.create):
                yield from _wrong(document, f"{owner}.config.data", config.data_field, config.data)
    for document, chart in subject.charts:
        if chart.config_map is not None:
            yield from _wrong(document, "config.map", chart.config_map, chart.configs)


def _wrong(document: LintDocument, key: str, whole: Field, members: tuple[Field, ...]) -> Iterator[Finding]:
    if not isinstance(whole.value, Mapping) and truthy(whole):
        yield RULE.at(document, whole.key, key=key, name="")
    for member in members:
        if isinstance(member.value, Mapping | Sequence):
            yield RULE.at(document, member.key, variant="text", key=key, name=member.name[:80])


RULE = Rule("GL507", "config-data-not-a-map", Severity.ERROR, "0.1", check, __doc__)
