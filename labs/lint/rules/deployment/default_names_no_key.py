"""The default config is one that is not among the configs beside it.

## What it does
Finds a `config.default` that names none of the configs in the same values: those under `devicePlugin.config.data` of the
GPU Operator, or under `config.map` of the device plugin's chart.

## Why it matters
On each node without a label of its own, config-manager looks for the default and stops with
`specified config does not exist` (the name is printed empty). The plugin's Pods are caught in a crash loop and
the nodes offer no GPUs.

## Example
```yaml values.yaml
migStrategy: none
config:
  default: bigg
  map:
    big: |
      version: v1
    small: |
      version: v1
```

## Use instead
```yaml values.yaml
migStrategy: none
config:
  default: big
  map:
    big: |
      version: v1
    small: |
      version: v1
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/config-manager/main.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.manifests import Field
from labs.config.own import nearest, quoted
from labs.lint.findings import MOST_NAMES, Finding, Severity, listed
from labs.lint.meaning import truthy
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the default, and at the configs that there are."""
    for document, default, whole, keys in _defaults(subject):
        names = [key.name for key in keys]
        if not keys or default.text is None or not default.text or default.text in names:
            continue
        near = nearest(default.text, names[:MOST_NAMES]) or (names[0] if len(names) == 1 else "")
        edit = replace(default.value, near) if near else None
        yield RULE.at(
            document,
            default.place,
            variant="near" if near else "",
            related=[document.related(whole.key, "keys")],
            fix=document.fix(edit),
            value=quoted(default.value),
            keys=listed(names),
            near=near,
        )


def _defaults(subject: Subject) -> Iterator[tuple[LintDocument, Field, Field, tuple[Field, ...]]]:
    for document, operator in subject.operators:
        config = operator.plugin_config
        if config.default is not None and config.data_field is not None and truthy(config.create):
            yield document, config.default, config.data_field, config.data
    for document, chart in subject.charts:
        if chart.config_default is not None and chart.config_map is not None:
            yield document, chart.config_default, chart.config_map, chart.configs


RULE = Rule(
    "GL508",
    "default-names-no-key",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("near",),
    notes=("keys",),
    fixable=True,
)
