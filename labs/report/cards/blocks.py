"""What Pods hold and were refused, as blocks to scale: the same in the vessel of a whole card and in a room of a MIG card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from labs.hardware.units import GIB
from labs.report.cards.picture_words import Callout
from labs.report.drawing import Anchor, Group, Pattern, Placed, Rect, Shape, Text
from labs.report.writing import Messages, pixels, wrap_pixels
from labs.simulation.outcome.moment import Block, CardView, NodeView

OVERFLOW_MOST = 132.0
PATTERNS = {"time-slicing": Pattern.TIME_SLICING, "mps": Pattern.MPS, "mig": Pattern.MIG}
CLASSES = {"exclusive": "exclusive", "time-slicing": "ts", "mps": "mps", "mig": "mig"}


@dataclass(frozen=True, slots=True)
class Scale:
    """`per_gib` units a GiB over the floor at `bottom`; what was refused stands out at most `overflow_most` over the rim."""

    bottom: float
    per_gib: float
    overflow_most: float = OVERFLOW_MOST

    def up(self, n: float) -> float:
        """The height of `n` bytes over the floor, as y."""
        return self.bottom - n / GIB * self.per_gib

    def overflow(self, card: CardView) -> float:
        """How far the refused blocks of a card stand out over its rim."""
        asked = sum(refusal.asked_bytes for refusal in card.refusals)
        over = (card.held_bytes + asked - card.total_bytes) / GIB * self.per_gib
        return min(max(over, 0.0), self.overflow_most) if asked else 0.0

    def squeeze(self, card: CardView) -> float:
        """The factor by which the refused blocks of a card are drawn smaller than to scale; 1 where they are to scale."""
        asked = sum(refusal.asked_bytes for refusal in card.refusals) / GIB * self.per_gib
        free = (card.total_bytes - card.held_bytes) / GIB * self.per_gib
        return min(1.0, (self.overflow_most + free) / asked) if asked else 1.0


@dataclass(frozen=True, slots=True)
class _Caption:
    """Words in a block, on a ground of their own."""

    paper: Rect
    lines: tuple[Text, ...]


def blocks(card: CardView, scale: Scale, x: float, width: float, messages: Messages) -> Iterator[Shape]:
    """What Pods hold, from the floor up; `x` and `width` are those of the blocks."""
    css, pattern = CLASSES[card.mechanism], PATTERNS.get(card.mechanism)
    contexts: list[Shape] = []
    held: list[Shape] = []
    captions: list[_Caption] = []
    below = 0
    for run in _runs(card.blocks, scale.per_gib):
        context = sum(block.context_bytes for block in run)
        data = sum(block.data_bytes for block in run)
        spare = sum(block.found_bytes for block in run)
        floor, middle, top = scale.up(below), scale.up(below + context), scale.up(below + context + data)
        name = run[0].pod if len(run) == 1 else messages.count("picture.pods", len(run))
        if context:
            contexts.append(Rect(x, middle, width, floor - middle, f"gl-{css}"))
        if data:
            label = _block_label(name, data, spare, context, messages)
            needed = scale.up(below + context + data - spare)
            block = f"gl-block-{css}"
            if data > spare:
                held.append(Rect(x, needed, width, middle - needed, block, 0, pattern, label))
            if spare:
                held.append(Rect(x, top, width, needed - top, f"{block} gl-found", 0, pattern, label))
            captions += _caption(name, data, x + width / 2, top, middle, width, messages)
        below += context + data
    yield from _grouped(contexts, held, captions)


def refused(card: CardView, scale: Scale, x: float, width: float, messages: Messages) -> Iterator[Shape]:
    """What was asked for and refused, from where the free memory starts."""
    per_byte = scale.per_gib / GIB * scale.squeeze(card)
    asked = sum(refusal.asked_bytes for refusal in card.refusals)
    base = scale.up(card.held_bytes) - 1
    stack: list[Shape] = []
    captions: list[_Caption] = []
    if asked * per_byte < 5 * len(card.refusals):  # too thin to be told apart
        height = max(7.0, asked * per_byte)
        label = messages.count("picture.pods", len(card.refusals))
        stack.append(Rect(x, base - height, width, height, "gl-refused", 0, Pattern.REFUSED, label))
        yield from stack
        return
    for refusal in card.refusals:
        top = base - refusal.asked_bytes * per_byte
        size = messages.bytes_text(refusal.asked_bytes)
        label = messages.text("picture.refused.label", pod=refusal.pod, size=size)
        height = max(1.5, base - top - 1.5)
        stack.append(Rect(x, top, width, height, "gl-refused", 0, Pattern.REFUSED, label))
        captions += _caption("", refusal.asked_bytes, x + width / 2, top, top + height, width, messages)
        base = top
    yield from _grouped([], stack, captions)


def callout_texts(callouts: Sequence[Callout], x: float, width: float, y: float) -> Placed | None:
    """What happened on cards that refused memory, in words of alarm."""
    if not callouts:
        return None
    shapes: list[Shape] = []
    line_y = y + 12
    for callout in callouts:
        for index, line in enumerate(wrap_pixels(callout.text, width, 12.5, bold=True)):
            shapes.append(Text(x, line_y, line, 12.5, "gl-alarm-ink", bold=index == 0))
            line_y += 16
        line_y += 4
    return Placed(tuple(shapes), line_y - 12 - y)


def computes(node: NodeView) -> bool:
    """Whether any job of the scenario ever computes, so that cards have a share of time in which they are busy."""
    return any(card.busy_ppm is not None for card in node.cards)


def legend(items: Iterable[tuple[str, str, Pattern | None]], x: float, y: float, width: float) -> Placed:
    """What fillings mean: each of `items` has its words, its class and its pattern."""
    shapes: list[Shape] = []
    at_x, at_y = x, y
    for text, css, pattern in items:
        taken = 18 + pixels(text, 11.5) + 14
        if at_x > x and at_x + taken - 14 > x + width:
            at_x, at_y = x, at_y + 18
        shapes.append(Rect(at_x + 0.5, at_y + 0.5, 12, 11, css, 1.5, pattern))
        shapes.append(Text(at_x + 18, at_y + 10, text, 11.5, "gl-faint"))
        at_x += taken
    return Placed(tuple(shapes), at_y + 14 - y if shapes else 0.0)


def legend_items(
    node: NodeView, messages: Messages, *, squeezed: bool, reserve: bool
) -> Iterator[tuple[str, str, Pattern | None]]:
    """The fillings of a node's picture. `squeezed`: refused blocks are smaller than to scale; `reserve`: some is drawn."""
    card = next((card for card in node.cards if card.blocks), None)
    if card is not None:
        css = CLASSES[card.mechanism]
        pattern = PATTERNS.get(card.mechanism)
        yield messages.text(f"picture.legend.{card.mechanism}"), f"gl-block-{css}", pattern
        yield messages.text("picture.legend.context"), f"gl-{css}", None
        if any(vessel.found_bytes for vessel in node.cards):
            yield messages.text("picture.legend.found"), f"gl-block-{css} gl-found", pattern
    if reserve:
        yield messages.text("picture.legend.reserve"), "gl-reserve", None
    if computes(node):
        yield messages.text("picture.legend.busy"), "gl-bar", None
    if any(card.refusals for card in node.cards):
        key = "picture.legend.refused_squeezed" if squeezed else "picture.legend.refused"
        yield messages.text(key), "gl-refused", Pattern.REFUSED


def _grouped(contexts: list[Shape], held: list[Shape], captions: Sequence[_Caption]) -> Iterator[Shape]:
    papers = tuple(caption.paper for caption in captions)
    texts = tuple(line for caption in captions for line in caption.lines)
    for shapes in (contexts, held, papers, texts):
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


def _block_label(name: str, data: int, spare: int, context: int, messages: Messages) -> str:
    sizes = {"data": messages.bytes_text(data), "context": messages.bytes_text(context)}
    if not spare:
        return messages.text("picture.block.label", pod=name, **sizes)
    return messages.text("picture.block.found", pod=name, needs=messages.bytes_text(data - spare), **sizes)
