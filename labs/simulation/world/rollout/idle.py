"""Deeds of which nothing comes: why, and what kubectl says to them.

Words of kubectl: `pkg/drain/cordon.go` and `pkg/cmd/drain/drain.go` (already cordoned), `pkg/cmd/label/label.go` (not
labeled, not found), `pkg/cmd/apply/apply.go` (unchanged), `pkg/cmd/patch/patch.go` (no change), `pkg/cmd/delete/delete.go`.
"""

from __future__ import annotations

from collections.abc import Sequence

from labs.simulation.scenario.rollout import Deed, InVain, RolloutEvent
from labs.simulation.world.rollout.fleet import Fleet
from labs.simulation.world.rollout.nodes import FleetNode

CONFIG_LABEL = "nvidia.com/device-plugin.config"
BY_KUBECTL = (Deed.CORDON, Deed.UNCORDON, Deed.SELECT, Deed.DESELECT, Deed.LABEL, Deed.DELETE_NODE)


def in_vain(event: RolloutEvent, node: FleetNode, fleet: Fleet) -> InVain | None:
    """Why nothing comes of a deed on a node; None: something does."""
    match event.deed:
        case Deed.CORDON | Deed.UNCORDON if node.cordoned is (event.deed is Deed.CORDON):
            return InVain.UNCHANGED
        case Deed.SELECT | Deed.DESELECT if node.selected is (event.deed is Deed.SELECT):
            return InVain.UNCHANGED
        case Deed.LABEL if node.label == event.label:
            return InVain.UNCHANGED
        case Deed.REPAIR | Deed.DOWN | Deed.REBOOT | Deed.RESTART_KUBELET if node.reboots:
            return InVain.NODE_BOOTING
        case Deed.RESTART_KUBELET if node.silent:
            return InVain.NODE_SILENT
        case Deed.DOWN if node.silent:
            return InVain.UNCHANGED
        case Deed.NOT_READY | Deed.DELETE_POD if not node.pods:
            return InVain.NO_POD
        case Deed.NOT_READY if all(pod.stuck and pod.ready_since_us is None for pod in node.pods):
            return InVain.UNCHANGED
        case Deed.DELETE_POD if not event.force and all(pod.terminating for pod in node.pods):
            return InVain.TERMINATING
        case Deed.REPAIR if fleet.is_well(node):
            return InVain.WELL
        case _:
            return None


def kubectl_words(event: RolloutEvent, node: str, why: InVain) -> Sequence[str]:
    """What kubectl prints where it is kubectl that somebody asks, and where it says something."""
    deed = event.deed
    if why is InVain.NODE_ABSENT and deed in BY_KUBECTL:
        return (f'Error from server (NotFound): nodes "{node}" not found',)
    if why in (InVain.NO_POD, InVain.NODE_ABSENT) and deed is Deed.DELETE_POD:
        return ("No resources found",)
    if why is not InVain.UNCHANGED:
        return ()
    if deed in (Deed.CORDON, Deed.UNCORDON):
        return (f"node/{node} already {deed}ed",)
    missing = [f'label "{CONFIG_LABEL}" not found.'] if deed is Deed.LABEL and not event.label else []
    return (*missing, f"node/{node} not labeled") if deed in BY_KUBECTL else ()
