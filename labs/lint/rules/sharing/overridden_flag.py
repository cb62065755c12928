"""A flag in the file that the deployment sets too: the file's value has no effect.

## What it does
Finds flags of a config whose value the plugin's environment or command line replaces by another one. It speaks where that
is known: from a ClusterPolicy or values of a chart given beside the config, or from the settings.

## Why it matters
The plugin goes by command line, then environment, then file. The GPU Operator always sets `MIG_STRATEGY` (its chart's
default is `single`), `PASS_DEVICE_SPECS`, `FAIL_ON_INIT_ERROR`, `DEVICE_LIST_STRATEGY`, `DEVICE_ID_STRATEGY` and
`MPS_ROOT`; the plugin's own chart sets `MPS_ROOT` and what its values name. The same flag in the file is then dead:
`migStrategy: mixed` in a ConfigMap changes nothing where the ClusterPolicy says `single`, and slices are offered as
`nvidia.com/gpu`. `none` against `single` is only a hint, since whole cards are offered alike under both; where cards are
given and none of them has MIG enabled, the rule is silent.

## Example
```yaml
version: v1
flags:
  migStrategy: mixed
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
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
- NVIDIA/k8s-device-plugin v0.20.0, cmd/nvidia-device-plugin/main.go
- NVIDIA/gpu-operator v26.7.0, assets/state-device-plugin/0500_daemonset.yaml and controllers/object_controls.go
- NVIDIA/gpu-operator issue 704
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from labs.config.editing import remove_at
from labs.config.gojson import Json
from labs.config.manifests import Field
from labs.config.own import QUOTED_LIMIT, quoted
from labs.config.plugin import FLAGS, Deployer, Flag
from labs.config.plugin import loader as device_plugin
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import DeployedConfig, deployed, setting_of
from labs.lint.subject import Rule, Settings, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each value of the file that another one replaces."""
    for setup in deployed(subject):
        written = [
            (flag, setup.written(flag))
            for flag in FLAGS
            if flag.name in setup.overrides and flag.section != "imex"
        ]
        flags = [(flag, field) for flag, field in written if field is not None]
        inner = setup.document.document
        alone = device_plugin.load(inner.content, root=inner.loaded_root) if flags else setup.loaded
        for flag, field in flags:
            if alone.flags is None or setup.running.flags is None:
                continue
            own = alone.flags["plugin"] if flag.section == "plugin" else alone.flags
            if own.get(flag.key) != setup.effective(flag) and not _alike(setup, flag, own):
                yield _finding(setup, flag, field)


def _alike(setup: DeployedConfig, flag: Flag, own: Mapping[str, Json]) -> bool:
    """Whether both values do the same on every card that is given: without MIG `none` and `single` do."""
    if not _of_whole_cards(flag, own.get(flag.key), setup.effective(flag)):
        return False
    cards = [gpu for gpus in setup.nodes.values() for gpu in gpus]
    return bool(cards) and not any(gpu.mig_enabled for gpu in cards)


def _of_whole_cards(flag: Flag, *values: Json) -> bool:
    return flag.key == "migStrategy" and set(map(str, values)) == {"none", "single"}


def _finding(setup: DeployedConfig, flag: Flag, field: Field) -> Finding:
    actual, by_args = setup.overrides[flag.name], flag.name in setup.by_args
    variable = next((name for name in flag.env if name in setup.how.environment), flag.env[0])
    setter = setup.how.set_by.get(variable)
    source = setup.how.source
    related = [] if by_args or setter is None or source is None else [source.related(setter.place, "set")]
    cdi = isinstance(actual, list) and any(str(item).startswith("cdi-") for item in actual)
    path = ["" if setup.config.flags is None else setup.config.flags.name, "plugin", field.name]
    if flag.section == "flags":
        del path[1]
    root = setup.config.root
    edit = None if root is None else remove_at(setup.document.document.text, root, path)
    return RULE.at(
        setup.document,
        field.place,
        severity=Severity.INFO if cdi or _of_whole_cards(flag, field.text, actual) else None,
        variant="args" if by_args else "",
        related=related,
        fix=setup.document.fix(edit),
        flag=flag.key,
        value=quoted(field.value),
        actual=_text(actual),
        source=f"--{flag.name}" if by_args else variable,
        setting=f"--{flag.name}" if by_args else setting_of(setup.how.deployer, variable),
    )


def _text(value: Json) -> str:
    items = value if isinstance(value, list) else [value]
    text = ",".join(str(item).lower() if isinstance(item, bool) else str(item) for item in items)
    return text if len(text) <= QUOTED_LIMIT else text[:QUOTED_LIMIT] + "…"


RULE = Rule(
    "GL205",
    "overridden-flag",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("args",),
    notes=("set",),
    fixable=True,
    example_settings=Settings(deployer=Deployer.OPERATOR),
)
