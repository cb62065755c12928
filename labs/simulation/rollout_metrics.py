"""The numbers of a fleet at one moment, by the keys that prose and expectations refer to."""

from __future__ import annotations

from labs.simulation.rollout_snapshot import FleetSnapshot


def fleet_metrics(fleet: FleetSnapshot) -> dict[str, int]:
    """The numbers of a moment by key.

    Those of `kubectl get daemonset`; by revision how many nodes have a Pod of the present template, or one of another as the
    Pod that counts.
    """
    counted = [node for node in fleet.nodes if node.pods]
    return {
        **fleet.status.to_json(),
        "newRevisionNodes": sum(node.is_updated for node in counted),
        "oldRevisionNodes": sum(not node.is_updated for node in counted),
    }


METRICS = (
    *("desired", "current", "ready", "updated", "available", "unavailable", "misscheduled"),
    *("oldRevisionNodes", "newRevisionNodes"),
)
"""The keys that `fleet_metrics` has."""
