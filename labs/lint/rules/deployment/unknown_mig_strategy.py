"""A MIG strategy that there is not, in a ClusterPolicy or in the values of a chart.

## What it does
Finds a `mig.strategy` of the GPU Operator, or a `migStrategy` of the device plugin's chart, other than `none`, `single` and
`mixed`. Case counts.

## Why it matters
The API server refuses a ClusterPolicy with another strategy. The device plugin's chart hands its value on as `MIG_STRATEGY`
unseen; the plugin then stops with `unknown MIG strategy` and its node loses its GPUs.

## Example
```yaml values.yaml
mig:
  strategy: Mixed
migManager:
  enabled: true
```

## Use instead
```yaml values.yaml
mig:
  strategy: mixed
migManager:
  enabled: true
```

## References
- NVIDIA/gpu-operator v26.7.0, api/nvidia/v1/clusterpolicy_types.go, MIGSpec
- NVIDIA/k8s-device-plugin v0.20.0, cmd/nvidia-device-plugin/main.go, validateFlags
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.editing import replace
from labs.config.goyaml import Scalar
from labs.config.manifests import Field
from labs.config.own import nearest, quoted
from labs.config.plugin import MIG_STRATEGIES
from labs.lint.findings import Finding, Severity
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value; a spelling that differs in case only can have meant just one strategy."""
    for document, strategy in _strategies(subject):
        value = quoted(strategy.value)
        near = nearest(value, MIG_STRATEGIES) if strategy.text else ""
        variant = "near" if near else "" if strategy.written else "empty"
        edit = replace(strategy.value, near) if near else None
        yield RULE.at(
            document,
            strategy.place,
            variant=variant,
            fix=document.fix(edit, safe=near == value.strip().lower()),
            value=value,
            key=strategy.name,
            near=near,
        )


def _strategies(subject: Subject) -> Iterator[tuple[LintDocument, Field]]:
    for document, operator in subject.operators:
        strategy = operator.mig_strategy
        if strategy is None or strategy.is_null or strategy.text in ("", *MIG_STRATEGIES):
            continue
        # A false in values is not rendered.
        if isinstance(strategy.value, Scalar) and (
            operator.kind is Kind.CLUSTER_POLICY or strategy.boolean is not False
        ):
            yield document, strategy
    for document, chart in subject.charts:
        for flag in chart.flags:
            # What is no string is not rendered.
            if flag.name == "migStrategy" and flag.text is not None and flag.text not in MIG_STRATEGIES:
                yield document, flag


RULE = Rule(
    "GL501",
    "unknown-mig-strategy",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("near", "empty"),
    fixable=True,
)
