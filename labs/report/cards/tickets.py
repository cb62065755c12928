"""The left view of the central picture: what the scheduler sees, as tickets, numbered through the node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from math import ceil

from labs.report.cards.picture_words import SEVERAL_TOLD, card_name, several_slots, several_text, slots_text
from labs.report.drawing import Anchor, Group, Path, Placed, Rect, Shape, Text, heading
from labs.report.writing import Messages, fit, pixels, wrap_at_most, wrap_pixels
from labs.simulation.outcome.moment import CardView, NodeView, Slot

LABEL_WIDTH = 50.0
NUMBERED_MOST = 21  # slots of a card that still get a number each
ROW_PITCH_MOST = 72.0
MANY, ROW_OF_MANY = 4, 24.0  # MIG devices, each of which has a row, and the height of its ticket then


@dataclass(frozen=True, slots=True)
class _Grid:
    """How the tickets of one card stand in `full_width`: `columns` in a row, each `width` by `height`, `gap` apart."""

    full_width: float
    columns: int
    rows: int
    width: float
    height: float
    gap: float

    @property
    def full_height(self) -> float:
        """The height of all rows."""
        return self.rows * (self.height + self.gap) - self.gap


def tickets_view(
    node: NodeView, messages: Messages, x: float, y: float, width: float, height: float = 0.0
) -> Placed:
    """The tickets of a node at (x, y), `width` wide, its rows spread towards `height` where they are few."""
    head = heading(messages.text("picture.scheduler"), slots_text(node, messages), x, y, width)
    top = y + head.height + 12
    label = _label_width(node, messages)
    grids = [_grid(card, width - label, len(node.cards)) for card in node.cards]
    natural = sum(grid.full_height for grid in grids) + 14 * max(0, len(grids) - 1)
    spare = max(0.0, height - (top - y) - natural) / max(1, len(grids))
    marks = _pod_marks(node)
    shapes: list[Shape] = list(head.shapes)
    first = 1
    for card, grid in zip(node.cards, grids, strict=True):
        extra = min(spare, max(0.0, ROW_PITCH_MOST - grid.full_height - 14))
        shapes += _card_row(card, grid, first, marks, messages, x, label, top + extra / 2)
        top += grid.full_height + 14 + extra
        first += card.slot_count
    legend = _marks_legend(node, marks, messages, x, top - 6, width)
    return Placed((*shapes, *legend.shapes), top - 14 + legend.height - y)


def error_view(node: NodeView, messages: Messages, x: float, y: float, width: float) -> Placed:
    """What stands in place of the tickets where the device plugin refuses its config."""
    head = heading(messages.text("picture.scheduler"), messages.text("picture.slots.none"), x, y, width)
    top = y + head.height + 12
    headline = wrap_pixels(messages.text("picture.error"), width - 28, 12.5, bold=True)
    lines = wrap_at_most(node.error or "", 10, width - 28, 12.5)
    height = 16 + 17 * (len(headline) + len(lines))
    shapes: list[Shape] = [
        *head.shapes,
        Rect(x, top, width, height, "gl-error-box", 4.0),
        Rect(x, top, 4, height, "gl-alarm"),
    ]
    for index, line in enumerate([*headline, *lines]):
        bold = index < len(headline)
        shapes.append(
            Text(x + 16, top + 21 + 17 * index, line, 12.5, "gl-alarm-ink" if bold else "gl-ink", bold=bold)
        )
    return Placed(tuple(shapes), top + height - y)


def _label_width(node: NodeView, messages: Messages) -> float:
    """The room for the names of a node's cards, or of their MIG devices, which are longer."""
    names = [card_name(card, messages) for card in node.cards if card.mig is not None]
    return max([LABEL_WIDTH, *(pixels(name, 12) + 12 for name in names)])


