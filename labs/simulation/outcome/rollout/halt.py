"""Whether a rollout has stopped: nothing that will happen by itself takes it any further.

A rollout that stops need not be still. Containers crash and are started again, Pods fail and are created anew; that goes on
for ever and changes nothing. What counts is that the controller would do nothing now, and that no Pod is on its way.
"""

from __future__ import annotations

from dataclasses import replace

from labs.cluster.daemonset import BackOff, DaemonNode, DaemonPod, DaemonSetSpec, status, sync
from labs.cluster.pod_phase import Phase
from labs.hardware.units import SECOND_US
from labs.simulation.outcome.rollout.budget import controller_view
from labs.simulation.outcome.rollout.snapshot import DaemonPodView, FleetNodeView, FleetSnapshot, Trouble
from labs.simulation.scenario.rollout import PodBehaviour, Rollout


def is_halted(rollout: Rollout, fleet: FleetSnapshot) -> bool:
    """Whether the rollout has stopped before its end, as far as the fleet at this moment tells.

    A Pod that has crashed and was not available before that is taken to do so again, and one that comes after another that
    Failed to fail too, unless something was done since that may mend it.
    """
    if not fleet.strategy.rolls or fleet.is_done:
        return False
    return fleet.settled or not (
        _controller_acts(rollout, fleet) or any(_is_on_its_way(rollout, node) for node in fleet.nodes)
    )


def _controller_acts(rollout: Rollout, fleet: FleetSnapshot) -> bool:
    """Whether the controller does more than to create anew what fails anew, or tells at its next sync that it is done."""
    spec, nodes = controller_view(rollout, fleet)
    counts = status(nodes, spec, fleet.at_us)
    if counts.desired <= min(counts.updated, counts.available):
        return True
    fails = {node.name for node in fleet.nodes if node.fails_anew and node.should_run}
    waits = {name: BackOff(fleet.at_us, SECOND_US) for name in fails}
    walked = list(nodes)
    if rollout.order_seed is not None:  # any order: others may come before them
        walked.sort(key=lambda node: node.name in fails)
    for phase in (Phase.PENDING, Phase.FAILED, None) if fails else (None,):
        seen = [_failing(node, spec, fleet.at_us, phase) if node.name in fails else node for node in walked]
        actions = sync(seen, spec, waits, fleet.at_us)
        if not {*actions.creates, *(name for name, _ in actions.deletes)} <= fails:
            return True
    return False


def _failing(node: DaemonNode, spec: DaemonSetSpec, at_us: int, phase: Phase | None) -> DaemonNode:
    """A node on which Pods fail anew, while the next one is in that phase (None: while it is not there)."""
    pods = [pod for pod in node.pods if pod.revision != spec.revision]
    if phase is not None:
        number = 1 + max((pod.number for pod in pods), default=0)
        pods.append(
            DaemonPod("", spec.revision, at_us, number, phase, None, terminating=False, scheduled=True)
        )
    return replace(node, pods=tuple(pods))


def _is_on_its_way(rollout: Rollout, node: FleetNodeView) -> bool:
    """Whether something on the node changes by itself, and not only again and again."""
    if node.down or node.trouble is None:
        return False
    if node.trouble is Trouble.TERMINATING:
        return True
    if node.trouble in (Trouble.NO_POD, Trouble.STARTING):
        return not node.fails_anew
    pod = next(pod for pod in node.pods if not pod.available)
    if pod.may_mend or pod.held:
        return pod.may_mend
    match node.trouble:
        case Trouble.NOT_AVAILABLE:
            return pod.comes_back or not pod.restarts
        case Trouble.CRASH_LOOP:
            return pod.comes_back
        case Trouble.NOT_READY:
            return pod.comes_back if pod.restarts else _will_be_ready(rollout, node, pod)
        case _:
            return False


def _will_be_ready(rollout: Rollout, node: FleetNodeView, pod: DaemonPodView) -> bool:
    """Whether a Pod that runs for the first time waits for its readiness probe."""
    for behaviour in rollout.behaviours:
        if pod.revision in behaviour.revisions and (behaviour.nodes is None or node.name in behaviour.nodes):
            return behaviour.pod is not PodBehaviour.NEVER_READY and behaviour.probe_us > 0
    return False
