"""`imex.required` without channels: it has no effect.

## What it does
Finds `imex.required: true` in a config under which no IMEX channel is asked for.

## Why it matters
`required` says that the plugin must not start where the device node of a channel is missing. Without `channelIDs` there is
no channel to look for, so the plugin starts, and containers get none. Only `[]` and `[0]` are allowed as `channelIDs`.

## Example
```yaml
version: v1
imex:
  required: true
```

## Use instead
```yaml
version: v1
imex:
  channelIDs: [0]
  required: true
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/imex.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import add_member
from labs.config.goyaml import Mapping
from labs.config.manifests import folded
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value."""
    for setup in deployed(subject):
        imex = setup.config.imex
        required = None if imex is None else folded(imex.value, "required")
        effective = (setup.running.effective or {}).get("imex")
        if (
            imex is None
            or required is None
            or required.boolean is not True
            or not isinstance(effective, dict)
        ):
            continue
        if not effective.get("required") or effective.get("channelIDs"):
            continue
        node = imex.value
        edit = None
        if isinstance(node, Mapping) and folded(node, "channelIDs") is None and node.alias is None:
            edit = add_member(setup.document.document.text, node, "channelIDs: [0]")
        yield RULE.at(setup.document, required.place, fix=setup.document.fix(edit))


RULE = Rule("GL224", "imex-required-without-channels", Severity.WARNING, "0.1", check, __doc__, fixable=True)
