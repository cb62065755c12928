"""A claim has a key that NVIDIA's DRA driver does not know.

## What it does
Finds unknown keys in the parameters of a claim for NVIDIA's DRA driver: in a `GpuConfig` or `MigDeviceConfig`, in its
`sharing` block and in the settings of the strategies. Keys count letter for letter.

## Why it matters
The driver decodes its parameters strictly. A key that it does not know, or that is written in other case, fails the
claim with `strict decoding error: unknown field` when a node prepares it, and the Pod never starts.

## Example
```yaml claim.yaml
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: shared
spec:
  devices:
    requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
    config:
      - requests: [gpu]
        opaque:
          driver: gpu.nvidia.com
          parameters:
            apiVersion: resource.nvidia.com/v1beta1
            kind: GpuConfig
            sharing:
              strategy: MPS
              mpsConfig:
                activeThreadPercentage: 50
```

## Use instead
```yaml claim.yaml
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: shared
spec:
  devices:
    requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
    config:
      - requests: [gpu]
        opaque:
          driver: gpu.nvidia.com
          parameters:
            apiVersion: resource.nvidia.com/v1beta1
            kind: GpuConfig
            sharing:
              strategy: MPS
              mpsConfig:
                defaultActiveThreadPercentage: 50
```

## References
- NVIDIA/k8s-dra-driver-gpu, api/nvidia.com/resource/v1beta1/api.go, the strict decoder
- NVIDIA/k8s-dra-driver-gpu, api/nvidia.com/resource/v1beta1/sharing.go, GpuSharing, TimeSlicingConfig, MpsConfig
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import rewrite
from labs.config.manifests import fields
from labs.config.manifests.objects import SHARED_CONFIG_KINDS, DeviceConfig
from labs.config.own import quoted
from labs.lint.findings import Finding, NearNames, Severity
from labs.lint.meaning.pods import is_of_this_version
from labs.lint.subject import LintDocument, Rule, Subject

_KNOWN: dict[tuple[str, ...], tuple[str, ...]] = {
    (): ("apiVersion", "kind", "sharing"),
    ("sharing",): ("strategy", "timeSlicingConfig", "mpsConfig"),
    ("sharing", "timeSlicingConfig"): ("interval",),
    ("sharing", "mpsConfig"): (
        "defaultActiveThreadPercentage",
        "defaultPinnedDeviceMemoryLimit",
        "defaultPerDevicePinnedMemoryLimit",
    ),
}
"""The keys of each map, by where it is."""


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the key; of settings in a MigDeviceConfig that has none such another rule speaks."""
    near = {path: NearNames(known) for path, known in _KNOWN.items()}
    for document, config in subject.claims:
        kind = None if config.kind is None else config.kind.text
        if is_of_this_version(config) and kind in SHARED_CONFIG_KINDS:
            yield from _unknown(document, config, near)


def _unknown(
    document: LintDocument, config: DeviceConfig, near: dict[tuple[str, ...], NearNames]
) -> Iterator[Finding]:
    for path, known in _KNOWN.items():
        members = fields(config.node, *path)
        present = {member.name for member in members}
        for member in members:
            if member.name in known:
                continue
            meant = near[path].of(member.name)
            free = bool(meant) and meant not in present and not member.repeated
            yield RULE.at(
                document,
                member.key,
                variant="near" if meant else "",
                fix=document.fix(rewrite(member.key, meant)) if free else None,
                key=quoted(member.key),
                block=path[-1] if path else (config.kind.written if config.kind is not None else ""),
                meant=meant,
                allowed=", ".join(known),
            )


RULE = Rule(
    "GL424", "dra-unknown-key", Severity.ERROR, "0.1", check, __doc__, variants=("near",), fixable=True
)
