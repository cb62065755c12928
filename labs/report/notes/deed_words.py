"""What somebody does to a cluster in words."""

from __future__ import annotations

from collections.abc import Sequence

from labs.report.writing import Messages
from labs.simulation.scenario.rollout import Deed, RolloutEvent

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
    return messages.pick(f"fleet.deed.{deed_key(event)}.what", values)


def deed_key(event: RolloutEvent) -> str:
    """The key of a deed's messages, `fleet.deed.<key>`."""
    if event.deed is Deed.LABEL and not event.label:
        return "unlabel"
    return "force-delete" if event.deed is Deed.DELETE_POD and event.force else _KEYS[event.deed]


_KEYS = {
    Deed.TEMPLATE: "template",
    Deed.UNDO: "undo",
    Deed.PATCH: "patch",
    Deed.CONFIG_MAP: "config-map",
    Deed.NOT_READY: "not-ready",
    Deed.DELETE_POD: "delete-pod",
    Deed.CORDON: "cordon",
    Deed.UNCORDON: "uncordon",
    Deed.DESELECT: "deselect",
    Deed.SELECT: "select",
    Deed.ADD_NODE: "add-node",
    Deed.DELETE_NODE: "delete-node",
    Deed.REPAIR: "repair",
    Deed.LABEL: "label",
    Deed.RESTART_KUBELET: "restart-kubelet",
    Deed.DOWN: "down",
    Deed.REBOOT: "reboot",
}


def _some(names: Sequence[str], messages: Messages) -> str:
    """The names of some nodes, of many the first."""
    shown = list(names[:NAMED])
    if len(names) > NAMED:
        shown.append(messages.count("fleet.more", len(names) - NAMED))
    return messages.join(shown)
