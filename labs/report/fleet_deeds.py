"""What was done to a cluster while a rollout ran: when, by which command, what came of it, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labs.report.messages import Messages
from labs.simulation.rollout import Deed, Rollout, RolloutEvent
from labs.simulation.rollout_metrics import slots_offered
from labs.simulation.rollout_snapshot import FleetSnapshot

LABEL = "nvidia.com/gpu.deploy.device-plugin"  # the node selector of the operator's plugin DaemonSet
CONFIG_LABEL = "nvidia.com/device-plugin.config"
SAID = ("kubectl-printed", "spec-refused")  # reasons of events that hold what was answered to a deed


@dataclass(frozen=True, slots=True)
class DoneDeed:
    """A deed in words: ``what`` was done, ``effect`` (what came of it before the next), ``why``; ``command`` and ``said`` are
    English and may be empty."""

    at_us: int
    what: str
    command: str
    said: str
    effect: str
    why: str


def done_deeds(
    rollout: Rollout, moments: Sequence[int], snapshots: Sequence[FleetSnapshot], messages: Messages
) -> tuple[DoneDeed, ...]:
    """The deeds of a run in the order of time."""
    told = []
    for place, event in enumerate(rollout.events):
        later = rollout.events[place + 1].at_us if place + 1 < len(rollout.events) else None
        before = [found for at, found in zip(moments, snapshots, strict=True) if at < event.at_us]
        after = [
            found
            for at, found in zip(moments, snapshots, strict=True)
            if at >= event.at_us and (later is None or at < later)
        ]
        told.append(
            DoneDeed(
                event.at_us,
                what_text(event, messages),
                command_of(rollout, event),
                _said(event, after),
                messages.text("list.sentences").join(
                    _effects(event, before[-1] if before else None, after, messages)
                ),
                _why(event, messages),
            )
        )
    return tuple(told)


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
    return messages.pick(f"fleet.deed.{_key(event)}.what", values)


def _why(event: RolloutEvent, messages: Messages) -> str:
    return messages.text(f"fleet.deed.{_key(event)}.why")


def _key(event: RolloutEvent) -> str:
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


def _said(event: RolloutEvent, after: Sequence[FleetSnapshot]) -> str:
    """What kubectl answered."""
    events = after[0].events if after else ()
    return "\n".join(found.message for found in events if found.at_us == event.at_us and found.reason in SAID)


def _effects(
    event: RolloutEvent, before: FleetSnapshot | None, after: Sequence[FleetSnapshot], messages: Messages
) -> Iterator[str]:
    """What came of it: Pods of the DaemonSet, and slots where nodes have cards."""
    yield _effect(event, before, after, messages)
    slots = [slots_offered(found) for found in (before, after[-1] if after else None) if found is not None]
    if len(slots) == 2 and slots[0] != slots[1]:
        yield messages.text("fleet.effect.slots", before=slots[0], after=slots[1])


def _effect(
    event: RolloutEvent, before: FleetSnapshot | None, after: Sequence[FleetSnapshot], messages: Messages
) -> str:
    """What came of it, in numbers."""
    if not after:
        return messages.text("fleet.effect.too-late")
    last = after[-1]
    done = next((found for found in after if found.is_done), None)
    values: dict[str, str | int] = {
        "updated": last.status.updated,
        "desired": last.status.desired,
        "available": last.status.available,
    }
    if before is not None:
        values |= {"before": before.status.updated}
        if before.is_done and last.is_done and before.status == last.status:
            return messages.text("fleet.effect.stays-done")
    if last.is_done and done is not None:
        took = messages.duration(done.at_us - event.at_us)
        return messages.pick("fleet.effect.done", {**values, "took": took})
    if before is not None and before.status == last.status and before.revision == last.revision:
        return messages.pick("fleet.effect.nothing", values)
    if before is not None:
        return messages.pick("fleet.effect.changed", values)
    return messages.pick("fleet.effect.came-to", values)
