"""A request for devices says what it wants in the place of an older API.

## What it does
Finds requests of a claim of `resource.k8s.io/v1` or `v1beta2` in which `deviceClassName`, `selectors`, `count` and the like
stand beside the name, and not under `exactly` (or `firstAvailable`), as they have to since `v1beta2`; and under `exactly`
in the versions before.

## Why it matters
The API server does not know the fields in that place. `kubectl apply` is refused or warned, and a request without `exactly`
and `firstAvailable` is refused: the claim is never made.

## Example
```yaml claim.yaml
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: own
spec:
  devices:
    requests:
      - name: gpu
        deviceClassName: gpu.nvidia.com
```

## Use instead
```yaml claim.yaml
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: own
spec:
  devices:
    requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
```

## References
- Kubernetes, staging/src/k8s.io/api/resource/v1/types.go, DeviceRequest
- Kubernetes, staging/src/k8s.io/api/resource/v1beta1/types.go, DeviceRequest
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests.objects import EXACT_FIELDS, FLAT_VERSIONS
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.dra import device_claims
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the first of the fields, or at `exactly`."""
    for document, claim in device_claims(subject):
        flat = claim.version in FLAT_VERSIONS
        for request in claim.requests:
            exactly = request.member("exactly")
            beside = [member for member in request.members if member.name in EXACT_FIELDS]
            if flat and exactly is not None:
                yield RULE.at(document, exactly.key, variant="older", version=claim.version[:40])
            elif not flat and beside and claim.version:
                yield RULE.at(document, beside[0].key, key=beside[0].name, version=claim.version[:40])


RULE = Rule("GL428", "dra-request-not-exactly", Severity.ERROR, "0.1", check, __doc__, variants=("older",))
