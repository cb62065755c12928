"""A key that is written twice in the same map.

## What it does
Finds a key that occurs twice in one map, in any of the files that are known here; in the device plugin's config also a key
that is there in two spellings, of which the plugin reads both.

## Why it matters
The device plugin and mig-parted take the last and drop the others without a word, with all that stands under them: a second
`sharing` at the end of the file undoes the first. Of two spellings the one that is later in byte order counts, wherever it
stands. YAML itself wants every key once.

## Example
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
        replicas: 8
```

## Use instead
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 8
```

## References
- sigs.k8s.io/yaml v1.6.0 and go.yaml.in/yaml/v2 v2.4.3, which the loaders use without strict mode
- YAML 1.1, section 3.2.1.3 (the keys of a mapping are unique)
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.documents import LOADED_KINDS, Kind
from labs.config.editing import Edit, remove_member
from labs.config.goyaml import Mapping, Scalar
from labs.lint.findings import Finding, Severity
from labs.lint.keys import Duplicate, duplicates, spellings
from labs.lint.refusals import bounded
from labs.lint.subject import LintDocument, Rule, Subject

_MOST_FIXES = 50
_MOST_FINDINGS = 200


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each key that does not count; the one that does is beside it."""
    for document in subject.documents:
        if document.kind in (Kind.UNKNOWN, Kind.EMPTY):
            continue
        repeats = list(duplicates(document.document.root))
        loaded = document.kind in LOADED_KINDS
        if document.kind is Kind.DEVICE_PLUGIN:
            repeats.extend(spellings(document.document.mapping))
        for number, duplicate in enumerate(repeats[:_MOST_FINDINGS]):
            edit = _removed(document, duplicate) if number < _MOST_FIXES else None
            yield RULE.at(
                document,
                duplicate.dropped.key,
                variant="spelling" if duplicate.spelling else "" if loaded else "manifest",
                related=[document.related(duplicate.counts.key, "counts")],
                fix=document.fix(edit, safe=loaded),
                key=bounded(duplicate.dropped.name or ""),
                counts=bounded(duplicate.counts.name or ""),
                line=document.outer(duplicate.counts.key).start.line,
            )


def _removed(document: LintDocument, duplicate: Duplicate) -> Edit | None:
    """Takes the key out that does not count; not where two spellings are read one over the other, map into map."""
    if duplicate.spelling and not all(
        isinstance(each.value, Scalar) and each.value.text for each in (duplicate.dropped, duplicate.counts)
    ):
        return None
    holder: Mapping = duplicate.holder
    return remove_member(document.document.text, holder, duplicate.dropped)


RULE = Rule(
    "GL105",
    "duplicate-key",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("spelling", "manifest"),
    notes=("counts",),
    fixable=True,
)
