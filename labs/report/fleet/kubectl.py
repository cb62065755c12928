"""What `kubectl` prints about a rollout at a moment: English, as in life.

Each command prints what stands under it, column by column. Where no command of `kubectl get` shows what matters, its
`custom-columns` do. Addresses of Pods are made up, as their names are.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from labs.cluster.pod_phase import Phase
from labs.hardware.units import SECOND_US
from labs.report.fleet.commands import IN_NAMESPACE, SELECTOR
from labs.report.fleet.state import is_stuck
from labs.simulation.outcome.rollout import (
    NAMESPACE,
    USER,
    DaemonPodView,
    FleetEvent,
    FleetNodeView,
    FleetSnapshot,
    Trouble,
)
from labs.simulation.scenario.rollout import Rollout
from labs.simulation.world.rollout import LONG_AGO_US

ROWS, EVENTS = 60, 12  # of a table; the last ones of the events
EVENTS_LAST_US = 3_600 * SECOND_US  # the API server forgets an event after an hour (--event-ttl)
NONE = "<none>"
NO_PODS = f"No resources found in {NAMESPACE} namespace."
DAEMONSET = ("NAME", "DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE", "NODE SELECTOR", "AGE")
PODS = (
    *("NAME", "READY", "STATUS", "RESTARTS", "AGE", "IP", "NODE", "NOMINATED NODE", "READINESS GATES"),
    "CONTROLLER-REVISION-HASH",
)
NODES = {
    "NAME": ".metadata.name",
    "READY": '.status.conditions[?(@.type=="Ready")].status',
    "CORDONED": ".spec.unschedulable",
}
EVENT_COLUMNS = ("LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE")
_DIGITS = re.compile(r"([0-9]+)")


def kubectl_blocks(rollout: Rollout, fleet: FleetSnapshot) -> tuple[tuple[str, str], ...]:
    """Commands, and what each prints."""
    name = rollout.name
    pods = f"kubectl get pods {IN_NAMESPACE} -l app={name} -o wide -L controller-revision-hash --sort-by=.spec.nodeName"
    blocks = [
        (f"kubectl rollout status {IN_NAMESPACE} daemonset/{name}", fleet.line),
        (f"kubectl get daemonset {IN_NAMESPACE} {name}", _text(DAEMONSET, [_daemonset(rollout, fleet)])),
        (pods, _text(PODS, _cut(list(_pods(fleet)))) if any(node.pods for node in fleet.nodes) else NO_PODS),
        _nodes(fleet),
    ]
    events = _events(fleet)
    if events:
        blocks.append(
            (f"kubectl get events {IN_NAMESPACE} --sort-by=.lastTimestamp | tail -n {EVENTS}", events)
        )
    return tuple(blocks)


def _daemonset(rollout: Rollout, fleet: FleetSnapshot) -> tuple[str, ...]:
    status = fleet.status
    numbers = (status.desired, status.current, status.ready, status.updated, status.available)
    age = age_text(fleet.at_us + 2 * LONG_AGO_US)
    return (rollout.name, *map(str, numbers), f"{SELECTOR}=true", age)


# Pods


def _pods(fleet: FleetSnapshot) -> Iterator[tuple[str, ...]]:
    """By node, those without one first."""
    pods = [(node, pod, number) for number, node in enumerate(fleet.nodes) for pod in node.pods]
    for node, pod, number in sorted(
        pods, key=lambda row: (_is_bound(row[0], row[1]), _natural(row[0].name), row[1].name)
    ):
        is_bound = _is_bound(node, pod)
        yield (
            pod.name,
            f"{pod.ready_containers}/{pod.containers}",
            _status(node, pod),
            restarts_text(pod, fleet.at_us),
            age_text(fleet.at_us - pod.created_us),
            _address(node, pod, number),
            node.name if is_bound else NONE,
            NONE,
            NONE,
            pod.revision,
        )


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that has node-2 before node-10, as kubectl sorts text."""
    parts = _DIGITS.split(name)
    return [(int(part), "") if part.isdigit() else (0, part) for part in parts]


def _is_bound(node: FleetNodeView, pod: DaemonPodView) -> bool:
    return node.trouble is not Trouble.UNSCHEDULABLE or pod.has_run


def _status(node: FleetNodeView, pod: DaemonPodView) -> str:
    """The column STATUS: of a Pod that a kubelet has taken, and whose containers are not there yet, what they wait for."""
    is_taken = pod.status == Phase.PENDING and not node.down and _is_bound(node, pod)
    return "ContainerCreating" if is_taken else pod.status


