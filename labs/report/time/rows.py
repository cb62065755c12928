"""The rows of the picture of time: a Gantt row for each Pod, or for each workload where there are many.

Who runs is solid, as high as the share of its speed alone; who waits is a thin line; out of memory is a cross with the word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from labs.report.cards import CLASSES, PATTERNS
from labs.report.drawing import Anchor, Line, Path, Pattern, Placed, Rect, Shape, Text
from labs.report.time.axis import Axis
from labs.report.time.bands import CROWDS_MOST, STUCK, Band, Cell, Crowd, CrowdCell
from labs.report.time.words import crowd_name
from labs.report.writing import Messages, fit, pixels
from labs.simulation.outcome.moment import PodState

PITCH, TIGHT_PITCH, TIGHT_FROM = 30.0, 24.0, 13
BAR_GAP = 9.0  # between the bars of two rows
IDLE_HEIGHT = 5.0
LEAST = 2.0
NAME_SIZE = 12.0
LABEL_SIZE = 10.5
ARM = 4.0
APART = 14.0  # crosses nearer to each other than this are one
TOGETHER = 100.0
FULL = 0.995
CHANGE = 0.02  # a pace that changes by less is not told again


def rows_view(bands: Sequence[Band], axis: Axis, names: float, y: float, messages: Messages) -> Placed:
    """A row for each band, with its name in the `names` units left of the axis."""
    pitch = PITCH if len(bands) < TIGHT_FROM else TIGHT_PITCH
    shapes: list[Shape] = []
    for index, band in enumerate(bands):
        base = y + pitch * (index + 1) - BAR_GAP / 2
        shapes += _name(band.pod, axis, names, base)
        shapes += _row(band, axis, base, pitch - BAR_GAP, messages)
    return Placed(tuple(shapes), pitch * len(bands))


def crowds_view(crowds: Sequence[Crowd], axis: Axis, names: float, y: float, messages: Messages) -> Placed:
    """A row for each workload; where they are more than CROWDS_MOST, how many more there are."""
    shapes: list[Shape] = []
    drawn = crowds if len(crowds) <= CROWDS_MOST else crowds[: CROWDS_MOST - 1]
    for index, crowd in enumerate(drawn):
        base = y + PITCH * (index + 1) - BAR_GAP / 2
        shapes += _name(crowd_name(crowd, messages), axis, names, base)
        shapes += _crowd(crowd, axis, base, PITCH - BAR_GAP, messages)
    height = PITCH * len(drawn)
    if len(drawn) < len(crowds):
        more = messages.count("timeline.more", len(crowds) - len(drawn))
        shapes.append(Text(axis.left, y + height + 14, more, NAME_SIZE, "gl-faint"))
        height += 20
    return Placed(tuple(shapes), height)


def cross(x: float, y: float) -> Iterator[Shape]:
    """The sign of something that went wrong, around (x, y)."""
    yield Path(
        f"M{x - ARM:.1f} {y - ARM:.1f}l{2 * ARM:g} {2 * ARM:g}M{x - ARM:.1f} {y + ARM:.1f}l{2 * ARM:g} {-2 * ARM:g}",
        "gl-mark",
    )


def done_sign(x: float, y: float) -> Rect:
    """The sign of a Pod that is done, around (x, y)."""
    return Rect(x - 3.5, y - 3.5, 7, 7, "gl-done", 3.5)


def _name(name: str, axis: Axis, names: float, base: float) -> Iterator[Shape]:
    yield Text(axis.left - 8, base - 5, fit(name, names, NAME_SIZE), NAME_SIZE, "gl-ink", Anchor.END)
    yield Line(axis.left, base, axis.right, base, "gl-hairline")


def _row(band: Band, axis: Axis, base: float, height: float, messages: Messages) -> Iterator[Shape]:
    labels: list[Shape] = []
    last: float | None = None  # the pace that was told last
    for cell in band.cells:
        yield from _cell(cell, axis, base, height)
        pace = cell.pace if cell.works else None
        if pace is not None and (last is None or abs(pace - last) >= CHANGE) and pace < FULL:
            label = list(_pace_label(cell, axis, base, height, messages))
            labels += label
            last = pace if label else last
        elif pace is not None or axis.at(cell.end_us) - axis.at(cell.start_us) >= APART:
            last = pace
    yield from labels
    yield from _marks(band, axis, base, height, messages)
    yield from _end(band, axis, base, height, messages)


def _cell(cell: Cell, axis: Axis, base: float, height: float) -> Iterator[Shape]:
    left, right = axis.at(cell.start_us), axis.at(cell.end_us)
    middle = base - height / 2
    if cell.works:
        tall = max(LEAST, height * (cell.pace or 0.0))
        css, pattern = CLASSES[cell.mechanism], PATTERNS.get(cell.mechanism)
        yield Rect(left, base - tall, max(0.5, right - left), tall, f"gl-block-{css}", 0, pattern)
    elif cell.state is PodState.RUNNING and cell.pace is None:
        yield Rect(left, base - IDLE_HEIGHT, max(0.5, right - left), IDLE_HEIGHT, "gl-bar")
    elif cell.state in STUCK:
        yield Line(left, middle, right, middle, "gl-stuck")
    else:
        dash = "1.5 4" if cell.state is PodState.BACK_OFF else "5 4"
        yield Line(left, middle, right, middle, "gl-wait", dash if cell.state is not PodState.RUNNING else "")


def _pace_label(cell: Cell, axis: Axis, base: float, height: float, messages: Messages) -> Iterator[Shape]:
    """The share of its speed alone: over a low bar, in a high one; nothing where there is no room."""
    words = messages.percent(cell.pace or 0.0)
    left, wide = axis.at(cell.start_us), pixels(words, LABEL_SIZE)
    if axis.at(cell.end_us) - left < wide + 8:
        return
    tall = height * (cell.pace or 0.0)
    over = height - tall >= LABEL_SIZE
    at = base - tall - 2.5 if over else base - min(tall, height) / 2 + 4
    if not over:
        yield Rect(left + 3, at - LABEL_SIZE + 0.5, wide + 2, LABEL_SIZE + 2, "gl-paper", 2)
    yield Text(left + 4, at, words, LABEL_SIZE, "gl-ink")


def _marks(band: Band, axis: Axis, base: float, height: float, messages: Messages) -> Iterator[Shape]:
    """Crosses, with the word at the first that is about memory; those close together are one."""
    last, named = -APART, _dies_of_memory(band, axis)
    for mark in band.marks:
        x = axis.at(mark.at_us)
        if x - last < APART and not (mark.kind == "oom" and not named):
            continue
        last = x
        yield from cross(x, base - height / 2)
        if mark.kind == "oom" and not named:
            named = True
            words = messages.text("timeline.oom")
            wide = pixels(words, LABEL_SIZE, bold=True)
            left = x + ARM + 3 if x + ARM + 5 + wide <= axis.right else x - ARM - 3 - wide
            yield Rect(left - 2, base - height / 2 - 7, wide + 4, 14, "gl-paper", 2)
            yield Text(left, base - height / 2 + 4, words, LABEL_SIZE, "gl-alarm-ink", bold=True)
            last = max(x, left + wide + 2 * ARM - APART)  # the next cross stands beside the word


def _end(band: Band, axis: Axis, base: float, height: float, messages: Messages) -> Iterator[Shape]:
    """What became of the Pod, with the time or the word beside it."""
    if band.end is None:
        return
    x, middle = axis.at(band.end_us), base - height / 2
    if band.end is PodState.SUCCEEDED:
        words, css = messages.duration(band.end_us), "gl-ink"
        yield done_sign(x, middle)
    else:
        words, css = messages.text(f"timeline.end.{band.end}"), "gl-alarm-ink"
        if _dies_of_memory(band, axis):
            words = messages.text("list.comma").join([messages.text("timeline.oom"), words])
        yield from cross(x, middle)
    wide = pixels(words, LABEL_SIZE, bold=True)
    left = x + 8 if x + 10 + wide <= axis.right else x - 8 - wide
    yield Rect(left - 2, middle - 7, wide + 4, 14, "gl-paper", 2)
    yield Text(left, middle + 4, words, LABEL_SIZE, css, bold=True)


def _alike(cells: Sequence[CrowdCell]) -> Iterator[CrowdCell]:
    """The cells, those that follow each other with the same numbers as one."""
    for numbers, run in groupby(
        cells, key=lambda cell: (round(cell.runs, 3), round(cell.stuck, 3), round(cell.waits, 3))
    ):
        same = list(run)
        yield CrowdCell(same[0].start_us, same[-1].end_us, *numbers)


def _dies_of_memory(band: Band, axis: Axis) -> bool:
    """Whether the first mark about memory stands so near to the end of a failed Pod that one sign says both."""
    first = next((mark.at_us for mark in band.marks if mark.kind == "oom"), None)
    if first is None or band.end is not PodState.FAILED:
        return False
    return axis.at(band.end_us) - axis.at(first) < TOGETHER


def _crowd(crowd: Crowd, axis: Axis, base: float, height: float, messages: Messages) -> Iterator[Shape]:
    """How many run, over them those that get nothing done, and as an outline all that are there."""
    css, pattern = CLASSES[crowd.mechanism], PATTERNS.get(crowd.mechanism)
    unit = height / crowd.count
    outline = ""
    for cell in _alike(crowd.cells):
        left, right = axis.at(cell.start_us), axis.at(cell.end_us)
        runs, stuck = unit * cell.runs, unit * cell.stuck
        if runs > 0.05:
            yield Rect(left, base - runs, right - left, runs, f"gl-block-{css}", 0, pattern)
        if stuck > 0.05:
            yield Rect(left, base - runs - stuck, right - left, stuck, "gl-refused", 0, Pattern.REFUSED)
        top = base - unit * (cell.runs + cell.stuck + cell.waits)
        outline += f"{'L' if outline else 'M'}{left:.1f} {top:.1f}H{right:.1f}"
    yield Path(outline, "gl-wait")
    notes = [
        messages.count(f"timeline.crowd.{key}", n)
        for key, n in (("oom", crowd.oom), ("done", crowd.done))
        if n
    ]
    if notes:
        words = messages.text("list.comma").join(notes)
        wide = pixels(words, LABEL_SIZE, bold=True)
        yield Rect(axis.right - wide - 4, base - height + 1, wide + 4, 14, "gl-paper", 2)
        yield Text(axis.right - 2, base - height + 12, words, LABEL_SIZE, "gl-ink", Anchor.END, bold=True)
