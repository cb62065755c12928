"""A default config is named, and there are no configs to choose it from.

## What it does
Finds a `config.default` in the values of the device plugin's chart without `config.name` and without `config.map`, and a
`devicePlugin.config.default` of the GPU Operator without `name` beside it.

## Why it matters
The default is a key of a ConfigMap. Where no ConfigMap is named and none is written out, nothing is mounted: the plugin runs
without any config, nothing is shared, and nothing says so. Often the name of the ConfigMap stands there, which belongs
under `name`.

## Example
```yaml values.yaml
gfd:
  enabled: true
config:
  default: plugin-configs
```
```yaml configs.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: plugin-configs
data:
  any: |
    version: v1
```

## Use instead
```yaml values.yaml
gfd:
  enabled: true
config:
  name: plugin-configs
```
```yaml configs.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: plugin-configs
data:
  any: |
    version: v1
```

## References
- NVIDIA/k8s-device-plugin issue 990
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin/templates/_helpers.tpl, hasConfigMap
- NVIDIA/gpu-operator v26.7.0, controllers/object_controls.go, handleDevicePluginConfig
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.documents import Kind
from labs.config.editing import rename
from labs.config.goyaml import find
from labs.config.manifests import Field
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import maps_named, truthy
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the key; the fix makes it the ConfigMap's name where one of that name is given.

    Several files of values may be laid over each other: where one of them has configs, a default counts for it.
    """
    charts = subject.charts
    keys = {key.name for _, chart in charts for key in chart.configs}
    others = any(truthy(chart.config_name) or truthy(chart.config_map) for _, chart in charts)
    for document, chart in charts:
        if not truthy(chart.config_name) and not truthy(chart.config_map):
            alone = _Alone(document, chart.config_default, ("config",), "map")
            yield from _finding(subject, alone, keys, others)
    references = [operator.plugin_config for _, operator in subject.operators]
    keys = {key.name for config in references for key in config.data}
    others = any(truthy(each.name) or truthy(each.create) or truthy(each.data_field) for each in references)
    for document, operator in subject.operators:
        config = operator.plugin_config
        if not (truthy(config.name) or truthy(config.create) or truthy(config.data_field)):
            alone = _Alone(document, config.default, ("devicePlugin", "config"), "data")
            yield from _finding(subject, alone, keys, others)


@dataclass(frozen=True, slots=True)
class _Alone:
    """A default without anything beside it: where it stands, and what could be written out there."""

    document: LintDocument
    default: Field | None
    path: tuple[str, ...]
    written: str


def _finding(subject: Subject, alone: _Alone, keys: set[str], others: bool) -> Iterator[Finding]:
    document, default = alone.document, alone.default
    if default is None or not truthy(default) or default.text in keys or document.document.partial:
        return
    maps = maps_named(subject, default.text) if default.text else ()
    if others and not maps:
        return
    path = ("spec", *alone.path) if document.kind is Kind.CLUSTER_POLICY else alone.path
    edit = rename(find(document.document.root, path), default.key, "name") if maps else None
    key = ".".join(alone.path)
    yield RULE.at(
        document,
        default.key,
        variant="map" if maps else "",
        related=[each.document.related(each.place, "map") for each in maps[:1]],
        fix=document.fix(edit),
        key=f"{key}.default",
        name=f"{key}.name",
        written=f"{key}.{alone.written}",
        value=quoted(default.value),
    )


RULE = Rule(
    "GL557",
    "default-without-configs",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("map",),
    notes=("map",),
    fixable=True,
)
