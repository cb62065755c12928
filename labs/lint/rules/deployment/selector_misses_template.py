"""A DaemonSet whose selector is empty, or does not fit the labels of its Pods.

## What it does
Finds a DaemonSet without a selector, with an empty one, or with one that the labels of its own template do not match.

## Why it matters
The API server refuses it: `selector` does not match template `labels`. Otherwise the controller would create Pods that
it does not find again, without end.

## Example
```yaml agent.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agents}
    spec:
      containers:
        - name: agent
          image: registry.example.com/agent:1.4
```

## Use instead
```yaml agent.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: node-agent
spec:
  selector:
    matchLabels: {app: agent}
  template:
    metadata:
      labels: {app: agent}
    spec:
      containers:
        - name: agent
          image: registry.example.com/agent:1.4
```

## References
- Kubernetes, pkg/apis/apps/validation/validation.go, ValidateDaemonSetSpec
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.goyaml import Mapping
from labs.config.manifests import Field, field, fields, items, mappings, text, text_of
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import daemonset_specs
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the selector, at the first of its labels that does not fit, or at `spec`."""
    for document, spec in daemonset_specs(subject):
        selector = field(spec, "selector")
        labels = fields(spec, "template", "metadata", "labels")
        if selector is None or selector.is_null:
            whole = field(document.document.root, "spec")
            if labels and whole is not None:
                yield RULE.at(document, whole.key, variant="missing")
        elif not isinstance(selector.value, Mapping):
            continue
        elif not fields(selector.value, "matchLabels") and not items(selector.value, "matchExpressions"):
            yield RULE.at(document, selector.key, variant="empty")
        else:
            yield from _mismatch(document, spec, selector.value)


def _mismatch(document: LintDocument, spec: Mapping, selector: Mapping) -> Iterator[Finding]:
    labels = {label.name: label for label in fields(spec, "template", "metadata", "labels")}
    block = field(spec, "template", "metadata", "labels")
    related = [] if block is None else [document.related(block.key, "labels")]
    for wanted in fields(selector, "matchLabels"):
        label = labels.get(wanted.name)
        if label is None or label.written != wanted.written:
            yield RULE.at(
                document,
                wanted.key if label is None else wanted.place,
                variant="" if label is None else "differs",
                related=related,
                label=wanted.name[:80],
                value=wanted.written[:80],
                found="" if label is None else label.written[:80],
            )
            return
    for expression in mappings(selector, "matchExpressions"):
        key, operator = field(expression, "key"), text(expression, "operator")
        if key is None or key.text is None:
            continue
        values = tuple(word for each in items(expression, "values") if (word := text_of(each)) is not None)
        if not _holds(labels.get(key.text), operator, values):
            said = f"{operator} {', '.join(values)}".strip()[:80]
            yield RULE.at(document, key.place, related=related, label=key.text[:80], value=said, found="")
            return


def _holds(label: Field | None, operator: str | None, values: tuple[str, ...]) -> bool:
    """Whether a label fits an expression; an operator that there is not is for others to refuse."""
    if operator == "In":
        return label is not None and label.written in values
    if operator == "Exists":
        return label is not None
    if operator == "NotIn":
        return label is None or label.written not in values
    return operator != "DoesNotExist" or label is None


RULE = Rule(
    "GL520",
    "selector-misses-template",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("differs", "empty", "missing"),
    notes=("labels",),
)