def _grid(card: CardView, width: float, cards: int) -> _Grid:
    slots = card.slot_count
    if slots > len(card.slots):
        return _Grid(width, 1, 1, width, 36, 0)
    if slots > NUMBERED_MOST:
        columns = int((width + 3) // 15)
        return _Grid(width, columns, ceil(slots / columns), 12, 12, 3)
    most = int((width + 6) // 40)
    rows = max(1, ceil(slots / most))
    columns = max(1, ceil(slots / rows))
    gap = 8 if columns < 7 else 6
    return _Grid(
        width,
        columns,
        rows,
        min(48.0, (width + gap) / columns - gap),
        ROW_OF_MANY
        if card.mig is not None and cards > MANY
        else 38
        if rows == 1
        else 28
        if cards <= 4
        else 24,
        gap,
    )


def _card_row(
    card: CardView,
    grid: _Grid,
    first: int,
    marks: dict[str, str],
    messages: Messages,
    x: float,
    label: float,
    y: float,
) -> Iterator[Shape]:
    middle = y + min(grid.height, grid.full_height) / 2 + 4
    yield Text(x, middle, card_name(card, messages), 12, "gl-faint")
    left = x + label
    if card.slot_count > len(card.slots):
        yield from _long_ticket(card, messages, left, y, grid.width)
        return
    step_x, step_y = grid.width + grid.gap, grid.height + grid.gap
    places = [
        (left + place % grid.columns * step_x, y + place // grid.columns * step_y)
        for place in range(card.slot_count)
    ]
    for taken in (True, False):
        chosen = [index for index, slot in enumerate(card.slots) if (slot.pod is not None) is taken]
        if not chosen:
            continue
        if card.slot_count > NUMBERED_MOST:
            outline = "".join(_rounded(*places[index]) for index in chosen)
            yield Path(outline, "gl-dot-taken" if taken else "gl-dot-free")
            continue
        outline = "".join(_outline(*places[index], grid) for index in chosen)
        yield Path(outline, "gl-ticket" if taken else "gl-ticket gl-free")
        stubs = (
            f"M{at_x + grid.width - 17:.1f} {at_y + 5:.1f}v{grid.height - 10:g}" for at_x, at_y in places
        )
        yield Path("".join(stubs), "gl-stub")
        yield Group(tuple(_number(first + index, *places[index], grid, taken) for index in chosen))
        if card.is_unhealthy and not taken:
            yield Path("".join(_strike(*places[index], grid) for index in chosen), "gl-strike")
        if taken:
            yield from _holders([(card.slots[index], *places[index]) for index in chosen], marks, grid)
    if card.slot_count <= NUMBERED_MOST:
        yield from _brackets(card, marks, grid, left, y)
    if card.slot_count == 1 and card.slots[0].pod is not None:
        room = grid.full_width - grid.width - 10
        yield Text(left + grid.width + 10, middle, fit(card.slots[0].pod, room, 12), 12)


def _outline(x: float, y: float, grid: _Grid) -> str:
    """A ticket: rounded corners, and a bite in the middle of either side."""
    across, side = grid.width - 8, (grid.height - 16) / 2
    return (
        f"M{x + 4:.1f} {y:.1f}h{across:.1f}a4 4 0 0 1 4 4v{side:g}a4 4 0 0 0 0 8v{side:g}a4 4 0 0 1-4 4"
        f"h{-across:.1f}a4 4 0 0 1-4-4v{-side:g}a4 4 0 0 0 0-8v{-side:g}a4 4 0 0 1 4-4z"
    )


def _strike(x: float, y: float, grid: _Grid) -> str:
    """A stroke through a ticket that nobody gets: its card is unhealthy."""
    return f"M{x + 5:.1f} {y + grid.height - 5:.1f}l{grid.width - 10:.1f} {10 - grid.height:.1f}"


def _rounded(x: float, y: float) -> str:
    """A ticket too small for a number."""
    return f"M{x + 3:.1f} {y:.1f}h6a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3h-6a3 3 0 0 1-3-3v-6a3 3 0 0 1 3-3z"


def _number(number: int, x: float, y: float, grid: _Grid, taken: bool) -> Text:
    size = 13 if number < 100 else 10
    at_x, at_y = x + (grid.width - 14) / 2, y + grid.height / 2 + size * 0.35
    return Text(at_x, at_y, str(number), size, "gl-ink" if taken else "gl-faint", Anchor.MIDDLE, True)


def _holders(
    taken: Sequence[tuple[Slot, float, float]], marks: dict[str, str], grid: _Grid
) -> Iterator[Shape]:
    """A dot on every ticket that a Pod holds, or the letter of a Pod that holds several."""
    dots, letters = "", []
    for slot, x, y in taken:
        mark = marks.get(slot.pod or "")
        if mark is None:
            dots += f"M{x + grid.width - 9.5:.1f} {y + grid.height / 2:.1f}h0"
        else:
            at_x, at_y = x + grid.width - 10.5, y + grid.height / 2 + 4
            letters.append(Text(at_x, at_y, mark, 11, "gl-ink", Anchor.MIDDLE, True))
    if dots:
        yield Path(dots, "gl-dots")
    if letters:
        yield Group(tuple(letters))


def _brackets(card: CardView, marks: dict[str, str], grid: _Grid, x: float, y: float) -> Iterator[Shape]:
    """A bracket under tickets that stand side by side and are one Pod's: the same card, twice or more."""
    d = ""
    rows = range(0, card.slot_count, grid.columns)
    for row, start in enumerate(rows):
        places = range(start, min(start + grid.columns, card.slot_count))
        for pod, run in groupby(places, key=lambda place: card.slots[place].pod):
            held = list(run)
            if pod in marks and len(held) > 1:
                left = x + (held[0] - start) * (grid.width + grid.gap) + 4
                right = x + (held[-1] - start) * (grid.width + grid.gap) + grid.width - 4
                d += (
                    f"M{left:.1f} {y + row * (grid.height + grid.gap) + grid.height + 2:.1f}v4H{right:.1f}v-4"
                )
    if d:
        yield Path(d, "gl-bar")


def _marks_legend(
    node: NodeView, marks: dict[str, str], messages: Messages, x: float, y: float, width: float
) -> Placed:
    """What the letters stand for; that they mean something where they are too many to tell."""
    if not marks:
        return Placed((), 0.0)
    several = several_slots(node)
    entries = [
        (marks[held.pod], several_text(held, messages), "gl-ink" if len(held.cards) == 1 else "gl-faint")
        for held in several
    ]
    if len(several) > SEVERAL_TOLD:
        entries = [("", messages.text("picture.marks"), "gl-faint")]
    shapes: list[Shape] = []
    line_y = y + 15
    for mark, text, css in entries:
        if mark:
            shapes.append(Text(x, line_y, mark, 11.5, "gl-ink", bold=True))
        indent = 16 if mark else 0
        for line in wrap_pixels(text, width - indent, 11.5):
            shapes.append(Text(x + indent, line_y, line, 11.5, css))
            line_y += 15
    return Placed(tuple(shapes), line_y - 4 - y)


def _long_ticket(card: CardView, messages: Messages, x: float, y: float, width: float) -> Iterator[Shape]:
    taken = card.taken
    yield Rect(x, y, width, 18, "gl-dot-free", 4)
    yield Rect(x, y, max(3.0, width * taken / card.slot_count) if taken else 0, 18, "gl-dot-taken", 4)
    words = messages.text("picture.slots.of", taken=taken, n=card.slot_count)
    yield Text(x, y + 34, words, 12, "gl-ink")


def _pod_marks(node: NodeView) -> dict[str, str]:
    """A letter for every Pod that holds several slots of the node: a, b, … z, a2, …"""
    several = [held.pod for held in several_slots(node)]
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = (letter if round_ == 1 else f"{letter}{round_}" for round_ in count(1) for letter in letters)
    return dict(zip(several, names, strict=False))
