"""Against the number of copies: lines with their known error as a band, published measurements as dots.

A way of sharing is told by its dashes, its mark, its hue, and at the line's end its pattern and name. Dots are round and of
the ink's colour, whatever they were measured under, and lie on the line that they belong to or beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from labs.report.drawing import Anchor, Line, Path, Pattern, Rect, Scene, Shape, Text
from labs.report.writing import pixels

LEFT, TOP, HEIGHT, FOOT = 46.0, 30.0, 190.0, 40.0
SIZE = 12.0
GAP = 24.0  # between two plots
STEP = 15.0  # between two names at the lines' ends
DOT = 4.0
DASHES = {"exclusive": "", "time-slicing": "7 3", "mps": "2 3", "mps-capped": "8 3 2 3", "mig": "12 3"}
CSS = {"exclusive": "exclusive", "time-slicing": "ts", "mps": "mps", "mps-capped": "mps", "mig": "mig"}
PATTERNS = {
    "time-slicing": Pattern.TIME_SLICING,
    "mps": Pattern.MPS,
    "mps-capped": Pattern.MPS,
    "mig": Pattern.MIG,
}
SWATCH = 16.0
_MARKS: dict[str, Callable[[float, float], str]] = {
    "exclusive": lambda x, y: f"M{x - 2.8:.1f} {y - 2.8:.1f}h5.6v5.6h-5.6z",
    "time-slicing": lambda x, y: f"M{x:.1f} {y - 4:.1f}l4 4-4 4-4-4z",
    "mps": lambda x, y: f"M{x:.1f} {y - 3.8:.1f}l3.8 6.6h-7.6z",
    "mps-capped": lambda x, y: f"M{x:.1f} {y + 3.8:.1f}l3.8-6.6h-7.6z",
    "mig": lambda x, y: (
        f"M{x - 3.6:.1f} {y - 1.2:.1f}h7.2v2.4h-7.2zM{x - 1.2:.1f} {y - 3.6:.1f}h2.4v7.2h-2.4z"
    ),
}


class PlotWidth(Enum):
    """Plots side by side in a wide column, one under the other in a phone's."""

    WIDE = 384.0
    NARROW = 360.0


