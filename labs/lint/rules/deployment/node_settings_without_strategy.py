"""Settings of Bottlerocket share nothing, since the strategy they are for is not chosen.

## What it does
Finds `time-slicing` and `mps` under `settings.kubelet-device-plugins.nvidia` of a Bottlerocket node whose
`device-sharing-strategy` is another one, or is not set: in user data, in an EC2NodeClass, in a cluster of eksctl.

## Why it matters
The node writes the sharing into the plugin's config only for the strategy that is chosen. Without it the replicas change
nothing: the node offers whole GPUs, and no log says why.

## Example
```yaml nodes.yaml
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: gpus
managedNodeGroups:
  - name: gpu
    amiFamily: Bottlerocket
    bottlerocket:
      settings:
        kubelet-device-plugins:
          nvidia:
            time-slicing:
              replicas: 4
```

## Use instead
```yaml nodes.yaml
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: gpus
managedNodeGroups:
  - name: gpu
    amiFamily: Bottlerocket
    bottlerocket:
      settings:
        kubelet-device-plugins:
          nvidia:
            device-sharing-strategy: time-slicing
            time-slicing:
              replicas: 4
```

## References
- bottlerocket-os/bottlerocket-core-kit, packages/nvidia-k8s-device-plugin/nvidia-k8s-device-plugin-conf.in
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.goyaml import Mapping
from labs.config.manifests import field
from labs.lint.findings import Finding, Severity
from labs.lint.subject import Rule, Subject

_STRATEGIES = ("time-slicing", "mps")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the settings of the strategy that is not chosen, and at the one that is."""
    for document in subject.documents:
        wrapping = document.document.wrapping
        settings = None if wrapping is None else wrapping.settings
        if settings is None:
            continue
        chosen = field(settings, "device-sharing-strategy")
        strategy = "" if chosen is None else chosen.written
        for name in _STRATEGIES:
            block = field(settings, name)
            if block is None or not isinstance(block.value, Mapping) or strategy == name:
                continue
            yield RULE.at(
                document,
                block.key,
                variant="" if chosen is None else "other",
                related=[] if chosen is None else [document.related(chosen.value, "strategy")],
                key=name,
                strategy=strategy[:80],
            )


RULE = Rule(
    "GL559",
    "node-settings-without-strategy",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("other",),
    notes=("strategy",),
)
