"""The fleet of a rollout at one moment: what pictures, tables and sentences about it are made of.

`moments.py` beside it makes these values: `fleet_snapshot(rollout, trace, at_us)` is a pure function of a
scenario and its Trace, `fleet_snapshots` gives many moments in one pass, `fleet_moments` the times after which something
differs. They take a rollout alone (`run_rollout(rollout).trace`) as well as one beside nodes and workloads: only there do
nodes have `offers` and `workload_pods`, and only then is `config` of a Pod what its plugin read.

Values are frozen, times integer microseconds, names those of the scenario; what `kubectl` would print is its English.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from labs.cluster.daemonset import DaemonPod, Status, UpdateStrategy
from labs.cluster.pod_phase import Phase
from labs.simulation.outcome.moment import PodState

EVENTS_KEPT = 1_000  # of a snapshot: the last ones


def is_done_line(line: str) -> bool:
    """Whether a line of `kubectl rollout status` says that the rollout is done."""
    return line.endswith("successfully rolled out")


class Trouble(StrEnum):
    """What is wrong on a node, as far as the rollout goes; of several the first in this order."""

    NODE_DOWN = "node-down"  # its kubelet is silent
    TERMINATING = "terminating"  # a Pod that ends and is not gone (on a node that is down: without end)
    UNSCHEDULABLE = "unschedulable"  # its Pod is Pending and has no node
    WAITING = "waiting"  # its Pod's containers can't start: an init container, an image, a config label
    FAILED = "failed"  # its Pod Failed
    CRASH_LOOP = "crash-loop"  # its Pod's container waits for its next start
    STARTING = "starting"  # its Pod has not been Ready yet, and nothing says that it won't be
    NOT_READY = "not-ready"  # its Pod runs and is not Ready
    NOT_AVAILABLE = "not-available"  # Ready, but not for minReadySeconds yet
    NO_POD = "no-pod"  # it should have a Pod and has none


@dataclass(frozen=True, slots=True)
class DaemonPodView:
    """A Pod of the DaemonSet: what the controller sees of it, and what else people see.

    `status` is kubectl's column STATUS; `is_new`: it has the DaemonSet's present template.
    `has_run` tells whether its container has ever run; `config` names what its plugin read last (None: nothing yet). The
    kubelet reports `ready_containers` of its `containers`: on a node that is down those of before. `crashed_us`: when a
    container exited last. `init_restarts`: how often its init container has started again since
    it fails, and when last.
    """

    seen: DaemonPod
    is_new: bool
    status: str
    available: bool
    has_run: bool
    restarts: int
    config: str | None = None
    containers: int = 1
    ready_containers: int = 0
    crashed_us: int | None = None
    init_restarts: int = 0
    init_restarted_us: int | None = None
    held: bool = False  # somebody has it not Ready until it is replaced
    comes_back: bool = False  # it was available in the life of its container that ended last
    may_mend: bool = False  # it has not failed again since something was done that may mend it

    @property
    def name(self) -> str:
        """Its name."""
        return self.seen.name

    @property
    def revision(self) -> str:
        """The template from which it was created."""
        return self.seen.revision

    @property
    def phase(self) -> Phase:
        """`status.phase`."""
        return self.seen.phase

    @property
    def ready(self) -> bool:
        """The Ready condition."""
        return self.seen.ready

    @property
    def terminating(self) -> bool:
        """Whether it is being deleted."""
        return self.seen.terminating

    @property
    def created_us(self) -> int:
        """When it was created; negative: before the start."""
        return self.seen.created_us


@dataclass(frozen=True, slots=True)
class NodeResource:
    """A resource of a node as the API shows it: `capacity` and `allocatable` units, `requested` by Pods bound to it."""

    resource: str
    capacity: int
    allocatable: int
    requested: int = 0


@dataclass(frozen=True, slots=True)
class WorkloadPodView:
    """A Pod of a workload that is bound to a node, or waits for one.

    `message`: Kubernetes' words, where it waits or was refused.
    """

    name: str
    workload: str
    node: str | None
    state: PodState
    message: str | None


@dataclass(frozen=True, slots=True)
class FleetNodeView:
    """A node; `pods` of the DaemonSet, the one that counts first. `should_run`: the DaemonSet wants a Pod here."""

    name: str
    should_run: bool
    selected: bool
    cordoned: bool
    tainted: bool
    down: bool
    pods: tuple[DaemonPodView, ...]
    trouble: Trouble | None
    offers: tuple[NodeResource, ...] = ()
    workload_pods: tuple[WorkloadPodView, ...] = ()
    label: str | None = None  # nvidia.com/device-plugin.config
    fails_anew: bool = False  # the last Pod of the present template that came to an end here Failed

    @property
    def config(self) -> str | None:
        """The config of the plugin that serves here: `Reading.name` (a revision, or which entry and edit of a ConfigMap)."""
        return next((pod.config for pod in self.pods if pod.config is not None and not pod.terminating), None)

    @property
    def revision(self) -> str | None:
        """The revision of the Pod that counts."""
        return self.pods[0].revision if self.pods else None

    @property
    def is_updated(self) -> bool:
        """Whether it counts as updated."""
        return bool(self.pods) and self.pods[0].is_new

    @property
    def is_available(self) -> bool:
        """Whether the Pod that counts is available."""
        return bool(self.pods) and self.pods[0].available

    @property
    def status(self) -> str:
        """The column STATUS of `kubectl get nodes`."""
        return ("NotReady" if self.down else "Ready") + (",SchedulingDisabled" if self.cordoned else "")


@dataclass(frozen=True, slots=True)
class FleetEvent:
    """A line of `kubectl get events`, or something that somebody did (`kind` "User": no event in the API)."""

    at_us: int
    is_warning: bool
    reason: str
    kind: str  # DaemonSet, Pod, Node or User
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class FleetSnapshot:
    """The fleet right after everything that happened up to and at `at_us`.

    `revision` is the DaemonSet's present template, `line` what `kubectl rollout status` shows, `events` the last
    EVENTS_KEPT so far, `waiting_pods` those of workloads that have no node.
    """

    at_us: int
    revision: str
    status: Status
    line: str
    nodes: tuple[FleetNodeView, ...]  # by name
    events: tuple[FleetEvent, ...]
    strategy: UpdateStrategy
    settled: bool = False  # the end, and nothing more will happen by itself
    waiting_pods: tuple[WorkloadPodView, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether `kubectl rollout status` says so."""
        return is_done_line(self.line)

    @property
    def revisions(self) -> tuple[str, ...]:
        """The revisions that Pods have now, sorted."""
        return tuple(sorted({pod.revision for node in self.nodes for pod in node.pods}))
