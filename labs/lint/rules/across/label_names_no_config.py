"""A node's label, or a default, names a config that the ConfigMap does not have.

## What it does
Finds Nodes whose label `nvidia.com/device-plugin.config` names none of the configs that are given, and a `config.default`
of the GPU Operator or of the device plugin's chart that is no key of the ConfigMap which `config.name` refers to.

## Why it matters
config-manager does not skip an unknown name: it stops with `specified config X does not exist`. New Pods of the plugin
never get past their init container, and that node offers no GPUs. A rollout that reaches it stops there.

## Example
```yaml configs.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: time-slicing
data:
  tesla-t4: |
    version: v1
  a100: |
    version: v1
```
```yaml node.yaml
apiVersion: v1
kind: Node
metadata:
  name: gpu-node-1
  labels:
    nvidia.com/device-plugin.config: tesla_t4
```

## Use instead
```yaml configs.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: time-slicing
data:
  tesla-t4: |
    version: v1
  a100: |
    version: v1
```
```yaml node.yaml
apiVersion: v1
kind: Node
metadata:
  name: gpu-node-1
  labels:
    nvidia.com/device-plugin.config: tesla-t4
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/config-manager/main.go, updateConfigName
- NVIDIA/gpu-operator issue 412
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.config.editing import rewrite
from labs.config.manifests import CONFIG_LABEL, Field
from labs.config.own import quoted
from labs.lint.findings import Finding, NearNames, Severity, listed
from labs.lint.meaning import Choice, choices, maps_named, truthy
from labs.lint.subject import LintDocument, Rule, Subject

_MOST_PLACES = 3
_VARIANTS = {
    (False, False): "",
    (False, True): "near",
    (True, False): "default",
    (True, True): "default-near",
}


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name, and at the ConfigMap or the map that should have it."""
    wanted = [(document, label) for document, label in subject.labels_of_nodes(CONFIG_LABEL) if label.text]
    config_choices = choices(subject) if wanted else ()
    yield from _missing(wanted, config_choices, False)
    by_name: dict[str, list[tuple[LintDocument, Field]]] = {}
    for document, default, name in _defaults(subject):
        by_name.setdefault(name, []).append((document, default))
    for name, defaults in by_name.items():
        yield from _missing(defaults, maps_named(subject, name), True)


def _missing(
    named: Sequence[tuple[LintDocument, Field]], config_choices: Sequence[Choice], by_default: bool
) -> Iterator[Finding]:
    keys = dict.fromkeys(name for choice in config_choices for name in choice.names)
    near_names = NearNames(keys)
    for document, reference in named:
        if not keys or reference.text in keys:
            continue
        near = near_names.of(reference.text or "")
        edit = rewrite(reference.value, near) if near else None
        yield RULE.at(
            document,
            reference.place,
            variant=_VARIANTS[by_default, bool(near)],
            related=[
                choice.document.related(choice.place, "keys") for choice in config_choices[:_MOST_PLACES]
            ],
            fix=document.fix(edit),
            value=quoted(reference.value),
            keys=listed(keys),
            near=near,
        )


def _defaults(subject: Subject) -> Iterator[tuple[LintDocument, Field, str]]:
    """The defaults of ConfigMaps that something else makes, with the ConfigMap's name."""
    pairs = (
        *(
            (
                document,
                operator.plugin_config.default,
                operator.plugin_config.name,
                truthy(operator.plugin_config.create),
            )
            for document, operator in subject.operators
        ),
        *(
            (document, chart.config_default, chart.config_name, bool(chart.configs))
            for document, chart in subject.charts
        ),
    )
    for document, default, name, made_here in pairs:
        if default is not None and default.text and name is not None and name.text and not made_here:
            yield document, default, name.text


RULE = Rule(
    "GL904",
    "label-names-no-config",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("near", "default", "default-near"),
    notes=("keys",),
    fixable=True,
)
