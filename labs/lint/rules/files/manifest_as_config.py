"""A manifest, or a config under a key, where the config itself should be.

## What it does
Finds a file that is read as a config of the device plugin or of mig-parted although the config is only inside it: a whole
ConfigMap manifest, the values of a Helm chart, or a config that stands under the name that it has in its ConfigMap.

## Why it matters
The loaders look for `version`, `flags` and `sharing` at the top of the file. The device plugin drops all other keys without a
word, so it starts with its defaults and shares nothing; mig-parted refuses the file.

## Example
```yaml
default:
  version: v1
  sharing:
    timeSlicing:
      failRequestsGreaterThanOne: true
      resources:
        - name: nvidia.com/gpu
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
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/config.go
- NVIDIA/mig-parted v0.15.0, api/spec/v1/spec.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import unwrapping, wrapped
from labs.lint.refusals import bounded
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the key that shows what the file is, or under which the config stands."""
    for document in subject.documents:
        wrapping = wrapped(document.document)
        if wrapping is None:
            continue
        mig, refused = document.kind is Kind.MIG_PARTED, document.refusal
        if mig and document.checked.loads:
            continue
        yield RULE.at(
            document,
            wrapping.place if refused is None else refused.place,
            severity=Severity.ERROR if mig else None,
            variant=f"{wrapping.how}-mig" if mig else wrapping.how,
            fix=document.fix(*unwrapping(document.document, wrapping)),
            name=bounded(wrapping.name),
        )


RULE = Rule(
    "GL108",
    "manifest-as-config",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("manifest", "values", "nested", "manifest-mig", "values-mig", "nested-mig"),
    explains_refusal=True,
    fixable=True,
)
