"""What stands beside a rollout in a snapshot: what the nodes offer, and the Pods of the workloads."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from labs.simulation.outcome.moment import PodReplay, PodState, Replay
from labs.simulation.outcome.rollout.snapshot import (
    FleetNodeView,
    FleetSnapshot,
    NodeResource,
    WorkloadPodView,
)

ENDED = (
    PodState.REFUSED,
    PodState.SUCCEEDED,
    PodState.FAILED,
    PodState.GONE,
)  # the scheduler counts no request of these


def with_workloads(fleet: FleetSnapshot, replay: Replay) -> FleetSnapshot:
    """The snapshot of a rollout with what `replay`, of the same moment, knows of the nodes and the workloads."""
    pods: dict[str | None, list[PodReplay]] = {}
    for pod in replay.pods.values():
        if pod.state is PodState.GONE:
            continue
        pods.setdefault(pod.node, []).append(pod)
    return replace(
        fleet,
        nodes=tuple(_node(node, replay, pods.get(node.name, [])) for node in fleet.nodes),
        waiting_pods=tuple(_view(pod) for pod in pods.get(None, [])),
    )


def _node(node: FleetNodeView, replay: Replay, pods: list[PodReplay]) -> FleetNodeView:
    requested: Counter[str] = Counter()
    for pod in pods:
        if pod.state not in ENDED:
            requested.update(dict(pod.workload.request))
    allocatable = dict(replay.resources[node.name])
    offers = tuple(
        NodeResource(resource, capacity, allocatable.get(resource, 0), requested[resource])
        for resource, capacity in sorted(replay.capacities.get(node.name, {}).items())
    )
    return replace(node, offers=offers, workload_pods=tuple(_view(pod) for pod in pods))


def _view(pod: PodReplay) -> WorkloadPodView:
    return WorkloadPodView(pod.name, pod.workload.name, pod.node, pod.state, pod.message)
