"""Nodes without a label of their own have no config.

## What it does
Finds a set of several configs with no default: in the device plugin's chart without a `config.default` and without one
called `default`; under the GPU Operator, whose default must always be named, without a `devicePlugin.config.default`.

## Why it matters
The chart refuses such a `config.map`; with a ConfigMap of your own, config-manager stops on each node without the label
`nvidia.com/device-plugin.config` and the node offers no GPUs. The operator lets these nodes run without any config: GPUs
are not shared there and nothing says why. A config called `default` does not help under the operator.

## Example
```yaml values.yaml
migStrategy: none
config:
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
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin/templates/validation.yml
- NVIDIA/gpu-operator issue 412
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import CONFIG_LABEL, Field
from labs.lint.findings import Finding, Severity, listed
from labs.lint.meaning import Choice, fallbacks, of_chart, of_reference, truthy
from labs.lint.subject import LintDocument, Rule, Subject

NAMED = "default"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at what leads to the configs; silent about the operator where Nodes that are given have the label."""
    for document, chart in subject.charts:
        both = truthy(chart.config_name) and truthy(chart.config_map)
        place = chart.config_map if chart.configs else chart.config_name
        if place is None or both or truthy(chart.config_default):
            continue
        for choice in of_chart(subject, document, chart):
            if choice.keys and _fails(choice.names, fallbacks(chart)):
                yield _finding(document, place, choice, "" if chart.configs else "outside")
    if subject.labels_of_nodes(CONFIG_LABEL):
        return
    for document, operator in subject.operators:
        config = operator.plugin_config
        place = config.name or config.data_field
        if place is None or truthy(config.default):
            continue
        for choice in of_reference(subject, document, config):
            if NAMED in choice.names:
                yield _finding(document, place, choice, "named", Severity.WARNING)
            elif choice.keys:
                yield _finding(document, place, choice, "unshared", Severity.INFO)


def _finding(
    document: LintDocument, place: Field, choice: Choice, variant: str, severity: Severity | None = None
) -> Finding:
    apart = choice.document is not document
    return RULE.at(
        document,
        place.key,
        severity=severity,
        variant=variant,
        related=[choice.document.related(choice.place, "keys")] if apart else [],
        keys=listed(choice.names),
        label=CONFIG_LABEL,
    )


def _fails(names: tuple[str, ...], ways: tuple[str, ...]) -> bool:
    if "empty" in ways:
        return False
    return not ("named" in ways and NAMED in names) and not ("single" in ways and len(names) == 1)


RULE = Rule(
    "GL509",
    "no-config-for-unlabelled-nodes",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("outside", "named", "unshared"),
    notes=("keys",),
)
