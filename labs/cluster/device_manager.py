"""The device manager of one kubelet: what device plugins told it, who holds what, what it reports, whom it refuses.

Source: Kubernetes `pkg/kubelet/cm/devicemanager/manager.go` (GetCapacity, PluginDisconnected, devicesToAllocate,
readCheckpoint) and `endpoint.go`. A plugin whose connection ends leaves its resource listed: its devices are unhealthy,
so capacity stays and nothing is allocatable; after `endpointStopGracePeriod` both are 0, the name stays listed. Nothing of
this touches a running container. Devices are counted by resource: nothing knows that two names mean the same card.

Whose connection ended is not asked: where two plugins serve one resource, the end of the older makes it unhealthy for good
(derived from the code, not seen).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from labs.cluster.allocation import AllocationPolicy, DevicePool, SlotId

STOP_GRACE_US = 300_000_000  # endpointStopGracePeriod
_FRAME = "Pod was rejected: Allocate failed due to {}, which is unexpected"


@dataclass(frozen=True, slots=True)
class Devices:
    """What a plugin lists for one resource: its devices, each `replicas` times.

    Replicas of a shared device have ids of their own (`UUID::0`), one that is not shared has its UUID.
    """

    gpus: tuple[int, ...]
    replicas: tuple[int, ...]
    shared: bool
    policy: AllocationPolicy


@dataclass(slots=True)
class _Endpoint:
    """A resource that some plugin has registered; `pool` None: its devices are not known (the kubelet has restarted)."""

    pool: DevicePool | None
    shared: bool
    stopped_us: int | None = None


class DeviceManager:
    """Starts with nothing registered. Times are integer microseconds."""

    def __init__(self) -> None:
        self._endpoints: dict[str, _Endpoint] = {}
        self._listed: dict[str, None] = {}  # every resource that was ever reported
        self._held: dict[str, dict[tuple[SlotId, bool], None]] = {}
        self._unhealthy: dict[int, None] = {}

    @property
    def resources(self) -> tuple[str, ...]:
        """Every resource that the node lists."""
        return tuple(self._listed)

    def register(self, resource: str, devices: Devices) -> None:
        """A plugin registers and lists its devices; whoever holds one of them still does."""
        pool = DevicePool(devices.gpus, devices.replicas, devices.policy)
        for slot, shared in self._held.get(resource, ()):
            if shared is devices.shared:
                pool.adopt(slot)
        for gpu in self._unhealthy:
            pool.mark_unhealthy(gpu)
        self._endpoints[resource] = _Endpoint(pool, devices.shared)
        self._listed[resource] = None

    def disconnect(self, resource: str, now_us: int) -> None:
        """A plugin of this resource is gone."""
        endpoint = self._endpoints.get(resource)
        if endpoint is not None:
            endpoint.stopped_us = now_us

    def restart(self, now_us: int) -> None:
        """The kubelet restarts: it knows from its checkpoint who holds what, and no device before a plugin registers."""
        for endpoint in self._endpoints.values():
            endpoint.pool, endpoint.stopped_us = None, now_us

    @property
    def has_plugin(self) -> bool:
        """Whether any plugin is connected."""
        return any(endpoint.stopped_us is None for endpoint in self._endpoints.values())

    def mark_unhealthy(self, gpu: int, *, for_good: bool) -> tuple[str, ...]:
        """The resources with fewer units once the plugin tells that a card is broken; `for_good`: at each start again."""
        if for_good:
            self._unhealthy[gpu] = None
        return tuple(
            resource
            for resource, endpoint in self._endpoints.items()
            if endpoint.pool is not None and endpoint.pool.mark_unhealthy(gpu)
        )

    def expires_us(self, resource: str) -> int | None:
        """When the resource is removed, where its plugin is gone."""
        endpoint = self._endpoints.get(resource)
        return (
            None if endpoint is None or endpoint.stopped_us is None else endpoint.stopped_us + STOP_GRACE_US
        )

    def reported(self, now_us: int) -> dict[str, tuple[int, int]]:
        """Capacity and allocatable units by resource; drops what has been without a plugin for too long."""
        for resource, endpoint in list(self._endpoints.items()):
            if endpoint.stopped_us is not None and endpoint.stopped_us + STOP_GRACE_US <= now_us:
                del self._endpoints[resource]
        units = dict.fromkeys(self._listed, (0, 0))
        for resource, endpoint in self._endpoints.items():
            if endpoint.pool is not None:
                allocatable = endpoint.pool.allocatable if endpoint.stopped_us is None else 0
                units[resource] = (endpoint.pool.capacity, allocatable)
        return units

    def allocatable_on(self, gpu: int) -> dict[str, int]:
        """The allocatable units on one card by resource: none of a resource whose plugin is gone."""
        return {
            resource: endpoint.pool.allocatable_on(gpu)
            for resource, endpoint in self._endpoints.items()
            if endpoint.pool is not None and endpoint.stopped_us is None
        }

    def refusal(self, request: Sequence[tuple[str, int]]) -> str | None:
        """The `status.message` of a Pod that this kubelet can't give its devices, else None (devicesToAllocate)."""
        for resource, units in request:
            pool = self._healthy(resource)
            if isinstance(pool, str):
                return _FRAME.format(pool)
            if pool.free < units:
                return _FRAME.format(
                    f"requested number of devices unavailable for {resource}. "
                    f"Requested: {units}, Available: {pool.free}"
                )
        return None

    def readmission_refusal(self, slots: Mapping[str, tuple[SlotId, ...]]) -> str | None:
        """The `status.message` of a Pod that held these devices before the node went down; None where it is admitted."""
        for resource, held in slots.items():
            pool = self._healthy(resource)
            if isinstance(pool, str):
                return _FRAME.format(pool)
            if any(slot.slot >= pool.allocatable_on(slot.gpu) for slot in held):
                return _FRAME.format(
                    f"previously allocated devices are no longer healthy; cannot allocate unhealthy devices {resource}"
                )
        return None

    def _healthy(self, resource: str) -> DevicePool | str:
        """The devices of a resource, of which at least one is healthy, or why there is none."""
        endpoint = self._endpoints.get(resource)
        if endpoint is None:
            return f"cannot allocate unregistered device {resource}"
        if endpoint.stopped_us is not None or endpoint.pool is None or not endpoint.pool.allocatable:
            return f"no healthy devices present; cannot allocate unhealthy devices {resource}"
        return endpoint.pool

    def allocate(self, request: Sequence[tuple[str, int]]) -> Mapping[str, tuple[SlotId, ...]]:
        """Takes the devices of a request that it does not refuse."""
        allocated: dict[str, tuple[SlotId, ...]] = {}
        for resource, units in request:
            endpoint = self._endpoints[resource]
            assert endpoint.pool is not None
            allocated[resource] = endpoint.pool.allocate(units)
            held = self._held.setdefault(resource, {})
            held.update(dict.fromkeys((slot, endpoint.shared) for slot in allocated[resource]))
        return allocated

    def release(self, slots: Mapping[str, tuple[SlotId, ...]], *, shared: Container[str]) -> None:
        """The Pod that holds these has ended; `shared` are the resources whose devices were shared when it got them."""
        for resource, taken in slots.items():
            endpoint, held = self._endpoints.get(resource), self._held[resource]
            was_shared = resource in shared
            for slot in taken:
                del held[slot, was_shared]
                if endpoint is not None and endpoint.pool is not None and endpoint.shared is was_shared:
                    endpoint.pool.release_if_taken(slot)

    def is_shared(self, resource: str) -> bool:
        """Whether the resource's devices are shared as its plugin lists them now."""
        endpoint = self._endpoints.get(resource)
        return endpoint is not None and endpoint.shared
