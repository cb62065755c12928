"""A Pod asks for a whole GPU, and all nodes given are cut into MIG devices under the strategy mixed.

## What it does
Finds containers that ask for `nvidia.com/gpu` where the MIG strategy is `mixed` and each Node given has a label
`nvidia.com/mig.config` whose config turns MIG on for all GPUs.

## Why it matters
Under `mixed` a card with MIG on is no `nvidia.com/gpu` any more: its MIG devices are offered as `nvidia.com/mig-<profile>`.
Manifests that worked before the cards were cut stay `Pending` with `Insufficient nvidia.com/gpu`.

## Example
```yaml node.yaml
apiVersion: v1
kind: Node
metadata:
  name: gpu-node-1
  labels:
    nvidia.com/mig.config: all-1g.5gb
```
```yaml mig.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: mig-parted
data:
  config.yaml: |
    version: v1
    mig-configs:
      all-1g.5gb:
        - devices: all
          mig-enabled: true
          mig-devices:
            1g.5gb: 7
```
```yaml values.yaml
mig:
  strategy: mixed
migManager:
  config:
    name: mig-parted
```
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  containers:
    - name: main
      image: example.com/notebook:1
      resources:
        limits:
          nvidia.com/gpu: 1
```

## Use instead
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  containers:
    - name: main
      image: example.com/notebook:1
      resources:
        limits:
          nvidia.com/mig-1g.5gb: 1
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go
- NVIDIA GPU Operator documentation, "GPU Operator with MIG"
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.node_labels import GPU_RESOURCE, mig_resource_name
from labs.config.manifests.objects import MIG_CONFIG_LABEL, NamedMigConfig
from labs.lint.findings import Finding, Related, Severity, listed
from labs.lint.meaning.mig import MIXED, in_effect, mig_strategy
from labs.lint.meaning.pods import asked, containers, renamed
from labs.lint.subject import LintDocument, Rule, Subject

_MOST_PLACES = 3


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name; where the cards are cut into one profile, the fix asks for that."""
    if not subject.cluster_nodes or not subject.pods:
        return
    if subject.settings.nodes or mig_strategy(subject) != MIXED:
        return
    cut = _cut(subject)
    if cut is None:
        return
    profiles, places = cut
    offered = [mig_resource_name(profile) for profile in profiles]
    for document, pod in subject.pods:
        for container in containers(pod):
            for resource in asked(container):
                if resource.name != GPU_RESOURCE or not resource.units:
                    continue
                meant = offered[0] if len(offered) == 1 else ""
                yield RULE.at(
                    document,
                    resource.field.key,
                    related=places,
                    fix=renamed(
                        document, resource, meant, {request.name for request in asked(container)}, safe=False
                    ),
                    name=resource.name,
                    offered=listed(offered),
                )


def _cut(subject: Subject) -> tuple[list[str], list[Related]] | None:
    """The profiles of the nodes' MIG devices and where that stands; None unless all cards of all nodes are surely cut."""
    migs = in_effect(subject)
    if not migs or not all(mig.loaded.loads for _, mig in migs):
        return None
    named: dict[str, list[tuple[LintDocument, NamedMigConfig]]] = {}
    for document, mig in migs:
        for config in mig.configs:
            named.setdefault(config.name, []).append((document, config))
    labels = [node.label(MIG_CONFIG_LABEL) for _, node in subject.cluster_nodes]
    chosen = dict.fromkeys("" if label is None else label.text or "" for label in labels)
    used = [named.get(name, []) for name in chosen]
    if not all(pairs and all(_cuts_all(config) for _, config in pairs) for pairs in used):
        return None
    configs = [pair for pairs in used for pair in pairs]
    profiles = dict.fromkeys(
        field.name for _, config in configs for entry in config.entries for field in entry.profiles
    )
    places = [document.related(config.field.key, "cut") for document, config in configs[:_MOST_PLACES]]
    return list(profiles), places


def _cuts_all(config: NamedMigConfig) -> bool:
    """Whether every entry turns MIG on, and one is for all cards of all kinds."""
    entries = [entry.decoded for entry in config.entries if entry.decoded is not None]
    on = all(entry.mig_enabled and entry.mig_devices for entry in entries)
    return bool(entries) and on and any(entry.devices is None and not entry.filters for entry in entries)


RULE = Rule(
    "GL909",
    "whole-gpu-on-nodes-cut-by-mig",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    notes=("cut",),
    fixable=True,
)
