"""Reads the records of a rollout from the beginning and keeps the state that they add up to."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field

from labs.cluster.daemonset import NOTHING, Status
from labs.cluster.pod_phase import Phase, Reason
from labs.hardware.units import SECOND_US
from labs.simulation.outcome.rollout.events import event_of
from labs.simulation.outcome.rollout.snapshot import FleetEvent
from labs.simulation.scenario.rollout import FIRST_REVISION, Before, Deed, Rollout
from labs.simulation.trace import SETTLED, RolloutRecord
from labs.simulation.trace import RolloutHappening as Happening
from labs.simulation.world.rollout import LONG_AGO_US


@dataclass(slots=True, eq=False)
class DaemonPodReplay:
    """A Pod of the DaemonSet so far; `status` is kubectl's column STATUS while nothing hides it."""

    name: str
    revision: str
    created_us: int
    number: int
    status: str = Phase.PENDING
    phase: Phase = Phase.PENDING
    ready_since_us: int | None = None
    scheduled: bool = True
    terminating: bool = False
    waiting: bool = False
    has_run: bool = False
    restarts: int = 0
    config: str | None = None
    crashed_us: int | None = None  # when a container exited last
    has_manager: bool = False
    plugin_is_ready: bool = False  # as its kubelet told last
    sidecar_is_down: bool = False
    unready_us: int | None = None  # when its Ready condition turned False last
    was_available: bool = False  # when it did
    held: bool = False  # somebody has it not Ready until it is replaced
    comes_back: bool = False  # it was available in the life of its container that ended last
    may_mend: bool = False  # something was done that may mend it, and it has not failed since

    @property
    def containers(self) -> int:
        """The plugin, and config-manager where its template has one."""
        return 1 + self.has_manager

    @property
    def ready_containers(self) -> int:
        """How many of them the kubelet has told to be ready; config-manager is, while it runs."""
        if self.phase is not Phase.RUNNING:
            return 0
        return self.plugin_is_ready + (self.has_manager and not self.sidecar_is_down)

    @property
    def age_key(self) -> tuple[bool, int, int]:
        """Those with a node first, then the oldest."""
        return not self.scheduled, self.created_us, self.number


@dataclass(slots=True, eq=False)
class FleetNodeReplay:
    """A node so far."""

    name: str
    selected: bool = True
    cordoned: bool = False
    tainted: bool = False
    down: bool = False
    label: str | None = None
    failed: str | None = None  # the revision of the last Pod that came to an end here, if it Failed
    pods: list[DaemonPodReplay] = field(default_factory=list)

    def may_mend(self) -> None:
        """Something is done that may mend what fails here."""
        self.failed = None
        for pod in self.pods:
            pod.may_mend = not pod.held


