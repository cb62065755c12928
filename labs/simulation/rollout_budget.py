"""What the controller reckons with at a moment: the budget, which nodes use it up, and what it does next.

The counting is that of `labs.cluster.daemonset` (`_replace`, `_surge`; Kubernetes `update.go`, rollingUpdate), told node by
node for somebody who asks why a rollout goes on or stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labs.cluster.daemonset_spec import budgets
from labs.simulation.rollout import Rollout
from labs.simulation.rollout_snapshot import DaemonPodView, FleetNodeView, FleetSnapshot


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
    desired = sum(node.should_run for node in fleet.nodes)
    unavailable, surge = budgets(fleet.strategy, desired)
    walked = [node for node in fleet.nodes if node.should_run or node.pods]
    if surge:
        return BudgetUse(surge, True, tuple(filter(_is_surging, walked)), _outdated(walked))
    counting = rollout.counts_unavailable_old
    used = tuple(node for node in walked if _is_unavailable(node, counts_old=counting))
    return BudgetUse(unavailable, False, used, _outdated(walked))


def _kinds(node: FleetNodeView) -> tuple[Sequence[DaemonPodView], Sequence[DaemonPodView]]:
    """The new and the old Pods of a node, those being deleted left out."""
    pods = [pod for pod in node.pods if not pod.terminating]
    return [pod for pod in pods if pod.is_new], [pod for pod in pods if not pod.is_new]


def _is_unavailable(node: FleetNodeView, *, counts_old: bool) -> bool:
    new, old = _kinds(node)
    if len(new) + len(old) != 1:
        return True
    return not new[0].available if new else counts_old and not old[0].available


def _is_surging(node: FleetNodeView) -> bool:
    new, old = _kinds(node)
    if len(new) > 1 or len(old) > 1:
        return True
    return bool(old and new) and not new[0].available


def _outdated(nodes: Sequence[FleetNodeView]) -> tuple[FleetNodeView, ...]:
    """The nodes with an available old Pod and no new one."""
    kinds = [(node, *_kinds(node)) for node in nodes]
    return tuple(node for node, new, old in kinds if old and not new and old[0].available)
