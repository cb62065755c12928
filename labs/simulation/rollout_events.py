"""What `kubectl get events` would list of a rollout, and what people did, from its records.

Words of the controller: Kubernetes `pkg/controller/controller_utils.go` (SuccessfulCreate, SuccessfulDelete) and
`pkg/controller/daemon/daemon_controller.go` (FailedDaemonPod). A halted rollout emits nothing new.
"""

from __future__ import annotations

from labs.simulation.rollout_fleet import CONTROLLER
from labs.simulation.rollout_snapshot import FleetEvent
from labs.simulation.rollout_trace import RolloutHappening as Happening
from labs.simulation.rollout_trace import RolloutRecord

NAMESPACE = "gpu-operator"
USER, DAEMON_SET, POD, NODE = "User", "DaemonSet", "Pod", "Node"


def event_of(daemonset: str, record: RolloutRecord) -> FleetEvent | None:
    """The event of a record, None where there is none."""
    pod, node = record.pod or "", record.node or ""
    match record.what:
        case Happening.POD_CREATED:
            return _event(record, "SuccessfulCreate", DAEMON_SET, daemonset, f"Created pod: {pod}")
        case Happening.POD_DELETED:
            if record.reason != CONTROLLER:
                return _event(record, "delete pod", USER, pod, node)
            return _event(record, "SuccessfulDelete", DAEMON_SET, daemonset, f"Deleted pod: {pod}")
        case Happening.FAILED_DAEMON_POD:
            words = f"Found failed daemon pod {NAMESPACE}/{pod} on node {node}, will try to kill it"
            return _event(record, "FailedDaemonPod", DAEMON_SET, daemonset, words, warns=True)
        case Happening.POD_UNSCHEDULABLE:
            words = f"0/1 nodes are available: no room for the Pod on {node}."
            return _event(record, "FailedScheduling", POD, pod, words, warns=True)
        case Happening.POD_CRASHED:
            words = "Back-off restarting failed container"
            return _event(record, "BackOff", POD, pod, words, warns=True)
        case Happening.POD_WAITING if record.reason != "Init:0/1":
            words = "Back-off restarting failed container"
            if record.reason == "ImagePullBackOff":
                words = "Back-off pulling image"
            return _event(record, "BackOff", POD, pod, words, warns=True)
        case Happening.NODE_LABELLED:
            return _event(record, "label", USER, node, f"nvidia.com/device-plugin.config={record.reason}")
        case Happening.NODE_CHANGED:
            return _event(record, record.reason or "", USER, node, "")
        case Happening.TEMPLATE_CHANGED | Happening.STRATEGY_CHANGED | Happening.CONFIG_MAP_CHANGED:
            return _event(record, str(record.what), USER, daemonset, record.reason or "")
        case Happening.SPEC_REFUSED | Happening.KUBECTL_PRINTED:
            return _event(record, str(record.what), USER, daemonset, record.reason or "", warns=True)
        case _:
            return None


def _event(
    record: RolloutRecord, reason: str, kind: str, name: str, message: str, *, warns: bool = False
) -> FleetEvent:
    return FleetEvent(record.at_us, warns, reason, kind, name, message)
