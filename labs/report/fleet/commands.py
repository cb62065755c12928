"""The commands by which somebody does what is done to a rollout: each valid as it stands, and about nothing else.

In its namespace a DaemonSet's Pods have neighbours, so a Pod is named, or chosen by the DaemonSet's label beside its node.
Nodes are named; `all` are those with a GPU, which the label of GPU feature discovery tells; of many the names are in a file.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

from labs.simulation.outcome.rollout import NAMESPACE
from labs.simulation.scenario.rollout import Action, Rollout, RolloutEvent
from labs.simulation.world.rollout import CONFIG_LABEL

SELECTOR = "nvidia.com/gpu.deploy.device-plugin"  # the node selector of the operator's plugin DaemonSet
ALL_NODES = "-l nvidia.com/gpu.present=true"
NAMED_MOST = 12  # in one command
IN_NAMESPACE = f"-n {NAMESPACE}"


def commands_of(rollout: Rollout, event: RolloutEvent, pods: Sequence[str] = ()) -> tuple[str, ...]:
    """The commands of an action, none where it is none of kubectl's; `pods` are those that it has deleted, if any."""
    name = rollout.name
    match event.action:
        case Action.TEMPLATE:
            return (f"kubectl apply -f {shlex.quote(f'{event.template}.yaml')}",)
        case Action.UNDO:
            to = f" --to-revision={event.to_revision}" if event.to_revision else ""
            return (f"kubectl rollout undo {IN_NAMESPACE} daemonset/{name}{to}",)
        case Action.PATCH:
            return (f"kubectl patch daemonset {IN_NAMESPACE} {name} -p {shlex.quote(_patch(event))}",)
        case Action.CONFIG_MAP:
            return (f"kubectl apply {IN_NAMESPACE} -f configmap.yaml",)
        case Action.DELETE_POD:
            return _delete_pods(rollout, event, pods)
        case Action.CORDON | Action.UNCORDON:
            return (_of_nodes(f"kubectl {event.action}", event),)
        case Action.DESELECT | Action.SELECT:
            return (_label(event, f"{SELECTOR}={str(event.action is Action.SELECT).lower()} --overwrite"),)
        case Action.LABEL:
            to = f"={event.label} --overwrite" if event.label else "-"
            return (_label(event, f"{CONFIG_LABEL}{to}"),)
        case Action.RESTART_KUBELET:
            return _on_nodes("sudo systemctl restart kubelet", event)
        case Action.REBOOT:
            return _on_nodes("sudo systemctl reboot", event)
        case Action.DELETE_NODE:
            return (_of_nodes("kubectl delete node", event),)
        case _:
            return ()


def _patch(event: RolloutEvent) -> str:
    numbers = {"maxUnavailable": event.max_unavailable, "maxSurge": event.max_surge}
    budget = {key: value for key, value in numbers.items() if value is not None}
    return json.dumps({"spec": {"updateStrategy": {"rollingUpdate": budget}}}, separators=(",", ":"))


def _of_nodes(command: str, event: RolloutEvent) -> str:
    if event.all_nodes:
        return f"{command} {ALL_NODES}"
    if len(event.nodes) > NAMED_MOST:
        return f"xargs {command} < nodes.txt"
    return f"{command} {_named(event.nodes)}"


def _label(event: RolloutEvent, change: str) -> str:
    if event.all_nodes:
        return f"kubectl label node {ALL_NODES} {change}"
    if len(event.nodes) > NAMED_MOST:
        return f"xargs -I NODE kubectl label node NODE {change} < nodes.txt"
    return f"kubectl label node {_named(event.nodes)} {change}"


def _delete_pods(rollout: Rollout, event: RolloutEvent, pods: Sequence[str]) -> tuple[str, ...]:
    """By their names where they are known, else by what tells them from the other Pods of their node."""
    delete = f"kubectl delete pod {IN_NAMESPACE}"
    force = " --force --grace-period=0" if event.force else ""
    if 0 < len(pods) <= NAMED_MOST:
        return (f"{delete} {_named(pods)}{force}",)
    delete = f"{delete} -l app={rollout.name}"
    if event.all_nodes:
        return (f"{delete}{force}",)
    of_node = f"{delete} --field-selector spec.nodeName="
    if len(event.nodes) > NAMED_MOST:
        return (f"xargs -I NODE {of_node}NODE{force} < nodes.txt",)
    return tuple(f"{of_node}{shlex.quote(node)}{force}" for node in event.nodes)


def _on_nodes(command: str, event: RolloutEvent) -> tuple[str, ...]:
    if event.all_nodes:
        names = f"kubectl get nodes {ALL_NODES} -o name | cut -d / -f 2"
        return (f"{names} | xargs -I NODE ssh NODE {command}",)
    if len(event.nodes) > NAMED_MOST:
        return (f"xargs -I NODE ssh NODE {command} < nodes.txt",)
    return tuple(f"ssh {shlex.quote(node)} {command}" for node in event.nodes)


def _named(names: Sequence[str]) -> str:
    return " ".join(shlex.quote(name) for name in names)
