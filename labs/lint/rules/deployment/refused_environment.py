"""A variable of the plugin's environment with a value that the plugin refuses.

## What it does
Finds variables of the device plugin, in the DaemonSet that runs it or under `devicePlugin.env` of the GPU Operator, whose
value it does not take, and values that are not text.

## Why it matters
The environment wins over the config, and a value that can't be read or is not allowed stops the plugin. `MIG_STRATEGY: ""`
counts as set and is refused, and a bool is read as Go does: `yes` and `on` are none. A variable's value must be text in
YAML, so bools and numbers go in quotes, or the API server refuses the object.

## Example
```yaml plugin.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: nvidia-device-plugin-daemonset
spec:
  minReadySeconds: 30
  selector:
    matchLabels: {name: nvidia-device-plugin-ds}
  template:
    metadata:
      labels: {name: nvidia-device-plugin-ds}
    spec:
      containers:
        - name: nvidia-device-plugin-ctr
          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
          env:
            - name: FAIL_ON_INIT_ERROR
              value: "no"
```

## Use instead
```yaml plugin.yaml
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: nvidia-device-plugin-daemonset
spec:
  minReadySeconds: 30
  selector:
    matchLabels: {name: nvidia-device-plugin-ds}
  template:
    metadata:
      labels: {name: nvidia-device-plugin-ds}
    spec:
      containers:
        - name: nvidia-device-plugin-ctr
          image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
          env:
            - name: FAIL_ON_INIT_ERROR
              value: "false"
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, cmd/nvidia-device-plugin/main.go, flags and validateFlags
- Go, package strconv, ParseBool
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.goyaml import Scalar, ScalarKind
from labs.config.manifests.objects import EnvironmentVariable
from labs.config.own import quoted
from labs.config.plugin import FLAGS, Flag
from labs.config.plugin import loader as device_plugin
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import plugin_daemonsets
from labs.lint.subject import LintDocument, Rule, Subject

_FLAG = {variable: flag for flag in FLAGS for variable in flag.env}
_TRUE, _FALSE = ("y", "yes", "on"), ("n", "no", "off")
_LONGEST = 1_000


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value; a bool in another spelling is written as Go reads it."""
    for plugin in plugin_daemonsets(subject):
        yield from _refused(plugin.document, plugin.container.env)
    for document, operator in subject.operators:
        yield from _refused(document, operator.plugin_env)


def _refused(document: LintDocument, variables: tuple[EnvironmentVariable, ...]) -> Iterator[Finding]:
    for variable in {variable.name: variable for variable in variables}.values():
        flag, value = _FLAG.get(variable.name), variable.value
        if flag is None or value is None or value.is_null or not isinstance(value.value, Scalar):
            continue
        node = value.value
        if len(node.text) > _LONGEST:
            continue
        meant = _bool(flag, node)
        if node.kind not in (ScalarKind.STRING, ScalarKind.TIMESTAMP):
            error, variant, meant = "", "quotes", meant or node.text
        else:
            error = _error(variable.name, node.text)
            variant = "" if node.text else "empty"
            if not error:
                continue
        yield RULE.at(
            document,
            value.place,
            variant=variant,
            fix=document.fix(replace(node, f'"{meant}"') if meant else None, safe=True),
            name=variable.name,
            value=quoted(node),
            error=error[:200],
        )


def _error(name: str, text: str) -> str:
    """What the plugin says to this variable alone; empty where it takes it."""
    answer = device_plugin.load("", env={name: text})
    return answer.error or ""


def _bool(flag: Flag, node: Scalar) -> str:
    """How Go writes the bool that was meant."""
    text = node.text.lower()
    if flag.kind != "bool":
        return ""
    if text in (*_TRUE, "true"):
        return "true"
    return "false" if text in (*_FALSE, "false") else ""


RULE = Rule(
    "GL517",
    "refused-environment",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("empty", "quotes"),
    fixable=True,
)
