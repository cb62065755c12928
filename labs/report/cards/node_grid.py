"""Many nodes at once: a grid of small nodes, each with its slots in numbers and its cards as small vessels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.report.cards.blocks import CLASSES
from labs.report.cards.picture_words import tile_text
from labs.report.drawing import Anchor, Placed, Rect, Shape, Text, heading
from labs.report.writing import Messages, fit, pixels
from labs.simulation.outcome.moment import NodeView

TILES_MOST = 120
TILE_HEIGHT = 92.0
TILE_LEAST = 140.0
GAP = 10.0
BAR_HEIGHT = 30.0


def fleet_view(nodes: Sequence[NodeView], messages: Messages, x: float, y: float, width: float) -> Placed:
    """The grid at (x, y): nodes in order, at most TILES_MOST of them and the number of the rest."""
    head = heading(
        messages.count("picture.fleet.title", len(nodes)), messages.text("picture.fleet.how"), x, y, width
    )
    y += head.height + 14
    columns = int((width + GAP) // (TILE_LEAST + GAP))
    tile = (width + GAP) / columns - GAP
    shapes: list[Shape] = list(head.shapes)
    tiles = nodes[:TILES_MOST]
    for index, node in enumerate(tiles):
        row, column = divmod(index, columns)
        shapes += _tile(node, messages, x + column * (tile + GAP), y + row * (TILE_HEIGHT + GAP), tile)
    rows = -(-len(tiles) // columns)
    height = rows * (TILE_HEIGHT + GAP) - GAP
    if len(nodes) > len(tiles):
        more = messages.count("picture.fleet.more", len(nodes) - len(tiles))
        shapes.append(Text(x, y + height + 20, more, 12.5))
        height += 26
    return Placed(tuple(shapes), height + head.height + 14)


def _tile(node: NodeView, messages: Messages, x: float, y: float, width: float) -> Iterator[Shape]:
    refusals = sum(len(card.refusals) for card in node.cards)
    bad = node.error is not None or refusals > 0
    label = node.error or node.model_name
    yield Rect(x, y, width, TILE_HEIGHT, "gl-frame gl-frame-bad" if bad else "gl-frame", 4, label=label)
    oom = messages.text("picture.fleet.oom", n=refusals) if refusals else ""
    room = width - 20 - pixels(oom, 11.5, bold=True)
    yield Text(x + 8, y + 18, fit(node.name, room, 12, bold=True), 12, bold=True)
    if oom:
        yield Text(x + width - 8, y + 18, oom, 11.5, "gl-alarm-ink", Anchor.END, True)
    if node.error is not None:
        yield Text(
            x + 8, y + 35, fit(messages.text("picture.fleet.error"), width - 16, 11.5), 11.5, "gl-alarm-ink"
        )
        return
    yield Text(x + 8, y + 35, fit(tile_text(node, messages), width - 16, 11.5), 11.5, "gl-faint")
    pitch = min(16.0, (width - 16) / max(1, len(node.cards)))
    for index, card in enumerate(node.cards):
        full = BAR_HEIGHT * card.held_bytes / card.total_bytes
        at, floor = x + 8 + index * pitch, y + TILE_HEIGHT - 10
        css = CLASSES[card.mechanism]
        yield Rect(at, floor - full, pitch - 4, full, f"gl-{css}")
        yield Rect(at, floor - BAR_HEIGHT, pitch - 4, BAR_HEIGHT, "gl-bar")
        if card.refusals:
            yield Rect(at, floor - BAR_HEIGHT - 6, pitch - 4, 5, "gl-alarm")
