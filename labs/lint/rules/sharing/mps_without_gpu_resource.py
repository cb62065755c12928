"""An MPS block that does not name `nvidia.com/gpu`: the plugin waits for a daemon that never comes.

## What it does
Finds an MPS block whose `resources` name something else than `nvidia.com/gpu`: a misspelt name, or MIG resources only.

## Why it matters
MPS is switched on for every resource that the plugin serves, but a daemon is started only for the resources in the block.
The node's GPUs are served as `nvidia.com/gpu`; if the block does not name that, its daemon is never started, the plugin
logs `error waiting for MPS daemon` and tries again every 30 seconds, and the node offers no GPU.

## Example
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
    resources:
      - name: nvidia.com/gpus
        replicas: 4
```

## Use instead
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/mps-control-daemon/mps/manager.go and internal/plugin/server.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.node_labels import GPU_RESOURCE
from labs.config.editing import replace
from labs.config.own import quoted
from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.keys import nearest_name
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the only name, or at the list where there are several."""
    for setup in deployed(subject):
        block, setting = setup.block, setup.setting
        if (
            setup.strategy is not SharingStrategy.MPS
            or block is None
            or setting is None
            or block.resources is None
        ):
            continue
        if any(resource.name == GPU_RESOURCE for resource in setting.resources) or not setup.shared:
            continue
        entry, resource = setup.shared[0]
        if len(setup.shared) > 1 or entry.name is None:
            names = ", ".join(
                quoted(each.name.value) for each, _ in setup.shared[:3] if each.name is not None
            )
            listing = names if len(setup.shared) <= 3 else f"{names}, …"
            yield RULE.at(
                setup.document, block.resources.key, block=block.field.name, names=listing, gpu=GPU_RESOURCE
            )
            continue
        near = nearest_name(resource.name, None)
        yield RULE.at(
            setup.document,
            entry.name.value,
            variant="near" if near else "",
            fix=setup.document.fix(replace(entry.name.value, near)) if near else None,
            block=block.field.name,
            names=quoted(entry.name.value),
            gpu=GPU_RESOURCE,
        )


RULE = Rule(
    "GL210",
    "mps-without-gpu-resource",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("near",),
    fixable=True,
)
