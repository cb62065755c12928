"""The mark of faults in the picture of a card.

A cross with the number of Pods that were hit, where there is room for it, and a card crossed out that is lost. The words
are beside the card (`fault_words.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from labs.report.drawing import Anchor, Line, Rect, Shape, Text
from labs.report.writing import Messages, pixels
from labs.simulation.outcome.moment import CardView

ARM = 9.0  # of the cross
SIZE = 12.0
HEIGHT = 18.0


def fault_mark(
    card: CardView, x: float, width: float, rim: float, floor: float, messages: Messages
) -> Iterator[Shape]:
    """The mark in the vessel of a card from `x`, between its rim and its floor; nothing where nothing happened.

    It lies over what is held there, where there is room, so that its size stays readable.
    """
    if card.is_lost:
        yield Line(x, rim, x + width, floor, "gl-cross")
        yield Line(x, floor, x + width, rim, "gl-cross")
    if not card.hit:
        return
    number = messages.number(len(card.hit))
    wide = ARM + 3 + pixels(number, SIZE, bold=True) + 8
    if wide > width:  # no room for the number
        number, wide = "", ARM + 2
    left, top = x + (width - wide) / 2, _over_what_is_held(card, rim, floor)
    yield Rect(
        left, top, wide, HEIGHT, "gl-paper", 3, label=messages.count("picture.hit.label", len(card.hit))
    )
    at_x, at_y = left + (4 if number else 1), top + 4.5
    yield Line(at_x, at_y, at_x + ARM, at_y + ARM, "gl-cross")
    yield Line(at_x, at_y + ARM, at_x + ARM, at_y, "gl-cross")
    if number:
        yield Text(at_x + ARM + 3, top + 13.5, number, SIZE, "gl-alarm-ink", Anchor.START, bold=True)


def _over_what_is_held(card: CardView, rim: float, floor: float) -> float:
    """The top of the mark; at the floor where memory is nearly full."""
    held = floor - (floor - rim) * card.held_bytes / card.total_bytes
    return held - HEIGHT - 4 if held - rim >= HEIGHT + 12 else floor - HEIGHT - 4
