"""A field that the plugin reads, checks and then drops.

## What it does
Finds `rename` and `devices` in the entries of a sharing block, and `resources` at the top of the config.

## Why it matters
The three are in the config's format but not switched on. The plugin checks their values, so that a wrong one is refused,
then drops them with a warning in its log, `... is not yet supported in the config. Ignoring...`. The resource keeps its
name, every GPU of the node is shared, and no resource of your own is made. A node has one number of replicas for a
resource, not one for each GPU.

## Example
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        devices: [0, 1]
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
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/config.go, DisableResourceNamingInConfig
- NVIDIA/k8s-device-plugin issues 353, 404 and 628
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import Edit, remove_at
from labs.config.gojson import GoError
from labs.config.goyaml import Mapping, Sequence
from labs.config.manifests import Field, folded
from labs.config.own import quoted
from labs.config.plugin import default_shared_rename, resource_name
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import DeployedConfig, deployed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the key of each such field."""
    for setup in deployed(subject):
        if setup.setting is None:
            continue
        resources = setup.config.resources
        if resources is not None and setup.config.root is not None and _lists_any(resources):
            yield _finding(setup, resources, "resources", setup.config.root)
        for entry, resource in setup.shared:
            if entry.devices is not None and entry.devices.text != "all":
                yield _finding(setup, entry.devices, "devices", entry.node)
            shared_name = default_shared_rename(resource.name) if setup.setting.rename_by_default else None
            if entry.rename is not None and _full(entry.rename) not in (None, shared_name):
                yield _finding(setup, entry.rename, "rename", entry.node)


def _finding(setup: DeployedConfig, field: Field, variant: str, holder: Mapping) -> Finding:
    entry = holder.entry(field.name)
    edit: Edit | None = None
    if entry is not None and holder.alias is None and entry.key is field.key:
        edit = remove_at(setup.document.document.text, holder, [field.name])
    return RULE.at(
        setup.document,
        field.key,
        variant=variant,
        fix=setup.document.fix(edit, safe=True),
        field=field.name,
        value=quoted(field.value),
    )


def _lists_any(resources: Field) -> bool:
    lists = [folded(resources.value, name) for name in ("gpus", "mig")]
    return any(
        member is not None and isinstance(member.value, Sequence) and member.value.items for member in lists
    )


def _full(rename: Field) -> str | None:
    """The name that an entry asks for, in full."""
    try:
        return resource_name(rename.text or "")
    except GoError:
        return None


RULE = Rule(
    "GL215",
    "field-without-effect",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("rename", "devices", "resources"),
    fixable=True,
)