class RolloutReplay:
    """The state after the records seen so far."""

    def __init__(self, rollout: Rollout) -> None:
        self.rollout = rollout
        self.now_us = 0
        self.revision = FIRST_REVISION
        self.status: Status = NOTHING
        self.line = ""
        self.strategy = rollout.strategy
        self.settled = False
        self.events: list[FleetEvent] = []
        self.nodes: dict[str, FleetNodeReplay] = {}
        self.names: list[str] = []  # sorted
        self._pods: dict[str, DaemonPodReplay] = {}
        self._managed = {revision for revision, _ in rollout.config_maps}
        for name in rollout.nodes:
            if name not in rollout.absent:
                self._join(name)

    def pod(self, name: str) -> DaemonPodReplay:
        """A Pod that there is. Raises KeyError."""
        return self._pods[name]

    def see_all(self, records: Iterable[RolloutRecord]) -> None:
        """Sees records in order."""
        for record in records:
            self.see(record)

    def see(self, record: RolloutRecord) -> None:
        """Adds one record to the state."""
        self.now_us = record.at_us
        event = event_of(self.rollout.name, record, len(self.nodes))
        if event is not None:
            self.events.append(event)
        if record.pod is not None and record.node is not None:
            self._see_pod(record, record.pod, record.node)
        elif record.node is not None:
            self._see_node(record, record.node)
        elif record.what is Happening.TEMPLATE_CHANGED:
            self.revision = record.reason or ""
        elif record.what is Happening.CONFIG_MAP_CHANGED:
            for changed in self.nodes.values():
                changed.may_mend()
        elif record.what is Happening.ROLLOUT_STATUS:
            self.line = record.reason or ""
        elif record.what is Happening.STRATEGY_CHANGED and record.counts is not None:
            self.strategy = self.rollout.events[record.counts[0]].patched(self.strategy)
        elif record.what is Happening.END:
            self.settled = record.reason == SETTLED
        elif record.what is Happening.STATUS and record.counts is not None:
            self.status = Status(*record.counts[:6])

    def _join(self, name: str) -> None:
        if name not in self.nodes:
            self.nodes[name] = FleetNodeReplay(name)
            bisect.insort(self.names, name)

    def _see_node(self, record: RolloutRecord, name: str) -> None:
        """A record about a node alone."""
        if record.reason == Deed.ADD_NODE:
            self._join(name)
        node = self.nodes.get(name)
        if node is None:
            return
        if record.what is Happening.NODE_LABELLED:
            node.label = record.reason or None
            node.may_mend()
            return
        if record.what is Happening.NODE_UNREACHABLE:
            node.down = True
            return
        if record.what is Happening.NODE_BOOTED:
            node.down = False
            node.may_mend()
            return
        if record.what is Happening.IN_VAIN:
            return
        match record.reason:
            case Before.DOWN if record.what is Happening.NODE_BEFORE:
                node.down = True
            case Before.TAINTED:
                node.tainted = True
            case Before.CORDONED | Deed.CORDON:
                node.cordoned = True
            case Deed.UNCORDON:
                node.cordoned = False
            case Deed.DESELECT:
                node.selected = False
            case Deed.SELECT:
                node.selected = True
            case Deed.REPAIR:
                node.down = node.tainted = False
                node.may_mend()
            case Deed.NOT_READY:
                for pod in node.pods:
                    pod.held, pod.may_mend = True, False
            case Deed.DELETE_NODE:
                self.names.remove(name)
                del self.nodes[name]

    def _see_pod(self, record: RolloutRecord, name: str, node: str) -> None:
        """A record about a Pod of the DaemonSet."""
        if record.what in (Happening.POD_BEFORE, Happening.POD_CREATED):
            self._come(record, name, node)
            return
        pod = self._pods.get(name)
        if pod is None:
            return
        match record.what:
            case Happening.POD_UNSCHEDULABLE | Happening.POD_SCHEDULED:
                pod.scheduled = record.what is Happening.POD_SCHEDULED
            case Happening.POD_WAITING:
                pod.waiting, pod.status = True, record.reason or pod.status
                pod.may_mend = False
            case Happening.CONFIG_READ:
                pod.config = record.reason
            case Happening.POD_STARTED:
                pod.phase, pod.status = Phase.RUNNING, Phase.RUNNING
                pod.scheduled, pod.waiting = True, False
                pod.has_run, pod.sidecar_is_down = True, False
            case Happening.POD_READY:
                pod.ready_since_us = record.at_us
                pod.phase, pod.status = Phase.RUNNING, Phase.RUNNING
                pod.plugin_is_ready = True
                self.nodes[node].failed = None
            case Happening.POD_NOT_READY:
                since_us, wait_us = pod.ready_since_us, self.rollout.min_ready_seconds * SECOND_US
                pod.was_available = since_us is not None and since_us + wait_us <= record.at_us
                pod.ready_since_us, pod.unready_us = None, record.at_us
                pod.plugin_is_ready = pod.plugin_is_ready and self._is_down(node)
            case Happening.POD_CRASHED | Happening.SIDECAR_CRASHED:
                self._see_crash(record, pod)
            case Happening.POD_STOPPED:
                self._see_stop(record, pod)
            case Happening.POD_FAILED:
                pod.phase, pod.status = Phase.FAILED, Reason.UNEXPECTED_ADMISSION_ERROR
                pod.may_mend = False
                self.nodes[node].failed = pod.revision
            case Happening.POD_TERMINATING:
                pod.terminating = True
            case Happening.POD_GONE:
                del self._pods[name]
                where = self.nodes.get(node)
                if where is not None:
                    where.pods.remove(pod)

    def _is_down(self, node: str) -> bool:
        found = self.nodes.get(node)
        return found is not None and found.down

    def _see_stop(self, record: RolloutRecord, pod: DaemonPodReplay) -> None:
        """A reboot has ended its containers, and they start again in their order."""
        pod.restarts += pod.containers if pod.phase is Phase.RUNNING else 0
        pod.crashed_us = record.at_us
        pod.phase, pod.status, pod.comes_back = Phase.PENDING, Phase.PENDING, pod.was_available
        pod.has_run = pod.waiting = pod.plugin_is_ready = pod.sidecar_is_down = False

    def _see_crash(self, record: RolloutRecord, pod: DaemonPodReplay) -> None:
        """A container has exited: the plugin's, or the sidecar's, which takes the Pod's readiness and not the plugin's."""
        pod.restarts += 1
        pod.status, pod.crashed_us = record.reason or pod.status, record.at_us
        pod.comes_back, pod.was_available, pod.may_mend = pod.was_available, False, False
        if record.what is Happening.SIDECAR_CRASHED:
            pod.sidecar_is_down = True
            pod.plugin_is_ready = pod.plugin_is_ready or pod.unready_us == record.at_us
        else:
            pod.phase, pod.plugin_is_ready = Phase.RUNNING, False

    def _come(self, record: RolloutRecord, name: str, node: str) -> None:
        pod = DaemonPodReplay(name, record.reason or "", record.at_us, len(self.events))
        pod.has_manager = pod.revision in self._managed
        if record.what is Happening.POD_BEFORE:
            min_ready_us = self.rollout.min_ready_seconds * 1_000_000
            pod.created_us = record.at_us - 2 * LONG_AGO_US - min_ready_us
            pod.ready_since_us = record.at_us - LONG_AGO_US - min_ready_us
            pod.phase, pod.status, pod.has_run = Phase.RUNNING, Phase.RUNNING, True
            pod.plugin_is_ready = True
        self._pods[name] = pod
        self.nodes[node].pods.append(pod)
