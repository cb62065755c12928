"""A container names a claim that its Pod does not have, or a Pod names one in the old way.

## What it does
Finds names under `resources.claims` of a container that are not among the `resourceClaims` of its Pod, and `resourceClaims`
that say where the claim comes from under `source`, as until Kubernetes 1.30.

## Why it matters
The API server refuses a Pod whose container names an unknown claim. It does not know `source` since 1.31: without
`resourceClaimName` or `resourceClaimTemplateName` beside the name, the Pod is refused as well.

## Example
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
    - name: main
      image: example.com/train:1
      resources:
        claims:
          - name: gpus
  resourceClaims:
    - name: gpu
      resourceClaimName: shared
```

## Use instead
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
    - name: main
      image: example.com/train:1
      resources:
        claims:
          - name: gpu
  resourceClaims:
    - name: gpu
      resourceClaimName: shared
```

## References
- Kubernetes, pkg/apis/core/validation/validation.go, validateContainerResourceClaim and validatePodResourceClaim
- Kubernetes 1.31, CHANGELOG, PodResourceClaim
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import rewrite
from labs.config.manifests import field, mappings
from labs.config.own import quoted
from labs.lint.findings import Finding, NearNames, Severity, listed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name, or at `source`; the fix writes the name that is nearly it."""
    for document, pod in subject.pods:
        names = [claim.name for claim in pod.claims if claim.name]
        for container in pod.containers:
            for name in container.claims:
                if name.text and name.text not in names:
                    near = NearNames(names).of(name.text)
                    yield RULE.at(
                        document,
                        name.value,
                        variant="" if names else "nothing",
                        fix=document.fix(rewrite(name.value, near) if near else None),
                        value=quoted(name.value),
                        names=listed(names),
                    )
        for claim in mappings(pod.node, "resourceClaims"):
            source = field(claim, "source")
            if source is not None:
                yield RULE.at(document, source.key, variant="source")


RULE = Rule(
    "GL429",
    "dra-claim-not-in-the-pod",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("nothing", "source"),
    fixable=True,
)
