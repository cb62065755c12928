"""A default for the MIG manager that its field does not take.

## What it does
Finds a `migManager.config.default` of the GPU Operator other than `all-disabled` and the empty string.

## Why it matters
The field is an enumeration of these two, so the API server refuses the ClusterPolicy with any other name: with Helm, the
install or upgrade fails. A MIG config is chosen node by node, with the label `nvidia.com/mig.config`.

## Example
```yaml values.yaml
mig:
  strategy: single
migManager:
  config:
    default: all-1g.10gb
```

## Use instead
```yaml values.yaml
mig:
  strategy: single
migManager:
  config:
    default: all-disabled
```

## References
- NVIDIA/gpu-operator v26.7.0, api/nvidia/v1/clusterpolicy_types.go, MIGPartedConfigSpec
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.goyaml import Scalar
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.subject import Rule, Subject

ALLOWED = "all-disabled"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name."""
    for document, operator in subject.operators:
        default = operator.mig_manager_config.default
        if default is None or not default.text or default.text == ALLOWED:
            continue
        edit = replace(default.value, ALLOWED) if isinstance(default.value, Scalar) else None
        yield RULE.at(
            document, default.place, fix=document.fix(edit), value=quoted(default.value), allowed=ALLOWED
        )


RULE = Rule("GL506", "mig-manager-default", Severity.ERROR, "0.1", check, __doc__, fixable=True)
