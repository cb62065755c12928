"""A config or a constraint names a request that the claim does not have.

## What it does
Finds names under `requests` of a config or a constraint in a claim or a template of claims that are not the name of one of
its requests, or of a request and one of its alternatives (`gpu/large`).

## Why it matters
The API server refuses the claim: `must be the name of a request in the claim`. The parameters would be for nothing.

## Example
```yaml claim.yaml
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: shared
spec:
  devices:
    requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
    config:
      - requests: [gpus]
        opaque:
          driver: gpu.nvidia.com
          parameters:
            apiVersion: resource.nvidia.com/v1beta1
            kind: GpuConfig
            sharing:
              strategy: TimeSlicing
```

## Use instead
```yaml claim.yaml
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: shared
spec:
  devices:
    requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
    config:
      - requests: [gpu]
        opaque:
          driver: gpu.nvidia.com
          parameters:
            apiVersion: resource.nvidia.com/v1beta1
            kind: GpuConfig
            sharing:
              strategy: TimeSlicing
```

## References
- Kubernetes, pkg/apis/resource/validation/validation.go, validateDeviceClaim and gatherRequestNames
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import rewrite
from labs.config.manifests import text_of
from labs.config.own import quoted
from labs.lint.findings import Finding, NearNames, Severity, listed
from labs.lint.meaning.dra import device_claims
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name; the fix writes the one that is nearly it, or the only one."""
    for document, claim in device_claims(subject):
        names = claim.names
        for reference in claim.references:
            name = text_of(reference)
            if not name or not names or name in names:
                continue
            near = NearNames(names).of(name) or (names[0] if len(names) == 1 else "")
            yield RULE.at(
                document,
                reference,
                fix=document.fix(rewrite(reference, near) if near else None),
                value=quoted(reference),
                names=listed(names),
            )


RULE = Rule("GL427", "dra-unknown-request", Severity.ERROR, "0.1", check, __doc__, fixable=True)
