"""A number in a form that few read as the loader does.

## What it does
Finds whole numbers that are not written in plain decimal, such as `010`, `0x10`, `1e1`, `1_000` and `5.0`, for replicas,
counts of MIG devices, indexes of cards and IMEX channels.

## Why it matters
The loaders take all of these by the rules of YAML 1.1. A leading zero makes a number octal: `replicas: 010` shares each GPU
by 8. YAML 1.2 and most other tools read some of them otherwise, or as text.

## Example
```yaml
version: v1
sharing:
  timeSlicing:
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 010
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
- YAML 1.1, the int type (yaml.org/type/int.html)
- go.yaml.in/yaml/v2 v2.4.3, resolve.go
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.editing import replace
from labs.config.gojson import number, parse_integer
from labs.config.goyaml import Node, Scalar, Sequence
from labs.config.manifests import Field, folded
from labs.lint.findings import Finding, Severity
from labs.lint.refusals import bounded
from labs.lint.subject import LintDocument, Rule, Subject

_OCTAL = re.compile(r"[+-]?0[0-9_]*[1-9][0-9_]*")


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each number that is not in plain decimal."""
    for document in subject.documents:
        seen: set[int] = set()
        refused = document.refusal
        for key, node in _numbers(document):
            value = _whole(node)
            place = node.place.start_offset
            if value is None or place in seen or (refused is not None and refused.place == node.place):
                continue
            seen.add(place)
            assert isinstance(node, Scalar)
            octal = _OCTAL.fullmatch(node.text) and value != int(node.text.replace("_", ""))
            yield RULE.at(
                document,
                node,
                variant="octal" if octal else "",
                fix=document.fix(replace(node, str(value)), safe=True),
                value=bounded(node.text),
                key=bounded(key),
                number=str(value),
            )


def _numbers(document: LintDocument) -> Iterator[tuple[str, Node]]:
    """The values that the loaders take as whole numbers, with the keys they belong to."""
    numbers: list[Field | None] = []
    if document.plugin is not None:
        for block in document.plugin.blocks:
            numbers.extend(field for entry in block.entries for field in (entry.replicas, entry.devices))
        if document.plugin.imex is not None:
            numbers.append(folded(document.plugin.imex.value, "channelIDs"))
    if document.mig is not None:
        for entry in (entry for config in document.mig.configs for entry in config.entries):
            numbers.extend((entry.devices, *entry.profiles))
    for field in numbers:
        if field is not None:
            nodes = field.value.items if isinstance(field.value, Sequence) else (field.value,)
            yield from ((field.name, node) for node in nodes)


def _whole(node: Node) -> int | None:
    """The number that a scalar is to the loader, where it is written otherwise than in plain decimal."""
    if not isinstance(node, Scalar) or node.style != "plain" or node.tag or node.alias is not None:
        return None
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        return None
    value = (
        parse_integer(number(node.value)) if node.value == node.value and abs(node.value) < 1e300 else None
    )
    return None if value is None or node.text == str(value) else value


RULE = Rule("GL109", "number-form", Severity.INFO, "0.1", check, __doc__, variants=("octal",), fixable=True)
