"""What a node offers under a device plugin config: resources, labels, MPS limits, and what stops it.

Follows NVIDIA/k8s-device-plugin v0.20.0: `internal/rm/device_map.go` (resources and replicas), `internal/plugin/mps.go`,
`cmd/mps-control-daemon/mps` (limits) and, for the labels of GPU feature discovery, `internal/lm`. Errors and warnings are
the programs' own text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from labs.cluster.gpu import PhysicalGpu
from labs.cluster.node_labels import GPU_RESOURCE, mig_resource_name, node_labels
from labs.config.plugin import Loaded, PluginSetting, SharingStrategy

VOLTA_LIMIT = 16
"""MPS clients below compute capability 7.5 (the daemon asks for 7.5 where it means Volta, 7.0)."""
MPS_LIMIT = 48


def mps_client_limit(compute_capability: tuple[int, int]) -> int:
    """How many MPS clients the device plugin's daemon allows on a card of this compute capability."""
    return VOLTA_LIMIT if compute_capability < (7, 5) else MPS_LIMIT


_PLUGIN_PREFIX = "error getting plugins: unable to create plugins: "
_MANAGER_PREFIX = "failed to construct resource managers: "
_MAP_PREFIX = "error building device map: error building device map from config.resources: "


@dataclass(frozen=True, slots=True)
class AdvertisedDevice:
    """A device behind a resource: a card, or a MIG device of it (profile and index), offered `replicas` times.

    `shared` tells a device that is offered once because it is shared with one replica from one that is not shared.
    """

    gpu_index: int
    mig: str | None
    mig_index: int | None
    replicas: int
    shared: bool

    @property
    def index(self) -> str:
        """The plugin's name for it: `0`, or `0:1` for a MIG device."""
        return str(self.gpu_index) if self.mig_index is None else f"{self.gpu_index}:{self.mig_index}"


@dataclass(frozen=True, slots=True)
class MpsLimit:
    """What the MPS daemon of a resource sets for its clients: pinned memory by device (MiB), and the share of threads."""

    resource: str
    pinned_mib: Mapping[str, int]
    active_thread_percentage: int

    @property
    def pinned_mem_limit(self) -> dict[str, str]:
        """The limits by device as the plugin writes them, with a unit."""
        return {index: f"{size}M" for index, size in self.pinned_mib.items()}

    def to_json(self) -> dict[str, Any]:
        """The JSON of `gpulab advertise`."""
        return {
            "resource": self.resource,
            "pinnedMemLimit": self.pinned_mem_limit,
            "activeThreadPercentage": str(self.active_thread_percentage),
        }


