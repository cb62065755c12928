"""A ResourceQuota limits GPUs by a name under which they are no longer given out.

## What it does
Finds a ResourceQuota that limits `requests.nvidia.com/gpu`, or another resource, where a config given renames that resource
to `.shared` and the quota does not limit the new name; and a ClusterQueue of Kueue that covers the old name only.

## Why it matters
A quota counts by name. Once sharing renames `nvidia.com/gpu` to `nvidia.com/gpu.shared`, Pods ask for the new name, and the
quota counts none of them: the namespace has no limit any more. This follows from how quotas work; it has not been reported.
A ClusterQueue does the opposite: a workload that asks for a resource it does not cover is never admitted.

## Example
```yaml config.yaml
version: v1
sharing:
  timeSlicing:
    renameByDefault: true
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```
```yaml quota.yaml
apiVersion: v1
kind: ResourceQuota
metadata:
  name: team-a
spec:
  hard:
    requests.nvidia.com/gpu: 4
```

## Use instead
```yaml config.yaml
version: v1
sharing:
  timeSlicing:
    renameByDefault: true
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```
```yaml quota.yaml
apiVersion: v1
kind: ResourceQuota
metadata:
  name: team-a
spec:
  hard:
    requests.nvidia.com/gpu: 4
    requests.nvidia.com/gpu.shared: 4
```

## References
- Kubernetes documentation, "Resource Quotas", quota for extended resources
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/replicas.go
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from labs.config.documents import Kind
from labs.config.editing import Edit, add_member
from labs.config.manifests import Field, items, mapping, mappings, text_of
from labs.config.manifests.objects import REQUESTS_PREFIX
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.market import Offer, offers, related, rename_place
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the limit; the fix limits the new name to as many."""
    queues = subject.of(Kind.CLUSTER_QUEUE)
    if not (subject.quotas or queues) or not subject.plugins:
        return
    renaming: dict[str, list[tuple[Offer, str]]] = {}
    for offer in offers(subject):
        for share in offer.setting.resources:
            if share.rename is not None:
                renaming.setdefault(share.name, []).append((offer, share.rename))
    for document, quota in subject.quotas:
        for limit in quota.hard:
            resource = limit.name.removeprefix(REQUESTS_PREFIX)
            renames = renaming.get(resource, ()) if resource != limit.name else ()
            if not renames or quota.requested(renames[0][1]) is not None:
                continue
            name = renames[0][1]
            yield RULE.at(
                document,
                limit.key,
                related=related(((offer, rename_place(offer)) for offer, _ in renames), "config"),
                fix=document.fix(_added(document, limit, name)),
                resource=resource[:80],
                renamed=name[:80],
            )

    for document in queues:
        yield from _of_queue(document, renaming)


def _of_queue(
    document: LintDocument, renaming: Mapping[str, Sequence[tuple[Offer, str]]]
) -> Iterator[Finding]:
    groups = mappings(document.document.root, "spec", "resourceGroups")
    covered = [covering for group in groups for covering in items(group, "coveredResources")]
    names = {text_of(covering) for covering in covered}
    for covering in covered:
        name = text_of(covering) or ""
        renames = renaming.get(name, ())
        if renames and renames[0][1] not in names:
            yield RULE.at(
                document,
                covering,
                variant="queue",
                related=related(((offer, rename_place(offer)) for offer, _ in renames), "config"),
                resource=name[:80],
                renamed=renames[0][1][:80],
            )


def _added(document: LintDocument, limit: Field, name: str) -> Edit | None:
    hard = mapping(document.document.root, "spec", "hard")
    if hard is None or hard.alias is not None or limit.whole is None:
        return None
    return add_member(document.document.text, hard, f'{REQUESTS_PREFIX}{name}: "{limit.whole}"')


RULE = Rule(
    "GL907",
    "quota-misses-renamed-resource",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("queue",),
    notes=("config",),
    fixable=True,
)
