"""The plugin's chart is given a ConfigMap by name and configs of its own at once.

## What it does
Finds values of the device plugin's chart in which both `config.name` and `config.map` are set.

## Why it matters
The chart refuses to render: only one of the two should ever be set. `config.name` points at a ConfigMap that is there
already; `config.map` has the chart make one.

## Example
```yaml values.yaml
migStrategy: none
config:
  name: time-slicing
  map:
    any: |
      version: v1
```

## Use instead
```yaml values.yaml
migStrategy: none
config:
  map:
    any: |
      version: v1
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin/templates/validation.yml
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import remove_member
from labs.config.goyaml import Mapping, find
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import truthy
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name; the fix keeps the configs that are written out."""
    for document, chart in subject.charts:
        name, configs = chart.config_name, chart.config_map
        if name is None or configs is None or not truthy(name) or not truthy(configs):
            continue
        holder = find(chart.node, ("config",))
        edit = None
        if isinstance(holder, Mapping) and (entry := holder.entry("name")) is not None:
            edit = remove_member(document.document.text, holder, entry)
        yield RULE.at(
            document,
            name.key,
            related=[document.related(configs.key, "map")],
            fix=document.fix(edit),
            name=quoted(name.value),
        )


RULE = Rule(
    "GL510", "chart-name-and-map", Severity.ERROR, "0.1", check, __doc__, notes=("map",), fixable=True
)
