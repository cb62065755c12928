"""A MIG resource is shared, but under the MIG strategy in effect there is no such resource.

## What it does
Finds a shared `nvidia.com/mig-*` resource in a config whose MIG strategy is not `mixed`.

## Why it matters
Resources with the name of a MIG profile exist under the strategy `mixed` only. Under `single` MIG devices are offered as
`nvidia.com/gpu`, under `none`, the default, the whole GPU is. The plugin takes the file and skips the entry without a word,
so the slices are not shared. Under MPS the strategy can't be `mixed` at all. Where neither the file nor anything given
beside it says which strategy holds, this is only a hint: the deployment may set it.

## Example
```yaml
version: v1
flags:
  migStrategy: single
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/mig-1g.5gb
        replicas: 4
```

## Use instead
```yaml
version: v1
flags:
  migStrategy: mixed
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/mig-1g.5gb
        replicas: 4
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.node_labels import GPU_RESOURCE
from labs.config.editing import add_under, remove_item, replace
from labs.config.goyaml import Sequence
from labs.config.manifests import SharedEntry
from labs.config.plugin import FLAGS, SharedResource, SharingStrategy
from labs.lint.findings import Finding, Fix, Related, Severity
from labs.lint.keys import MIG_PREFIX
from labs.lint.meaning import DeployedConfig, deployed
from labs.lint.subject import Rule, Subject

_STRATEGY = next(flag for flag in FLAGS if flag.name == "mig-strategy")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name of each such resource, and beside it at what sets the strategy."""
    for setup in deployed(subject):
        if setup.setting is None or setup.setting.mig_strategy == "mixed":
            continue
        mps = setup.strategy is SharingStrategy.MPS
        if mps and not any(resource.name == GPU_RESOURCE for resource in setup.setting.resources):
            continue
        for entry, resource in setup.shared:
            if resource.name.startswith(MIG_PREFIX) and entry.name is not None:
                yield _finding(setup, entry, resource, setup.setting.mig_strategy, mps=mps)


def _finding(
    setup: DeployedConfig, entry: SharedEntry, resource: SharedResource, strategy: str, *, mps: bool
) -> Finding:
    written = setup.written(_STRATEGY)
    related: list[Related] = []
    if mps:
        variant, fix = "mps", _removal(setup, entry)
    elif _STRATEGY.name in setup.overrides:
        variant, fix = "deployer", None
        setter = setup.how.set_by.get("MIG_STRATEGY")
        if setter is not None and setup.how.source is not None:
            related.append(setup.how.source.related(setter.place, "strategy"))
    else:
        variant = "" if written is not None else "unset" if setup.how.deployer is not None else "unsaid"
        fix = _mixed(setup)
        if written is not None:
            related.append(setup.document.related(written.place, "strategy"))
    return RULE.at(
        setup.document,
        entry.node if entry.name is None else entry.name.value,
        severity=Severity.INFO if variant == "unsaid" else None,
        variant=variant,
        related=related,
        fix=fix,
        resource=resource.name,
        strategy=strategy,
    )


def _mixed(setup: DeployedConfig) -> Fix | None:
    written = setup.written(_STRATEGY)
    if written is not None:
        return setup.document.fix(replace(written.value, "mixed"))
    if setup.config.root is None:
        return None
    key = "flags" if setup.config.flags is None else setup.config.flags.name
    return setup.document.fix(
        add_under(setup.document.document.text, setup.config.root, key, "migStrategy: mixed")
    )


def _removal(setup: DeployedConfig, entry: SharedEntry) -> Fix | None:
    items = None if setup.block is None or setup.block.resources is None else setup.block.resources.value
    if not isinstance(items, Sequence):
        return None
    return setup.document.fix(remove_item(setup.document.document.text, items, entry.node), safe=True)


RULE = Rule(
    "GL203",
    "mig-resource-without-mixed",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("unset", "unsaid", "deployer", "mps"),
    notes=("strategy",),
    fixable=True,
)