@dataclass(frozen=True, slots=True)
class Advertisement:
    """What a node offers.

    `resources` are the counts that the plugin builds, in order of name; `devices` what stands behind each.
    `registers` is False where nothing of it reaches the kubelet: after an error, or while a resource waits for an MPS
    daemon that nobody starts (`mps_without_daemon`).
    """

    resources: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    devices: Mapping[str, tuple[AdvertisedDevice, ...]] = field(default_factory=lambda: MappingProxyType({}))
    registers: bool = False
    labels: Mapping[str, str] | None = None
    label_error: str | None = None
    mps: tuple[MpsLimit, ...] = ()
    mps_error: str | None = None
    mps_without_daemon: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    error: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON of `gpulab advertise`."""
        return {
            "resources": dict(self.resources),
            "registers": self.registers,
            "labels": None if self.labels is None else dict(self.labels),
            "labelError": self.label_error,
            "mps": [limit.to_json() for limit in self.mps],
            "mpsError": self.mps_error,
            "mpsWithoutDaemon": list(self.mps_without_daemon),
            "warnings": list(self.warnings),
            "error": self.error,
        }


class _DeviceMapError(ValueError):
    """Why the plugin cannot map devices to resources; its own text."""


def advertise(loaded: Loaded, gpus: Sequence[PhysicalGpu]) -> Advertisement:
    """What a node with these cards offers under this config. A config that does not load advertises nothing."""
    if loaded.setting is None:
        return Advertisement(error=loaded.error, warnings=loaded.warnings)
    setting = loaded.setting
    labels, label_error, label_warnings = node_labels(setting, gpus)
    warnings = [*loaded.warnings]
    error: str | None = None
    mps: tuple[MpsLimit, ...] = ()
    mps_error: str | None = None
    waiting: tuple[str, ...] = ()
    devices: dict[str, tuple[AdvertisedDevice, ...]] = {}
    uses_mps = setting.strategy is SharingStrategy.MPS
    try:
        devices = _replicated(setting, _device_map(setting, gpus, warnings))
    except _DeviceMapError as problem:
        error = f"{_PLUGIN_PREFIX}{_MANAGER_PREFIX}{problem}"
        mps_error = str(problem) if uses_mps else None
    else:
        if uses_mps:
            mps, mps_error, waiting = _mps(devices, gpus)
            if _has_mig(devices):
                error = f"{_PLUGIN_PREFIX}failed to create plugin: sharing using MPS is not supported for MIG devices"
                warnings.append("W: MPS sharing is not supported for MIG devices; skipping daemon creation")
                devices, waiting = {}, ()
    warnings.extend(label_warnings)
    resources = {name: sum(device.replicas for device in replicated) for name, replicated in devices.items()}
    return Advertisement(
        resources=MappingProxyType(resources),
        devices=MappingProxyType(devices),
        registers=error is None and not waiting,
        labels=labels,
        label_error=label_error,
        mps=mps,
        mps_error=mps_error,
        mps_without_daemon=waiting,
        warnings=tuple(warnings),
        error=error,
    )


# --- resources


def _device_map(
    setting: PluginSetting, gpus: Sequence[PhysicalGpu], warnings: list[str]
) -> dict[str, list[AdvertisedDevice]]:
    """Devices by resource, not shared yet (`buildDeviceMapFromConfigResources`)."""
    device_map: dict[str, list[AdvertisedDevice]] = {}
    for index, gpu in enumerate(gpus):
        if gpu.mig is None or setting.mig_strategy == "none":
            device_map.setdefault(GPU_RESOURCE, []).append(AdvertisedDevice(index, None, None, 1, False))
    if setting.mig_strategy == "none":
        return device_map
    migs = _mig_devices(setting, gpus)
    _check_mig(setting, gpus, warnings)
    if setting.mig_strategy == "single" and device_map and migs:
        raise _DeviceMapError(
            _MAP_PREFIX + "all devices on the node must be configured with the same migEnabled value"
        )
    for name, devices in migs.items():
        device_map.setdefault(name, []).extend(devices)
    return device_map


def _mig_devices(setting: PluginSetting, gpus: Sequence[PhysicalGpu]) -> dict[str, list[AdvertisedDevice]]:
    by_resource: dict[str, list[AdvertisedDevice]] = {}
    for index, gpu in enumerate(gpus):
        for mig_index, profile in enumerate(gpu.mig or ()):
            if setting.mig_strategy == "single":
                name = GPU_RESOURCE
            elif _is_compute_slice(profile):
                raise _DeviceMapError(
                    f"{_MAP_PREFIX}error building MIG device map: MIG profile '{profile}' does not match any "
                    "resource patterns"
                )
            else:
                name = mig_resource_name(profile)
            device = AdvertisedDevice(index, profile, mig_index, 1, False)
            by_resource.setdefault(name, []).append(device)
    return by_resource


def _is_compute_slice(profile: str) -> bool:
    """Whether a profile is a compute instance smaller than its GPU instance (`1c.3g.20gb`): it has no resource."""
    compute, point, rest = profile.partition("c.")
    return bool(point) and compute != rest.partition("g")[0]


def _check_mig(setting: PluginSetting, gpus: Sequence[PhysicalGpu], warnings: list[str]) -> None:
    """`assertAllMigDevicesAreValid`: single wants MIG devices on every MIG-enabled card, all of one type."""
    uniform = setting.mig_strategy == "single"
    for index, gpu in enumerate(gpus):
        if gpu.mig == ():
            problem = f"device {index} has no MIG devices configured"
            if uniform:
                raise _DeviceMapError(
                    f"{_MAP_PREFIX}invalid MIG configuration: at least one device with migEnabled=true was not "
                    f"configured correctly: {problem}"
                )
            warnings.append(f"W: {problem}")
    profiles = {profile for gpu in gpus for profile in gpu.mig or ()}
    if uniform and len(profiles) > 1:
        raise _DeviceMapError(
            f"{_MAP_PREFIX}invalid MIG configuration: more than one MIG device type present on node"
        )


def _replicated(
    setting: PluginSetting, device_map: Mapping[str, Sequence[AdvertisedDevice]]
) -> dict[str, tuple[AdvertisedDevice, ...]]:
    """Devices with their replicas, by the name that is advertised (`updateDeviceMapWithReplicas`).

    A resource that is listed twice gets the union of replica ids: the larger count.
    """
    shared: dict[str, tuple[str, int]] = {}
    for resource in setting.resources:
        replicas = max(resource.replicas, shared.get(resource.name, ("", 0))[1])
        shared[resource.name] = (resource.advertised_name, replicas)
    result: dict[str, tuple[AdvertisedDevice, ...]] = {}
    for name, devices in device_map.items():
        if not devices:
            continue
        advertised, replicas = shared.get(name, (name, 1))
        result[advertised] = tuple(
            AdvertisedDevice(device.gpu_index, device.mig, device.mig_index, replicas, name in shared)
            for device in devices
        )
    return dict(sorted(result.items()))


# --- MPS


def _has_mig(devices: Mapping[str, Sequence[AdvertisedDevice]]) -> bool:
    return any(device.mig is not None for of_resource in devices.values() for device in of_resource)


def _mps(
    devices: Mapping[str, Sequence[AdvertisedDevice]], gpus: Sequence[PhysicalGpu]
) -> tuple[tuple[MpsLimit, ...], str | None, tuple[str, ...]]:
    """The limits that the MPS daemons set, or why there is no daemon, and the resources that wait for one in vain."""
    limits: list[MpsLimit] = []
    waiting: list[str] = []
    for name, of_resource in devices.items():
        if not any(device.shared for device in of_resource):
            waiting.append(name)
            continue
        for device in of_resource:
            allowed = mps_client_limit(gpus[device.gpu_index].compute_capability)
            if device.replicas > allowed:
                problem = (
                    "invalid MPS configuration: invalid device maximum allowed replicas exceeded: "
                    f"{device.replicas} > {allowed}"
                )
                return (), problem, tuple(devices)
        pinned = {
            device.index: _memory_mib(device, gpus) // device.replicas
            for device in of_resource
            if _memory_mib(device, gpus)
        }
        limits.append(MpsLimit(name, MappingProxyType(pinned), 100 // of_resource[0].replicas))
    return tuple(limits), None, tuple(waiting)


def _memory_mib(device: AdvertisedDevice, gpus: Sequence[PhysicalGpu]) -> int:
    """The memory of a card, or of a MIG device as its profile names it (`3g.20gb`: 20 GiB)."""
    if device.mig is None:
        return gpus[device.gpu_index].memory_mib
    size = device.mig.partition("gb")[0].rpartition(".")[2]
    return int(size) * 1024 if size.isascii() and size.isdigit() else 0
