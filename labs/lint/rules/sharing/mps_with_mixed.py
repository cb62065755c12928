"""MPS together with the MIG strategy `mixed`: the plugin refuses to start.

## What it does
Finds a config that shares by MPS while the MIG strategy in effect is `mixed`, whether the file says so or the deployment.

## Why it matters
The plugin stops with `using --mig-strategy=mixed is not supported with MPS`, and the node's GPUs go to 0 allocatable. The
file need not say `mixed` itself: a ClusterPolicy with `mig.strategy: mixed` breaks a config that is fine on its own.

## Example
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
  migStrategy: mixed
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## Use instead
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
  migStrategy: none
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/nvidia-device-plugin/main.go, validateFlags
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.plugin import FLAGS
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import MPS_WITH_MIXED, deployed
from labs.lint.subject import Rule, Subject

_STRATEGY = next(flag for flag in FLAGS if flag.name == "mig-strategy")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the strategy in the file, or at the MPS block where the deployment sets the strategy."""
    for setup in deployed(subject):
        block = setup.config.mps
        if block is None or not setup.refused_with(MPS_WITH_MIXED):
            continue
        written = setup.written(_STRATEGY)
        if written is not None and _STRATEGY.name not in setup.overrides:
            yield RULE.at(
                setup.document,
                written.place,
                related=[setup.document.related(block.field.key, "block")],
                fix=setup.document.fix(replace(written.value, "none")),
                block=block.field.name,
            )
            continue
        setter, source = setup.how.set_by.get("MIG_STRATEGY"), setup.how.source
        related = [] if setter is None or source is None else [source.related(setter.place, "strategy")]
        yield RULE.at(
            setup.document, block.field.key, variant="deployer", related=related, block=block.field.name
        )


RULE = Rule(
    "GL206",
    "mps-with-mixed",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("deployer",),
    notes=("block", "strategy"),
    explains_refusal=True,
    fixable=True,
)
