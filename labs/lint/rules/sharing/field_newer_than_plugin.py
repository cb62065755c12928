"""A field that the plugin's version does not know yet.

## What it does
Finds fields and values of a config that came with a later version of the plugin than the one that is used.

## Why it matters
The plugin drops keys that it does not know without a word. On v0.19 `sharedDevicesAllocationPolicy: packed` changes
nothing, on v0.17 `gdrcopyEnabled` does not, and before v0.15 an `mps` block is no sharing at all. `sleepInterval: infinite`
is a value that v0.18 can't read: there the whole file is refused.

## Example
```yaml
version: v1
flags:
  plugin:
    sharedDevicesAllocationPolicy: packed
sharing:
  timeSlicing:
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
- NVIDIA/k8s-device-plugin v0.15.0, v0.18.0, v0.19.0 and v0.20.0, api/config/v1
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import remove_at
from labs.config.manifests import Field, PluginDocument, folded
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.meaning import deployed
from labs.lint.subject import Rule, Settings, Subject

Version = tuple[int, int]

_SINCE: dict[tuple[str, ...], Version] = {
    ("flags", "gdrcopyEnabled"): (0, 18),
    ("flags", "plugin", "sharedDevicesAllocationPolicy"): (0, 20),
    ("sharing", "mps"): (0, 15),
}
_INFINITE_SINCE = (0, 19)


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the key of such a field, at such a value."""
    version = subject.settings.plugin_version
    used = _text(version)
    for setup in deployed(subject):
        document, config = setup.document, setup.config
        if not setup.running.loads:
            continue
        for path, since in _SINCE.items():
            fields = _at(config, path)
            if version >= since or not fields or fields[-1].is_null or config.root is None:
                continue
            edit = remove_at(document.document.text, config.root, [member.name for member in fields])
            fix = document.fix(edit, safe=True) if path[0] == "flags" else None
            name = fields[-1].name
            yield RULE.at(document, fields[-1].key, fix=fix, field=name, since=_text(since), used=used)
        interval = _at(config, ("flags", "gfd", "sleepInterval"))
        if version < _INFINITE_SINCE and interval and interval[-1].text == "infinite":
            yield RULE.at(
                document,
                interval[-1].value,
                severity=Severity.ERROR,
                variant="refused",
                field=quoted(interval[-1].value),
                since=_text(_INFINITE_SINCE),
                used=used,
            )


def _at(config: PluginDocument, path: tuple[str, ...]) -> list[Field]:
    """The fields on the way to a path; empty where there is none."""
    node, fields = config.root, list[Field]()
    for name in path:
        field = folded(fields[-1].value if fields else node, name)
        if field is None:
            return []
        fields.append(field)
    return fields


def _text(version: Version) -> str:
    return ".".join(map(str, version))


RULE = Rule(
    "GL225",
    "field-newer-than-plugin",
    Severity.WARNING,
    "0.1",
    check,
    __doc__,
    variants=("refused",),
    fixable=True,
    example_settings=Settings(plugin_version=(0, 19)),
)
