"""What came of a rollout: the fleet at a moment, how far it is, and why it stands still."""

from labs.simulation.outcome.rollout.answer import rollout_error, rollout_json
from labs.simulation.outcome.rollout.budget import BudgetUse, budget_use
from labs.simulation.outcome.rollout.events import NAMESPACE, USER
from labs.simulation.outcome.rollout.halt import is_halted
from labs.simulation.outcome.rollout.metrics import METRICS, fleet_metrics
from labs.simulation.outcome.rollout.moments import fleet_snapshot
from labs.simulation.outcome.rollout.notes import had_no_effect, rollout_notes
from labs.simulation.outcome.rollout.replay import RolloutReplay
from labs.simulation.outcome.rollout.snapshot import (
    DaemonPodView,
    FleetEvent,
    FleetNodeView,
    FleetSnapshot,
    NodeResource,
    Trouble,
    WorkloadPodView,
)
from labs.simulation.outcome.rollout.timeline import CountsFrom, FleetTimeline
from labs.simulation.outcome.rollout.workloads import with_workloads

__all__ = [
    "METRICS",
    "NAMESPACE",
    "USER",
    "BudgetUse",
    "CountsFrom",
    "DaemonPodView",
    "FleetEvent",
    "FleetNodeView",
    "FleetSnapshot",
    "FleetTimeline",
    "NodeResource",
    "RolloutReplay",
    "Trouble",
    "WorkloadPodView",
    "budget_use",
    "fleet_metrics",
    "fleet_snapshot",
    "had_no_effect",
    "is_halted",
    "rollout_error",
    "rollout_json",
    "rollout_notes",
    "with_workloads",
]
