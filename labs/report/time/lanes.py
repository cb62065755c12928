"""The lanes of the picture of time: the share of time with a kernel running on each card, on the same axis as the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from labs.report.drawing import Anchor, Line, Path, Placed, Rect, Shape, Text
from labs.report.time.axis import Axis
from labs.report.time.bands import LaneView
from labs.report.time.words import lane_name
from labs.report.writing import Messages, fit, pixels, wrap_pixels
from labs.simulation.outcome import Timeline

HEIGHT, LOW_HEIGHT, LOW_FROM = 40.0, 20.0, 4
GAP = 8.0
SIZE = 12.0
LABEL_SIZE = 10.5
APART = 14.0  # after a shorter pause the same share is not told again


def lanes_heading(left: float, right: float, y: float, messages: Messages) -> Placed:
    """What the lanes show."""
    lines = wrap_pixels(messages.text("timeline.lanes"), right - left, SIZE)
    shapes = (Text(left, y + 12 + 15 * index, line, SIZE, "gl-faint") for index, line in enumerate(lines))
    return Placed(tuple(shapes), 15.0 * len(lines) + 4)


def lanes_view(
    timeline: Timeline, views: Sequence[LaneView], axis: Axis, names: float, y: float, messages: Messages
) -> Placed:
    """A lane for each view."""
    shapes: list[Shape] = []
    top = y + 6
    height = HEIGHT if len(views) < LOW_FROM else LOW_HEIGHT
    for view in views:
        base = top + height
        name = fit(lane_name(view.lane, timeline, messages), names, SIZE)
        shapes.append(Text(axis.left - 8, base - height / 2 + 4, name, SIZE, "gl-ink", Anchor.END))
        shapes += _lane(view, axis, base, height, messages)
        top = base + GAP
    return Placed(tuple(shapes), top - GAP - y)


def _joined(pieces: Sequence[tuple[float, float, float]]) -> Iterator[tuple[float, float, float]]:
    """The pieces, those that follow each other with the same share as one."""
    for share, run in groupby(pieces, key=lambda piece: round(piece[2], 4)):
        same = list(run)
        yield same[0][0], same[-1][1], share


def _lane(view: LaneView, axis: Axis, base: float, height: float, messages: Messages) -> Iterator[Shape]:
    outline, labels, last = "", [], ""
    for start, end, share in _joined(view.pieces):
        left, right, top = axis.at(start), axis.at(end), base - height * share
        outline += f"{'L' if outline else f'M{left:.1f} {base:.1f}L'}{left:.1f} {top:.1f}H{right:.1f}"
        words = messages.percent(share)
        if share and words != last and right - left >= pixels(words, LABEL_SIZE, bold=True) + 8:
            labels.append((left, top, words))
            last = words
        elif not share and right - left >= APART:
            last = ""
    yield Line(axis.left, base - height, axis.right, base - height, "gl-hairline", "1 4")
    yield Line(axis.left, base, axis.right, base, "gl-hairline")
    if outline:
        yield Path(f"{outline}V{base:.1f}Z", "gl-busy")
    for left, top, words in labels:
        at = top + 13 if base - top >= 16 else top - 3
        wide = pixels(words, LABEL_SIZE, bold=True)
        yield Rect(left + 3, at - 10, wide + 2, 12.5, "gl-paper", 2)
        yield Text(left + 4, at, words, LABEL_SIZE, "gl-ink", bold=True)
