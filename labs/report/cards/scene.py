"""The central picture: what the scheduler sees beside what the cards have, at one moment.

A node is a frame around its cards. Up to FRAMES_MOST nodes are drawn in full, more as a grid of small nodes. The picture
comes in two widths: side by side for a column of text, one under the other for a phone.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from labs.report.cards.node_grid import fleet_view
from labs.report.cards.picture_words import description, pod_lists, title
from labs.report.cards.tickets import error_view, tickets_view
from labs.report.cards.vessels import vessels_view
from labs.report.drawing import Anchor, Line, Placed, Rect, Scene, Shape, Text
from labs.report.writing import Messages, fit, pixels, wrap_at_most
from labs.simulation.outcome.moment import NodeView, PodState, Snapshot

FRAMES_MOST = 8
NAMED_MOST = {"wide": 24, "narrow": 12}  # Pods without a slot that are named one by one
REASON_LINES = 6  # of what a scheduler or a kubelet says
GAP = 14.0


class Width(StrEnum):
    """The two widths of the picture."""

    WIDE = "wide"
    NARROW = "narrow"

    @property
    def units(self) -> float:
        """The width of the view box."""
        return 760.0 if self is Width.WIDE else 360.0

    @property
    def padding(self) -> float:
        """The space between a node's frame and what is in it."""
        return 20.0 if self is Width.WIDE else 12.0


def central_scene(snapshot: Snapshot, messages: Messages, width: Width) -> Scene:
    """The picture of `snapshot`."""
    shapes: list[Shape] = []
    y = 1.0
    if len(snapshot.nodes) > FRAMES_MOST:
        fleet = fleet_view(snapshot.nodes, messages, 1.0, y, width.units - 2)
        shapes += fleet.shapes
        y += fleet.height + GAP
    else:
        largest = max((card.total_bytes for node in snapshot.nodes for card in node.cards), default=1)
        for node in snapshot.nodes:
            framed = _node(node, messages, width, y, largest)
            shapes += framed.shapes
            y += framed.height + GAP
    if not snapshot.nodes:
        shapes.append(Text(width.padding, y + 14, messages.text("picture.empty"), 13))
        y += 22 + GAP
    without = _pods_without_slot(snapshot, messages, width, y)
    shapes += without.shapes
    y += without.height
    return Scene(
        width.units,
        max(2.0, y - GAP + 1),
        tuple(shapes),
        title(snapshot, messages),
        description(snapshot, messages),
    )


def _node(node: NodeView, messages: Messages, width: Width, y: float, largest: int) -> Placed:
    pad, full = width.padding, width.units
    head = _node_head(node, width, y)
    top = y + head.height + 14
    if width is Width.WIDE:
        column = (full - 4 * pad) / 2
        right = pad + column + 2 * pad
        vessels = vessels_view(node, messages, right, top, column, largest)
        tickets = _left(node, messages, pad, top, column, vessels.height - 40)
        height = max(vessels.height, tickets.height)
        between: tuple[Shape, ...] = (Line(full / 2, top, full / 2, top + height, "gl-hairline"),)
    else:
        column = full - 2 * pad
        tickets = _left(node, messages, pad, top, column, 0.0)
        line_y = top + tickets.height + 16
        vessels = vessels_view(node, messages, pad, line_y + 14, column, largest)
        height = line_y + 14 + vessels.height - top
        between = (Line(pad, line_y, full - pad, line_y, "gl-hairline"),)
    bottom = top + height + 14
    frame = Rect(0.5, y, full - 1, bottom - y, "gl-frame", 6)
    return Placed((frame, *head.shapes, *between, *tickets.shapes, *vessels.shapes), bottom - y)


def _left(node: NodeView, messages: Messages, x: float, y: float, width: float, height: float) -> Placed:
    if node.error is not None:
        return error_view(node, messages, x, y, width)
    return tickets_view(node, messages, x, y, width, height)


def _node_head(node: NodeView, width: Width, y: float) -> Placed:
    """The node's name, its cards and what it advertises, over a line."""
    pad, full = width.padding, width.units
    shapes: list[Shape] = []
    room = full - 2 * pad
    offers = ", ".join(f"{name}: {count}" for name, count in node.resources if count)
    model = f"{node.gpu_count or len(node.cards)} × {node.model_name}" if node.cards else node.model_name
    name = fit(node.name, room if width is Width.NARROW else 260, 13.5, bold=True)
    shapes.append(Text(pad, y + 21, name, 13.5, bold=True))
    if width is Width.WIDE:
        after = pad + pixels(name, 13.5, bold=True) + 14
        offers = fit(offers, 280, 12)
        shapes.append(Text(full - pad, y + 21, offers, 12, "gl-faint", Anchor.END))
        model = fit(model, full - pad - pixels(offers, 12) - 14 - after, 12)
        shapes.append(Text(after, y + 21, model, 12, "gl-faint"))
        height = 32.0
    else:
        lines = [fit(line, room, 12) for line in (model, offers) if line]
        shapes += [Text(pad, y + 39 + 17 * index, line, 12, "gl-faint") for index, line in enumerate(lines)]
        height = 32.0 + 17 * len(lines)
    shapes.append(Line(1, y + height, full - 1, y + height, "gl-hairline"))
    return Placed(tuple(shapes), height)


def _pods_without_slot(snapshot: Snapshot, messages: Messages, width: Width, y: float) -> Placed:
    """The Pods that wait for a slot, dashed, and those refused at admission, crossed out."""
    pad, room = width.padding, width.units - 2 * width.padding
    shapes: list[Shape] = []
    top = y
    for listed in pod_lists(snapshot, messages, NAMED_MOST[width]):
        css = "gl-alarm-ink" if listed.state is PodState.REFUSED else "gl-ink"
        shapes.append(Text(pad, top + 14, listed.heading, 13, css, bold=True))
        top += 22
        if listed.message:
            lines = wrap_at_most(listed.message, REASON_LINES, room, 12)
            shapes += [Text(pad, top + 12 + 16 * i, line, 12, "gl-faint") for i, line in enumerate(lines)]
            top += 16 * len(lines) + 4
        pills = list(_pills(listed.labels, listed.state, pad, top + 4, room))
        shapes += [shape for pill, _ in pills for shape in pill]
        top += 4 + (pills[-1][1] if pills else 0.0) + GAP
    return Placed(tuple(shapes), top - y)


def _pills(
    labels: tuple[str, ...], state: PodState, x: float, y: float, room: float
) -> Iterator[tuple[list[Shape], float]]:
    """A pill per label, row by row; each with the height that is taken up to it."""
    at_x, at_y = x, y
    for label in labels:
        label = fit(label, room - 20, 12)
        wide = pixels(label, 12) + 20
        if at_x > x and at_x + wide > x + room:
            at_x, at_y = x, at_y + 30
        refused = state is PodState.REFUSED
        pill: list[Shape] = [
            Rect(at_x + 0.5, at_y, wide, 24, "gl-pill-refused" if refused else "gl-pill-waiting", 4),
            Text(at_x + wide / 2, at_y + 16, label, 12, "gl-ink", Anchor.MIDDLE),
        ]
        if refused:
            pill.append(Line(at_x + 5, at_y + 19, at_x + wide - 4, at_y + 5, "gl-cross"))
        yield pill, at_y + 24 - y
        at_x += wide + 8
