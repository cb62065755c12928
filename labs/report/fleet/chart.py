"""A rollout over time: how many nodes are updated and how many available, as steps, with what was done as numbered marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from labs.hardware.units import SECOND_US
from labs.report.cards import Width
from labs.report.drawing import Anchor, Line, Path, Rect, Scene, Shape, Text
from labs.report.writing import Messages, pixels
from labs.simulation.outcome.rollout import CountsFrom

HEIGHT, TOP = 74.0, 26.0
TICKS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400)
TICKS_MOST = {Width.WIDE: 8, Width.NARROW: 4}
ACTIONS_MOST = 20
PLACES = 2  # of a line, to a unit of the picture


@dataclass(frozen=True, slots=True)
class ChartedRun:
    """What is counted over a run, the times of what was done, the moment that is shown and the end of the axis (µs)."""

    counts: Sequence[CountsFrom]
    actions: Sequence[int]
    shown_us: int
    last_us: int


def chart_scene(course: ChartedRun, messages: Messages, width: Width) -> Scene:
    """The chart."""
    last = course.counts[-1].status
    ends = [
        (messages.text("fleet.chart.updated", n=last.updated), last.updated, "gl-line-updated"),
        (messages.text("fleet.chart.available", n=last.available), last.available, "gl-line-available"),
    ]
    margin = max(pixels(words, 12) for words, _, _ in ends) + 14
    left, right = 26.0, width.units - margin
    most = max(1, *(counted.status.desired for counted in course.counts))
    span = max(course.last_us, SECOND_US)

    def at_x(time_us: int) -> float:
        return left + (right - left) * min(time_us, span) / span

    def at_y(count: int) -> float:
        return TOP + HEIGHT * (1 - count / most)

    shapes: list[Shape] = [*_axes(span, most, at_x, at_y, messages, width)]
    updated = [(counted.at_us, counted.status.updated) for counted in course.counts]
    available = [(counted.at_us, counted.status.available) for counted in course.counts]
    shapes.append(Path(_steps(available, at_x, at_y, right), "gl-line-available"))
    shapes.append(Path(_steps(updated, at_x, at_y, right), "gl-line-updated"))
    shapes += _ends(ends, at_y, right)
    shapes += _actions(course.actions, at_x)
    x = at_x(course.shown_us)
    shapes.append(Line(x, TOP - 8, x, TOP + HEIGHT, "gl-now"))
    described = messages.text(
        "fleet.chart.alt", updated=last.updated, available=last.available, desired=last.desired
    )
    return Scene(width.units, TOP + HEIGHT + 22, tuple(shapes), messages.text("fleet.chart.title"), described)


def _steps(
    points: Sequence[tuple[int, int]],
    at_x: Callable[[int], float],
    at_y: Callable[[int], float],
    right: float,
) -> str:
    """A line that jumps at each change and goes on to the right; of many jumps in one place as far as all of them reach."""
    level = points[0][1]
    parts = [f"M{at_x(points[0][0]):.1f} {at_y(level):.1f}"]
    for place, there in groupby(points[1:], key=lambda point: round(at_x(point[0]) * PLACES)):
        counts = [count for _, count in there]
        reached = [level, *counts]
        if min(reached) == max(reached):
            continue
        parts.append(f"H{place / PLACES:.1f}")
        if len(counts) > 1:
            parts += [f"V{at_y(most):.1f}" for most in (min(reached), max(reached))]
        parts.append(f"V{at_y(counts[-1]):.1f}")
        level = counts[-1]
    return "".join(parts) + f"H{right:.1f}"


def _axes(
    span: int,
    most: int,
    at_x: Callable[[int], float],
    at_y: Callable[[int], float],
    messages: Messages,
    width: Width,
) -> Iterator[Shape]:
    for count in (0, most):
        yield Line(at_x(0), at_y(count), at_x(span), at_y(count), "gl-hairline")
        yield Text(at_x(0) - 6, at_y(count) + 4, messages.number(count), 11, "gl-faint", Anchor.END)
    pitch = next((tick for tick in TICKS if span / (tick * SECOND_US) <= TICKS_MOST[width]), TICKS[-1])
    for seconds in range(0, span // SECOND_US + 1, pitch):
        x = at_x(seconds * SECOND_US)
        yield Line(x, at_y(0), x, at_y(0) + 4, "gl-hairline")
        yield Text(x, at_y(0) + 17, messages.duration(seconds * SECOND_US), 11, "gl-faint", Anchor.MIDDLE)


def _ends(
    ends: Sequence[tuple[str, int, str]], at_y: Callable[[int], float], right: float
) -> Iterator[Shape]:
    """What each line is, at its end; apart where both end near each other."""
    heights = [at_y(count) + 4 for _, count, _ in ends]
    if abs(heights[0] - heights[1]) < 15:
        middle = sum(heights) / 2
        upper = 0 if heights[0] < heights[1] else 1
        heights[upper], heights[1 - upper] = middle - 7.5, middle + 7.5
    for (words, _, css), height in zip(ends, heights, strict=True):
        is_bold = css == "gl-line-updated"
        yield Text(right + 8, height, words, 12, "gl-ink" if is_bold else "gl-faint", bold=is_bold)


def _actions(times: Sequence[int], at_x: Callable[[int], float]) -> Iterator[Shape]:
    """A numbered flag for each action; those that would cover each other stand on one another's place once."""
    free_from = -99.0
    for number, time_us in enumerate(times[:ACTIONS_MOST], start=1):
        x = at_x(time_us)
        yield Line(x, TOP - 8, x, TOP + HEIGHT, "gl-deed-line", "2 3")
        if x >= free_from:
            yield Rect(x - 7, TOP - 24, 14, 15, "gl-rev-new", 7)
            yield Text(x, TOP - 12.5, str(number), 10.5, "gl-rev-on", Anchor.MIDDLE, True)
            free_from = x + 16
