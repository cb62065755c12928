"""The numbers of a fleet at one moment, by the keys that prose and expectations refer to."""

from __future__ import annotations

from collections import Counter

from labs.simulation.outcome.moment import BEING_DELETED, PodState
from labs.simulation.outcome.rollout.snapshot import FleetSnapshot


def fleet_metrics(fleet: FleetSnapshot, *, is_joined: bool = False) -> dict[str, int]:
    """The numbers of a moment by key.

    Those of `kubectl get daemonset`; by revision how many nodes have a Pod of the present template, or one of another as the
    Pod that counts.
    """
    counted = [node for node in fleet.nodes if node.pods]
    return {
        **fleet.status.to_json(),
        "newRevisionNodes": sum(node.is_updated for node in counted),
        "oldRevisionNodes": sum(not node.is_updated for node in counted),
        **(_joined(fleet) if is_joined else {}),
    }


def slots_offered(fleet: FleetSnapshot) -> int:
    """The units of all resources that all nodes have allocatable."""
    return sum(offer.allocatable for node in fleet.nodes for offer in node.offers)


def _joined(fleet: FleetSnapshot) -> dict[str, int]:
    """The slots that nodes offer now, and the Pods of workloads by phase."""
    states = Counter(pod.state for node in fleet.nodes for pod in node.workload_pods)
    failed = states[PodState.REFUSED] + states[PodState.FAILED]
    left, bound = sum(states[state] for state in BEING_DELETED), states[PodState.BOUND]
    return {
        "slotsOffered": slots_offered(fleet),
        "podsRunning": states.total() - failed - left - bound - states[PodState.SUCCEEDED],
        "podsPending": len(fleet.waiting_pods) + bound,
        "podsFailed": failed,
        "podsTerminating": left,
    }


METRICS = (
    *("desired", "current", "ready", "updated", "available", "unavailable", "misscheduled"),
    *("oldRevisionNodes", "newRevisionNodes"),
    *("slotsOffered", "podsRunning", "podsPending", "podsFailed", "podsTerminating"),
)
"""The keys that `fleet_metrics` has; the last five beside nodes and workloads only."""
