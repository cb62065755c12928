"""Cards in MIG mode: each a vessel with walls, its memory slices as rooms side by side and its compute slices as tiles above.

The width of a room counts memory slices, so that equal areas are equal memory. What a Pod holds lies in its room; what it
was refused is hatched and sticks out over the rim of that room, never into a neighbour's. Slices on which nothing more can be
created are dotted and empty.
"""

from __future__ import annotations

import re
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
from labs.report.cards.picture_words import callouts, card_name, cards_text
from labs.report.drawing import Anchor, Line, Path, Pattern, Placed, Rect, Shape, Text, heading
from labs.report.writing import Messages, pixels
from labs.simulation.outcome.moment import CardView, MigPlace, NodeView, Slices

ROW_NAME = 10.5
SLICE_MOST = 48.0
TILE = 16.0
HEIGHTS = {1: 104.0, 2: 80.0}
HEIGHT_LEAST = 56.0
OVERFLOW_MOST = 72.0
LINE = 13.0
BUSY_HEIGHT = 28.0
GAP = 18.0


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a card stands: its left wall, the width of a slice, the top of its tiles, its rim and its floor."""

    x: float
    pitch: float
    tiles: float
    rim: float
    bottom: float

    def at(self, index: int) -> float:
        """The left end of a slice."""
        return self.x + index * self.pitch


def rooms_view(
    node: NodeView, slices: Slices, messages: Messages, x: float, y: float, width: float
) -> Placed:
    """The cards of a node in MIG mode at (x, y), one under the other."""
    head = heading(messages.text("picture.cards.title"), cards_text(node, messages), x, y, width)
    shapes: list[Shape] = list(head.shapes)
    top = y + head.height + 8
    words = callout_texts(callouts(node, messages), x, width, top)
    if words:
        shapes += words.shapes
        top += words.height
    margin = max(pixels(text, ROW_NAME) for text in _row_words(node, messages)) + 8
    pitch = min((width - margin) / slices.memory, SLICE_MOST)
    gpus: dict[int, list[tuple[CardView, MigPlace]]] = {}
    for card in node.cards:
        if card.place is not None:
            gpus.setdefault(card.place.gpu, []).append((card, card.place))
    height = HEIGHTS.get(len(gpus), HEIGHT_LEAST)
    for gpu, devices in gpus.items():
        scales = [_scale(slices, place, 0.0, height) for _, place in devices]
        over = max(scale.overflow(card) for scale, (card, _) in zip(scales, devices, strict=True))
        rim = top + TILE + 6 + over
        frame = Frame(x + margin, pitch, top, rim, rim + height)
        drawn = _card(gpu, devices, slices, frame, messages)
        shapes += drawn.shapes
        top += drawn.height + GAP
    items = [*_slice_items(node, slices, messages), *_fillings(node, slices, height, messages)]
    key = legend(items, x, top - GAP + 12, width)
    return Placed((*shapes, *key.shapes), top - GAP + 12 + key.height - y)


def _scale(slices: Slices, place: MigPlace, bottom: float, height: float) -> Scale:
    return Scale(bottom, height / (slices.total_bytes / GIB * place.size / slices.memory), OVERFLOW_MOST)


def _card(
    gpu: int,
    devices: Sequence[tuple[CardView, MigPlace]],
    slices: Slices,
    frame: Frame,
    messages: Messages,
) -> Placed:
    shapes: list[Shape] = [
        *row_names(frame, messages),
        *tiles([place for _, place in devices], slices, frame),
        *empty_rooms([place for _, place in devices], slices, frame),
    ]
    for card, place in devices:
        shapes += _room(card, place, slices, frame, messages)
    shapes.append(walls([place for _, place in devices], slices, frame))
    for card, place in devices:
        scale = _scale(slices, place, frame.bottom, frame.bottom - frame.rim)
        left, wide = frame.at(place.start) + 2, place.size * frame.pitch - 4
        shapes += refused(card, scale, left, wide, messages)
        shapes += fault_mark(card, left, wide, frame.rim, frame.bottom, messages)
    shapes.append(
        Text(
            frame.x - 6,
            frame.bottom + 16,
            messages.text("picture.gpu", n=gpu),
            ROW_NAME,
            "gl-faint",
            Anchor.END,
        )
    )
    lines = [_name_lines(card, place.size * frame.pitch, messages) for card, place in devices]
    for (_, place), name_lines in zip(devices, lines, strict=True):
        middle = frame.at(place.start) + place.size * frame.pitch / 2
        for index, line in enumerate(name_lines):
            baseline = frame.bottom + 16 + LINE * index
            shapes.append(Text(middle, baseline, line, 11 if index == 0 else 10, "gl-faint", Anchor.MIDDLE))
    below = frame.bottom + 8 + LINE * max(map(len, lines))
    if any(card.busy_ppm is not None for card, _ in devices):
        shapes += _busy(devices, frame, below + 4, messages)
        below += BUSY_HEIGHT
    return Placed(tuple(shapes), below - frame.tiles)


def _row_words(node: NodeView, messages: Messages) -> Iterator[str]:
    """What stands left of the cards."""
    yield from (messages.text(f"picture.slices.{row}") for row in ("compute", "memory"))
    yield messages.text("picture.gpu", n=(node.gpu_count or 1) - 1)
    if computes(node):
        yield messages.text("picture.busy.axis")


def row_names(frame: Frame, messages: Messages) -> Iterator[Shape]:
    """What the tiles and the rooms are, left of them."""
    left = frame.x - 6
    compute, memory = messages.text("picture.slices.compute"), messages.text("picture.slices.memory")
    yield Text(left, frame.tiles + TILE - 4, compute, ROW_NAME, "gl-faint", Anchor.END)
    yield Text(left, (frame.rim + frame.bottom) / 2 + 4, memory, ROW_NAME, "gl-faint", Anchor.END)


def tiles(places: Sequence[MigPlace], slices: Slices, frame: Frame) -> Iterator[Shape]:
    """The compute slices: solid where an instance has them, dotted where they are wasted, dashed where they are free."""
    used = {place.start + index for place in places for index in range(place.compute)}
    for index in range(slices.compute):
        css = "gl-tile" if index in used else "gl-wasted" if index in slices.wasted_compute else "gl-uncut"
        yield Rect(frame.at(index) + 3, frame.tiles + 0.5, frame.pitch - 6, TILE - 1, css, 2)


def empty_rooms(places: Sequence[MigPlace], slices: Slices, frame: Frame) -> Iterator[Shape]:
    """The memory slices that no instance has."""
    held = {place.start + index for place in places for index in range(place.size)}
    for index in sorted(set(range(slices.memory)) - held):
        css = "gl-wasted" if index in slices.wasted_memory else "gl-uncut"
        height = frame.bottom - frame.rim - 6
        yield Rect(frame.at(index) + 4, frame.rim + 2, frame.pitch - 8, height, css, 2)


def walls(places: Sequence[MigPlace], slices: Slices, frame: Frame) -> Path:
    """The vessel: its floor, its sides and a wall at either end of each instance."""
    ends = {0, slices.memory}.union(*({place.start, place.start + place.size} for place in places))
    upright = "".join(f"M{frame.at(end):.1f} {frame.rim - 5:.1f}V{frame.bottom:.1f}" for end in sorted(ends))
    return Path(f"{upright}M{frame.x:.1f} {frame.bottom:.1f}H{frame.at(slices.memory):.1f}", "gl-vessel")


def _room(
    card: CardView, place: MigPlace, slices: Slices, frame: Frame, messages: Messages
) -> Iterator[Shape]:
    left, width = frame.at(place.start), place.size * frame.pitch
    height = frame.bottom - frame.rim
    scale = _scale(slices, place, frame.bottom, height)
    reserve = scale.up(card.usable_bytes) - frame.rim
    if reserve > 0:
        spare = slices.total_bytes * place.size // slices.memory - card.usable_bytes
        label = messages.text("picture.reserve", size=messages.bytes_text(spare))
        yield Rect(left + 1, frame.rim, width - 2, reserve, "gl-reserve", label=label)
    for index in range(place.start + 1, place.start + place.size):
        yield Line(frame.at(index), frame.rim, frame.at(index), frame.bottom, "gl-hairline", "1 4")
    yield from blocks(card, scale, left + 2, width - 4, messages)


def _name_lines(card: CardView, width: float, messages: Messages) -> tuple[str, ...]:
    """A device's number and profile, in as many lines as its room asks for: 3 | 1g. | 10gb | +me."""
    whole, profile = card_name(card, messages), card.mig or ""
    if pixels(whole, 11) <= width:
        return (whole,)
    return (str(card.number), *profile_lines(profile, width))


