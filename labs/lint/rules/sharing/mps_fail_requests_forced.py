"""Under MPS a plugin before v0.20 refuses requests above one, whatever the file says.

## What it does
Finds an MPS block with `failRequestsGreaterThanOne: false` where the plugin's version is below 0.20.

## Why it matters
From v0.15 to v0.19 the plugin sets the field to `true` under MPS and drops the `false`. A container that asks for 2 then
fails with `UnexpectedAdmissionError` although the file seems to allow it, and its Pod has to be deleted by hand. v0.20
honours the field; its changelog does not mention it.

## Example
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
    failRequestsGreaterThanOne: false
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## Use instead
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## References
- NVIDIA/k8s-device-plugin v0.19.0 and v0.20.0, api/config/v1/config.go
- NVIDIA/k8s-device-plugin pull request 1762 and issue 1695
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.plugin import SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Settings, Subject

_HONOURED = (0, 20)
_MPS_SINCE = (0, 15)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value."""
    version = subject.settings.plugin_version
    if not _MPS_SINCE <= version < _HONOURED:
        return
    for setup in deployed(subject):
        written = None if setup.block is None else setup.block.fail_requests_greater_than_one
        if setup.strategy is SharingStrategy.MPS and written is not None and written.boolean is False:
            yield RULE.at(
                setup.document,
                written.place,
                fix=setup.document.fix(replace(written.value, "true")),
                key=written.name,
                version=".".join(map(str, version)),
            )


RULE = Rule(
    "GL220",
    "mps-fail-requests-forced",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    fixable=True,
    example_settings=Settings(plugin_version=(0, 19)),
)
