"""The operator's chart has a value for the MPS folder that none of its templates reads.

## What it does
Finds `devicePlugin.mps.root` in the values of the GPU Operator's chart, where it is not the folder that is used anyway.

## Why it matters
The field exists in the ClusterPolicy and stands in the chart's `values.yaml`, but the chart's template does not render it.
MPS keeps using `/run/nvidia/mps`, whatever the values say.

## Example
```yaml values.yaml
mig:
  strategy: none
devicePlugin:
  enabled: true
  mps:
    root: /var/lib/mps
```

## Use instead
```yaml values.yaml
mig:
  strategy: none
devicePlugin:
  enabled: true
```

## References
- NVIDIA/gpu-operator v26.7.0, deployments/gpu-operator/values.yaml and templates/clusterpolicy.yaml
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.editing import Edit, remove_member
from labs.config.goyaml import Entry, Mapping, find
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.subject import Rule, Subject

USED = "/run/nvidia/mps"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value; to take it out changes nothing."""
    for document, operator in subject.operators:
        root = operator.mps_root
        if operator.kind is not Kind.GPU_OPERATOR_VALUES or root is None or root.is_null:
            continue
        if root.text in ("", USED):
            continue
        edit = _without(document.document.text, operator.node)
        yield RULE.at(
            document, root.place, fix=document.fix(edit, safe=True), value=quoted(root.value), used=USED
        )


def _without(source: str, values: Mapping) -> Edit | None:
    """The edit that takes the value out, with its map where it is alone in there."""
    for path, name in ((("devicePlugin", "mps"), "root"), (("devicePlugin",), "mps")):
        holder = find(values, path)
        entry: Entry | None = holder.entry(name) if isinstance(holder, Mapping) else None
        if not isinstance(holder, Mapping) or entry is None:
            return None
        if len(holder.entries) > 1:
            return remove_member(source, holder, entry)
    return None


RULE = Rule("GL505", "mps-root-not-rendered", Severity.WARNING, "0.1", check, __doc__, fixable=True)
