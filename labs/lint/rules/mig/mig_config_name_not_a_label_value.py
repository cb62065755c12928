"""The name of a MIG config can't be the value of a node label.

## What it does
Finds a config of mig-parted whose name is longer than 63 characters or has other characters than letters, digits, `-`, `_`
and `.`, or does not begin and end with a letter or digit; and a name that YAML reads as something else, such as `on`.

## Why it matters
A node chooses its config with the label `nvidia.com/mig.config`. mig-parted takes any name, but the API server refuses a
label with such a value, so no node can ever choose the config. The profile `1g.5gb+me` has a `+`; NVIDIA's own configs are
therefore named after the resource, `all-1g.5gb.me`.

## Example
```yaml
version: v1
mig-configs:
  all-1g.5gb+me:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb+me": 1
```

## Use instead
```yaml
version: v1
mig-configs:
  all-1g.5gb.me:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb+me": 1
```

## References
- NVIDIA/mig-parted issue #100
- NVIDIA/gpu-operator issue #603
- Kubernetes documentation, Labels and Selectors, syntax and character set
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.editing import rename, replace
from labs.config.goyaml import Scalar, ScalarKind, find
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import configs
from labs.lint.subject import Rule, Subject

_LABEL_VALUE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?", re.ASCII)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name, with one like it that can be a label's value."""
    for document, mig, config, _ in configs(subject):
        key, read = config.field.key, {} if mig.loaded.spec is None else mig.loaded.spec.configs
        if not isinstance(key, Scalar):
            continue
        if config.name not in read:
            name = _as_read(key)
            if name in read:
                quoted = document.fix(replace(key, f'"{key.text}"') if len(key.text) < 64 else None)
                yield RULE.at(
                    document,
                    key,
                    severity=Severity.WARNING,
                    variant="read",
                    fix=quoted,
                    name=key.text[:80],
                    near=name,
                )
        elif _LABEL_VALUE.fullmatch(config.name) is None:
            near = _like(config.name)
            edit = rename(find(mig.root, ("mig-configs",)), key, near) if near and near not in read else None
            variant = "long" if len(config.name) > 63 else "" if near else "far"
            yield RULE.at(
                document, key, variant=variant, fix=document.fix(edit), name=config.name[:80], near=near
            )


def _as_read(key: Scalar) -> str:
    """The name that mig-parted takes a key for which is no string."""
    if key.kind is ScalarKind.BOOL:
        return "true" if key.value else "false"
    return (
        str(key.value)
        if key.kind is ScalarKind.INT
        else f"{key.value:g}"
        if key.kind is ScalarKind.FLOAT
        else ""
    )


def _like(name: str) -> str:
    """A label value like the name; "" where nothing is left of it."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name[:200].replace("+", "."), flags=re.ASCII)
    return re.sub(r"^[._-]+|[._-]+$", "", plain[:63], flags=re.ASCII)


RULE = Rule(
    "GL308",
    "mig-config-name-not-a-label-value",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("far", "long", "read"),
    fixable=True,
)
