"""A key of the device plugin's config that stands where it is not read.

## What it does
Finds keys that the device plugin knows, at a place where it does not read them: `renameByDefault` under `flags` or in an
entry of `resources`, `sharing` under `flags`, `timeSlicing` at the top, `deviceListStrategy` directly under `flags`.

## Why it matters
The plugin drops such a key without a word, so the setting has no effect. A flag of `flags` that stands under
`flags.plugin` or `flags.gfd` does harm besides: reading it there makes the real flag empty, and no default fills it in.
For `migStrategy` that is a value that the plugin refuses.

## Example
```yaml
version: v1
flags:
  deviceListStrategy: envvar
  plugin:
    passDeviceSpecs: true
```

## Use instead
```yaml
version: v1
flags:
  plugin:
    deviceListStrategy: envvar
    passDeviceSpecs: true
```

## References
- NVIDIA/k8s-device-plugin v0.20.0, api/config/v1/flags.go and replicas.go
- sigs.k8s.io/yaml v1.6.0, convertToJSONableObject, which makes the pointers that it meets
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.manifests import folded
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import StrayKey, erases, move, stray_keys
from labs.lint.refusals import bounded
from labs.lint.subject import LintDocument, Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at each key that is dropped and belongs elsewhere."""
    for document in subject.documents:
        for stray in stray_keys(document):
            if not stray.homes:
                continue
            stray = _in_effect(document, stray)
            written = stray.written
            erased = _erased(document, stray)
            yield RULE.at(
                document,
                written.entry.key,
                variant="erases" if erased else _variant(stray),
                fix=document.fix(*move(document, stray)),
                key=bounded(written.name),
                where=written.where,
                home=", ".join(stray.homes),
            )


def _variant(stray: StrayKey) -> str:
    """The words for a key that stands at the top, or belongs there."""
    if not stray.written.path:
        return "top"
    return "" if any("." in home for home in stray.homes) else "to-top"


def _in_effect(document: LintDocument, stray: StrayKey) -> StrayKey:
    """Of the homes in both sharing blocks the one in the block that counts."""
    block = None if document.plugin is None else document.plugin.in_effect
    if block is None:
        return stray
    homes = tuple(home for home in stray.homes if home.startswith(f"sharing.{block.name}."))
    return StrayKey(stray.written, stray.near, homes or stray.homes)


def _erased(document: LintDocument, stray: StrayKey) -> bool:
    """Whether the key makes the real flag empty: where that is written too, it stands."""
    flag = erases(stray.written)
    flags = None if document.plugin is None else document.plugin.flags
    return bool(flag) and flags is not None and folded(flags.value, flag) is None


RULE = Rule(
    "GL103",
    "misplaced-key",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("top", "to-top", "erases"),
    fixable=True,
)
