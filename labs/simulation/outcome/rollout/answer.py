"""The JSON of a rollout (design.md, "rollout"), from its last snapshot."""

from __future__ import annotations

from typing import Any

from labs.hardware.units import SECOND_US
from labs.simulation.outcome.moment import PHASES
from labs.simulation.outcome.rollout.snapshot import (
    DaemonPodView,
    FleetNodeView,
    FleetSnapshot,
    WorkloadPodView,
)
from labs.simulation.trace import Answer, SpecRefused, Trace


def rollout_error(trace: Trace) -> str | None:
    """The API server's words where it first refused a changed spec."""
    return next((record.words for record in trace.rollout if isinstance(record, SpecRefused)), None)


def rollout_json(fleet: FleetSnapshot, trace: Trace, *, beside: bool) -> dict[str, Any]:
    """The answer: `status`, `rolloutStatus`, `nodes` and `error`.

    Where kubectl said something to what was done also `printed`; `beside` nodes and workloads also what nodes offer, and
    the Pods.
    """
    answer: dict[str, Any] = {
        "status": fleet.status.to_json(),
        "rolloutStatus": fleet.line,
        "nodes": {node.name: _node(node, beside=beside) for node in fleet.nodes},
        "error": rollout_error(trace),
    }
    printed = [record for record in trace.rollout if isinstance(record, Answer)]
    if printed:
        answer["printed"] = [{"at": record.at_us / SECOND_US, "words": record.words} for record in printed]
    if beside:
        answer["waitingPods"] = [_workload_pod(pod) for pod in fleet.waiting_pods]
    return answer


def _node(node: FleetNodeView, *, beside: bool) -> dict[str, Any]:
    """Whether the DaemonSet wants a Pod there, and its Pods there, the one that counts first."""
    answer: dict[str, Any] = {"shouldRun": node.should_run, "pods": [_pod(pod) for pod in node.pods]}
    if beside:
        answer["config"] = node.config
        answer["capacity"] = {offer.resource: offer.capacity for offer in node.offers}
        answer["allocatable"] = {offer.resource: offer.allocatable for offer in node.offers}
        answer["requested"] = {offer.resource: offer.requested for offer in node.offers}
        answer["workloadPods"] = [_workload_pod(pod) for pod in node.workload_pods]
    return answer


def _pod(pod: DaemonPodView) -> dict[str, Any]:
    return {
        "name": pod.name,
        "revision": pod.revision,
        "phase": pod.phase,
        "ready": pod.ready,
        "available": pod.available,
        "terminating": pod.terminating,
    }


def _workload_pod(pod: WorkloadPodView) -> dict[str, Any]:
    phase, reason = PHASES[pod.state]
    return {
        "name": pod.name,
        "workload": pod.workload,
        "phase": str(phase),
        "reason": None if reason is None else str(reason),
        "message": pod.message,
    }
