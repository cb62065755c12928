"""A config behind a `---`, where no loader looks.

## What it does
Finds a file, or an entry of a ConfigMap, that goes on with another config of the device plugin or of mig-parted after
`---`, and one whose first document is empty.

## Why it matters
Both loaders read the first YAML document and stop. What follows is not even parsed. Where the first is empty, with a `---`
too many at the top for instance, the plugin starts with its defaults and shares nothing, and says nothing.

## Example
```yaml
---
---
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## Use instead
```yaml
---
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
```

## References
- sigs.k8s.io/yaml v1.6.0, Unmarshal, which the device plugin v0.20.0 and mig-parted v0.15.0 use
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.documents import LOADED_KINDS
from labs.config.editing import Edit, line_index
from labs.config.goyaml import Mapping, Node, Scalar, ScalarKind, Span, YamlError, read_all
from labs.lint.findings import Finding, Severity
from labs.lint.refusals import beginning
from labs.lint.subject import LintDocument, Rule, Subject

_MARK = re.compile(r"^(?:---|\.\.\.)(?!\S)", re.MULTILINE)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the beginning of each config that is not read, or that stands behind an empty document."""
    files: dict[str, LintDocument] = {}
    read: dict[tuple[str, str], LintDocument] = {}
    for document in subject.documents:
        first = files.setdefault(document.path, document)
        if document.kind not in LOADED_KINDS:
            continue
        yield from _within(document)
        root = document.document.root
        if document.document.host is not None or root is None:
            continue
        before = read.setdefault((document.path, document.kind), document)
        if document is not before:
            related = [before.related(beginning(before.document), "read")]
            yield RULE.at(document, _beginning(root), related=related, kind=str(document.kind))
        elif document is first and document.document.ordinal:
            yield _behind_nothing(document, root)


def _behind_nothing(document: LintDocument, root: Node) -> Finding:
    """A config behind an empty document; the fix takes away what is before it, if that is marks alone."""
    begins, text = _beginning(root), document.document.text
    head = text[: begins.start_offset]
    empty = all(line.strip() in ("", "---", "...") for line in head.splitlines()) and head.endswith("\n")
    edit = Edit(line_index(text).span(0, len(head)), "") if empty and document.document.host is None else None
    return RULE.at(document, begins, variant="empty-first", fix=document.fix(edit), kind=str(document.kind))


def _within(document: LintDocument) -> Iterator[Finding]:
    """A document that is a whole file to its loader, with others behind it."""
    text = document.document.text
    if len(document.document.content) < len(text) or _MARK.search(text) is None:
        return
    try:
        roots = read_all(text)
    except YamlError:
        return
    said = [root for root in roots if not _is_empty(root)]
    if len(roots) < 2 or not said:
        return
    if _is_empty(roots[0]):
        yield _behind_nothing(document, said[0])
    elif len(said) > 1:
        read = document.related(_beginning(said[0]), "read")
        yield RULE.at(document, _beginning(said[1]), related=[read], kind=str(document.kind))


def _is_empty(root: Node) -> bool:
    return isinstance(root, Scalar) and root.kind is ScalarKind.NULL and not root.text


def _beginning(root: Node) -> Span:
    return root.entries[0].key.place if isinstance(root, Mapping) and root.entries else root.place


RULE = Rule(
    "GL106",
    "more-than-one-document",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("empty-first",),
    notes=("read",),
    fixable=True,
)
