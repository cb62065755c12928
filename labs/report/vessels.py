"""The right view of the central picture: what the cards have, as vessels of memory to scale.

What Pods hold lies in the vessel; what was asked for and refused is hatched, starts where the free memory starts and so
sticks out over the rim. Hatched blocks are to scale up to OVERFLOW_MOST above the rim; a taller stack is squeezed, and
the legend says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labs.report.heading import heading
from labs.report.measure import pixels, wrap_pixels
from labs.report.messages import Messages
from labs.report.picture_words import PPM, Callout, callouts, card_name, cards_text, kind_name
from labs.report.shapes import Anchor, Group, Line, Path, Pattern, Placed, Rect, Shape, Text
from labs.simulation.snapshot import Block, Card, NodeView

GIB = 2**30
VESSEL_HEIGHT = 204.0
VESSEL_LEAST = 72.0
OVERFLOW_MOST = 132.0
AXIS_WIDTH = 34.0
BUSY_HEIGHT = 30.0
STEPS_GIB = (1, 2, 4, 5, 10, 20, 40, 50, 100, 200)
PATTERNS = {"time-slicing": Pattern.TIME_SLICING, "mps": Pattern.MPS, "mig": Pattern.MIG}
CLASSES = {"exclusive": "exclusive", "time-slicing": "ts", "mps": "mps", "mig": "mig"}


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the vessels of a node stand: `per_gib` units a GiB, the floor at `bottom`."""

    x: float
    pitch: float
    vessel: float
    bottom: float
    per_gib: float

    def left(self, index: int) -> float:
        """The left wall of a vessel."""
        return self.x + index * self.pitch + (self.pitch - self.vessel) / 2

    def up(self, n: float) -> float:
        """The height of `n` bytes over the floor, as y."""
        return self.bottom - n / GIB * self.per_gib


@dataclass(frozen=True, slots=True)
class _Caption:
    """Words in a block, on a ground of their own."""

    paper: Rect
    lines: tuple[Text, ...]


def vessels_view(
    node: NodeView, messages: Messages, x: float, y: float, width: float, largest_bytes: int
) -> Placed:
    """The cards of a node at (x, y), to the scale on which `largest_bytes` is VESSEL_HEIGHT high."""
    head = heading(messages.text("picture.cards.title"), cards_text(node, messages), x, y, width)
    if not node.cards:
        return head
    total = max(card.total_bytes for card in node.cards)
    tall = max(VESSEL_LEAST, VESSEL_HEIGHT * total / largest_bytes)
    per_gib = tall / (total / GIB)
    pitch = min((width - AXIS_WIDTH) / len(node.cards), 104.0)
    vessel = min(pitch - 10 if len(node.cards) > 5 else pitch * 0.72, 72.0)
    overflow = max(_overflow(card, per_gib) for card in node.cards)
    told = callouts(node, messages)
    top = y + head.height + 8
    beside = _callouts_beside(told, x + AXIS_WIDTH, pitch, x + width)
    words = _callout_texts(told, *(beside or (x, width)), top)
    if words:
        overflow = max(overflow, words.height + 6) if beside else overflow
        top += 0 if beside else words.height
    bottom = top + max(18.0, overflow) + 8 + tall
    frame = _Frame(x + AXIS_WIDTH, pitch, vessel, bottom, per_gib)
    shapes: list[Shape] = [*head.shapes, *_axis(total, frame, messages, x, len(node.cards))]
    for index, card in enumerate(node.cards):
        shapes += _vessel(card, frame, index, messages)
    shapes += words.shapes if words else ()
    shapes += _busy(node, frame, messages, x)
    below = bottom + 32 + (BUSY_HEIGHT if _computes(node) else 0)
    legend = _legend(node, messages, per_gib, x, below, width)
    return Placed((*shapes, *legend.shapes), below + legend.height - y)


def _overflow(card: Card, per_gib: float) -> float:
    asked = sum(refusal.asked_bytes for refusal in card.refusals)
    over = (card.held_bytes + asked - card.total_bytes) / GIB * per_gib
    return min(max(over, 0.0), OVERFLOW_MOST) if asked else 0.0


def _squeeze(card: Card, per_gib: float) -> float:
    """The factor by which the refused blocks of a card are drawn smaller than to scale; 1 where they are to scale."""
    asked = sum(refusal.asked_bytes for refusal in card.refusals) / GIB * per_gib
    free = (card.total_bytes - card.held_bytes) / GIB * per_gib
    return min(1.0, (OVERFLOW_MOST + free) / asked) if asked else 1.0


def _callouts_beside(
    told: Sequence[Callout], x: float, pitch: float, end: float
) -> tuple[float, float] | None:
    """The left end and the width of the room to the right of the last card with refusals, where it is enough."""
    if not told:
        return None
    left = x + (max(max(callout.cards) for callout in told) + 1) * pitch + 2
    return (left, end - left) if end - left >= 150 and len(told) == 1 else None


