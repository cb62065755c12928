"""Values name a ConfigMap that Kustomize makes under a longer name.

## What it does
Finds a ConfigMap of a `configMapGenerator`, with the hash that Kustomize puts behind its name, that the values of one of the
charts, a ClusterPolicy, or the `valuesFrom` of a HelmRelease name without it.

## Why it matters
Kustomize rewrites such a name where it knows that a name of a ConfigMap stands: in volumes and in the environment of Pods.
It does not know it inside values of Helm, in a ClusterPolicy and in a HelmRelease. So the plugin's Pods wait in
`ContainerCreating` for a ConfigMap that is not there, and the nodes offer no GPUs; a release waits for its values.

## Example
```yaml kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - policy.yaml
configMapGenerator:
  - name: time-slicing
    files:
      - any=config.yaml
```
```yaml policy.yaml
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata:
  name: cluster-policy
spec:
  devicePlugin:
    config:
      name: time-slicing
      default: any
```

## Use instead
```yaml kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - policy.yaml
configMapGenerator:
  - name: time-slicing
    files:
      - any=config.yaml
    options:
      disableNameSuffixHash: true
```
```yaml policy.yaml
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata:
  name: cluster-policy
spec:
  devicePlugin:
    config:
      name: time-slicing
      default: any
```

## References
- kubernetes-sigs/kustomize, api/internal/konfig/builtinpluginconsts/namereference.go
- kubernetes-sigs/kustomize, api/types/generatoroptions.go, DisableNameSuffixHash
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.goyaml import Span
from labs.config.manifests import Field
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import maps_named
from labs.lint.subject import LintDocument, Rule, Subject

_LONGEST = 80


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the name, and at the generator."""
    if not any(document.document.hashed for document in subject.documents):
        return
    named: list[tuple[LintDocument, Field | None]] = []
    for document, operator in subject.operators:
        named += [(document, operator.plugin_config.name), (document, operator.mig_manager_config.name)]
    named += [(document, chart.config_name) for document, chart in subject.charts]
    for document, name in named:
        if name is not None and name.text:
            yield from _generated(subject, document, name.text, name.place, "")
    for document in subject.documents:
        for source, place in document.document.values_from:
            yield from _generated(subject, document, source, place, "values")


def _generated(
    subject: Subject, document: LintDocument, name: str, place: Span, variant: str
) -> Iterator[Finding]:
    maps = maps_named(subject, name)
    if maps and all(each.document.document.hashed for each in maps):
        generator = maps[0].document.related(maps[0].place, "generator")
        yield RULE.at(document, place, variant=variant, related=[generator], name=name[:_LONGEST])


RULE = Rule(
    "GL558",
    "generated-name-not-rewritten",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("values",),
    notes=("generator",),
)
