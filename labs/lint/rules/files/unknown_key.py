"""A key that the device plugin does not know.

## What it does
Finds keys in a config of the device plugin that are no fields of it: misspelt, hyphenated, or of another tool. Outside the
sharing blocks case does not matter to the plugin; inside `timeSlicing` and `mps` it does.

## Why it matters
The plugin refuses no unknown field anywhere: it drops the key with all that stands under it and starts without a word. With
`time-slicing` for `timeSlicing` the file loads, nothing is shared, and Pods wait for GPUs that the node never offers.

## Example
```yaml
version: v1
sharing:
  time-slicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## Use instead
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## References
- NVIDIA/k8s-device-plugin issues #1433 and #816
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1, and encoding/json of Go, which matches names without regard to case
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.gojson import fold
from labs.lint.findings import Finding, Severity, listed
from labs.lint.meaning import stray_keys
from labs.lint.refusals import bounded
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each key that is dropped and belongs nowhere else."""
    for document in subject.documents:
        names: dict[int, Counter[str | None]] = {}
        for stray in stray_keys(document):
            if stray.homes:
                continue
            written = stray.written
            if id(written.holder) not in names:
                names[id(written.holder)] = Counter(entry.name for entry in written.holder.entries)
            there = names[id(written.holder)]
            taken = stray.near in there or there[written.name] > 1
            variant = "near" if stray.near else ""
            if stray.near and fold(stray.near) == fold(written.name):
                variant = "case"
            edit = replace(written.entry.key, stray.near) if stray.near and not taken else None
            yield RULE.at(
                document,
                written.entry.key,
                variant=variant,
                fix=document.fix(edit),
                key=bounded(written.name),
                where=written.where,
                near=stray.near,
                allowed=listed(written.struct.fields, 200),
            )


RULE = Rule(
    "GL102", "unknown-key", Severity.WARNING, "0.1", check, __doc__, variants=("near", "case"), fixable=True
)
