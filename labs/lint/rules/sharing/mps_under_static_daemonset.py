"""MPS under the static DaemonSet: it brings no MPS daemon.

## What it does
Finds a config that shares by MPS where the plugin is said to be deployed by the static DaemonSet of its repository.

## Why it matters
MPS takes more than the config: a second DaemonSet with the MPS control daemon, mounts of its folder and of its shared
memory, and GPU feature discovery, whose label puts the daemon on the node. The plugin's chart and the GPU Operator bring
all of it, the static manifest none. With `mpsRoot` in the file the plugin starts, waits for a daemon that is not there, and
the node offers no GPU.

## Example
```yaml
version: v1
flags:
  mpsRoot: /run/nvidia/mps
sharing:
  mps:
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
- NVIDIA/k8s-device-plugin v0.20.0, deployments/static and deployments/helm/nvidia-device-plugin/templates
- NVIDIA/k8s-device-plugin issues 816 and 1132
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.plugin import Deployer, SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import MPS_WITH_MIXED, deployed
from labs.lint.subject import Rule, Settings, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the block; a DaemonSet that is given is looked at itself (GL512).

    Whoever mends what else keeps MPS from starting is to know of it at once.
    """
    for setup in deployed(subject):
        if (
            setup.how.deployer is not Deployer.STATIC
            or setup.how.source is not None
            or setup.config.mps is None
        ):
            continue
        if setup.strategy is SharingStrategy.MPS or setup.refused_with(MPS_WITH_MIXED):
            block = setup.config.mps.field
            yield RULE.at(setup.document, block.key, block=block.name)


RULE = Rule(
    "GL226",
    "mps-under-static-daemonset",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    example_settings=Settings(deployer=Deployer.STATIC),
)
