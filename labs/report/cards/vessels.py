"""The right view of the central picture: what the cards have, as vessels of memory to scale.

What Pods hold lies in the vessel; what was asked for and refused is hatched, starts where the free memory starts and so
sticks out over the rim. Hatched blocks are to scale up to `blocks.OVERFLOW_MOST` above the rim; a taller stack is
squeezed, and the legend says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labs.hardware.units import GIB, PPM
from labs.report.cards.blocks import (
    CLASSES,
    Scale,
    blocks,
    callout_texts,
    computes,
    legend,
    legend_items,
    refused,
)
from labs.report.cards.fault_marks import fault_mark
from labs.report.cards.picture_words import Callout, callouts, card_name, cards_text, kind_name
from labs.report.cards.rooms import rooms_view
from labs.report.drawing import Anchor, Line, Path, Placed, Rect, Shape, Text, heading
from labs.report.writing import Messages
from labs.simulation.outcome.moment import CardView, NodeView

VESSEL_HEIGHT = 204.0
VESSEL_LEAST = 72.0
AXIS_WIDTH = 34.0
BUSY_HEIGHT = 30.0
STEPS_GIB = (1, 2, 4, 5, 10, 20, 40, 50, 100, 200)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the vessels of a node stand, and to which scale."""

    x: float
    pitch: float
    vessel: float
    scale: Scale

    def left(self, index: int) -> float:
        """The left wall of a vessel."""
        return self.x + index * self.pitch + (self.pitch - self.vessel) / 2


def vessels_view(
    node: NodeView, messages: Messages, x: float, y: float, width: float, largest_bytes: int
) -> Placed:
    """The cards of a node at (x, y), to the scale on which `largest_bytes` is VESSEL_HEIGHT high; cut ones as rooms."""
    if node.slices is not None:
        return rooms_view(node, node.slices, messages, x, y, width)
    head = heading(messages.text("picture.cards.title"), cards_text(node, messages), x, y, width)
    if not node.cards:
        return head
    total = max(card.total_bytes for card in node.cards)
    tall = max(VESSEL_LEAST, VESSEL_HEIGHT * total / largest_bytes)
    per_gib = tall / (total / GIB)
    pitch = min((width - AXIS_WIDTH) / len(node.cards), 104.0)
    vessel = min(pitch - 10 if len(node.cards) > 5 else pitch * 0.72, 72.0)
    overflow = max(Scale(0, per_gib).overflow(card) for card in node.cards)
    notes = callouts(node, messages)
    top = y + head.height + 8
    beside = _callouts_beside(notes, x + AXIS_WIDTH, pitch, x + width)
    words = callout_texts(notes, *(beside or (x, width)), top)
    if words:
        overflow = max(overflow, words.height + 6) if beside else overflow
        top += 0 if beside else words.height
    bottom = top + max(18.0, overflow) + 8 + tall
    scale = Scale(bottom, per_gib)
    frame = _Frame(x + AXIS_WIDTH, pitch, vessel, scale)
    shapes: list[Shape] = [*head.shapes, *_axis(total, frame, messages, x, len(node.cards))]
    for index, card in enumerate(node.cards):
        shapes += _vessel(card, frame, index, messages)
    shapes += words.shapes if words else ()
    shapes += _busy(node, frame, messages, x)
    below = bottom + 32 + (BUSY_HEIGHT if computes(node) else 0)
    squeezed = any(scale.squeeze(card) < 1 for card in node.cards)
    reserve = any(card.usable_bytes < card.total_bytes for card in node.cards)
    key = legend(legend_items(node, messages, squeezed=squeezed, reserve=reserve), x, below, width)
    return Placed((*shapes, *key.shapes), below + key.height - y)


def _callouts_beside(
    notes: Sequence[Callout], x: float, pitch: float, end: float
) -> tuple[float, float] | None:
    """The left end and the width of the room to the right of the last card with refusals, where it is enough."""
    if not notes:
        return None
    left = x + (max(max(callout.cards) for callout in notes) + 1) * pitch + 2
    return (left, end - left) if end - left >= 150 and len(notes) == 1 else None


def _axis(total: int, frame: _Frame, messages: Messages, x: float, cards: int) -> Iterator[Shape]:
    total_gib = total / GIB
    step = next((step for step in STEPS_GIB if total_gib / step <= 5), STEPS_GIB[-1])
    ticks = [
        float(n) for n in range(0, int(total_gib) + 1, step) if (total_gib - n) * frame.scale.per_gib >= 14
    ]
    right = frame.x + cards * frame.pitch
    for gib in [*ticks, total_gib]:
        at = frame.scale.up(gib * GIB)
        yield Text(x + AXIS_WIDTH - 6, at + 4, messages.number(gib), 11, "gl-faint", Anchor.END)
        if gib and gib != total_gib:
            yield Line(frame.x, at, right, at, "gl-hairline", "1 4")
    yield Text(
        x + AXIS_WIDTH - 6,
        frame.scale.up(total) - 11,
        messages.text("unit.gib_axis"),
        11,
        "gl-faint",
        Anchor.END,
    )
    yield Line(frame.x - 2, frame.scale.bottom, right, frame.scale.bottom, "gl-hairline")


def _vessel(card: CardView, frame: _Frame, index: int, messages: Messages) -> Iterator[Shape]:
    left, width = frame.left(index), frame.vessel
    right, rim = left + width, frame.scale.up(card.total_bytes)
    reserve = frame.scale.up(card.usable_bytes) - rim
    if reserve > 0:
        label = messages.text(
            "picture.reserve", size=messages.bytes_text(card.total_bytes - card.usable_bytes)
        )
        yield Rect(left + 1, rim, width - 2, reserve, "gl-reserve", label=label)
    yield from blocks(card, frame.scale, left + 2, width - 4, messages)
    yield Path(f"M{left:.1f} {rim - 5:.1f}V{frame.scale.bottom:.1f}H{right:.1f}V{rim - 5:.1f}", "gl-vessel")
    yield from refused(card, frame.scale, left + 2, width - 4, messages)
    yield from fault_mark(card, left, width, rim, frame.scale.bottom, messages)
    roomy = frame.pitch >= 46
    name = card_name(card, messages) if roomy else str(card.number)
    yield Text(left + width / 2, frame.scale.bottom + 17, name, 12, "gl-faint", Anchor.MIDDLE)
    if index == 0 and not roomy:
        yield Text(
            frame.x - 4, frame.scale.bottom + 17, kind_name(card, messages), 12, "gl-faint", Anchor.END
        )


def _busy(node: NodeView, frame: _Frame, messages: Messages, x: float) -> Iterator[Shape]:
    """Under every vessel a thin bar, full where a kernel runs all the time, and the number."""
    if not computes(node):
        return
    top = frame.scale.bottom + 26
    yield Text(x + AXIS_WIDTH - 6, top + 8, messages.text("picture.busy.axis"), 11, "gl-faint", Anchor.END)
    for index, card in enumerate(node.cards):
        share, left = (card.busy_ppm or 0) / PPM, frame.left(index)
        if share:
            yield Rect(left, top, max(1.5, frame.vessel * share), 7, f"gl-{CLASSES[card.mechanism]}")
        yield Rect(left, top, frame.vessel, 7, "gl-bar")
        yield Text(left + frame.vessel / 2, top + 21, messages.percent(share), 11, "gl-ink", Anchor.MIDDLE)
