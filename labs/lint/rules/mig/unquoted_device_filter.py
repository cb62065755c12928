"""A device filter without quotes is a number to YAML, and the file is refused.

## What it does
Finds a `device-filter` such as `0x20B010DE` that is written without quotes.

## Why it matters
YAML reads it as a number, and mig-parted takes only a string or a list of strings there: it refuses the whole file with
`cannot unmarshal number into Go value of type string`, so that none of the configs in it can be applied.

## Example
```yaml
version: v1
mig-configs:
  all-1g.5gb:
    - device-filter: 0x20B010DE
      devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## Use instead
```yaml
version: v1
mig-configs:
  all-1g.5gb:
    - device-filter: "0x20B010DE"
      devices: all
      mig-enabled: true
      mig-devices:
        "1g.5gb": 7
```

## References
- NVIDIA/mig-parted v0.15.0, api/spec/v1/spec.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.goyaml import Scalar, ScalarKind, Sequence
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import refused_entries
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each number."""
    for document, view in refused_entries(subject):
        value = None if view.device_filter is None else view.device_filter.value
        for item in value.items if isinstance(value, Sequence) else (value,):
            if not isinstance(item, Scalar) or item.kind not in (ScalarKind.INT, ScalarKind.FLOAT):
                continue
            edit = replace(item, f'"{item.text}"') if item.style == "plain" else None
            yield RULE.at(document, item, fix=document.fix(edit, safe=True), value=quoted(item))


RULE = Rule(
    "GL304",
    "unquoted-device-filter",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    explains_refusal=True,
    fixable=True,
)
