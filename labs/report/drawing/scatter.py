"""Predicted against measured as a picture: on the line, both agree; in the band, they agree within the stated error.

Each dataset has a shape of its own, so that nothing is told by colour alone. Slowdowns stand on scales on which equal
ratios are equal lengths, utilizations on plain ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from labs.report.drawing.shapes import Anchor, Line, Path, Scene, Shape, Text
from labs.report.writing import pixels

SIDE = 340.0  # of the square in which points lie
LEFT, TOP, FOOT = 54.0, 8.0, 44.0
WIDTH = LEFT + SIDE + 6.0
SIZE = 12.0
RATIO_TICKS = (0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0, 40.0, 100.0)
SHARE_TICKS = (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
R = 2.6  # half the size of a mark

_MARKS: tuple[Callable[[float, float], str], ...] = (
    lambda x, y: f"M{x - R:.1f} {y - R:.1f}h{2 * R:.1f}v{2 * R:.1f}h-{2 * R:.1f}z",
    lambda x, y: f"M{x:.1f} {y - 3.4:.1f}l3.4 3.4-3.4 3.4-3.4-3.4z",
    lambda x, y: f"M{x:.1f} {y - 3.4:.1f}l3.4 6h-6.8z",
    lambda x, y: f"M{x:.1f} {y + 3.4:.1f}l3.4-6h-6.8z",
)


@dataclass(frozen=True, slots=True)
class Series:
    """The points of a dataset: (measured, predicted) each."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Axes:
    """The words at the axes, the classes of band and points, and how far the band goes: percent of a ratio, or points."""

    measured: str
    predicted: str
    band_css: str
    point_css: str
    band: float
    is_ratio: bool = True


def scatter_scene(series: Sequence[Series], axes: Axes, title: str, description: str) -> Scene:
    """The picture of at least one point."""
    ticks = _ticks(series) if axes.is_ratio else SHARE_TICKS
    scale = _Scale(ticks[0], ticks[-1], axes.is_ratio)
    shapes: list[Shape] = [Path(_band(scale, axes), axes.band_css)]
    for tick in ticks:
        x, y = scale.x(tick), scale.y(tick)
        label = f"{tick:g}" + ("" if axes.is_ratio else "%")
        shapes += [
            Line(x, TOP, x, TOP + SIDE, "gl-hairline"),
            Line(LEFT, y, LEFT + SIDE, y, "gl-hairline"),
            Text(x, TOP + SIDE + 16, label, SIZE, "gl-faint", Anchor.MIDDLE),
            Text(LEFT - 6, y + 4, label, SIZE, "gl-faint", Anchor.END),
        ]
    shapes.append(Line(LEFT, TOP + SIDE, LEFT + SIDE, TOP, "gl-bar"))
    for index, group in enumerate(series):
        mark = _MARKS[index % len(_MARKS)]
        drawn = "".join(mark(scale.x(measured), scale.y(predicted)) for measured, predicted in group.points)
        shapes.append(Path(drawn, axes.point_css))
    shapes += _legend(series, axes)
    shapes.append(Text(LEFT + SIDE / 2, TOP + SIDE + 36, axes.measured, SIZE, "gl-ink", Anchor.MIDDLE))
    shapes.append(Text(LEFT + 8, TOP + 18, axes.predicted, SIZE, "gl-ink"))
    return Scene(WIDTH, TOP + SIDE + FOOT, tuple(shapes), title, description)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where a value lies; values outside lie at the edge."""

    low: float
    high: float
    is_ratio: bool

    def share(self, value: float) -> float:
        """From 0 (lowest) to 1."""
        inside = min(self.high, max(self.low, value))
        if not self.is_ratio:
            return (inside - self.low) / (self.high - self.low)
        return round(math.log(inside / self.low) / math.log(self.high / self.low), 6)

    def value(self, share: float) -> float:
        """What lies there."""
        if not self.is_ratio:
            return self.low + (self.high - self.low) * share
        return self.low * float(round((self.high / self.low) ** share, 6))

    def x(self, value: float) -> float:
        """Across."""
        return LEFT + SIDE * self.share(value)

    def y(self, value: float) -> float:
        """Down."""
        return TOP + SIDE * (1.0 - self.share(value))


def _ticks(series: Sequence[Series]) -> tuple[float, ...]:
    values = [value for group in series for point in group.points for value in point]
    low = max((tick for tick in RATIO_TICKS if tick <= min(values)), default=RATIO_TICKS[0])
    high = min((tick for tick in RATIO_TICKS if tick >= max(values)), default=RATIO_TICKS[-1])
    return tuple(tick for tick in RATIO_TICKS if min(low, 1.0) <= tick <= max(high, 2.0))


def _band(scale: _Scale, axes: Axes) -> str:
    """The area in which a prediction is off by no more than the band, as an outline."""
    steps = [scale.value(step / 40) for step in range(41)]
    if axes.is_ratio:
        factor = 1.0 + axes.band / 100.0
        upper, lower = [value * factor for value in steps], [value / factor for value in steps]
    else:
        upper, lower = [value + axes.band for value in steps], [value - axes.band for value in steps]
    outline = [*zip(steps, upper, strict=True), *reversed(list(zip(steps, lower, strict=True)))]
    return "M" + "L".join(f"{scale.x(across):.1f} {scale.y(up):.1f}" for across, up in outline) + "z"


def _legend(series: Sequence[Series], axes: Axes) -> list[Shape]:
    """The datasets at the lower right, where no prediction should lie."""
    shapes: list[Shape] = []
    width = max(pixels(group.name, SIZE) for group in series)
    for index, group in enumerate(series):
        y = TOP + SIDE - 12 - 18 * (len(series) - 1 - index)
        x = LEFT + SIDE - 10 - width
        shapes.append(Path(_MARKS[index % len(_MARKS)](x - 10, y - 4), axes.point_css))
        shapes.append(Text(x, y, group.name, SIZE, "gl-ink"))
    return shapes
