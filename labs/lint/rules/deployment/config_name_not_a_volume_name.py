"""The name of the plugin's ConfigMap can't be the name of a volume.

## What it does
Finds a `devicePlugin.config.name` of the GPU Operator with a dot or another character that a volume's name can't have, of
more than 63 characters, or equal to one of the volumes that the plugin's DaemonSet has anyway.

## Why it matters
The operator mounts the ConfigMap in a volume to which it gives the very same name. A ConfigMap's name may have dots and 253
characters, a volume's may not; and two volumes can't have one name. The API server then refuses the DaemonSet and no node
gets a device plugin.

## Example
```yaml values.yaml
mig:
  strategy: single
devicePlugin:
  config:
    create: true
    name: time-slicing.v1
    default: any
    data:
      any: |
        version: v1
```

## Use instead
```yaml values.yaml
mig:
  strategy: single
devicePlugin:
  config:
    create: true
    name: time-slicing-v1
    default: any
    data:
      any: |
        version: v1
```

## References
- NVIDIA/gpu-operator v26.7.0, controllers/object_controls.go, createConfigMapVolume
- NVIDIA/gpu-operator v26.7.0, assets/state-device-plugin/0500_daemonset.yaml
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import truthy
from labs.lint.subject import Rule, Subject

LONGEST = 63
_LABEL = re.compile("[a-z0-9](?:[-a-z0-9]*[a-z0-9])?", re.ASCII)
_VOLUMES = frozenset(
    {
        "config",
        "nvidia-device-plugin-entrypoint",
        "device-plugin",
        "run-nvidia-validations",
        "driver-install-dir",
        "host-root",
        "cdi-root",
        "mps-root",
        "mps-shm",
    }
)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name; where the chart makes the ConfigMap, dots become hyphens."""
    for document, operator in subject.operators:
        name = operator.plugin_config.name
        off = operator.plugin_enabled is not None and operator.plugin_enabled.boolean is False
        if name is None or off or not name.text:
            continue
        if name.text in _VOLUMES:
            variant = "reserved"
        elif len(name.text) > LONGEST:
            variant = "long"
        elif _LABEL.fullmatch(name.text) is None:
            variant = ""
        else:
            continue
        mended = name.text.replace(".", "-")
        fits = _LABEL.fullmatch(mended) is not None and mended not in _VOLUMES and len(mended) <= LONGEST
        edit = replace(name.value, mended) if fits and truthy(operator.plugin_config.create) else None
        yield RULE.at(
            document,
            name.place,
            variant=variant,
            fix=document.fix(edit),
            name=quoted(name.value),
            length=len(name.text),
            longest=LONGEST,
        )


RULE = Rule(
    "GL503",
    "config-name-not-a-volume-name",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("long", "reserved"),
    fixable=True,
)
