"""What `kubectl get events` would list of a rollout, and what people did, from its records.

Words of the controller: Kubernetes `pkg/controller/controller_utils.go` (SuccessfulCreate, SuccessfulDelete) and
`pkg/controller/daemon/daemon_controller.go` (FailedDaemonPod). A halted rollout emits nothing new. Of the scheduler:
`pkg/scheduler/framework/types.go` (FitError) and `schedule_one.go`; a DaemonSet's Pod is meant for one node, so all others
fail the plugin NodeAffinity. Of the kubelet: `pkg/kubelet/kuberuntime/kuberuntime_manager.go` (doBackOff) and
`pkg/kubelet/images/image_manager.go`. Names of containers are those of the GPU Operator's DaemonSet.
"""

from __future__ import annotations

import hashlib

from labs.simulation.outcome.rollout.snapshot import FleetEvent
from labs.simulation.trace import (
    Answer,
    ConfigMapChanged,
    DaemonPodCreated,
    DaemonPodDeleted,
    DaemonPodUnschedulable,
    DaemonPodWaiting,
    FailedDaemonPodFound,
    NodeBooted,
    NodeChanged,
    NodeLabelled,
    NodeUnreachable,
    PluginCrashed,
    RolloutRecord,
    SidecarCrashed,
    StrategyChanged,
    TemplateChanged,
)
from labs.simulation.world.rollout import CONTROLLER

NAMESPACE = "gpu-operator"
USER, DAEMON_SET, POD, NODE = "User", "DaemonSet", "Pod", "Node"
PLUGIN, MANAGER, MANAGER_INIT = "nvidia-device-plugin", "config-manager", "config-manager-init"
IMAGE = "nvcr.io/nvidia/k8s-device-plugin:v0.20.0"
DELETE_POD = "delete pod"  # what somebody who did it is said to have done
IMAGE_PULL = "ImagePullBackOff"
SILENT = ("Init:0/1",)  # what a Pod waits with that nobody writes an event about


def event_of(daemonset: str, record: RolloutRecord, nodes: int) -> FleetEvent | None:
    """The event of a record, None where there is none; `nodes` are in the cluster."""
    match record:
        case DaemonPodCreated(pod=pod):
            return _event(record, "SuccessfulCreate", DAEMON_SET, daemonset, f"Created pod: {pod}")
        case DaemonPodDeleted(pod=pod, node=node, by=by):
            if by != CONTROLLER:
                return _event(record, DELETE_POD, USER, pod, node)
            return _event(record, "SuccessfulDelete", DAEMON_SET, daemonset, f"Deleted pod: {pod}")
        case FailedDaemonPodFound(pod=pod, node=node):
            words = f"Found failed daemon pod {NAMESPACE}/{pod} on node {node}, will try to kill it"
            return _event(record, "FailedDaemonPod", DAEMON_SET, daemonset, words, warns=True)
        case DaemonPodUnschedulable(pod=pod):
            return _event(record, "FailedScheduling", POD, pod, unfit_text(nodes), warns=True)
        case PluginCrashed(pod=pod):
            return _back_off(record, pod, PLUGIN)
        case SidecarCrashed(pod=pod):
            return _back_off(record, pod, MANAGER)
        case DaemonPodWaiting(pod=pod, status=status):
            if status == IMAGE_PULL:
                return _event(record, "BackOff", POD, pod, f'Back-off pulling image "{IMAGE}"')
            return None if status in SILENT else _back_off(record, pod, MANAGER_INIT)
        case NodeUnreachable(node=node):
            return _event(record, "NodeNotReady", NODE, node, f"Node {node} status is now: NodeNotReady")
        case NodeBooted(node=node):
            words = f"Node {node} has been rebooted, boot id: ..."
            return _event(record, "Rebooted", NODE, node, words, warns=True)
        case NodeLabelled(node=node, label=label):
            return _event(record, "label", USER, node, f"nvidia.com/device-plugin.config={label}")
        case NodeChanged(node=node, action=action):
            return _event(record, action, USER, node, "")
        case TemplateChanged(template=text) | StrategyChanged(budgets=text) | ConfigMapChanged(revision=text):
            return _event(record, record.kind, USER, daemonset, text)
        case Answer(words=words):
            return _event(record, record.kind, USER, daemonset, words, warns=True)
        case _:
            return None


def unfit_text(nodes: int) -> str:
    """The scheduler's words where the one node that a Pod is meant for has no room (here: not enough CPU)."""
    others = nodes - 1
    elsewhere = f", {others} node(s) didn't satisfy plugin(s) [NodeAffinity]" if others > 0 else ""
    no_help = f", {others} Preemption is not helpful for scheduling" if others > 0 else ""
    none = f"0/{nodes} nodes are available: "
    return f"{none}1 Insufficient cpu{elsewhere}. preemption: {none}1 No preemption victims found for incoming pod{no_help}."


def _back_off(record: RolloutRecord, pod: str, container: str) -> FleetEvent:
    made_up = hashlib.sha256(pod.encode()).hexdigest()  # as the Pod's name is
    uid = "-".join((made_up[:8], made_up[8:12], f"4{made_up[12:15]}", f"a{made_up[15:18]}", made_up[18:30]))
    words = f"Back-off restarting failed container {container} in pod {pod}_{NAMESPACE}({uid})"
    return _event(record, "BackOff", POD, pod, words, warns=True)


def _event(
    record: RolloutRecord, reason: str, kind: str, name: str, message: str, *, warns: bool = False
) -> FleetEvent:
    return FleetEvent(record.at_us, warns, reason, kind, name, message)
