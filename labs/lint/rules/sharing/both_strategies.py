"""Both `timeSlicing` and `mps` are set, and only one of them counts.

## What it does
Finds a config of the device plugin whose `sharing` has both a `timeSlicing` and an `mps` block.

## Why it matters
The plugin takes such a file without a word and goes by `mps`; what `timeSlicing` says is dropped. The README calls the two
mutually exclusive, but nothing refuses them together, and a mistake in the block that is not used still keeps the whole
file from loading.

## Example
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 2
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
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/sharing.go, SharingStrategy and ReplicatedResources
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import remove_at
from labs.config.goyaml import Mapping
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the block that is dropped, and beside it at the one that counts."""
    for setup in deployed(subject):
        document, config = setup.document, setup.config
        sliced, mps = config.time_slicing, config.mps
        if not setup.running.loads or sliced is None or mps is None or mps.field.is_null:
            continue
        holder = None if config.sharing is None else config.sharing.value
        edit = None
        if isinstance(holder, Mapping):
            edit = remove_at(document.document.text, holder, [sliced.field.name])
        yield RULE.at(
            document,
            sliced.field.key,
            related=[document.related(mps.field.key, "used")],
            fix=document.fix(edit, safe=True),
            dropped=sliced.field.name,
            used=mps.field.name,
        )


RULE = Rule(
    "GL201", "both-strategies", Severity.WARNING, "0.1", check, __doc__, notes=("used",), fixable=True
)