def _callout_texts(told: Sequence[Callout], x: float, width: float, y: float) -> Placed | None:
    if not told:
        return None
    shapes: list[Shape] = []
    line_y = y + 12
    for callout in told:
        for index, line in enumerate(wrap_pixels(callout.text, width, 12.5, bold=True)):
            shapes.append(Text(x, line_y, line, 12.5, "gl-alarm-ink", bold=index == 0))
            line_y += 16
        line_y += 4
    return Placed(tuple(shapes), line_y - 12 - y)


def _axis(total: int, frame: _Frame, messages: Messages, x: float, cards: int) -> Iterator[Shape]:
    total_gib = total / GIB
    step = next((step for step in STEPS_GIB if total_gib / step <= 5), STEPS_GIB[-1])
    ticks = [float(n) for n in range(0, int(total_gib) + 1, step) if (total_gib - n) * frame.per_gib >= 14]
    right = frame.x + cards * frame.pitch
    for gib in [*ticks, total_gib]:
        at = frame.up(gib * GIB)
        yield Text(x + AXIS_WIDTH - 6, at + 4, messages.number(gib), 11, "gl-faint", Anchor.END)
        if gib and gib != total_gib:
            yield Line(frame.x, at, right, at, "gl-hairline", "1 4")
    yield Text(
        x + AXIS_WIDTH - 6, frame.up(total) - 11, messages.text("unit.gib_axis"), 11, "gl-faint", Anchor.END
    )
    yield Line(frame.x - 2, frame.bottom, right, frame.bottom, "gl-hairline")


def _vessel(card: Card, frame: _Frame, index: int, messages: Messages) -> Iterator[Shape]:
    left, width = frame.left(index), frame.vessel
    right, rim = left + width, frame.up(card.total_bytes)
    reserve = frame.up(card.usable_bytes) - rim
    if reserve > 0:
        label = messages.text(
            "picture.reserve", size=messages.bytes_text(card.total_bytes - card.usable_bytes)
        )
        yield Rect(left + 1, rim, width - 2, reserve, "gl-reserve", label=label)
    yield from _blocks(card, frame, left + 2, width - 4, messages)
    yield Path(f"M{left:.1f} {rim - 5:.1f}V{frame.bottom:.1f}H{right:.1f}V{rim - 5:.1f}", "gl-vessel")
    yield from _refused(card, frame, left + 2, width - 4, messages)
    roomy = frame.pitch >= 46
    name = card_name(card, messages) if roomy else str(card.number)
    yield Text(left + width / 2, frame.bottom + 17, name, 12, "gl-faint", Anchor.MIDDLE)
    if index == 0 and not roomy:
        yield Text(frame.x - 4, frame.bottom + 17, kind_name(card, messages), 12, "gl-faint", Anchor.END)


def _computes(node: NodeView) -> bool:
    return any(card.busy_ppm is not None for card in node.cards)


def _busy(node: NodeView, frame: _Frame, messages: Messages, x: float) -> Iterator[Shape]:
    """Under every vessel a thin bar, full where a kernel runs all the time, and the number."""
    if not _computes(node):
        return
    top = frame.bottom + 26
    yield Text(x + AXIS_WIDTH - 6, top + 8, messages.text("picture.busy.axis"), 11, "gl-faint", Anchor.END)
    for index, card in enumerate(node.cards):
        share, left = (card.busy_ppm or 0) / PPM, frame.left(index)
        if share:
            yield Rect(left, top, max(1.5, frame.vessel * share), 7, f"gl-{CLASSES[card.mechanism]}")
        yield Rect(left, top, frame.vessel, 7, "gl-bar")
        yield Text(left + frame.vessel / 2, top + 21, messages.percent(share), 11, "gl-ink", Anchor.MIDDLE)


def _blocks(card: Card, frame: _Frame, x: float, width: float, messages: Messages) -> Iterator[Shape]:
    css, pattern = CLASSES[card.mechanism], PATTERNS.get(card.mechanism)
    contexts: list[Shape] = []
    held: list[Shape] = []
    captions: list[_Caption] = []
    below = 0
    for run in _runs(card.blocks, frame.per_gib):
        context = sum(block.context_bytes for block in run)
        data = sum(block.data_bytes for block in run)
        floor, middle, top = frame.up(below), frame.up(below + context), frame.up(below + context + data)
        name = run[0].pod if len(run) == 1 else messages.count("picture.pods", len(run))
        if context:
            contexts.append(Rect(x, middle, width, floor - middle, f"gl-{css}"))
        if data:
            label = _block_label(name, data, context, messages)
            held.append(Rect(x, top, width, middle - top, f"gl-block-{css}", 0, pattern, label))
            captions += _caption(name, data, x + width / 2, top, middle, width, messages)
        below += context + data
    yield from _grouped(contexts, held, captions)


def _grouped(contexts: list[Shape], blocks: list[Shape], captions: Sequence[_Caption]) -> Iterator[Shape]:
    papers = tuple(caption.paper for caption in captions)
    texts = tuple(line for caption in captions for line in caption.lines)
    for shapes in (contexts, blocks, papers, texts):
        if shapes:
            yield Group(tuple(shapes))


