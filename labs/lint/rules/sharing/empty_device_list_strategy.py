"""An empty `deviceListStrategy`: containers are not told which GPU is theirs.

## What it does
Finds a `flags.plugin.deviceListStrategy` that is an empty list and is in effect.

## Why it matters
The plugin takes the list and then passes nothing on: no environment variable, no mount, no CDI device. Pods get their
tickets and start, and find no GPU. Left out, the field is `[envvar]`.

## Example
```yaml
version: v1
flags:
  plugin:
    deviceListStrategy: []
```

## Use instead
```yaml
version: v1
flags:
  plugin:
    deviceListStrategy: [envvar]
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/flags.go and internal/plugin/server.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import Edit
from labs.config.goyaml import Sequence
from labs.config.plugin import FLAGS
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Subject

_LIST = next(flag for flag in FLAGS if flag.name == "device-list-strategy")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the list."""
    for setup in deployed(subject):
        written = setup.written(_LIST)
        if written is None or not setup.running.loads or setup.effective(_LIST) != []:
            continue
        node = written.value
        if not isinstance(node, Sequence) or node.items:
            continue
        edit = (
            Edit(node.span, "[envvar]")
            if node.alias is None and node.anchor is None and not node.tag
            else None
        )
        yield RULE.at(setup.document, node, fix=setup.document.fix(edit), key=written.name)


RULE = Rule("GL223", "empty-device-list-strategy", Severity.WARNING, "0.1", check, __doc__, fixable=True)
