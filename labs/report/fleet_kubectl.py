"""What `kubectl` prints about a rollout at a moment: English, as in life."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from labs.report.fleet_state import is_stuck
from labs.simulation.rollout import SECOND_US, Rollout
from labs.simulation.rollout_events import NAMESPACE, USER
from labs.simulation.rollout_fleet import LONG_AGO_US
from labs.simulation.rollout_snapshot import FleetEvent, FleetNodeView, FleetSnapshot, Trouble

ROWS, EVENTS = 60, 12  # of a table; the last ones of the events
DAEMONSET = ("NAME", "DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE", "NODE SELECTOR", "AGE")
PODS = ("NAME", "READY", "STATUS", "RESTARTS", "AGE", "NODE", "CONTROLLER-REVISION-HASH")


def kubectl_blocks(rollout: Rollout, fleet: FleetSnapshot) -> tuple[tuple[str, str], ...]:
    """Commands, and what each prints."""
    name = rollout.name
    blocks = [
        (f"kubectl rollout status daemonset/{name}", fleet.line),
        (f"kubectl get daemonset {name}", _table(DAEMONSET, [_daemonset(rollout, fleet)])),
        ("kubectl get pods -o wide -L controller-revision-hash", _table(PODS, _cut(list(_pods(fleet))))),
        ("kubectl get nodes", _table(*_nodes(fleet))),
    ]
    events = [event for event in fleet.events if event.kind != USER][-EVENTS:]
    if events:
        rows = [_event(event, fleet.at_us) for event in events]
        columns = ("LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE")
        blocks.append((f"kubectl get events -n {NAMESPACE}", _table(columns, rows)))
    return tuple(blocks)


def _daemonset(rollout: Rollout, fleet: FleetSnapshot) -> tuple[str, ...]:
    found = fleet.status
    numbers = (found.desired, found.current, found.ready, found.updated, found.available)
    return (rollout.name, *map(str, numbers), "<none>", age_text(fleet.at_us + 2 * LONG_AGO_US))


def _pods(fleet: FleetSnapshot) -> Iterator[tuple[str, ...]]:
    for node in fleet.nodes:
        for pod in node.pods:
            ready = "1/1" if pod.ready else "0/1"
            age = age_text(fleet.at_us - pod.created_us)
            is_bound = node.trouble is not Trouble.UNSCHEDULABLE or pod.has_run
            where = node.name if is_bound else "<none>"
            yield pod.name, ready, pod.status, str(pod.restarts), age, where, pod.revision


def _nodes(fleet: FleetSnapshot) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Nodes; where they offer slots, with what the API shows of them."""
    resources = sorted({offer.resource for node in fleet.nodes for offer in node.offers})
    columns = ["NAME", "STATUS"]
    for resource in resources:
        short = resource.partition("/")[2].upper()
        columns += [f"CAPACITY({short})", f"ALLOCATABLE({short})"]
    shown = fleet.nodes if len(fleet.nodes) <= ROWS else [node for node in fleet.nodes if is_stuck(node)]
    rows = [(node.name, node.status, *_offers(node, resources)) for node in shown[:ROWS]]
    return tuple(columns), [*rows, *_rest(len(fleet.nodes) - len(rows), len(columns))]


def _offers(node: FleetNodeView, resources: Sequence[str]) -> Iterator[str]:
    offers = {offer.resource: offer for offer in node.offers}
    for resource in resources:
        offer = offers.get(resource)
        yield "<none>" if offer is None else str(offer.capacity)
        yield "<none>" if offer is None else str(offer.allocatable)


def _event(event: FleetEvent, at_us: int) -> tuple[str, ...]:
    kind = "Warning" if event.is_warning else "Normal"
    return (
        age_text(at_us - event.at_us),
        kind,
        event.reason,
        f"{event.kind.lower()}/{event.name}",
        event.message,
    )


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


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns three spaces apart, as kubectl sets them; its words where there is nothing."""
    lines = [columns, *rows]
    if len(lines) == 1:
        return "No resources found"
    widths = [max(len(line[index]) for line in lines) for index in range(len(columns))]
    return "\n".join(
        "   ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
