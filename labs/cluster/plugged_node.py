"""A node whose device plugin comes and goes: the API server's view of it, on which the scheduler decides, and its kubelet's.

The scheduler counts what it has seen of `allocatable` less what Pods bound to the node request; the kubelet looks at its
devices when the Pod comes. Between the two lies a window in which a Pod is bound and then refused (kubernetes#120146).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from labs.cluster.advertise import Advertisement
from labs.cluster.allocation import AllocationPolicy
from labs.cluster.device_manager import DeviceManager, Devices
from labs.cluster.node import Allocation, Node, Request
from labs.config.plugin import PluginSetting


class PluggedNode(Node):
    """A node whose device plugin comes and goes; `seen` is (capacity, allocatable) by resource as the API server has it.

    `taint` is one that no Pod of a workload tolerates; one that is not `is_present` is no node of the cluster. While its
    kubelet `is_silent`, a Pod may be bound to it and gets nothing.
    """

    def __init__(self, name: str, order: int) -> None:
        super().__init__(name, order, Advertisement(), None)
        self.manager = DeviceManager()
        self.seen: dict[str, tuple[int, int]] = {}
        self.requested: Counter[str] = Counter()
        self.taint: str | None = None
        self.is_silent = False
        self.on_change: Callable[[], None] | None = None  # the kubelet has news for its next node status

    def start_plugin(
        self,
        advertisement: Advertisement,
        setting: PluginSetting,
        numbers: Mapping[tuple[int, int | None], int],
    ) -> tuple[str, ...]:
        """A plugin has started and registers what it advertises; the names of its resources."""
        self.advertisement, self._setting = advertisement, setting
        self._slots = Counter()
        policy = AllocationPolicy(setting.allocation_policy)
        for resource, devices in advertisement.devices.items():
            gpus = tuple(numbers[device.gpu_index, device.mig_index] for device in devices)
            replicas = tuple(device.replicas for device in devices)
            shared = any(device.shared and device.replicas > 1 for device in devices)
            self.manager.register(resource, Devices(gpus, replicas, shared, policy))
            for gpu, count in zip(gpus, replicas, strict=True):
                self._slots[gpu] += count
        return tuple(advertisement.devices)

    def report(self, now_us: int) -> tuple[str, ...]:
        """The kubelet writes its node status: the resources of which the API server now sees something else."""
        units = self.manager.reported(now_us)
        changed = tuple(resource for resource, pair in units.items() if self.seen.get(resource) != pair)
        self.seen = units
        return changed

    @property
    def listed(self) -> tuple[str, ...]:
        """The resources that the API server knows of."""
        return tuple(self.seen)

    @property
    def keeps_away(self) -> str | None:
        """What the scheduler says of the node where it takes no Pod, whatever it asks for."""
        if self.is_cordoned or self.taint is None:
            return super().keeps_away
        return f"node(s) had untolerated taint {{{self.taint}}}"

    def free(self, resource: str) -> int:
        """Units of the resource that the scheduler still sees free."""
        if self.keeps_away is not None or not self.is_present:
            return 0
        return max(0, self.seen.get(resource, (0, 0))[1] - self.requested[resource])

    def used_ppm(self, resource: str) -> int:
        """Parts per million of the allocatable units that Pods request; more than a million where there were more units."""
        allocatable = self.seen[resource][1]
        return self.requested[resource] * 1_000_000 // allocatable if allocatable else 1_000_000

    @property
    def has_plugin(self) -> bool:
        """Whether a device plugin runs, which hears of Xids."""
        return self.manager.has_plugin

    def mark_unhealthy(self, gpu: int, *, for_good: bool) -> tuple[str, ...]:
        """The plugin tells the kubelet that a card is broken; the API server sees it with the next node status."""
        changed = self.manager.mark_unhealthy(gpu, for_good=for_good)
        if self.on_change is not None:
            self.on_change()
        return changed

    def allocate(self, request: Request) -> Allocation:
        """The Pod is bound here and its kubelet gives it devices, or refuses it (`refusal`)."""
        for resource, units in request:
            self.requested[resource] += units
        if self.is_silent:
            return Allocation({}, units=request, is_unheard=True)
        return self._admit(request)

    def admit(self, allocation: Allocation) -> Allocation:
        """What the kubelet gives a Pod of which it had not heard."""
        return self._admit(allocation.units) if allocation.is_unheard else allocation

    def readmission_error(self, allocation: Allocation) -> str | None:
        """The `status.message` of a Pod that its kubelet, after a reboot, does not admit again, else None."""
        return self.manager.readmission_refusal(allocation.slots)

    def _admit(self, request: Request) -> Allocation:
        refusal = self.manager.refusal(request) or self.admission_error(request)
        if refusal is not None:
            return Allocation({}, refusal=refusal, units=request)
        slots = self.manager.allocate(request)
        shared = frozenset(resource for resource in slots if self.manager.is_shared(resource))
        return Allocation(slots, units=request, shared=shared)

    def release(self, allocation: Allocation) -> None:
        """The Pod has ended or is gone."""
        for resource, units in allocation.units:
            self.requested[resource] -= units
        self.manager.release(allocation.slots, shared=allocation.shared)
