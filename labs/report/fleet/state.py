"""How a node of a rollout is told: one state with a word and a shape, and the letter of a revision."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from string import ascii_uppercase

from labs.simulation.outcome.rollout import FleetNodeView, FleetSnapshot, Trouble
from labs.simulation.scenario.rollout import FIRST_REVISION, Action, Rollout


class NodeState(StrEnum):
    """What a node's word says; the message `fleet.state.<state>`."""

    AVAILABLE = "available"
    LASTING = "lasting"  # Ready, but not for minReadySeconds yet
    STARTING = "starting"
    ENDING = "ending"
    NOT_READY = "not-ready"
    WAITING = "waiting"
    CRASH_LOOP = "crash-loop"
    UNSCHEDULABLE = "unschedulable"
    FAILED = "failed"
    NODE_DOWN = "node-down"
    NO_POD = "no-pod"
    LEFT_OUT = "left-out"  # the DaemonSet wants no Pod here, and there is none


class Sign(StrEnum):
    """The shape beside the word."""

    FULL = "full"  # fine
    HALF = "half"  # on its way
    CROSS = "cross"  # wrong
    EMPTY = "empty"  # nothing there


SIGNS: Mapping[NodeState, Sign] = {
    NodeState.AVAILABLE: Sign.FULL,
    NodeState.LASTING: Sign.HALF,
    NodeState.STARTING: Sign.HALF,
    NodeState.ENDING: Sign.HALF,
    NodeState.NOT_READY: Sign.CROSS,
    NodeState.WAITING: Sign.CROSS,
    NodeState.CRASH_LOOP: Sign.CROSS,
    NodeState.UNSCHEDULABLE: Sign.CROSS,
    NodeState.FAILED: Sign.CROSS,
    NodeState.NODE_DOWN: Sign.CROSS,
    NodeState.NO_POD: Sign.EMPTY,
    NodeState.LEFT_OUT: Sign.EMPTY,
}
_OF_TROUBLE: Mapping[Trouble, NodeState] = {
    Trouble.NODE_DOWN: NodeState.NODE_DOWN,
    Trouble.TERMINATING: NodeState.ENDING,
    Trouble.UNSCHEDULABLE: NodeState.UNSCHEDULABLE,
    Trouble.WAITING: NodeState.WAITING,
    Trouble.FAILED: NodeState.FAILED,
    Trouble.CRASH_LOOP: NodeState.CRASH_LOOP,
    Trouble.STARTING: NodeState.STARTING,
    Trouble.NOT_READY: NodeState.NOT_READY,
    Trouble.NOT_AVAILABLE: NodeState.LASTING,
    Trouble.NO_POD: NodeState.NO_POD,
}


def state_of(node: FleetNodeView) -> NodeState:
    """The state of a node."""
    if node.trouble is not None:
        return _OF_TROUBLE[node.trouble]
    return NodeState.AVAILABLE if node.pods else NodeState.LEFT_OUT


def is_stuck(node: FleetNodeView) -> bool:
    """Whether something is wrong on the node that time alone may not mend."""
    return SIGNS[state_of(node)] is Sign.CROSS


def kubectl_status(node: FleetNodeView) -> str:
    """The column STATUS of `kubectl get pods` for the Pod that is in trouble, or for the one that counts."""
    pods = [pod for pod in node.pods if not pod.available] or list(node.pods)
    return pods[0].status if pods else ""


def revision_letters(rollout: Rollout) -> dict[str, str]:
    """A letter for each template that there has been, in the order in which they came: A, B, …; then numbers."""
    named = [FIRST_REVISION, *(event.template for event in rollout.events if event.action is Action.TEMPLATE)]
    distinct = list(dict.fromkeys(named))
    return {
        name: ascii_uppercase[place] if place < len(ascii_uppercase) else str(place + 1)
        for place, name in enumerate(distinct)
    }


def node_letters(node: FleetNodeView, letters: Mapping[str, str]) -> tuple[tuple[str, bool], ...]:
    """The letter of each template that a Pod on the node has, once, and whether it is the present one.

    That of the Pod that counts comes first.
    """
    return tuple(dict.fromkeys((letters.get(pod.revision, "?"), pod.is_new) for pod in node.pods))


def chosen_node(fleet: FleetSnapshot, name: str | None) -> FleetNodeView | None:
    """The node with that name, else the first that is stuck, else one on its way, else the first."""
    by_name = {node.name: node for node in fleet.nodes}
    if name in by_name:
        return by_name[name]
    stuck = [node for node in fleet.nodes if is_stuck(node)]
    moving = [node for node in fleet.nodes if node.trouble is not None]
    return next(iter([*stuck, *moving, *fleet.nodes]), None)
