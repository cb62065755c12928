"""Values of a chart with keys that belong to a config of the plugin.

## What it does
Finds `flags`, `sharing` and `imex` at the top and under `config` of the values of the device plugin's chart, and at the top,
under `devicePlugin` and under `devicePlugin.config` of the GPU Operator's values.

## Why it matters
They are keys of the config that the plugin loads, and no template of the chart reads them there. Helm drops them without a
word, so nothing is shared and the flags keep their defaults. The chart takes a whole config as a text under a name: in
`config.map` of the device plugin's chart, in `devicePlugin.config.data` of the operator's.

## Example
```yaml values.yaml
gfd:
  enabled: true
deviceListStrategy: envvar
config:
  default: shared
  map:
    shared: |
      version: v1
flags:
  migStrategy: single
```

## Use instead
```yaml values.yaml
gfd:
  enabled: true
deviceListStrategy: envvar
config:
  default: shared
  map:
    shared: |
      version: v1
      flags:
        migStrategy: single
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin/values.yaml and templates/_helpers.tpl
- NVIDIA/gpu-operator v26.7.0, deployments/gpu-operator/values.yaml and templates/plugin_config.yaml
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.goyaml import Mapping, Node
from labs.config.manifests import fields
from labs.lint.findings import Finding, Severity
from labs.lint.subject import LintDocument, Rule, Subject

_KEYS = ("flags", "sharing", "imex")
_CHART = ((), ("config",))
_OPERATOR = ((), ("devicePlugin",), ("devicePlugin", "config"))


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each such key."""
    for document, chart in subject.charts:
        yield from _misplaced(document, chart.node, _CHART, "config.map")
    for document, operator in subject.operators:
        if operator.kind is Kind.GPU_OPERATOR_VALUES:
            yield from _misplaced(document, operator.node, _OPERATOR, "devicePlugin.config.data")


def _misplaced(
    document: LintDocument, root: Node, paths: tuple[tuple[str, ...], ...], home: str
) -> Iterator[Finding]:
    for path in paths:
        for member in fields(root, *path):
            if member.name in _KEYS and isinstance(member.value, Mapping) and member.value.entries:
                yield RULE.at(document, member.key, key=".".join((*path, member.name)), home=home)


RULE = Rule("GL556", "config-key-in-values", Severity.WARNING, "0.1", check, __doc__)
