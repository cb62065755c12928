"""A container may ask for several replicas of a shared GPU, and need not get more of it.

## What it does
Finds time-slicing that says nothing of `failRequestsGreaterThanOne`, so that a request for more than one replica is taken.
Where `false` is written, somebody has decided, and the rule is silent.

## Why it matters
A replica is a ticket to the GPU, not a share of it. Two tickets may be for one and the same GPU, and they buy no second
helping of time. Whoever asks for `nvidia.com/gpu: 2` and means two GPUs, or twice the speed, finds out by measuring. With
`true` such a Pod fails at once and says why. The default under time-slicing is `false` only to keep older setups working.

## Example
```yaml
version: v1
sharing:
  timeSlicing:
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
- NVIDIA/k8s-device-plugin v0.20.0, README and internal/rm/allocate.go
- NVIDIA/gpu-operator issue 386
- NVIDIA/k8s-device-plugin issues 491 and 1690
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import add_member
from labs.config.goyaml import Mapping
from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Subject

_KEY = "failRequestsGreaterThanOne"


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the block."""
    for setup in deployed(subject):
        block, setting = setup.block, setup.setting
        if block is None or setting is None or setting.fail_requests_greater_than_one:
            continue
        written = block.fail_requests_greater_than_one
        if setup.strategy is SharingStrategy.MPS or (written is not None and not written.is_null):
            continue
        node, edit = block.field.value, None
        if written is None and isinstance(node, Mapping) and node.alias is None and node.anchor is None:
            edit = add_member(setup.document.document.text, node, f"{_KEY}: true")
        yield RULE.at(
            setup.document,
            block.field.key.place,
            fix=setup.document.fix(edit),
            block=block.field.name,
            key=_KEY,
        )


RULE = Rule(
    "GL214",
    "requests-above-one-accepted",
    Severity.INFO,
    "0.1",
    check,
    __doc__,
    fixable=True,
)