def restarts_text(pod: DaemonPodView, at_us: int) -> str:
    """The column RESTARTS: how many, and how long ago the last one was; while a Pod starts, its init containers' count."""
    restarts = pod.restarts + pod.init_restarts
    last_us = pod.crashed_us if pod.init_restarted_us is None else pod.init_restarted_us
    return (
        str(restarts) if not restarts or last_us is None else f"{restarts} ({age_text(at_us - last_us)} ago)"
    )


def _address(node: FleetNodeView, pod: DaemonPodView, number: int) -> str:
    """An address of the node's range, once the Pod's sandbox is there."""
    is_there = pod.has_run or pod.restarts or pod.status not in (Phase.PENDING, "Terminating")
    if not is_there or pod.phase is Phase.FAILED or not _is_bound(node, pod):
        return NONE
    return f"10.{64 + number // 256}.{number % 256}.{2 + sum(map(ord, pod.name)) % 250}"


# Nodes


def _nodes(fleet: FleetSnapshot) -> tuple[str, str]:
    """Nodes; where they offer slots, with what the API shows of them."""
    resources = sorted({offer.resource for node in fleet.nodes for offer in node.offers})
    columns = dict(NODES)
    for resource in resources:
        short, path = resource.partition("/")[2].upper(), resource.replace(".", "\\.")
        columns[f"CAPACITY({short})"] = f".status.capacity.{path}"
        columns[f"ALLOCATABLE({short})"] = f".status.allocatable.{path}"
    nodes = fleet.nodes if len(fleet.nodes) <= ROWS else [node for node in fleet.nodes if is_stuck(node)]
    rows = [(*_node(node), *_offers(node, resources)) for node in nodes[:ROWS]]
    rest = _rest(len(fleet.nodes) - len(rows), len(columns))
    return columns_command("nodes", columns), _text(tuple(columns), [*rows, *rest])


def _node(node: FleetNodeView) -> tuple[str, str, str]:
    return node.name, "Unknown" if node.down else "True", "true" if node.cordoned else NONE


def _offers(node: FleetNodeView, resources: Sequence[str]) -> Iterator[str]:
    offers = {offer.resource: offer for offer in node.offers}
    for resource in resources:
        offer = offers.get(resource)
        yield NONE if offer is None else str(offer.capacity)
        yield NONE if offer is None else str(offer.allocatable)


# Events


def _events(fleet: FleetSnapshot) -> str:
    """The last lines of the events, of the same one the latest."""
    distinct: dict[tuple[str, str, str], FleetEvent] = {}
    for event in fleet.events:
        if event.kind != USER and fleet.at_us - event.at_us <= EVENTS_LAST_US:
            key = event.reason, event.name, event.message
            distinct.pop(key, None)
            distinct[key] = event
    if not distinct:
        return ""
    lines = list(table(EVENT_COLUMNS, [_event(event, fleet.at_us) for event in distinct.values()]))
    return "\n".join(lines[-EVENTS:])


def _event(event: FleetEvent, at_us: int) -> tuple[str, ...]:
    kind = "Warning" if event.is_warning else "Normal"
    of = f"{event.kind.lower()}/{event.name}"
    return age_text(at_us - event.at_us), kind, event.reason, of, event.message


# Tables


def columns_command(kind: str, columns: Mapping[str, str]) -> str:
    """The command that prints these columns, by their heads."""
    spec = ",".join(f"{head}:{path}" for head, path in columns.items())
    return f"kubectl get {kind} -o custom-columns={shlex.quote(spec)}"


def _cut(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [*rows[:ROWS], *_rest(len(rows) - ROWS, len(PODS))]


def _rest(count: int, columns: int) -> list[tuple[str, ...]]:
    """A row for those that are left out."""
    return [(f"... {count} more", *("" for _ in range(columns - 1)))] if count > 0 else []


def age_text(span_us: int) -> str:
    """A span as kubectl shows ages (`duration.HumanDuration`)."""
    seconds = span_us // SECOND_US
    if seconds < 120:
        return f"{seconds}s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 10:
        return f"{minutes}m{seconds}s" if seconds else f"{minutes}m"
    if minutes < 180:
        return f"{minutes}m"
    hours, minutes = divmod(minutes, 60)
    if hours < 8:
        return f"{hours}h{minutes}m" if minutes else f"{hours}h"
    days, hours = divmod(hours, 24)
    if days < 2:
        return f"{days * 24 + hours}h"
    return f"{days}d{hours}h" if days < 8 and hours else f"{days}d"


def _text(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(table(columns, rows))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Columns three spaces apart, as kubectl sets them."""
    lines = [columns, *rows]
    widths = [max(len(line[index]) for line in lines) for index in range(len(columns))]
    for line in lines:
        yield "   ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
