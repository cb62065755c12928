"""MPS while GPU feature discovery is switched off: the MPS daemon is never scheduled.

## What it does
Finds a config that shares by MPS beside a ClusterPolicy or values of a chart with `gfd.enabled: false`. Values of the
plugin's chart that don't name `gfd.enabled` count as well, as a warning: off is its default there.

## Why it matters
The MPS control daemon runs on nodes with the label `nvidia.com/mps.capable=true`, and GPU feature discovery is what sets
it. Without it no daemon starts, the plugin waits with `error waiting for MPS daemon` and the node offers no GPU.

## Example
```yaml config.yaml
version: v1
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```
```yaml values.yaml
devicePlugin:
  config:
    name: sharing
    default: config.yaml
migManager:
  enabled: false
gfd:
  enabled: false
```

## Use instead
```yaml config.yaml
version: v1
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```
```yaml values.yaml
devicePlugin:
  config:
    name: sharing
    default: config.yaml
migManager:
  enabled: false
gfd:
  enabled: true
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin: values.yaml and
  templates/daemonset-mps-control-daemon.yml
- NVIDIA/k8s-device-plugin issues 634, 712 and 762
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.plugin import Deployer, SharingStrategy
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import DeployedConfig, deployed
from labs.lint.subject import Rule, Settings, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the switch, and beside it at an MPS block; where there is no switch at the first such block."""
    using = [
        setup
        for setup in deployed(subject)
        if setup.strategy is SharingStrategy.MPS and setup.block is not None
    ]
    if not using:
        return
    first = using[0]
    block, how = first.block, first.how
    if block is None or how.source is None:
        return
    if how.gfd_off is not None:
        yield RULE.at(
            how.source,
            how.gfd_off.place,
            related=[first.document.related(block.field.key, "block")],
            fix=how.source.fix(replace(how.gfd_off.value, "true")),
            block=block.field.name,
        )
    elif _left_at_default(first):
        yield RULE.at(
            first.document,
            block.field.key,
            severity=Severity.WARNING,
            variant="default",
            block=block.field.name,
        )


def _left_at_default(setup: DeployedConfig) -> bool:
    chart = None if setup.how.source is None else setup.how.source.chart
    return setup.how.deployer is Deployer.HELM and chart is not None and chart.gfd_enabled is None


RULE = Rule(
    "GL209",
    "mps-without-gfd",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("default",),
    notes=("block",),
    fixable=True,
    example_settings=Settings(deployer=Deployer.OPERATOR),
)
