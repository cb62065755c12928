"""Records of a rollout: the DaemonSet, its Pods and their nodes, and what people do to them."""

from __future__ import annotations

from dataclasses import dataclass

from labs.cluster.daemonset import Status
from labs.simulation.scenario.rollout import Action, Before, NoEffect
from labs.simulation.trace.record import RolloutRecord, rollout_row

SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class TemplateChanged(RolloutRecord):
    """The DaemonSet has another template."""

    kind = "template-changed"
    row = rollout_row(reason="template")

    template: str


@dataclass(frozen=True, slots=True)
class StrategyChanged(RolloutRecord):
    """The DaemonSet has other `budgets`, by the event of this number."""

    kind = "strategy-changed"
    row = rollout_row(reason="budgets", counts="_counts")

    budgets: str
    event: int

    @property
    def _counts(self) -> tuple[int]:
        return (self.event,)


@dataclass(frozen=True, slots=True)
class Answer(RolloutRecord):
    """What somebody who did something read in the terminal."""

    row = rollout_row(reason="words")

    words: str


@dataclass(frozen=True, slots=True)
class SpecRefused(Answer):
    """The API server refuses the changed spec."""

    kind = "spec-refused"


@dataclass(frozen=True, slots=True)
class KubectlPrinted(Answer):
    """kubectl says something."""

    kind = "kubectl-printed"


@dataclass(frozen=True, slots=True)
class ActionHadNoEffect(RolloutRecord):
    """Nothing came of the event of this number, on a `node` or at all."""

    kind = "in-vain"
    row = rollout_row(node="node", reason="why", counts="_counts")

    node: str | None
    why: NoEffect
    event: int

    @property
    def _counts(self) -> tuple[int]:
        return (self.event,)


@dataclass(frozen=True, slots=True)
class ConfigMapChanged(RolloutRecord):
    """Somebody has written the ConfigMap of the current revision."""

    kind = "config-map-changed"
    row = rollout_row(reason="revision")

    revision: str


@dataclass(frozen=True, slots=True)
class StatusChanged(RolloutRecord):
    """The DaemonSet's status, where it changed."""

    kind = "status"
    row = rollout_row(counts="_counts")

    status: Status

    @property
    def _counts(self) -> tuple[int, ...]:
        return tuple(self.status.to_json().values())


@dataclass(frozen=True, slots=True)
class RolloutLineChanged(RolloutRecord):
    """The line of `kubectl rollout status`, where it changed."""

    kind = "rollout-status"
    row = rollout_row(reason="line")

    line: str


@dataclass(frozen=True, slots=True)
class RolloutEnded(RolloutRecord):
    """The end; `is_settled`: nothing more will happen by itself."""

    kind = "end"
    row = rollout_row(reason="_reason")

    is_settled: bool

    @property
    def _reason(self) -> str | None:
        return SETTLED if self.is_settled else None


@dataclass(frozen=True, slots=True)
class DaemonNodeRecord(RolloutRecord):
    """Something about a node of the fleet."""

    row = rollout_row(node="node")

    node: str


@dataclass(frozen=True, slots=True)
class NodeBefore(DaemonNodeRecord):
    """The node was down, cordoned or tainted before the start."""

    kind = "node-before"
    row = rollout_row(node="node", reason="state")

    state: Before


@dataclass(frozen=True, slots=True)
class NodeChanged(DaemonNodeRecord):
    """Somebody did something to the node."""

    kind = "node-changed"
    row = rollout_row(node="node", reason="action")

    action: Action


@dataclass(frozen=True, slots=True)
class NodeUnreachable(DaemonNodeRecord):
    """The node is NotReady and tainted from now on."""

    kind = "node-unreachable"


@dataclass(frozen=True, slots=True)
class NodeBooted(DaemonNodeRecord):
    """The node's kubelet has started anew, after a reboot."""

    kind = "node-booted"


@dataclass(frozen=True, slots=True)
class NodeLabelled(DaemonNodeRecord):
    """`nvidia.com/device-plugin.config` of the node; "": it has none any more."""

    kind = "node-labelled"
    row = rollout_row(node="node", reason="label")

    label: str


