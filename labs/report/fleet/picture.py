"""The picture of a rollout: the fleet as a grid of nodes at one moment.

Up to DRAWN_MOST nodes are drawn one by one. Of more the nodes in trouble are, up to TROUBLED_MOST, and the rest are counted
by revision and state, with a bar to scale for each group; the picture says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labs.report.cards import Width
from labs.report.drawing import Anchor, Placed, Rect, Scene, Shape, Text, heading
from labs.report.fleet.state import SIGNS, NodeState, is_stuck, revision_letters, state_of
from labs.report.fleet.tile import sign, tile, tile_form
from labs.report.fleet.words import group_texts
from labs.report.writing import Messages, fit, pixels, wrap_pixels
from labs.simulation.outcome.rollout import FleetNodeView, FleetSnapshot, WorkloadPodView
from labs.simulation.scenario.rollout import Rollout

DRAWN_MOST, TROUBLED_MOST = 60, 24
ROOMY_MOST = 24  # nodes that have room for kubectl's word
NAMED_MOST = {Width.WIDE: 24, Width.NARROW: 12}  # Pods that wait
RESOURCES_MOST = 2
GAP = 10.0


@dataclass(frozen=True, slots=True)
class FleetFrame:
    """What a picture of a fleet is of: the scenario, the moment, and the node that is chosen."""

    rollout: Rollout
    fleet: FleetSnapshot
    chosen: str | None


def fleet_scene(frame: FleetFrame, messages: Messages, width: Width) -> Scene:
    """The picture."""
    fleet, letters = frame.fleet, revision_letters(frame.rollout)
    inner = width.units - 8
    title = messages.count("fleet.title", len(fleet.nodes), time=messages.duration(fleet.at_us))
    head = heading(title, legend_text(fleet, letters, messages), 4, 0, inner)
    y = head.height + 14
    is_many = len(fleet.nodes) > DRAWN_MOST
    tiles = [node for node in fleet.nodes if is_stuck(node)][:TROUBLED_MOST] if is_many else fleet.nodes
    shapes = list(head.shapes)
    if is_many:
        groups = _groups(fleet, letters, messages, 4, y, inner)
        shapes += groups.shapes
        y += groups.height + 14
    grid = _grid(tiles, frame, letters, messages, width, y)
    shapes += grid.shapes
    y += grid.height
    waiting = _waiting(fleet.waiting_pods, messages, width, y + 6)
    shapes += waiting.shapes
    y += waiting.height + (6 if waiting.shapes else 0)
    sentences = group_texts(fleet, letters, messages) or [messages.text("picture.empty")]
    described = messages.text("list.sentences").join(sentences)
    return Scene(width.units, y + 4, tuple(shapes), title, described)


def legend_text(fleet: FleetSnapshot, letters: Mapping[str, str], messages: Messages) -> str:
    """Which letter is which revision."""
    if not fleet.nodes:
        return messages.text("picture.empty")
    there = [name for name in letters if name in fleet.revisions or name == fleet.revision]
    entries = [
        messages.text(
            "fleet.letter-now" if name == fleet.revision else "fleet.letter",
            letter=letters[name],
            revision=name,
        )
        for name in there
    ]
    return messages.text("fleet.how", letters=messages.text("list.comma").join(entries))


def shown_resources(fleet: FleetSnapshot) -> tuple[str, ...]:
    """The resources that the nodes offer, or that stand there with 0."""
    resources = dict.fromkeys(
        offer.resource for node in fleet.nodes for offer in node.offers if offer.capacity
    )
    return tuple(sorted(resources)[:RESOURCES_MOST])


def _columns(nodes: int, width: Width) -> int:
    if width is Width.NARROW:
        return 2 if nodes <= ROOMY_MOST else 3
    if nodes > ROOMY_MOST:
        return 6
    return min((5, 4, 3), key=lambda columns: -nodes % columns) if nodes > 5 else max(3, nodes)


def _grid(
    nodes: Sequence[FleetNodeView],
    frame: FleetFrame,
    letters: Mapping[str, str],
    messages: Messages,
    width: Width,
    y: float,
) -> Placed:
    columns = _columns(len(nodes), width)
    wide = (width.units - 8 + GAP) / columns - GAP
    has_detail = len(nodes) <= ROOMY_MOST
    most = max((offer.capacity for node in nodes for offer in node.offers), default=0)
    resources = shown_resources(frame.fleet)
    form = tile_form(wide, has_detail=has_detail, resources=resources, most_slots=most)
    tiles: list[Shape] = []
    for index, node in enumerate(nodes):
        row, column = divmod(index, columns)
        at_x, at_y = 4 + column * (wide + GAP), y + row * (form.height + GAP)
        chosen = node.name == frame.chosen
        tiles.append(tile(node, form, letters, messages, at_x, at_y, is_chosen=chosen))
    rows = -(-len(nodes) // columns)
    return Placed(tuple(tiles), rows * (form.height + GAP) - (GAP if rows else 0))


def _groups(
    fleet: FleetSnapshot, letters: Mapping[str, str], messages: Messages, x: float, y: float, width: float
) -> Placed:
    """A row for each revision and state: the letter, shape and word, a bar to scale, the number."""
    counted = Counter((node.revision or "", state_of(node)) for node in fleet.nodes)
    places = list(letters)
    order = list(NodeState)
    rows = sorted(counted.items(), key=lambda item: (_place(item[0][0], places), order.index(item[0][1])))
    shapes: list[Shape] = []
    label = 150.0 if width > 500 else 130.0
    room = width - label - 60
    for index, ((revision, state), count) in enumerate(rows):
        top = y + 26 * index
        shapes += sign(SIGNS[state], x + 32, top + 9)
        shapes.append(Text(x + 4, top + 13, letters.get(revision, "–"), 12.5, bold=True))
        words = fit(messages.text(f"fleet.state.{state}"), label - 46, 12)
        shapes.append(Text(x + 44, top + 13, words, 12))
        full = max(1.0, room * count / len(fleet.nodes))
        css = "gl-rev-new" if revision == fleet.revision else "gl-rev-old"
        shapes.append(Rect(x + label, top + 2, full, 14, css, 2))
        shapes.append(Text(x + label + full + 8, top + 13, messages.number(count), 12, bold=True))
    more = messages.count("fleet.summarised", DRAWN_MOST)
    lines = wrap_pixels(more, width, 12)
    top = y + 26 * len(rows)
    shapes += [Text(x, top + 14 + 16 * index, line, 12, "gl-faint") for index, line in enumerate(lines)]
    return Placed(tuple(shapes), 26.0 * len(rows) + 16 * len(lines) + 4)


def _place(revision: str, known: Sequence[str]) -> int:
    """The place of a revision among all; nodes without a Pod come first."""
    return known.index(revision) if revision in known else -1


def _waiting(pods: Sequence[WorkloadPodView], messages: Messages, width: Width, y: float) -> Placed:
    """The Pods of users that no node takes, dashed, with the scheduler's words."""
    if not pods:
        return Placed((), 0.0)
    room = width.units - 8
    shapes: list[Shape] = [Text(4, y + 14, messages.count("fleet.waiting", len(pods)), 13, bold=True)]
    top = y + 22
    message = next((pod.message for pod in pods if pod.message), None)
    if message:
        lines = wrap_pixels(message, room, 12)[:4]
        shapes += [Text(4, top + 12 + 16 * index, line, 12, "gl-faint") for index, line in enumerate(lines)]
        top += 16 * len(lines) + 6
    names = [pod.name for pod in pods[: NAMED_MOST[width]]]
    if len(pods) > len(names):
        names.append(messages.count("fleet.more", len(pods) - len(names)))
    at_x = 4.0
    for name in names:
        wide = pixels(name, 12) + 20
        if at_x > 4 and at_x + wide > 4 + room:
            at_x, top = 4.0, top + 30
        shapes.append(Rect(at_x + 0.5, top, wide, 24, "gl-pill-waiting", 4))
        shapes.append(Text(at_x + wide / 2, top + 16, name, 12, "gl-ink", Anchor.MIDDLE))
        at_x += wide + 8
    return Placed(tuple(shapes), top + 26 - y)