@dataclass(frozen=True, slots=True)
class Dot:
    """A measurement, and what a pointer over it is told: the figure and its source."""

    copies: int
    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """What a way of sharing is predicted to come to, by copies, and how many percent it may be off."""

    way: str
    name: str
    points: tuple[tuple[int, float], ...]
    percent: float
    dots: tuple[Dot, ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves under a title that says what is counted, from 1 to `most` copies; `chosen` are marked."""

    title: str
    axis: str
    curves: tuple[Curve, ...]
    most: int
    chosen: int | None = None


def copies_scene(plots: Sequence[Plot], width: PlotWidth, title: str, description: str) -> Scene:
    """The picture of one or more plots."""
    side = width.value
    names = max(pixels(curve.name, SIZE) for plot in plots for curve in plot.curves)
    shapes: list[Shape] = []
    down = TOP + HEIGHT + FOOT
    for index, plot in enumerate(plots):
        is_wide = width is PlotWidth.WIDE
        across = index * (side + GAP) if is_wide else 0.0
        begin = 0.0 if is_wide else index * (down + GAP)
        shapes += _Drawn(plot, across, begin, side - LEFT - names - SWATCH - 14.0).shapes()
    count = len(plots)
    if width is PlotWidth.WIDE:
        return Scene(count * side + (count - 1) * GAP, down, tuple(shapes), title, description)
    return Scene(side, count * down + (count - 1) * GAP, tuple(shapes), title, description)


class _Drawn:
    """One plot at its place, its lines `width` wide."""

    def __init__(self, plot: Plot, across: float, down: float, width: float) -> None:
        self._plot, self._across, self._down, self._width = plot, across, down, width
        tops = [value * _factor(curve) for curve in plot.curves for _, value in curve.points]
        tops += [dot.value for curve in plot.curves for dot in curve.dots]
        self._ticks = _ticks(max(tops, default=1.0) or 1.0)

    def shapes(self) -> Iterator[Shape]:
        """Axes, bands, lines, dots, names."""
        plot = self._plot
        left, bottom = self._x(1), self._y(0.0)
        yield Text(self._across, self._down + 14, plot.title, SIZE + 1, "gl-ink", bold=True)
        if plot.chosen is not None:
            x = self._x(plot.chosen)
            yield Rect(x - 8, self._y(self._ticks[-1]), 16, HEIGHT, "gl-chosen")
        for tick in self._ticks:
            yield Line(left, self._y(tick), self._x(plot.most), self._y(tick), "gl-hairline")
            yield Text(left - 8, self._y(tick) + 4, f"{tick:,.6g}", SIZE, "gl-faint", Anchor.END)
        for copies in range(1, plot.most + 1):
            css = "gl-ink" if copies == plot.chosen else "gl-faint"
            middle = Anchor.MIDDLE
            yield Text(self._x(copies), bottom + 17, str(copies), SIZE, css, middle, copies == plot.chosen)
        yield Text((left + self._x(plot.most)) / 2, bottom + 34, plot.axis, SIZE, "gl-faint", Anchor.MIDDLE)
        for curve in plot.curves:
            yield from self._band(curve)
        for curve in plot.curves:
            yield from self._line(curve)
        for curve in plot.curves:
            for dot in curve.dots:
                x, y = self._x(dot.copies), self._y(dot.value)
                yield Rect(x - DOT, y - DOT, 2 * DOT, 2 * DOT, "gl-measured", DOT, label=dot.label)
        yield from self._names()

    def _band(self, curve: Curve) -> Iterator[Shape]:
        factor = _factor(curve)
        if factor == 1.0:
            return
        for run in _runs(curve.points):
            upper = [(self._x(copies), self._y(value * factor)) for copies, value in run]
            lower = [(self._x(copies), self._y(value / factor)) for copies, value in reversed(run)]
            if len(run) == 1:  # a band as wide as a mark
                upper = [(upper[0][0] - 4, upper[0][1]), (upper[0][0] + 4, upper[0][1])]
                lower = [(lower[0][0] + 4, lower[0][1]), (lower[0][0] - 4, lower[0][1])]
            yield Path(f"M{_along([*upper, *lower])}z", f"gl-band gl-band-{CSS[curve.way]}")

    def _line(self, curve: Curve) -> Iterator[Shape]:
        hue = CSS[curve.way]
        for run in _runs(curve.points):
            for (first, start), (then, end) in pairwise(run):
                ends = (self._x(first), self._y(start), self._x(then), self._y(end))
                yield Line(*ends, f"gl-curve gl-curve-{hue}", DASHES[curve.way])
        mark = _MARKS[curve.way]
        drawn = "".join(mark(self._x(copies), self._y(value)) for copies, value in curve.points)
        if drawn:
            yield Path(drawn, f"gl-{hue}")

    def _names(self) -> Iterator[Shape]:
        """At the lines' ends, apart from each other, a short line to where they belong."""
        ends = [(self._y(curve.points[-1][1]), curve) for curve in self._plot.curves if curve.points]
        ends.sort(key=lambda end: end[0])
        places: list[float] = []
        for y, _ in ends:
            places.append(max(y, places[-1] + STEP) if places else y)
        over = max(0.0, places[-1] - self._y(0.0)) if places else 0.0
        for index in range(len(places) - 1, -1, -1):
            below = places[index + 1] - STEP if index + 1 < len(places) else places[index] - over
            places[index] = min(places[index], below)
        for (y, curve), place in zip(ends, places, strict=True):
            x = self._x(curve.points[-1][0])
            right = self._x(self._plot.most) + 12
            yield Line(x + 5, y, right - 2, place, "gl-hairline")
            pattern, block = PATTERNS.get(curve.way), f"gl-block-{CSS[curve.way]}"
            yield Rect(right, place - 5, SWATCH - 5, 10, block, 1.5, pattern)
            yield Text(right + SWATCH, place + 4, curve.name, SIZE, "gl-ink")

    def _x(self, copies: int) -> float:
        steps = max(1, self._plot.most - 1)
        return self._across + LEFT + self._width * (copies - 1) / steps

    def _y(self, value: float) -> float:
        return self._down + TOP + HEIGHT * (1.0 - value / self._ticks[-1])


def _factor(curve: Curve) -> float:
    return 1.0 + curve.percent / 100.0


def _runs(points: Sequence[tuple[int, float]]) -> Iterator[list[tuple[int, float]]]:
    """Points of copies that follow one another."""
    run: list[tuple[int, float]] = []
    for point in points:
        if run and point[0] != run[-1][0] + 1:
            yield run
            run = []
        run.append(point)
    if run:
        yield run


def _along(places: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _ticks(top: float) -> tuple[float, ...]:
    """From 0, in steps of 1, 2 or 5 times a power of ten, at most five of them to `top`."""
    exponent = math.floor(math.log10(top))
    for power in (exponent - 1, exponent, exponent + 1):
        for digit in (1, 2, 5):
            step = digit * 10.0**power if power >= 0 else digit / 10.0**-power
            count = math.ceil(round(top / step, 9))
            if count <= 5:
                return tuple(round(step * tick, 12) for tick in range(count + 1))
    return (0.0, top)