@dataclass(frozen=True, slots=True)
class DaemonPodRecord(RolloutRecord):
    """Something about a Pod of the DaemonSet on its node, or on the one that it is meant for."""

    row = rollout_row(node="node", pod="pod")

    node: str
    pod: str


@dataclass(frozen=True, slots=True)
class DaemonPodBefore(DaemonPodRecord):
    """A Pod that ran before the start, and was Ready."""

    kind = "pod-before"
    row = rollout_row(node="node", pod="pod", reason="revision")

    revision: str


@dataclass(frozen=True, slots=True)
class DaemonPodCreated(DaemonPodRecord):
    """The controller has created a Pod."""

    kind = "pod-created"
    row = rollout_row(node="node", pod="pod", reason="revision")

    revision: str


@dataclass(frozen=True, slots=True)
class DaemonPodUnschedulable(DaemonPodRecord):
    """The Pod does not fit on its node."""

    kind = "pod-unschedulable"


@dataclass(frozen=True, slots=True)
class DaemonPodScheduled(DaemonPodRecord):
    """A Pod that was unschedulable is bound to its node."""

    kind = "pod-scheduled"


@dataclass(frozen=True, slots=True)
class DaemonPodWaiting(DaemonPodRecord):
    """The Pod's containers can't start; `status` is what kubectl shows meanwhile."""

    kind = "pod-waiting"
    row = rollout_row(node="node", pod="pod", reason="status")

    status: str


@dataclass(frozen=True, slots=True)
class ConfigRead(DaemonPodRecord):
    """The Pod's plugin has read a config (`Reading.name`)."""

    kind = "config-read"
    row = rollout_row(node="node", pod="pod", reason="config")

    config: str


@dataclass(frozen=True, slots=True)
class DaemonPodStarted(DaemonPodRecord):
    """The Pod's container runs."""

    kind = "pod-started"


@dataclass(frozen=True, slots=True)
class DaemonPodReady(DaemonPodRecord):
    """The Pod's Ready condition turns True."""

    kind = "pod-ready"


@dataclass(frozen=True, slots=True)
class DaemonPodNotReady(DaemonPodRecord):
    """The Pod's Ready condition turns False."""

    kind = "pod-not-ready"


@dataclass(frozen=True, slots=True)
class ContainerCrashed(DaemonPodRecord):
    """A container of the Pod has exited; `status` is what kubectl shows until its next start."""

    row = rollout_row(node="node", pod="pod", reason="status")

    status: str


@dataclass(frozen=True, slots=True)
class PluginCrashed(ContainerCrashed):
    """The plugin has exited."""

    kind = "pod-crashed"


@dataclass(frozen=True, slots=True)
class SidecarCrashed(ContainerCrashed):
    """config-manager alone has exited: the plugin beside it runs on."""

    kind = "sidecar-crashed"


@dataclass(frozen=True, slots=True)
class DaemonPodStopped(DaemonPodRecord):
    """A reboot has ended the Pod's containers, which start again."""

    kind = "pod-stopped"


@dataclass(frozen=True, slots=True)
class DaemonPodFailed(DaemonPodRecord):
    """The Pod has failed."""

    kind = "pod-failed"


@dataclass(frozen=True, slots=True)
class DaemonPodDeleted(DaemonPodRecord):
    """Somebody asks for the Pod's end: the controller, or a person."""

    kind = "pod-deleted"
    row = rollout_row(node="node", pod="pod", reason="by")

    by: str


@dataclass(frozen=True, slots=True)
class DaemonPodTerminating(DaemonPodRecord):
    """The Pod ends, and is not gone yet."""

    kind = "pod-terminating"


@dataclass(frozen=True, slots=True)
class DaemonPodGone(DaemonPodRecord):
    """The Pod object is gone."""

    kind = "pod-gone"


@dataclass(frozen=True, slots=True)
class FailedDaemonPodFound(DaemonPodRecord):
    """The controller has found a failed Pod, and says so in an event."""

    kind = "failed-daemon-pod"
