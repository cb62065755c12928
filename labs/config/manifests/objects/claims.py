"""Resource claims that ask NVIDIA's DRA driver to share a GPU or a MIG device.

Source: the driver's API `resource.nvidia.com/v1beta1`, `sharing.go` and `validate.go`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.config.documents import Document, Kind
from labs.config.goyaml import Mapping
from labs.config.manifests import Field, field, fields, items, mapping, mappings, text, text_of

DRIVER = "gpu.nvidia.com"
"""The driver's name, to which opaque parameters are addressed."""
DRIVER_API = "resource.nvidia.com"
DRIVER_API_VERSION = "resource.nvidia.com/v1beta1"
SHARED_CONFIG_KINDS = ("GpuConfig", "MigDeviceConfig")
STRATEGIES = ("TimeSlicing", "MPS")
PARAMETER_KINDS = (
    *SHARED_CONFIG_KINDS, "VfioDeviceConfig", "ComputeDomainChannelConfig", "ComputeDomainDaemonConfig",
)  # fmt: skip
"""All kinds of parameters that the API has."""
INTERVALS = ("Default", "Short", "Medium", "Long")

_CONFIGS: dict[Kind, tuple[str, ...]] = {
    Kind.RESOURCE_CLAIM: ("spec", "devices", "config"),
    Kind.RESOURCE_CLAIM_TEMPLATE: ("spec", "spec", "devices", "config"),
    Kind.DEVICE_CLASS: ("spec", "config"),
}


@dataclass(frozen=True, slots=True)
class DeviceSharing:
    """A sharing block: a strategy, and the settings of each strategy that are written, whichever is chosen."""

    node: Mapping
    strategy: Field | None
    time_slicing: Field | None
    interval: Field | None
    mps: Field | None
    active_thread_percentage: Field | None
    pinned_memory_limit: Field | None
    per_device_pinned_memory_limits: tuple[Field, ...]
    members: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """Parameters for the driver. `kind` is `GpuConfig`, `MigDeviceConfig` or another of its kinds.

    `driver` is the driver that they are for; `requests` are the requests of the claim that they are for, none for all.
    """

    node: Mapping
    api_version: Field | None
    kind: Field | None
    driver: Field | None
    requests: tuple[str, ...]
    sharing_field: Field | None
    sharing: DeviceSharing | None


def device_configs(document: Document) -> tuple[DeviceConfig, ...]:
    """The driver's parameters in a claim, a template of claims or a device class; none for documents of other kinds."""
    path = _CONFIGS.get(document.kind)
    return () if path is None else tuple(_device_configs(mappings(document.root, *path)))


def _device_configs(configs: tuple[Mapping, ...]) -> Iterator[DeviceConfig]:
    for config in configs:
        parameters = mapping(config, "opaque", "parameters")
        if parameters is None or not _is_the_drivers(parameters, text(config, "opaque", "driver")):
            continue
        sharing = mapping(parameters, "sharing")
        yield DeviceConfig(
            node=parameters,
            api_version=field(parameters, "apiVersion"),
            kind=field(parameters, "kind"),
            driver=field(config, "opaque", "driver"),
            requests=tuple(name for item in items(config, "requests") if (name := text_of(item)) is not None),
            sharing_field=field(parameters, "sharing"),
            sharing=None if sharing is None else _sharing(sharing),
        )


def _is_the_drivers(parameters: Mapping, driver: str | None) -> bool:
    """Whether parameters are for NVIDIA's driver: they are addressed to it, or of its API."""
    version = text(parameters, "apiVersion") or ""
    if driver == DRIVER or version.partition("/")[0] == DRIVER_API:
        return True
    return driver is None and not version and text(parameters, "kind") in SHARED_CONFIG_KINDS


def _sharing(node: Mapping) -> DeviceSharing:
    mps = ("mpsConfig",)
    return DeviceSharing(
        node=node,
        strategy=field(node, "strategy"),
        time_slicing=field(node, "timeSlicingConfig"),
        interval=field(node, "timeSlicingConfig", "interval"),
        mps=field(node, *mps),
        active_thread_percentage=field(node, *mps, "defaultActiveThreadPercentage"),
        pinned_memory_limit=field(node, *mps, "defaultPinnedDeviceMemoryLimit"),
        per_device_pinned_memory_limits=fields(node, *mps, "defaultPerDevicePinnedMemoryLimit"),
        members=fields(node),
    )
