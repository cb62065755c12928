"""An update strategy that the GPU Operator can't give its DaemonSets.

## What it does
Finds `daemonsets.updateStrategy` and `daemonsets.rollingUpdate` of a ClusterPolicy, or of the GPU Operator's values,
that the API server or the operator refuses, and a `maxSurge` there.

## Why it matters
The operator writes these settings into all its DaemonSets but the driver's, which is always `OnDelete`. The strategy is
one of two words, and `maxUnavailable` is text, a whole number or a percentage. The operator looks no further, so `0` or
`101%` is refused only when it applies a DaemonSet: nothing is rolled out then, and only the operator's log says why.

## Example
```yaml policy.yaml
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata:
  name: cluster-policy
spec:
  daemonsets:
    rollingUpdate:
      maxUnavailable: 1
```

## Use instead
```yaml policy.yaml
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata:
  name: cluster-policy
spec:
  daemonsets:
    rollingUpdate:
      maxUnavailable: "1"
```

## References
- NVIDIA/gpu-operator v26.7.0, api/nvidia/v1/clusterpolicy_types.go, DaemonsetsSpec
- NVIDIA/gpu-operator v26.7.0, controllers/object_controls.go, applyUpdateStrategyConfig
- Kubernetes, pkg/apis/apps/validation/validation.go, ValidateRollingUpdateDaemonSet
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.cluster.daemonset import ON_DELETE, ROLLING_UPDATE, IntOrPercent, UpdateStrategy, refusals
from labs.config.documents import Kind
from labs.config.editing import remove_member, replace
from labs.config.manifests import Field, field, mapping
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.daemonset import MOST_INT32, whole
from labs.lint.subject import LintDocument, Rule, Subject

_NUMBER = re.compile(r"[+-]?[0-9]{1,10}")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value that is refused, and at a key that is dropped."""
    for document, operator in subject.operators:
        kind = field(operator.node, "daemonsets", "updateStrategy")
        budget = field(operator.node, "daemonsets", "rollingUpdate", "maxUnavailable")
        if kind is not None and kind.written and kind.text not in (ROLLING_UPDATE, ON_DELETE):
            yield RULE.at(document, kind.place, variant="strategy", value=quoted(kind.value))
        elif budget is not None and not budget.is_null and (kind is None or kind.text != ON_DELETE):
            yield from _budget(document, budget)
        rolling = mapping(operator.node, "daemonsets", "rollingUpdate")
        entry = None if rolling is None else rolling.entry("maxSurge")
        if rolling is not None and entry is not None:
            fix = document.fix(remove_member(document.document.text, rolling, entry), safe=True)
            severity = Severity.WARNING
            yield RULE.at(document, entry.key, severity=severity, variant="surge", fix=fix, key="maxSurge")


def _budget(document: LintDocument, budget: Field) -> Iterator[Finding]:
    number = whole(budget)
    if budget.text is None and document.kind is Kind.CLUSTER_POLICY:
        fix = None if number is None else document.fix(replace(budget.value, f'"{number}"'), safe=True)
        yield RULE.at(document, budget.place, variant="quotes", fix=fix, value=quoted(budget.value))
        return
    if budget.text == "":
        # As if it were not there.
        return
    value = _handed_on(budget.text) if number is None else number
    if value is None:
        yield RULE.at(document, budget.place, variant="number", value=quoted(budget.value))
        return
    for refusal in refusals(UpdateStrategy(max_unavailable=value))[:1]:
        yield RULE.at(document, budget.place, error=str(refusal))


def _handed_on(text: str | None) -> IntOrPercent | None:
    """What the operator makes of a text: whatever ends in `%` as it is, else a number of 32 bits; None: it can't."""
    if text is None or text.endswith("%"):
        return text
    number = int(text) if _NUMBER.fullmatch(text) else None
    return number if number is not None and -MOST_INT32 - 1 <= number <= MOST_INT32 else None


RULE = Rule(
    "GL527",
    "refused-operator-budget",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("number", "quotes", "strategy", "surge"),
    fixable=True,
)
