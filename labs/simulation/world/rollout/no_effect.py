"""Actions of which nothing comes: why, and what kubectl says to them.

Words of kubectl: `pkg/drain/cordon.go` and `pkg/cmd/drain/drain.go` (already cordoned), `pkg/cmd/label/label.go` (not
labeled, not found), `pkg/cmd/apply/apply.go` (unchanged), `pkg/cmd/patch/patch.go` (no change), `pkg/cmd/delete/delete.go`.
"""

from __future__ import annotations

from collections.abc import Sequence

from labs.simulation.scenario.rollout import Action, NoEffect, RolloutEvent
from labs.simulation.world.rollout.fleet import Fleet
from labs.simulation.world.rollout.nodes import FleetNode

CONFIG_LABEL = "nvidia.com/device-plugin.config"
BY_KUBECTL = (
    Action.CORDON,
    Action.UNCORDON,
    Action.SELECT,
    Action.DESELECT,
    Action.LABEL,
    Action.DELETE_NODE,
)


def no_effect(event: RolloutEvent, node: FleetNode, fleet: Fleet) -> NoEffect | None:
    """Why nothing comes of an action on a node; None: something does."""
    match event.action:
        case Action.CORDON | Action.UNCORDON if node.cordoned is (event.action is Action.CORDON):
            return NoEffect.UNCHANGED
        case Action.SELECT | Action.DESELECT if node.selected is (event.action is Action.SELECT):
            return NoEffect.UNCHANGED
        case Action.LABEL if node.label == event.label:
            return NoEffect.UNCHANGED
        case Action.REPAIR | Action.DOWN | Action.REBOOT | Action.RESTART_KUBELET if node.reboots:
            return NoEffect.NODE_BOOTING
        case Action.RESTART_KUBELET if node.silent:
            return NoEffect.NODE_SILENT
        case Action.DOWN if node.silent:
            return NoEffect.UNCHANGED
        case Action.NOT_READY | Action.DELETE_POD if not node.pods:
            return NoEffect.NO_POD
        case Action.NOT_READY if all(pod.stuck and pod.ready_since_us is None for pod in node.pods):
            return NoEffect.UNCHANGED
        case Action.DELETE_POD if not event.force and all(pod.terminating for pod in node.pods):
            return NoEffect.TERMINATING
        case Action.REPAIR if fleet.is_well(node):
            return NoEffect.WELL
        case _:
            return None


def kubectl_words(event: RolloutEvent, node: str, why: NoEffect) -> Sequence[str]:
    """What kubectl prints where it is kubectl that somebody asks, and where it says something."""
    action = event.action
    if why is NoEffect.NODE_ABSENT and action in BY_KUBECTL:
        return (f'Error from server (NotFound): nodes "{node}" not found',)
    if why in (NoEffect.NO_POD, NoEffect.NODE_ABSENT) and action is Action.DELETE_POD:
        return ("No resources found",)
    if why is not NoEffect.UNCHANGED:
        return ()
    if action in (Action.CORDON, Action.UNCORDON):
        return (f"node/{node} already {action}ed",)
    missing = [f'label "{CONFIG_LABEL}" not found.'] if action is Action.LABEL and not event.label else []
    return (*missing, f"node/{node} not labeled") if action in BY_KUBECTL else ()
