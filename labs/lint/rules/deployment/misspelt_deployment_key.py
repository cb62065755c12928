"""A key in a ClusterPolicy or in values of a chart that is one slip away from the right one.

## What it does
Finds keys near the ones that matter for sharing: under `mig`, `devicePlugin`, `gfd`, `migManager` and `cdi` of the GPU
Operator, and at the top and under `config` of the device plugin's chart. Other unknown keys are left alone.

## Why it matters
Helm takes values that no template reads, and a stored ClusterPolicy drops fields that it does not know: `mig.Strategy`,
`devicePlugin.Config` and `gfd.enable` change nothing, and nothing says so. The default stays in force.

## Example
```yaml values.yaml
mig:
  Strategy: mixed
migManager:
  enabled: true
```

## Use instead
```yaml values.yaml
mig:
  strategy: mixed
migManager:
  enabled: true
```

## References
- NVIDIA/gpu-operator issue 196
- NVIDIA/gpu-operator v26.7.0, api/nvidia/v1/clusterpolicy_types.go
- NVIDIA/k8s-device-plugin v0.20.0, deployments/helm/nvidia-device-plugin/values.yaml
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from labs.config.documents import normal
from labs.config.editing import rename
from labs.config.goyaml import Node, find
from labs.config.manifests import Field, fields
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.subject import LintDocument, Rule, Subject

_IMAGE = ("enabled", "repository", "image", "version", "imagePullPolicy", "imagePullSecrets", "resources")
_OPERATOR: dict[tuple[str, ...], tuple[str, ...]] = {
    (): ("mig", "devicePlugin", "gfd", "migManager", "cdi"),
    ("mig",): ("strategy",),
    ("devicePlugin",): (*_IMAGE, "args", "env", "config", "mps"),
    ("devicePlugin", "config"): ("name", "default", "create", "data"),
    ("devicePlugin", "mps"): ("root",),
    ("gfd",): (*_IMAGE, "args", "env"),
    ("migManager",): (*_IMAGE, "args", "env", "config", "gpuClientsConfig"),
    ("migManager", "config"): ("name", "default", "create", "data"),
    ("cdi",): ("enabled", "default"),
}
_CHART: dict[tuple[str, ...], tuple[str, ...]] = {
    (): ("config", "migStrategy", "failOnInitError", "deviceListStrategy", "deviceIDStrategy", "gfd", "mps"),
    ("config",): ("name", "map", "default", "fallbackStrategies"),
    ("mps",): ("root",),
    ("gfd",): ("enabled",),
}
_NEAR, _MOST_KEYS, _LONGEST = 0.88, 100, 40


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the key; the right one is written over it, unless it is there as well."""
    for document, operator in subject.operators:
        yield from _misspelt(document, operator.node, _OPERATOR)
    for document, chart in subject.charts:
        yield from _misspelt(document, chart.node, _CHART)


def _misspelt(
    document: LintDocument, root: Node, known: dict[tuple[str, ...], tuple[str, ...]]
) -> Iterator[Finding]:
    for path, allowed in known.items():
        members = fields(root, *path)
        holder = find(root, path)
        for member in [member for member in members if member.name not in allowed][:_MOST_KEYS]:
            near = _near(member, allowed)
            if not near:
                continue
            edit = rename(holder, member.key, near)
            yield RULE.at(
                document,
                member.key,
                fix=document.fix(edit),
                key=quoted(member.key),
                near=".".join((*path, near)),
            )


def _near(member: Field, allowed: tuple[str, ...]) -> str:
    name = normal(member.name)
    if not 1 < len(name) < _LONGEST:
        return ""
    plain = {normal(candidate): candidate for candidate in allowed}
    matches = difflib.get_close_matches(name, plain, 1, _NEAR)
    return plain[matches[0]] if matches else ""


RULE = Rule("GL502", "misspelt-deployment-key", Severity.WARNING, "0.1", check, __doc__, fixable=True)