def _runs(blocks: Sequence[Block], per_gib: float) -> Iterator[list[Block]]:
    """The blocks one by one, but neighbours too thin to be told apart together."""
    run: list[Block] = []
    for block in blocks:
        thin = block.held_bytes / GIB * per_gib < 5
        if run and not thin:
            yield run
            run = []
        if thin:
            run.append(block)
        else:
            yield [block]
    if run:
        yield run


def _caption(
    name: str, data: int, x: float, top: float, bottom: float, width: float, messages: Messages
) -> list[_Caption]:
    """Name (where there is one) and size in a block, as much of it as there is room for."""
    room, height = width - 6, bottom - top
    size, short = messages.bytes_text(data), messages.number(data / GIB)
    candidates = [[(size if height >= 36 else short, 11.0, False)], [(short, 11.0, False)]]
    if name:
        candidates.insert(0, [(name, 12.0, True), (size, 11.0, False)])
    for lines in candidates:
        wide, tall = max(pixels(*line) for line in lines), 15.0 * len(lines)
        if wide > room or height < tall + (6 if len(lines) > 1 else 0):
            continue
        box, middle = min(wide + 8, width - 2), (top + bottom) / 2
        paper = Rect(x - box / 2, middle - tall / 2, box, tall, "gl-paper", 2)
        baselines = (middle - tall / 2 + 11.5 + 15 * index for index in range(len(lines)))
        texts = tuple(
            Text(x, baseline, line, font, "gl-ink", Anchor.MIDDLE, bold)
            for baseline, (line, font, bold) in zip(baselines, lines, strict=True)
        )
        return [_Caption(paper, texts)]
    return []


def _refused(card: Card, frame: _Frame, x: float, width: float, messages: Messages) -> Iterator[Shape]:
    scale = frame.per_gib / GIB * _squeeze(card, frame.per_gib)
    asked = sum(refusal.asked_bytes for refusal in card.refusals)
    base = frame.up(card.held_bytes) - 1
    blocks: list[Shape] = []
    captions: list[_Caption] = []
    if asked * scale < 5 * len(card.refusals):  # too thin to be told apart
        height = max(7.0, asked * scale)
        label = messages.count("picture.pods", len(card.refusals))
        blocks.append(Rect(x, base - height, width, height, "gl-refused", 0, Pattern.REFUSED, label))
        yield from blocks
        return
    for refusal in card.refusals:
        top = base - refusal.asked_bytes * scale
        size = messages.bytes_text(refusal.asked_bytes)
        label = messages.text("picture.refused.label", pod=refusal.pod, size=size)
        height = max(1.5, base - top - 1.5)
        blocks.append(Rect(x, top, width, height, "gl-refused", 0, Pattern.REFUSED, label))
        captions += _caption("", refusal.asked_bytes, x + width / 2, top, top + height, width, messages)
        base = top
    yield from _grouped([], blocks, captions)


def _block_label(name: str, data: int, context: int, messages: Messages) -> str:
    sizes = {"data": messages.bytes_text(data), "context": messages.bytes_text(context)}
    return messages.text("picture.block.label", pod=name, **sizes)


def _legend(node: NodeView, messages: Messages, per_gib: float, x: float, y: float, width: float) -> Placed:
    shapes: list[Shape] = []
    at_x, at_y = x, y
    for text, css, pattern in _legend_items(node, messages, per_gib):
        taken = 18 + pixels(text, 11.5) + 14
        if at_x > x and at_x + taken - 14 > x + width:
            at_x, at_y = x, at_y + 18
        shapes.append(Rect(at_x + 0.5, at_y + 0.5, 12, 11, css, 1.5, pattern))
        shapes.append(Text(at_x + 18, at_y + 10, text, 11.5, "gl-faint"))
        at_x += taken
    return Placed(tuple(shapes), at_y + 14 - y if shapes else 0.0)


def _legend_items(
    node: NodeView, messages: Messages, per_gib: float
) -> Iterator[tuple[str, str, Pattern | None]]:
    card = next((card for card in node.cards if card.blocks), None)
    if card is not None:
        css = CLASSES[card.mechanism]
        pattern = PATTERNS.get(card.mechanism)
        yield messages.text(f"picture.legend.{card.mechanism}"), f"gl-block-{css}", pattern
        yield messages.text("picture.legend.context"), f"gl-{css}", None
    if any(card.usable_bytes < card.total_bytes for card in node.cards):
        yield messages.text("picture.legend.reserve"), "gl-reserve", None
    if _computes(node):
        yield messages.text("picture.legend.busy"), "gl-bar", None
    if any(card.refusals for card in node.cards):
        squeezed = any(_squeeze(card, per_gib) < 1 for card in node.cards)
        key = "picture.legend.refused_squeezed" if squeezed else "picture.legend.refused"
        yield messages.text(key), "gl-refused", Pattern.REFUSED
