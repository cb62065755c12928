"""A `sleepInterval` without a unit: the plugin's format counts it in nanoseconds.

## What it does
Finds a `flags.gfd.sleepInterval` that is a number of less than a second's nanoseconds.

## Why it matters
A number is taken as nanoseconds, so `sleepInterval: 60` makes GPU feature discovery ask the GPUs and write its labels again
after 60 ns, that is without a pause. With a unit, `60s`, it is what was meant. A text without a unit, `"60"`, is refused.

## Example
```yaml
version: v1
flags:
  gfd:
    sleepInterval: 60
```

## Use instead
```yaml
version: v1
flags:
  gfd:
    sleepInterval: 60s
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/duration.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.goyaml import Scalar, ScalarKind
from labs.config.manifests import folded
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.subject import Rule, Subject

_SECOND_NS = 1_000_000_000
_LONGEST_SECONDS = 86_400


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the number."""
    for document, config in subject.plugins:
        gfd = None if config.flags is None else folded(config.flags.value, "gfd")
        field = None if gfd is None else folded(gfd.value, "sleepInterval")
        value = None if field is None else field.value
        if not config.loaded.loads or not isinstance(value, Scalar):
            continue
        number = value.value
        if value.kind not in (ScalarKind.INT, ScalarKind.FLOAT) or not isinstance(number, int | float):
            continue
        if number >= _SECOND_NS:
            continue
        whole = isinstance(number, int) and 0 < number <= _LONGEST_SECONDS
        yield RULE.at(
            document,
            value,
            fix=document.fix(replace(value, f"{number}s")) if whole else None,
            value=quoted(value),
        )


RULE = Rule("GL218", "sleep-interval-in-nanoseconds", Severity.WARNING, "0.1", check, __doc__, fixable=True)
