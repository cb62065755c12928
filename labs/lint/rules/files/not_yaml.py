"""A file that is not YAML.

## What it does
Finds a manifest, or a file of values for a chart, that stops being YAML somewhere, and points at the place. For the configs
that the device plugin and mig-parted read, `refused-by-loader` says it.

## Why it matters
No tool takes such a file, and whatever stands behind the mistake has not been checked here either. A template of a chart
is no YAML until it is rendered: check what `helm template` prints instead.

## Example
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  containers:
    - name: notebook
      image: example.com/notebook:1
      resources:
        limits:
          nvidia.com/gpu:1
          memory: 4Gi
```

## Use instead
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  containers:
    - name: notebook
      image: example.com/notebook:1
      resources:
        limits:
          nvidia.com/gpu: 1
          memory: 4Gi
```

## References
- YAML 1.1, section 4.3.3 (indentation) and 10.2.2 (block mappings)
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import LOADED_KINDS, Kind
from labs.config.goyaml import LimitError
from labs.lint.findings import Finding, Severity
from labs.lint.refusals import beginning, error_text, syntax_refusal
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at where each document that no loader reads stops being YAML; templates of an unknown kind are left alone."""
    for document in subject.documents:
        problem = document.document.problem
        if problem is None or document.kind in LOADED_KINDS:
            continue
        if isinstance(problem, LimitError):
            place = beginning(document.document)
            yield RULE.at(
                document, place, severity=Severity.WARNING, variant="too-large", error=problem.message
            )
            continue
        refusal = syntax_refusal(document.document, problem)
        template = "{{" in document.document.text
        if template and document.kind is Kind.UNKNOWN:
            continue
        yield RULE.at(
            document,
            refusal.place,
            severity=Severity.INFO if template else None,
            variant="template" if template else "",
            fix=None if template else document.fix(*refusal.edits),
            error=error_text(refusal),
            value=refusal.value,
        )


RULE = Rule(
    "GL101",
    "not-yaml",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("template", "too-large"),
    fixable=True,
)
