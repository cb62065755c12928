"""Parameters for the DRA driver are of an API that it does not know.

## What it does
Finds parameters that are addressed to NVIDIA's DRA driver (`driver: gpu.nvidia.com`) in a claim, a template of claims or a
device class, and whose `apiVersion` is not the driver's, or whose `kind` is none of its kinds.

## Why it matters
The driver decodes its parameters strictly, by group, version and kind: `resource.nvidia.com/v1beta1`, not the driver's
name. It refuses all others, and the Pod never leaves `ContainerCreating`.

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
            apiVersion: gpu.nvidia.com/v1beta1
            kind: GpuConfig
            sharing:
              strategy: TimeSlicing
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
              strategy: TimeSlicing
```

## References
- kubernetes-sigs/dra-driver-nvidia-gpu, api/nvidia.com/resource/v1beta1/register.go
- kubernetes-sigs/dra-driver-nvidia-gpu, cmd/gpu-kubelet-plugin/device_state.go, GetOpaqueDeviceConfigs
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.editing import rewrite
from labs.config.manifests.objects import DRIVER, DRIVER_API_VERSION, PARAMETER_KINDS
from labs.config.own import quoted
from labs.lint.findings import Finding, Severity, listed
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the version, or at the kind; the fix writes the driver's version."""
    for document, config in subject.claims:
        version, kind = config.api_version, config.kind
        if config.driver is None or config.driver.text != DRIVER:
            continue
        if version is not None and version.text and version.text != DRIVER_API_VERSION:
            yield RULE.at(
                document,
                version.value,
                fix=document.fix(rewrite(version.value, DRIVER_API_VERSION)),
                value=quoted(version.value),
                version=DRIVER_API_VERSION,
            )
        elif kind is not None and kind.text and kind.text not in PARAMETER_KINDS:
            yield RULE.at(
                document,
                kind.value,
                variant="kind",
                value=quoted(kind.value),
                kinds=listed(PARAMETER_KINDS),
            )


RULE = Rule(
    "GL426",
    "dra-parameters-of-another-api",
    Severity.ERROR,
    "0.1",
    check,
    __doc__,
    variants=("kind",),
    fixable=True,
)
