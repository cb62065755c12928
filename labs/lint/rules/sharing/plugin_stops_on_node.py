"""The plugin takes the config and does not start on a node, for how the node's GPUs are cut by MIG.

## What it does
Finds a config under which the plugin does not start on a given node, because of how the node's GPUs are cut by MIG. It
speaks only where nodes are given.

## Why it matters
The plugin takes the config, looks at the GPUs and stops: under `single` where not all GPUs of the node are cut into MIG
devices of one profile, under `mixed` where a compute instance is only a part of its GPU instance, such as `1c.3g.20gb`. It is
restarted and stops again, and the node offers no GPUs.

## Example
```yaml
version: v1
flags:
  migStrategy: single
```

## Use instead
```yaml
version: v1
flags:
  migStrategy: mixed
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, internal/rm/device_map.go and internal/rm/rm.go
- NVIDIA/gpu-operator issues 460 and 479; NVIDIA/k8s-device-plugin issue 253
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from labs.cluster.sample_nodes import SAMPLE_NODES
from labs.config.editing import line_index
from labs.config.plugin import FLAGS, SharingStrategy
from labs.lint.findings import Finding, Related, Severity
from labs.lint.meaning import DeployedConfig, deployed
from labs.lint.subject import Place, Rule, Settings, Subject

_STRATEGY = next(flag for flag in FLAGS if flag.name == "mig-strategy")
_NODE = "a100-40gb-mig-mixed"
_SINCE_0_20 = "does not match any resource patterns"
"""What only plugins since v0.20 say of a compute instance that is a part of a GPU instance; older ones take it."""


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the MIG strategy where the file sets it, else at the config; once for each of the plugin's errors."""
    if not subject.settings.nodes:
        return
    for setup in deployed(subject):
        for error, node in _errors(setup).items():
            if subject.settings.plugin_version < (0, 20) and error.endswith(_SINCE_0_20):
                continue
            strategy = setup.effective(_STRATEGY)
            yield RULE.at(
                setup.document,
                _place(setup),
                related=_set_by(setup),
                node=node,
                error=error,
                strategy=strategy if isinstance(strategy, str) else "none",
            )


def _errors(setup: DeployedConfig) -> dict[str, str]:
    """What the plugin says as it stops, and the first node where it says that; of MPS on MIG another rule speaks."""
    from labs.cluster.advertise import advertise  # only where a node is given

    errors: dict[str, str] = {}
    if setup.setting is None or setup.strategy is SharingStrategy.MPS:
        return errors
    for node, gpus in setup.nodes.items():
        error = advertise(setup.running, gpus).error
        if error is not None:
            errors.setdefault(error.rpartition(": ")[2], node)
    return errors


def _set_by(setup: DeployedConfig) -> list[Related]:
    """Where the deployment sets the strategy, if a file does."""
    field, source = setup.how.set_by.get(_STRATEGY.env[0]), setup.how.source
    return [] if field is None or source is None else [source.related(field.value, "set")]


def _place(setup: DeployedConfig) -> Place:
    written = setup.written(_STRATEGY)
    if written is not None and _STRATEGY.name not in setup.overrides:
        return written.place
    root = setup.config.root
    if root is not None and root.entries:
        return root.entries[0].key
    return line_index(setup.document.document.text).span(0, 0)


RULE = Rule(
    "GL227",
    "plugin-stops-on-node",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    notes=("set",),
    example_settings=Settings(nodes=MappingProxyType({_NODE: SAMPLE_NODES[_NODE]})),
)
