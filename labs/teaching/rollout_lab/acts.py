"""What a reader may do to the cluster at the moment that is shown: each act is one more event of the scenario's text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum

from labs.cluster.daemonset import numeric
from labs.hardware.units import SECOND_US
from labs.report.fleet import chosen_node
from labs.simulation.outcome.rollout import FleetNodeView, FleetSnapshot
from labs.simulation.scenario.rollout import Action, seconds_us
from labs.teaching.rollout_lab.edits import event_nodes, with_event, with_revision
from labs.teaching.rollout_lab.results import RolloutRun

_NUMBERED = re.compile(r"(.*?)([0-9]+)")


class Act(StrEnum):
    """An act; its words are the messages `rollout-lab.act.<act>`."""

    REPAIR = "repair"
    DELETE_POD = "delete-pod"
    FORCE_DELETE = "force-delete"
    CORDON = "cordon"
    UNCORDON = "uncordon"
    DESELECT = "deselect"
    SELECT = "select"
    DELETE_NODE = "delete-node"
    ROLL_FORWARD = "roll-forward"
    UNDO = "undo"
    RAISE_BUDGET = "raise-budget"
    ADD_NODE = "add-node"
    CONFIG_MAP = "config-map"
    UNLABEL = "unlabel"
    RESTART_KUBELET = "restart-kubelet"
    DOWN = "down"
    REBOOT = "reboot"
    RESTART = "restart"


NEW_TEMPLATES = (Act.ROLL_FORWARD, Act.RESTART)
CHANGED_CONFIG = "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 5}]}}\n"
_OF_NODE = {
    Act.REPAIR: Action.REPAIR,
    Act.DELETE_POD: Action.DELETE_POD,
    Act.CORDON: Action.CORDON,
    Act.UNCORDON: Action.UNCORDON,
    Act.DESELECT: Action.DESELECT,
    Act.SELECT: Action.SELECT,
    Act.DELETE_NODE: Action.DELETE_NODE,
    Act.RESTART_KUBELET: Action.RESTART_KUBELET,
    Act.DOWN: Action.DOWN,
    Act.REBOOT: Action.REBOOT,
}


@dataclass(frozen=True, slots=True)
class Acted:
    """The text with the act in it, and when it happens (whole seconds)."""

    text: str
    at_s: int


def acts_on(run: RolloutRun, node: FleetNodeView) -> tuple[Act, ...]:
    """What may be done to a node now."""
    return (
        *((Act.UNLABEL,) if node.label else ()),
        Act.REPAIR,
        Act.DELETE_POD,
        Act.FORCE_DELETE,
        Act.UNCORDON if node.cordoned else Act.CORDON,
        Act.DESELECT if node.selected else Act.SELECT,
        *((Act.RESTART_KUBELET,) if run.rollout.has_configs else ()),
        *((Act.REBOOT, Act.DOWN) if run.is_joined else ()),
        Act.DELETE_NODE,
    )


def daemonset_acts(run: RolloutRun) -> tuple[Act, ...]:
    """What may be done to the DaemonSet."""
    budget = (Act.RAISE_BUDGET,) if run.rollout.strategy.rolls else ()
    change = (Act.CONFIG_MAP, Act.RESTART) if run.rollout.has_configs else (Act.RESTART,)
    joins = () if run.is_joined else (Act.ADD_NODE,)
    return (Act.ROLL_FORWARD, Act.UNDO, *budget, *change, *joins)


def with_act(run: RolloutRun, text: str, act: Act, fleet: FleetSnapshot, node: str | None) -> Acted:
    """The text with an act that comes a second after the moment of `fleet`, so that nothing seen so far changes."""
    at_s = fleet.at_us // SECOND_US + 1
    if act in NEW_TEMPLATES:
        text = with_revision(text, _next_revision(run), _carried(run, fleet))
    return Acted(with_event(text, f"{{at: {at_s}, {_event(run, act, fleet, node)}}}"), at_s)


def _event(run: RolloutRun, act: Act, fleet: FleetSnapshot, node: str | None) -> str:
    if act in NEW_TEMPLATES:
        return f"template: {_next_revision(run)}"
    if act is Act.UNDO:
        return "undo: true"
    if act is Act.RAISE_BUDGET:
        if numeric(fleet.strategy.max_surge):
            return f"maxSurge: {_raised(fleet.strategy.max_surge)}"
        return f"maxUnavailable: {_raised(fleet.strategy.max_unavailable)}"
    if act is Act.CONFIG_MAP:
        return f"configMap: {{config: {json.dumps(CHANGED_CONFIG)}}}"
    if act is Act.ADD_NODE:
        return f"addNode: {_next_node(run)}"
    chosen = chosen_node(fleet, node)
    name = "" if chosen is None else chosen.name
    if act is Act.UNLABEL:
        return f'label: {{nodes: {name}, value: ""}}'
    if act is Act.FORCE_DELETE:
        return f"deletePod: {name}, force: true"
    return f"{_OF_NODE[act]}: {name}"


def _carried(run: RolloutRun, fleet: FleetSnapshot) -> str:
    """What a new template finds in the ConfigMap: what it was changed to last, or what the present template carries."""
    changes = [
        event.config_map
        for event in run.rollout.events
        if event.at_us <= fleet.at_us and event.config_map is not None
    ]
    carried = changes[-1] if changes else dict(run.rollout.config_maps).get(fleet.revision)
    entries = () if carried is None else carried.entries
    members = ", ".join(f"{name}: {json.dumps(text, ensure_ascii=False)}" for name, text in entries)
    return f"{{{members}}}" if [name for name, _ in entries] == ["config"] else f"{{configs: {{{members}}}}}"


def _raised(value: int | str) -> str:
    """One Pod more; of a share twice as much, up to all."""
    return str(value + 1) if isinstance(value, int) else f"{min(100, 2 * numeric(value))}%"


def _next_revision(run: RolloutRun) -> str:
    """A template that there has not been: r3 where r1 and r2 are known."""
    known = {event.template for event in run.rollout.events if event.action is Action.TEMPLATE}
    known |= {name for name, _ in run.rollout.config_maps}
    for behaviour in run.rollout.behaviours:
        known |= behaviour.revisions
    numbers = [int(name[1:]) for name in known if re.fullmatch(r"r[0-9]{1,6}", name)]
    return f"r{max([1, *numbers]) + 1}"


def _next_node(run: RolloutRun) -> str:
    """A name for a node that joins: node-11 after node-10."""
    joined = [event.nodes[0] for event in run.rollout.events if event.action is Action.ADD_NODE]
    known = [*run.rollout.nodes, *joined]
    numbered = [match for name in known if (match := _NUMBERED.fullmatch(name)) is not None]
    if not numbered:
        return "node-new"
    last = max(numbered, key=lambda match: int(match[2]))
    return f"{last[1]}{int(last[2]) + 1:0{len(last[2])}d}"


def order_of_events(text: str) -> tuple[int, ...]:
    """The numbers of the events in the order of the text, by time: as a `Rollout` has them."""
    times = [seconds_us(getattr(item.get("at"), "text", "")) or 0 for item in event_nodes(text)]
    return tuple(sorted(range(len(times)), key=lambda number: times[number]))
