"""One container asks for two resources of NVIDIA's plugin.

## What it does
Finds a container that asks for two different GPU resources: two MIG profiles, or a whole GPU and a MIG device.

## Why it matters
The plugin answers for each resource by itself. With the device list strategy `envvar`, the default, each answer sets
`NVIDIA_VISIBLE_DEVICES`, and only one of them survives: the container is charged for both and sees the devices of one.

## Example
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
    - name: train
      image: example.com/train:1
      resources:
        limits:
          nvidia.com/mig-1g.10gb: 1
          nvidia.com/mig-1g.20gb: 1
```

## Use instead
```yaml pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
    - name: train
      image: example.com/train:1
      resources:
        limits:
          nvidia.com/mig-1g.20gb: 1
```

## References
- NVIDIA/k8s-device-plugin issue 728
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.config.own import quoted
from labs.lint.findings import Finding, Severity
from labs.lint.keys.resources import is_gpu_resource
from labs.lint.meaning import deployment
from labs.lint.meaning.market import offers
from labs.lint.meaning.pods import asked, containers
from labs.lint.subject import Rule, Subject


def check(subject: Subject) -> Iterator[Finding]:
    """Points at the second name, unless the devices are known to be handed over in a way that keeps both."""
    by_environment = _by_environment(subject)
    for document, pod in subject.pods if by_environment else ():
        for container in containers(pod):
            gpus = [
                request
                for request in asked(container)
                if is_gpu_resource(request.name) and request.units != 0
            ]
            for other in gpus[1:]:
                first = gpus[0].field.key
                yield RULE.at(
                    document,
                    other.field.key,
                    related=[document.related(first, "first")],
                    resource=quoted(other.field.key),
                    first=quoted(first),
                )


def _by_environment(subject: Subject) -> bool:
    """Whether the plugin may tell the runtime by environment variable which devices a container gets."""
    strategies: list[object] = []
    if not subject.pods:
        return False
    for offer in offers(subject):
        flags = offer.loaded.flags or {}
        plugin = flags.get("plugin")
        strategies.append(plugin.get("deviceListStrategy") if isinstance(plugin, dict) else None)
    if not strategies:
        strategies = [deployment(subject).environment.get("DEVICE_LIST_STRATEGY")]
    return any(strategy is None or "envvar" in str(strategy) for strategy in strategies)


RULE = Rule("GL404", "two-nvidia-resources", Severity.WARNING, "0.1", check, __doc__, notes=("first",))