def profile_lines(profile: str, width: float) -> tuple[str, ...]:
    """A profile's name in as many lines as a room asks for: 1g. | 10gb | +me."""
    return (profile,) if pixels(profile, 10) <= width else tuple(re.split(r"(?<=\.)|(?=[+-])", profile))


def _busy(
    devices: Sequence[tuple[CardView, MigPlace]], frame: Frame, y: float, messages: Messages
) -> Iterator[Shape]:
    yield Text(frame.x - 6, y + 8, messages.text("picture.busy.axis"), ROW_NAME, "gl-faint", Anchor.END)
    for card, place in devices:
        share = (card.busy_ppm or 0) / PPM
        left, width = frame.at(place.start) + 3, place.size * frame.pitch - 6
        if share:
            yield Rect(left, y, max(1.5, width * share), 7, f"gl-{CLASSES[card.mechanism]}")
        yield Rect(left, y, width, 7, "gl-bar")
        yield Text(left + width / 2, y + 20, messages.percent(share), 10, "gl-ink", Anchor.MIDDLE)


def _fillings(
    node: NodeView, slices: Slices, height: float, messages: Messages
) -> Iterator[tuple[str, str, Pattern | None]]:
    placed = [(card, card.place) for card in node.cards if card.place is not None]
    scales = [(card, _scale(slices, place, 0.0, height)) for card, place in placed]
    squeezed = any(scale.squeeze(card) < 1 for card, scale in scales)
    reserve = any(height + scale.up(card.usable_bytes) > 0 for card, scale in scales)
    yield from legend_items(node, messages, squeezed=squeezed, reserve=reserve)


def _slice_items(
    node: NodeView, slices: Slices, messages: Messages
) -> Iterator[tuple[str, str, Pattern | None]]:
    first = [card.place for card in node.cards if card.place is not None and card.place.gpu == 0]
    yield messages.text("picture.legend.tile"), "gl-tile", None
    if slices.wasted_memory or slices.wasted_compute:
        yield messages.text("picture.legend.wasted"), "gl-wasted", None
    if sum(place.compute for place in first) + len(slices.wasted_compute) < slices.compute:
        yield messages.text("picture.legend.uncut"), "gl-uncut", None
