"""A config that its loader refuses.

## What it does
Finds a config of the device plugin or of mig-parted that its loader refuses, points at the very value or key that it is
refused for, and gives the loader's own words.

## Why it matters
A config of the device plugin that does not load stops the plugin, GPU feature discovery and the MPS control daemon of the
node: they exit, are restarted and exit again, and the node offers no GPUs until the file is mended. The loader reports only
one mistake at a time, in words that name Go types and seldom a line. mig-parted refuses the whole file too, so that no
config in it can be selected, and the node's label `nvidia.com/mig.config.state` becomes `failed`.

## Example
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: "4"
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
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1 and cmd/nvidia-device-plugin/main.go, validateFlags
- NVIDIA/mig-parted v0.15.0, api/spec/v1/spec.go
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import Kind
from labs.lint.findings import Finding, Severity
from labs.lint.keys import escaped, invisible_edits
from labs.lint.refusals import Refusal, bounded, error_text
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at what each refused document is refused for, and at what it would be refused for next."""
    for document in subject.documents:
        first = document.refusal
        if first is None:
            continue
        yield _finding(document, first)
        if document.kind is Kind.DEVICE_PLUGIN:
            from labs.lint.meaning import deployment  # only for a file that is refused
            from labs.lint.refusals import further

            env, args = deployment(subject).environment, subject.settings.args
            yield from (
                _finding(document, refusal)
                for refusal in further.further_refusals(document.document, first, env, args)
            )


def _finding(document: LintDocument, refusal: Refusal) -> Finding:
    edits, safe, value = refusal.edits, refusal.safe, refusal.value
    if refusal.variant == "invisible":
        text = document.document.text
        value = bounded(escaped(text[refusal.place.start_offset : refusal.place.end_offset]))
        # All such keys at once: they are indentation as a rule, and half of it makes no map.
        keys = invisible_edits(document.document.root)
        edits, safe = keys if any(edit.span == refusal.place for edit in keys) else edits, False
    also = [] if refusal.also is None else [document.related(refusal.also, f"also-{refusal.variant}")]
    return RULE.at(
        document,
        refusal.place,
        variant=refusal.variant,
        related=also,
        fix=document.fix(*edits, safe=safe),
        loader=_loader(document),
        error=error_text(refusal),
        value=value,
        key=refusal.key,
        allowed=refusal.allowed,
        near=refusal.near,
    )


def _loader(document: LintDocument) -> str:
    return "nvidia-device-plugin" if document.checked.mig is None else "nvidia-mig-parted"


_VARIANTS = (
    "yaml", "yaml-tab", "yaml-characters", "yaml-anchor", "yaml-colon", "yaml-no-space",
    "yaml-quote", "yaml-reserved", "yaml-key", "template", "placeholder", "quotes",
    "invisible", "not-a-map", "wants-map", "wants-list", "wants-text", "wants-bool",
    "wants-number", "quoted-number", "quoted-bool", "version", "missing", "near-key", "name",
    "name-long", "devices", "duration", "duration-unit", "flag", "erased-flag", "imex",
    "environment", "mig-field", "mig-empty", "count", "no-counts", "mig-needs-devices",
    "mig-off", "wide", "flag-list",
)  # fmt: skip

RULE = Rule(
    "GL100",
    "refused-by-loader",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=_VARIANTS,
    notes=("also-mig-off",),
    fixable=True,
)
