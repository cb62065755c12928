"""What the controller reckons with at a moment: the budget, which nodes use it up, and what it does next.

The counting is that of `labs.cluster.daemonset.sync`, told node by node for somebody who asks why a rollout goes on or stops.
"""

from __future__ import annotations

from dataclasses import dataclass

from labs.cluster.daemonset import (
    DaemonNode,
    DaemonSetSpec,
    Standing,
    budgets,
    standing,
    takes_place,
)
from labs.hardware.units import SECOND_US
from labs.simulation.outcome.rollout.snapshot import FleetNodeView, FleetSnapshot
from labs.simulation.scenario.rollout import Rollout


@dataclass(frozen=True, slots=True)
class BudgetUse:
    """`limit` Pods may be unavailable (or, with `surges`, be beside an old one); the nodes `used_by` count against it.

    `outdated` are the nodes whose available old Pod is still to be replaced: the first of them are next, as far as the
    budget reaches.
    """

    limit: int
    surges: bool
    used_by: tuple[FleetNodeView, ...]
    outdated: tuple[FleetNodeView, ...]

    @property
    def used(self) -> int:
        """How many count against the budget."""
        return len(self.used_by)

    @property
    def is_used_up(self) -> bool:
        """Whether the controller may touch no further available Pod."""
        return self.used >= self.limit


def budget_use(rollout: Rollout, fleet: FleetSnapshot) -> BudgetUse:
    """What the controller reckons with at the moment of the snapshot."""
    spec, nodes = controller_view(rollout, fleet)
    unavailable, surge = budgets(fleet.strategy, sum(node.should_run for node in nodes))
    surges = surge > 0
    used_by: list[FleetNodeView] = []
    outdated: list[FleetNodeView] = []
    for view, node in zip(fleet.nodes, nodes, strict=True):
        if node.should_run or node.pods:
            stands, _ = standing(node, spec, fleet.at_us, surges=surges)
            if takes_place(stands, spec, surges=surges):
                used_by.append(view)
            elif stands is Standing.OUTDATED:
                outdated.append(view)
    return BudgetUse(surge or unavailable, surges, tuple(used_by), tuple(outdated))


def controller_view(rollout: Rollout, fleet: FleetSnapshot) -> tuple[DaemonSetSpec, list[DaemonNode]]:
    """The DaemonSet and the nodes of a snapshot as the controller sees them, in the same order."""
    min_ready_us = rollout.min_ready_seconds * SECOND_US
    spec = DaemonSetSpec(fleet.strategy, fleet.revision, min_ready_us, rollout.counts_unavailable_old)
    return spec, [
        DaemonNode(node.name, node.should_run, node.selected, tuple(pod.seen for pod in node.pods))
        for node in fleet.nodes
    ]
