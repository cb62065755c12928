"""A key in other letters than the documentation's.

## What it does
Finds keys of the device plugin's config that differ from the documented ones in upper and lower case only, where the
plugin takes them all the same: `timeslicing`, `MPS`, `migstrategy`.

## Why it matters
They work, since the plugin matches these keys without regard to case. But it does not do so everywhere: within a sharing
block `Resources` or `renamebydefault` are unknown. And where a key is there in two spellings, it is the alphabet that tells
which one counts.

## Example
```yaml
version: v1
sharing:
  timeslicing:
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
- encoding/json of Go, Unmarshal: it prefers an exact match but also accepts a match that ignores case
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/replicas.go, UnmarshalJSON, which looks its keys up exactly
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from labs.config.documents import Kind
from labs.config.editing import replace
from labs.lint.findings import Finding, Severity
from labs.lint.keys import written_keys
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each key that is spelt in other letters, unless it is there in two spellings."""
    for document in subject.documents:
        if document.kind is not Kind.DEVICE_PLUGIN:
            continue
        known = [key for key in written_keys(document.document.mapping) if key.field is not None]
        spellings = Counter((id(key.holder), key.field) for key in known)
        for key in known:
            if key.field is None or key.field == key.name or spellings[id(key.holder), key.field] > 1:
                continue
            fix = document.fix(replace(key.entry.key, key.field), safe=True)
            yield RULE.at(document, key.entry.key, fix=fix, key=key.name, near=key.field)


RULE = Rule("GL104", "key-case", Severity.INFO, "0.1", check, __doc__, fixable=True)
