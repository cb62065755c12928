"""The result as plain text for a terminal of 80 columns: the two views side by side, the sentence, the tables.

Shapes are ASCII, so that they are one column wide in every terminal: `/` is memory held under time-slicing, `=` under
exclusive use, `-` what of it is not needed and was taken because it was free, `x` what was asked for and refused, which
stands to the right of the rim `|`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from labs.report.cards import (
    FRAMES_MOST,
    TILES_MOST,
    busy_text,
    callouts,
    card_name,
    cards_text,
    found_text,
    pod_lists,
    several_texts,
    slices_text,
    slots_text,
    tile_text,
)
from labs.report.result.picture import Picture
from labs.report.result.sentence import sentences
from labs.report.result.tables import error_notes, tables
from labs.report.time import time_text, time_view
from labs.report.writing import WIDTH, Messages, columns, cut, pad, table_text, wrap
from labs.simulation.outcome import Outcome
from labs.simulation.outcome.moment import CardView, NodeView, Snapshot

LEFT = 34
RIGHT = WIDTH - LEFT - 2
BAR = 15
BAR_LEAST = 6
OVER = 4
FILLS = {"exclusive": "=", "time-slicing": "/", "mps": ":", "mig": "#"}
NUMBERED_MOST = 21
SLICE = 4  # columns of a slice of a MIG card


def result_text(
    outcome: Outcome, snapshot: Snapshot, messages: Messages, picture: Picture = Picture.CARDS
) -> str:
    """Everything about a run, ending with the Trace's hash and a newline."""
    said = [line for sentence in sentences(outcome, messages) for line in wrap(sentence, WIDTH)]
    said += [line for sentence in unmet_words(outcome, messages) for line in wrap(sentence, WIDTH)]
    parts = ["\n".join(said)]
    if picture.has_cards:
        parts.append(picture_text(snapshot, messages))
    if picture.has_time:
        parts.append(time_text(time_view(outcome.scenario, outcome.trace, snapshot.at_us), messages))
    parts += [table_text(table) for table in tables(outcome, messages)]
    parts += ["\n".join(wrap(note, WIDTH)) for note in error_notes(outcome, messages)]
    parts.append(f"{messages.text('result.hash')} {outcome.trace_hash}")
    return "\n\n".join(parts) + "\n"


def picture_text(snapshot: Snapshot, messages: Messages) -> str:
    """The central picture, at the moment that it names."""
    lines = [messages.text("picture.at", time=messages.duration(snapshot.at_us))]
    if not snapshot.nodes:
        lines += ["", messages.text("picture.empty")]
    if len(snapshot.nodes) > FRAMES_MOST:
        lines += [_fleet_line(node, messages) for node in snapshot.nodes[:TILES_MOST]]
        if len(snapshot.nodes) > TILES_MOST:
            lines.append(messages.count("picture.fleet.more", len(snapshot.nodes) - TILES_MOST))
    else:
        for node in snapshot.nodes:
            lines += ["", *_node_lines(node, messages)]
    for listed in pod_lists(snapshot, messages):
        lines += ["", listed.heading]
        lines += wrap("  ".join(listed.labels), WIDTH)
        lines += wrap(listed.message, WIDTH) if listed.message else []
    return "\n".join(line.rstrip() for line in lines)


