"""What somebody does to a cluster in words."""

from __future__ import annotations

from collections.abc import Sequence

from labs.report.writing import Messages
from labs.simulation.scenario.rollout import Action, RolloutEvent

NAMED = 4  # nodes in a few words


def what_text(event: RolloutEvent, messages: Messages) -> str:
    """What was done, in a few words."""
    nodes = messages.text("fleet.all-nodes") if event.all_nodes else _some(event.nodes, messages)
    values: dict[str, str | int] = {"nodes": nodes, "template": event.template, "revision": event.to_revision}
    values["label"] = event.label or ""
    if event.max_unavailable is not None:
        values["budget"] = f"maxUnavailable: {event.max_unavailable}"
    if event.max_surge is not None:
        more = f"maxSurge: {event.max_surge}"
        values["budget"] = f"{values['budget']}, {more}" if "budget" in values else more
    return messages.pick(f"fleet.deed.{action_key(event)}.what", values)


def action_key(event: RolloutEvent) -> str:
    """The key of an action's messages, `fleet.deed.<key>`."""
    if event.action is Action.LABEL and not event.label:
        return "unlabel"
    return "force-delete" if event.action is Action.DELETE_POD and event.force else _KEYS[event.action]


_KEYS = {
    Action.TEMPLATE: "template",
    Action.UNDO: "undo",
    Action.PATCH: "patch",
    Action.CONFIG_MAP: "config-map",
    Action.NOT_READY: "not-ready",
    Action.DELETE_POD: "delete-pod",
    Action.CORDON: "cordon",
    Action.UNCORDON: "uncordon",
    Action.DESELECT: "deselect",
    Action.SELECT: "select",
    Action.ADD_NODE: "add-node",
    Action.DELETE_NODE: "delete-node",
    Action.REPAIR: "repair",
    Action.LABEL: "label",
    Action.RESTART_KUBELET: "restart-kubelet",
    Action.DOWN: "down",
    Action.REBOOT: "reboot",
}


def _some(names: Sequence[str], messages: Messages) -> str:
    """The names of some nodes, of many the first."""
    named = list(names[:NAMED])
    if len(names) > NAMED:
        named.append(messages.count("fleet.more", len(names) - NAMED))
    return messages.join(named)
