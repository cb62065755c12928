"""`devices` is neither `all` nor a list of indexes, and the file is refused.

## What it does
Finds a `devices` of a mig-parted config that is a single number, a string other than `all`, or a list whose indexes are
strings.

## Why it matters
One GPU needs a list too: `devices: 0` and `devices: "0"` are refused, and with them the whole file, so that none of the
configs in it can be applied. The only word that may stand there is `all`, in lower case.

## Example
```yaml
version: v1
mig-configs:
  first-only:
    - devices: 0
      mig-enabled: true
      mig-devices:
        "1g.10gb": 4
```

## Use instead
```yaml
version: v1
mig-configs:
  first-only:
    - devices: [0]
      mig-enabled: true
      mig-devices:
        "1g.10gb": 4
```

## References
- NVIDIA/mig-parted v0.15.0, api/spec/v1/spec.go
- NVIDIA/mig-parted issue #44
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labs.config.editing import Edit, replace
from labs.config.goyaml import Node, Scalar, ScalarKind, Sequence
from labs.config.mig_parted import ALL_DEVICES
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning.mig import refused_entries
from labs.lint.subject import Rule, Subject

_MOST_ITEMS = 4
_INDEXES = re.compile(r"\[?\s*(\d{1,4}(?:\s*[,\s]\s*\d{1,4})*)\s*\]?", re.ASCII)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the value, or at each string in the list."""
    for document, view in refused_entries(subject):
        if view.devices is None:
            continue
        value = view.devices.value
        right, edit, wrong = _mended(value)
        if wrong:
            fix = document.fix(edit, safe=True)
            variant = "" if right else "other"
            yield RULE.at(
                document,
                view.devices.place,
                variant=variant,
                fix=fix,
                value=_list_text(value),
                right=right[:80],
            )


def _list_text(value: Node) -> str:
    if not isinstance(value, Sequence):
        return quoted(value)
    items = [f"'{quoted(item)}'" if _is_text(item) else quoted(item) for item in value.items[:_MOST_ITEMS]]
    return f"[{', '.join([*items, *(['…'] if len(value.items) > _MOST_ITEMS else [])])}]"


def _is_text(item: Node) -> bool:
    return isinstance(item, Scalar) and item.kind is ScalarKind.STRING


def _mended(value: Node) -> tuple[str, Edit | None, bool]:
    """What should stand there ("": can't be told), the edit that writes it, and whether anything is wrong at all."""
    if isinstance(value, Sequence):
        texts = [item for item in value.items if isinstance(item, Scalar) and item.kind is ScalarKind.STRING]
        if not texts:
            return "", None, False
        numbers = all(re.fullmatch(r"\d{1,4}", item.text, re.ASCII) for item in texts)
        if len(value.items) == 1 and texts[0].text.strip().lower() == ALL_DEVICES and value.flow:
            return ALL_DEVICES, None if value.alias or value.anchor else Edit(value.span, ALL_DEVICES), True
        if not numbers or len(texts) < len(value.items):
            return "", None, True
        right = "[" + ", ".join(str(int(item.text)) for item in texts[:100]) + "]"
        plain = value.flow and len(texts) <= 100 and not (value.alias or value.anchor)
        return right, Edit(value.span, right) if plain else None, True
    if not isinstance(value, Scalar):
        return "", None, False
    if value.kind is ScalarKind.INT and isinstance(value.value, int) and not isinstance(value.value, bool):
        return f"[{value.value}]"[:40], replace(value, f"[{value.value}]"), True
    if value.kind is not ScalarKind.STRING or value.text == ALL_DEVICES:
        return "", None, value.kind is not ScalarKind.STRING
    if value.text.strip().lower() == ALL_DEVICES:
        return ALL_DEVICES, replace(value, ALL_DEVICES), True
    listed = _INDEXES.fullmatch(value.text.strip()[:400])
    if listed is None or len(value.text) > 400:
        return "", None, True
    right = "[" + ", ".join(str(int(number)) for number in re.findall(r"\d+", listed[1])) + "]"
    return right, replace(value, right), True


RULE = Rule(
    "GL305",
    "devices-not-a-list",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("other",),
    explains_refusal=True,
    fixable=True,
)
