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
    for one in deployed(subject):
        if one.setting is None or one.setting.mig_strategy == "mixed":
            continue
        mps = one.strategy is SharingStrategy.MPS
        if mps and not any(resource.name == GPU_RESOURCE for resource in one.setting.resources):
            continue
        for entry, resource in one.shared:
            if resource.name.startswith(MIG_PREFIX) and entry.name is not None:
                yield _finding(one, entry, resource, one.setting.mig_strategy, mps=mps)


def _finding(
    one: DeployedConfig, entry: SharedEntry, resource: SharedResource, strategy: str, *, mps: bool
) -> Finding:
    written = one.written(_STRATEGY)
    related: list[Related] = []
    if mps:
        variant, fix = "mps", _removal(one, entry)
    elif _STRATEGY.name in one.given:
        variant, fix = "deployer", None
        setter = one.how.set_by.get("MIG_STRATEGY")
        if setter is not None and one.how.source is not None:
            related.append(one.how.source.related(setter.place, "strategy"))
    else:
        variant = "" if written is not None else "unset" if one.how.deployer is not None else "unsaid"
        fix = _mixed(one)
        if written is not None:
            related.append(one.document.related(written.place, "strategy"))
    return RULE.at(
        one.document,
        entry.node if entry.name is None else entry.name.value,
        severity=Severity.INFO if variant == "unsaid" else None,
        variant=variant,
        related=related,
        fix=fix,
        resource=resource.name,
        strategy=strategy,
    )


def _mixed(one: DeployedConfig) -> Fix | None:
    written = one.written(_STRATEGY)
    if written is not None:
        return one.document.fix(replace(written.value, "mixed"))
    if one.config.root is None:
        return None
    key = "flags" if one.config.flags is None else one.config.flags.name
    return one.document.fix(add_under(one.document.document.text, one.config.root, key, "migStrategy: mixed"))


def _removal(one: DeployedConfig, entry: SharedEntry) -> Fix | None:
    items = None if one.block is None or one.block.resources is None else one.block.resources.value
    if not isinstance(items, Sequence):
        return None
    return one.document.fix(remove_item(one.document.document.text, items, entry.node), safe=True)


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
