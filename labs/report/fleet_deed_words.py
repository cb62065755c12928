"""What somebody does to a cluster in words, and by which command of kubectl."""

from __future__ import annotations

import json

from labs.report.messages import Messages
from labs.simulation.rollout import Deed, Rollout, RolloutEvent
from labs.simulation.rollout_idle import CONFIG_LABEL

LABEL = "nvidia.com/gpu.deploy.device-plugin"  # the node selector of the operator's plugin DaemonSet


def what_text(event: RolloutEvent, messages: Messages) -> str:
    """What was done, in a few words."""
    nodes = messages.text("fleet.all-nodes") if event.all_nodes else messages.join(list(event.nodes))
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
}


def command_of(rollout: Rollout, event: RolloutEvent) -> str:
    """The command by which somebody does it; empty where it is none of kubectl's."""
    name, nodes = rollout.name, " ".join(event.nodes)
    match event.deed:
        case Deed.TEMPLATE:
            return f"kubectl apply -f {event.template}.yaml"
        case Deed.UNDO:
            to = f" --to-revision={event.to_revision}" if event.to_revision else ""
            return f"kubectl rollout undo ds/{name}{to}"
        case Deed.PATCH:
            given = {"maxUnavailable": event.max_unavailable, "maxSurge": event.max_surge}
            budget = {key: value for key, value in given.items() if value is not None}
            patch = {"spec": {"updateStrategy": {"rollingUpdate": budget}}}
            return f"kubectl patch ds {name} -p '{json.dumps(patch, separators=(',', ':'))}'"
        case Deed.CONFIG_MAP:
            return "kubectl apply -f configmap.yaml"
        case Deed.DELETE_POD:
            force = " --force --grace-period=0" if event.force else ""
            return f"kubectl delete pod --field-selector spec.nodeName={nodes}{force}"
        case Deed.CORDON | Deed.UNCORDON:
            return f"kubectl {event.deed} {nodes}"
        case Deed.DESELECT | Deed.SELECT:
            value = "true" if event.deed is Deed.SELECT else "false"
            return f"kubectl label node {nodes} {LABEL}={value} --overwrite"
        case Deed.LABEL:
            to = f"={event.label} --overwrite" if event.label else "-"
            return f"kubectl label node {nodes} {CONFIG_LABEL}{to}"
        case Deed.RESTART_KUBELET:
            return "systemctl restart kubelet"
        case Deed.DELETE_NODE:
            return f"kubectl delete node {nodes}"
        case _:
            return ""