def unmet_words(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """What the scenario expected and the run did not bring."""
    for unmet in outcome.differences or ():
        values = {"what": unmet.what, "expected": unmet.expected, "found": unmet.actual}
        yield messages.text("result.unmet", **values)


def _node_lines(node: NodeView, messages: Messages) -> Iterator[str]:
    offers = ", ".join(f"{name}: {count}" for name, count in node.resources if count)
    yield cut(
        "  ".join(
            part
            for part in (node.name, f"{node.gpu_count or len(node.cards)} x {node.model_name}", offers)
            if part
        ),
        WIDTH,
    )
    left = [messages.text("picture.scheduler"), *wrap(_left_subtitle(node, messages), LEFT)]
    right = [messages.text("picture.cards.title"), *wrap(cards_text(node, messages), RIGHT)]
    yield from _beside(left, right)
    if node.error is not None:
        yield from wrap(f"{messages.text('picture.error')} {node.error}", WIDTH)
    first, digits = 1, len(str(sum(card.slot_count for card in node.cards)))
    margin = max([7, *(columns(card_name(card, messages)) + 1 for card in node.cards)])
    bar = max(BAR_LEAST, BAR - (margin - 7))
    for card in node.cards:
        name = card_name(card, messages)
        tickets = list(_tickets(card, first, digits, LEFT - margin)) if node.error is None else []
        label = pad(name, margin)
        yield from _beside(
            [label + tickets[0], *(" " * margin + row for row in tickets[1:])]
            if tickets
            else [label.strip()],
            [label + _vessel(card, messages, bar)],
        )
        first += card.slot_count
    yield from _slice_lines(node, messages)
    notes = [callout.text for callout in callouts(node, messages)]
    for line in (
        slices_text(node, messages),
        *notes,
        found_text(node, messages),
        *several_texts(node, messages),
        busy_text(node, messages),
    ):
        yield from wrap(line, WIDTH) if line else ()


def _slice_lines(node: NodeView, messages: Messages) -> Iterator[str]:
    """How each card is cut: `[1   ]` are the memory slices of MIG device 1, `[..]` a wasted slice, `[  ]` one not cut."""
    slices = node.slices
    if slices is None:
        return
    memory, compute = messages.text("picture.slices.memory"), messages.text("picture.slices.compute")
    gpus: dict[int, list[CardView]] = {}
    for card in node.cards:
        if card.place is not None:
            gpus.setdefault(card.place.gpu, []).append(card)
    width = max(columns(memory), columns(compute)) + 1
    for gpu, cards in gpus.items():
        rooms = {card.place.start: (card.number, card.place.size) for card in cards if card.place}
        tiles = {
            card.place.start + index: (card.number, 1)
            for card in cards
            if card.place
            for index in range(card.place.compute)
        }
        name = messages.text("picture.gpu", n=gpu)
        yield f"{name}  {pad(compute, width)}{_slice_row(tiles, slices.compute, slices.wasted_compute)}"
        yield (
            f"{' ' * columns(name)}  {pad(memory, width)}"
            f"{_slice_row(rooms, slices.memory, slices.wasted_memory)}"
        )


def _slice_row(held: Mapping[int, tuple[int, int]], count: int, wasted: Sequence[int]) -> str:
    """A row of slices: `held` has by its start each device's number and how many slices it has there."""
    row, index = "", 0
    while index < count:
        number, size = held.get(index, (None, 1))
        label = str(number) if number is not None else ".." if index in wasted else ""
        row += f"[{label:{SLICE * size - 2}}]"
        index += size
    return row


def _left_subtitle(node: NodeView, messages: Messages) -> str:
    return messages.text("picture.slots.none") if node.error is not None else slots_text(node, messages)


def _beside(left: list[str], right: list[str]) -> Iterator[str]:
    for index in range(max(len(left), len(right))):
        a = left[index] if index < len(left) else ""
        b = right[index] if index < len(right) else ""
        yield pad(cut(a, LEFT), LEFT + 2) + b


def _tickets(card: CardView, first: int, digits: int, width: int) -> Iterator[str]:
    """Rows of tickets in `width` columns; only numbers where a card has many.

    `[ 3*]` is taken, `[ 3 ]` is free, `[ 3x]` is one that nobody gets, since its card is unhealthy.
    """
    if card.slot_count > NUMBERED_MOST:
        taken = card.taken
        yield f"[{'*' * ceil(20 * taken / card.slot_count):20}] {taken}/{card.slot_count}"
        return
    tickets = [
        f"[{first + place:>{digits}}{'*' if slot.pod else 'x' if card.is_unhealthy else ' '}]"
        for place, slot in enumerate(card.slots)
    ]
    per_row = width // (digits + 3)
    for start in range(0, len(tickets), per_row):
        yield "".join(tickets[start : start + per_row])


def _vessel(card: CardView, messages: Messages, width: int) -> str:
    held = min(width, round(width * card.held_bytes / card.total_bytes))
    spare = min(held, round(width * card.found_bytes / card.total_bytes))
    asked = sum(refusal.asked_bytes for refusal in card.refusals)
    over = min(OVER, max(1, round(width * asked / card.total_bytes))) if asked else 0
    fill = FILLS[card.mechanism]
    bar = f"|{fill * (held - spare) + '-' * spare:{width}}|{'x' * over:{OVER}}"
    gib = messages.number(card.held_bytes / 2**30)
    return f"{bar} {gib}/{messages.bytes_text(card.total_bytes)}"


def _fleet_line(node: NodeView, messages: Messages) -> str:
    if node.error is not None:
        return cut(
            f"{pad(cut(node.name, 20), 22)}{messages.text('picture.fleet.error')}: {node.error}", WIDTH
        )
    held = sum(card.held_bytes for card in node.cards)
    total = sum(card.total_bytes for card in node.cards)
    refusals = sum(len(card.refusals) for card in node.cards)
    oom = messages.text("picture.fleet.oom", n=refusals) if refusals else ""
    words = f"{tile_text(node, messages)}  {messages.number(held / 2**30)}/"
    return cut(f"{pad(cut(node.name, 20), 22)}{words}{messages.bytes_text(total)}  {oom}", WIDTH).rstrip()
