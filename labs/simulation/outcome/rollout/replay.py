"""Reads the records of a rollout from the beginning and keeps the state that they add up to."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field

from labs.cluster.daemonset import NOTHING, DaemonPod, Status
from labs.cluster.pod_phase import Phase, Reason
from labs.hardware.units import SECOND_US
from labs.simulation.outcome.rollout.events import event_of
from labs.simulation.outcome.rollout.snapshot import FleetEvent
from labs.simulation.scenario.rollout import FIRST_REVISION, Action, Before, Rollout
from labs.simulation.trace import (
    ConfigMapChanged,
    ConfigRead,
    ContainerCrashed,
    DaemonNodeRecord,
    DaemonPodBefore,
    DaemonPodCreated,
    DaemonPodFailed,
    DaemonPodGone,
    DaemonPodNotReady,
    DaemonPodReady,
    DaemonPodRecord,
    DaemonPodScheduled,
    DaemonPodStarted,
    DaemonPodStopped,
    DaemonPodTerminating,
    DaemonPodUnschedulable,
    DaemonPodWaiting,
    NodeBefore,
    NodeBooted,
    NodeChanged,
    NodeLabelled,
    NodeUnreachable,
    RolloutEnded,
    RolloutLineChanged,
    RolloutRecord,
    SidecarCrashed,
    StatusChanged,
    StrategyChanged,
    TemplateChanged,
)
from labs.simulation.world.rollout import INIT_CRASH_LOOP, LONG_AGO_US


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
    init_failed_us: int | None = None  # when its init container failed first, since it fails
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

    def seen(self) -> DaemonPod:
        """The Pod as the controller sees it."""
        return DaemonPod(
            self.name,
            self.revision,
            self.created_us,
            self.number,
            self.phase,
            self.ready_since_us,
            self.terminating,
            self.scheduled,
        )

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
        self._pods_made = 0
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
        match record:
            case DaemonPodRecord():
                self._see_pod(record)
            case DaemonNodeRecord():
                self._see_node(record)
            case TemplateChanged(template=template):
                self.revision = template
            case ConfigMapChanged():
                for node in self.nodes.values():
                    node.may_mend()
            case RolloutLineChanged(line=line):
                self.line = line
            case StrategyChanged(event=number):
                self.strategy = self.rollout.events[number].patched(self.strategy)
            case RolloutEnded(is_settled=is_settled):
                self.settled = is_settled
            case StatusChanged(status=status):
                self.status = status

    def _join(self, name: str) -> None:
        if name not in self.nodes:
            self.nodes[name] = FleetNodeReplay(name)
            bisect.insort(self.names, name)

    def _see_node(self, record: DaemonNodeRecord) -> None:
        """A record about a node alone."""
        if isinstance(record, NodeChanged) and record.action is Action.ADD_NODE:
            self._join(record.node)
        node = self.nodes.get(record.node)
        if node is None:
            return
        match record:
            case NodeLabelled(label=label):
                node.label = label or None
                node.may_mend()
            case NodeUnreachable():
                node.down = True
            case NodeBooted():
                node.down = False
                node.may_mend()
            case NodeBefore(state=Before.DOWN):
                node.down = True
            case NodeBefore(state=Before.TAINTED):
                node.tainted = True
            case NodeBefore(state=Before.CORDONED):
                node.cordoned = True
            case NodeChanged(action=action):
                self._change_node(node, action)

    def _change_node(self, node: FleetNodeReplay, action: Action) -> None:
        """Somebody does something to a node."""
        match action:
            case Action.CORDON | Action.UNCORDON:
                node.cordoned = action is Action.CORDON
            case Action.SELECT | Action.DESELECT:
                node.selected = action is Action.SELECT
            case Action.REPAIR:
                node.down = node.tainted = False
                node.may_mend()
            case Action.NOT_READY:
                for pod in node.pods:
                    pod.held, pod.may_mend = True, False
            case Action.DELETE_NODE:
                self.names.remove(node.name)
                del self.nodes[node.name]

    def _see_pod(self, record: DaemonPodRecord) -> None:
        """A record about a Pod of the DaemonSet."""
        if isinstance(record, DaemonPodBefore | DaemonPodCreated):
            self._come(record)
            return
        pod = self._pods.get(record.pod)
        if pod is None:
            return
        match record:
            case DaemonPodUnschedulable() | DaemonPodScheduled():
                pod.scheduled = isinstance(record, DaemonPodScheduled)
            case DaemonPodWaiting(status=status):
                pod.waiting, pod.status = True, status
                pod.init_failed_us = record.at_us if status == INIT_CRASH_LOOP else None
                pod.may_mend = False
            case ConfigRead(config=config):
                pod.config = config
            case DaemonPodStarted():
                pod.phase, pod.status = Phase.RUNNING, Phase.RUNNING
                pod.scheduled, pod.waiting, pod.init_failed_us = True, False, None
                pod.has_run, pod.sidecar_is_down = True, False
            case DaemonPodReady(node=node):
                pod.ready_since_us = record.at_us
                pod.phase, pod.status = Phase.RUNNING, Phase.RUNNING
                pod.plugin_is_ready = True
                self.nodes[node].failed = None
            case DaemonPodNotReady(node=node):
                since_us, wait_us = pod.ready_since_us, self.rollout.min_ready_seconds * SECOND_US
                pod.was_available = since_us is not None and since_us + wait_us <= record.at_us
                pod.ready_since_us, pod.unready_us = None, record.at_us
                pod.plugin_is_ready = pod.plugin_is_ready and self._is_down(node)
            case ContainerCrashed():
                self._see_crash(record, pod)
            case DaemonPodStopped():
                self._see_stop(record, pod)
            case DaemonPodFailed(node=node):
                pod.phase, pod.status = Phase.FAILED, Reason.UNEXPECTED_ADMISSION_ERROR
                pod.may_mend = False
                self.nodes[node].failed = pod.revision
            case DaemonPodTerminating():
                pod.terminating = True
            case DaemonPodGone():
                del self._pods[pod.name]
                where = self.nodes.get(record.node)
                if where is not None:
                    where.pods.remove(pod)

    def _is_down(self, node: str) -> bool:
        there = self.nodes.get(node)
        return there is not None and there.down

    def _see_stop(self, record: DaemonPodStopped, pod: DaemonPodReplay) -> None:
        """A reboot has ended its containers, and they start again in their order."""
        pod.restarts += pod.containers if pod.phase is Phase.RUNNING else 0
        pod.crashed_us = record.at_us
        pod.phase, pod.status, pod.comes_back = Phase.PENDING, Phase.PENDING, pod.was_available
        pod.has_run = pod.waiting = pod.plugin_is_ready = pod.sidecar_is_down = False

    def _see_crash(self, record: ContainerCrashed, pod: DaemonPodReplay) -> None:
        """A container has exited: the plugin's, or the sidecar's, which takes the Pod's readiness and not the plugin's."""
        pod.restarts += 1
        pod.status, pod.crashed_us = record.status, record.at_us
        pod.comes_back, pod.was_available, pod.may_mend = pod.was_available, False, False
        if isinstance(record, SidecarCrashed):
            pod.sidecar_is_down = True
            pod.plugin_is_ready = pod.plugin_is_ready or pod.unready_us == record.at_us
        else:
            pod.phase, pod.plugin_is_ready = Phase.RUNNING, False

    def _come(self, record: DaemonPodBefore | DaemonPodCreated) -> None:
        """A new Pod, or one of before the start."""
        pod = DaemonPodReplay(record.pod, record.revision, record.at_us, self._pods_made)
        self._pods_made += 1
        pod.has_manager = pod.revision in self._managed
        if isinstance(record, DaemonPodBefore):
            min_ready_us = self.rollout.min_ready_seconds * SECOND_US
            pod.created_us = record.at_us - 2 * LONG_AGO_US - min_ready_us
            pod.ready_since_us = record.at_us - LONG_AGO_US - min_ready_us
            pod.phase, pod.status, pod.has_run = Phase.RUNNING, Phase.RUNNING, True
            pod.plugin_is_ready = True
        self._pods[pod.name] = pod
        self.nodes[record.node].pods.append(pod)
