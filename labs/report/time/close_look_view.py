"""The close look under the picture of time: every turn on a card, in a fraction of a second."""

from __future__ import annotations

from collections.abc import Iterator

from labs.report.cards import CLASSES
from labs.report.drawing import Anchor, Line, Path, Placed, Shape, Text
from labs.report.time.axis import Axis, grid, tick_names
from labs.report.time.words import look_notes, look_title
from labs.report.writing import Messages, fit, wrap_pixels
from labs.simulation.outcome import CloseLook, CloseRow, Timeline

ROWS_MOST = 8
PITCH = 20.0
BAR = 12.0
SIZE = 12.0


def close_look_view(
    look: CloseLook, timeline: Timeline, left: float, right: float, names: float, y: float, messages: Messages
) -> Placed:
    """The look between `left` and `right`, at `y`; Pods beyond ROWS_MOST are a number."""
    shapes: list[Shape] = []
    at = y
    for line in wrap_pixels(look_title(look, timeline, messages), right - left, 13, bold=True):
        shapes.append(Text(left, at + 13, line, 13, bold=True))
        at += 17
    for note in look_notes(look, messages):
        for line in wrap_pixels(note, right - left, SIZE):
            shapes.append(Text(left, at + 12, line, SIZE, "gl-faint"))
            at += 16
    at += 6
    axis = Axis(left + names + 8, right, look.length_us)
    rows = look.rows if len(look.rows) <= ROWS_MOST else look.rows[: ROWS_MOST - 1]
    bottom = at + PITCH * len(rows)
    shapes += grid(axis, messages, at, bottom)
    for row in rows:
        at += PITCH
        name = fit(row.pod, names, SIZE)
        shapes.append(Text(axis.left - 8, at - 5, name, SIZE, "gl-ink", Anchor.END))
        shapes += _row(row, axis, at)
    if len(rows) < len(look.rows):
        more = messages.count("timeline.look.more", len(look.rows) - len(rows))
        shapes.append(Text(axis.left, at + 14, more, SIZE, "gl-faint"))
        at += 20
    shapes += tick_names(axis, messages, at + 4)
    return Placed(tuple(shapes), at + 22 - y)


def _row(row: CloseRow, axis: Axis, base: float) -> Iterator[Shape]:
    middle = base - 3 - BAR / 2
    waits = "".join(f"M{axis.at(start):.1f} {middle:.1f}H{axis.at(end):.1f}" for start, end in row.waits)
    runs = "".join(
        f"M{axis.at(start):.1f} {base - 3:.1f}v{-BAR:g}H{axis.at(end):.1f}v{BAR:g}z"
        for start, end in row.runs
    )
    yield Line(axis.left, base, axis.right, base, "gl-hairline")
    if waits:
        yield Path(waits, "gl-wait")
    if runs:
        yield Path(runs, f"gl-{CLASSES[row.mechanism]}")
