"""MPS without a folder for its daemons: the plugin refuses to start.

## What it does
Finds a config that shares by MPS while neither the file nor the deployment sets `mpsRoot`.

## Why it matters
The plugin stops with `using MPS requires --mps-root to be specified`. The plugin's chart and the GPU Operator always set
`MPS_ROOT`; the static DaemonSet does not. It lacks more than the variable: the mounts under that folder, the second
DaemonSet with the MPS control daemon and GPU feature discovery, so `mpsRoot` in the file alone makes the plugin wait for a
daemon that nobody starts.

## Example
```yaml
version: v1
sharing:
  mps:
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## Use instead
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

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/nvidia-device-plugin/main.go, validateFlags
- NVIDIA/k8s-device-plugin issues 816 and 1132
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import Edit, add_under, replace
from labs.config.plugin import FLAGS, Deployer
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import MPS_ROOT, NO_MPS_ROOT, DeployedConfig, deployed
from labs.lint.subject import Rule, Subject

_ROOT = next(flag for flag in FLAGS if flag.name == "mps-root")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the empty folder, or at the MPS block where none is written.

    Under the static DaemonSet a folder alone mends nothing (GL226).
    """
    for setup in deployed(subject):
        block = setup.config.mps
        if block is None or not setup.refused_with(NO_MPS_ROOT):
            continue
        written = setup.written(_ROOT)
        if _ROOT.name in setup.overrides:
            yield RULE.at(
                setup.document, block.field.key, variant="deployer", block=block.field.name, root=MPS_ROOT
            )
            continue
        is_static = setup.how.deployer is Deployer.STATIC
        unsaid = "unsaid" if setup.how.deployer is None and written is None else ""
        yield RULE.at(
            setup.document,
            block.field.key if written is None else written.place,
            variant="static" if is_static else unsaid,
            fix=None if is_static else setup.document.fix(_edit(setup)),
            block=block.field.name,
            root=MPS_ROOT,
        )


def _edit(setup: DeployedConfig) -> Edit | None:
    written = setup.written(_ROOT)
    if written is not None:
        return replace(written.value, MPS_ROOT)
    if setup.config.root is None:
        return None
    key = "flags" if setup.config.flags is None else setup.config.flags.name
    return add_under(setup.document.document.text, setup.config.root, key, f"mpsRoot: {MPS_ROOT}")


RULE = Rule(
    "GL208",
    "mps-without-root",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("unsaid", "deployer", "static"),
    explains_refusal=True,
    fixable=True,
)
