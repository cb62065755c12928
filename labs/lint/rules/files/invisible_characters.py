"""A key with characters that look like spaces or like nothing.

## What it does
Finds keys with a no-break space, an ideographic (full-width) space, a zero-width space or the like in them, most often where
indentation should be. The finding stands at the first such key of a document; the fix is for all of them.

## Why it matters
To YAML these are letters. A line that is indented with them is no child of the line above but a key of the top level whose
name begins with invisible letters; the device plugin drops it as unknown and shares nothing, while the file looks right in
every editor. They come from web pages, chat programs, and input methods left switched on.

## Example
```yaml
version: v1
sharing:
\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}timeSlicing:
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
- YAML 1.1, section 5.5 (white space is space and tab only)
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/config.go: no field is refused as unknown
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import LOADED_KINDS, Kind
from labs.lint.findings import Finding, Severity
from labs.lint.keys import escaped, first_invisible, invisible_edits, invisible_keys
from labs.lint.refusals import bounded
from labs.lint.subject import Rule, Subject

_MOST_RELATED = 10


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the first such key of each document; not where the loader refuses the document for one."""
    for document in subject.documents:
        if document.kind in (Kind.UNKNOWN, Kind.EMPTY):
            continue
        keys = invisible_keys(document.document.root)
        refused = document.refusal
        if not keys or (refused is not None and refused.variant == "invisible"):
            continue
        others = [document.related(key, "other") for key in keys[1 : 1 + _MOST_RELATED]]
        yield RULE.at(
            document,
            keys[0],
            variant="" if document.kind in LOADED_KINDS else "manifest",
            related=others,
            fix=document.fix(*invisible_edits(document.document.root)),
            key=bounded(escaped(keys[0].text)),
            character=first_invisible(keys[0].text),
            count=len(keys),
        )


RULE = Rule(
    "GL107",
    "invisible-characters",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("manifest",),
    notes=("other",),
    fixable=True,
)
