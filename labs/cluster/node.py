"""A node as Kubernetes sees it: what its device plugin advertises, what is taken, and what admission refuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labs.cluster.advertise import Advertisement
from labs.cluster.allocation import AllocationPolicy, DevicePool, SlotId
from labs.config.plugin import PluginSetting

UNSCHEDULABLE = "node(s) were unschedulable"
Request = Sequence[tuple[str, int]]  # resource name, units: the sum over a Pod's containers


@dataclass(frozen=True, slots=True)
class Allocation:
    """The slots that a Pod holds on a node, by resource."""

    slots: Mapping[str, tuple[SlotId, ...]]
    layout: int = 0  # of the node's MIG layouts, the one that they belong to
    refusal: str | None = None  # the kubelet's words where it has no devices for the Pod
    is_unheard: bool = False  # the kubelet has not heard of the Pod
    units: Request = ()  # what the scheduler counts for the Pod, where that may be more than it holds
    shared: frozenset[str] = frozenset()  # the resources of which it holds devices that were shared then

    @property
    def gpus(self) -> tuple[int, ...]:
        """The cards behind the slots, each once, in order: two slots of one card are one device in the container."""
        return tuple(sorted({slot.gpu for slots in self.slots.values() for slot in slots}))


class Node:
    """One node with a running kubelet.

    `order` is its place in the scenario, the last tie-break of every choice. `numbers` tells the devices of the node
    apart, cards and MIG devices, by the card's index and the MIG device's; without it a device is its card. While it
    `is_cordoned`, or its plugin `is_paused`, nothing is placed on it.
    """

    def __init__(
        self,
        name: str,
        order: int,
        advertisement: Advertisement,
        setting: PluginSetting | None,
        numbers: Mapping[tuple[int, int | None], int] | None = None,
    ) -> None:
        self.name = name
        self.order = order
        self.advertisement = advertisement
        self._setting = setting
        self.is_cordoned = self.is_paused = False
        self.is_present = True
        self._layout = 0
        self.pools: dict[str, DevicePool] = {}
        self._slots: Counter[int] = Counter()
        if setting is not None and advertisement.registers:
            policy = AllocationPolicy(setting.allocation_policy)
            for resource, devices in advertisement.devices.items():
                gpus = [
                    device.gpu_index if numbers is None else numbers[device.gpu_index, device.mig_index]
                    for device in devices
                ]
                self.pools[resource] = DevicePool(gpus, [device.replicas for device in devices], policy)
                for gpu, device in zip(gpus, devices, strict=True):
                    self._slots[gpu] += device.replicas

    def slots(self, gpu: int) -> int:
        """With how many slots the card is offered, under whatever resources (0: the node registers none of it)."""
        return self._slots[gpu]

    @property
    def listed(self) -> tuple[str, ...]:
        """The resources that the scheduler may find free units of."""
        return tuple(self.pools)

    @property
    def keeps_away(self) -> str | None:
        """What the scheduler says of a node that takes no Pod, whatever it asks for."""
        return UNSCHEDULABLE if self.is_cordoned else None

    def free(self, resource: str) -> int:
        """Units of the resource that no Pod holds."""
        pool = None if self.is_cordoned or self.is_paused else self.pools.get(resource)
        return pool.free if pool else 0

    def fits(self, request: Request) -> bool:
        """Whether every requested resource has enough free units."""
        return all(self.free(resource) >= units for resource, units in request)

    def used_ppm(self, resource: str) -> int:
        """Parts per million of the resource's units in use."""
        pool = self.pools[resource]
        return (pool.allocatable - pool.free) * 1_000_000 // pool.allocatable

    @property
    def has_plugin(self) -> bool:
        """Whether a device plugin runs, which hears of Xids; what it offers it looks at once it starts."""
        return not self.is_paused

    def mark_unhealthy(self, gpu: int, *, for_good: bool) -> tuple[str, ...]:
        """The plugin tells the kubelet that a card is broken: its slots take no new Pod, and those who hold them stay.

        The resources that have fewer allocatable units now. The plugin never takes it back (NVIDIA/k8s-device-plugin issues
        519 and 234), but one that starts finds healthy what is not broken `for_good`. That all replicas of a shared card are
        marked is what is meant to happen; issue 1929 saw only one.
        """
        return tuple(resource for resource, pool in self.pools.items() if pool.mark_unhealthy(gpu))

    def mark_healthy(self, gpu: int) -> None:
        """The plugin has started again and finds nothing wrong with a card."""
        for pool in self.pools.values():
            pool.mark_healthy(gpu)

    def allocate(self, request: Request) -> Allocation:
        """Takes the units of a request that fits."""
        slots = {resource: self.pools[resource].allocate(units) for resource, units in request}
        return Allocation(slots, self._layout)

    def admit(self, allocation: Allocation) -> Allocation:
        """What the kubelet gives a Pod of which it had not heard."""
        return allocation

    def readmission_error(self, allocation: Allocation) -> str | None:
        """The `status.message` of a Pod that its kubelet, after a reboot, does not admit again, else None."""
        return None

    def release(self, allocation: Allocation) -> None:
        """Gives the units back; those of a layout that is no more are gone."""
        if allocation.layout != self._layout:
            return
        for resource, slots in allocation.slots.items():
            self.pools[resource].release(slots)

    def take_layout(self, other: Node) -> None:
        """The plugin has started again and offers the devices of `other`, this node with another MIG layout."""
        self.advertisement, self.pools, self._slots = other.advertisement, other.pools, other._slots
        self._layout += 1

    def admission_error(self, request: Request) -> str | None:
        """The Pod's `status.message` where the plugin refuses to allocate, else None.

        Sources: NVIDIA/k8s-device-plugin v0.20.0, internal/rm/rm.go, ValidateRequest; the frame is the kubelet's,
        Kubernetes v1.26 and later, pkg/kubelet/cm/admission/errors.go and rejectPod in pkg/kubelet/kubelet.go.
        """
        if self._setting is None or not self._setting.fail_requests_greater_than_one:
            return None
        shared = {resource.advertised_name for resource in self._setting.resources}
        for resource, units in request:
            if units > 1 and resource in shared:
                return (
                    "Pod was rejected: Allocate failed due to rpc error: code = Unknown desc = invalid allocation "
                    f'request for "{resource}": invalid request: maximum request size for shared resources is 1; '
                    f"found {units}, which is unexpected"
                )
        return None
