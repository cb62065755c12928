"""Configs that are one text, where a map of names to texts belongs, or maps, where texts belong.

## What it does
Finds the `data` of a ConfigMap, or a `config.data` that is to become one, that is a block of text instead of a map, and
configs in it, or in `config.map` of the device plugin's chart, that are maps instead of texts.

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
    data:
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

from labs.config.documents import Kind
from labs.config.editing import Edit, line_index
from labs.config.goyaml import Mapping, Sequence
from labs.config.manifests import Field, field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import truthy
from labs.lint.subject import LintDocument, Rule, Subject

_OWN_KEYS = frozenset({"version", "flags", "sharing", "resources", "imex", "mig-configs"})
"""Keys of a config itself: among the names of configs they show that its lines lack a name, or stand too far left."""


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the key whose value is of the wrong kind; at the first only of a config that is spread over the names."""
    for document, configs in subject.config_maps:
        whole = field(document.document.root, "data")
        if whole is not None:
            yield from _wrong(document, "data", whole, configs.data)
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
    wrong = [member for member in members if isinstance(member.value, Mapping | Sequence)]
    spread = next((member for member in wrong if member.name in _OWN_KEYS), None)
    if spread is not None:
        yield RULE.at(document, spread.key, variant="spread", key=key, name=spread.name)
    for member in wrong:
        if member.name not in _OWN_KEYS:
            fix = document.fix(_as_text(document, member), safe=True)
            yield RULE.at(document, member.key, variant="text", fix=fix, key=key, name=member.name[:80])


def _as_text(document: LintDocument, member: Field) -> Edit | None:
    """The `|` that makes a text of the lines below a name; None where they are no text of their own as they stand."""
    text, key, value = document.document.text, member.key.span, member.value
    if not isinstance(value, Mapping) or value.flow or value.alias is not None:
        return None
    below = value.span.start.line > key.end.line and value.span.start.column > key.start.column
    between = text[key.end_offset : value.span.start_offset]
    referring = set("&*") & set(text[value.span.start_offset : value.span.end_offset])
    if not below or referring or between.partition("\n")[0].partition("#")[0].strip() != ":":
        return None
    colon = key.end_offset + between.index(":") + 1
    return Edit(line_index(text).span(colon, colon), " |")


RULE = Rule(
    "GL507",
    "config-data-not-a-map",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("text", "spread"),
    fixable=True,
)
