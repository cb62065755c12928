"""The title of a view and the line that says it in numbers."""

from __future__ import annotations

from labs.report.drawing.shapes import Placed, Shape, Text
from labs.report.writing import wrap_pixels


def heading(title: str, subtitle: str, x: float, y: float, width: float) -> Placed:
    """Both at (x, y), the subtitle wrapped to `width`."""
    lines = wrap_pixels(subtitle, width, 12)
    shapes: list[Shape] = [Text(x, y + 14, title, 14, bold=True)]
    shapes += [Text(x, y + 33 + 16 * index, line, 12, "gl-faint") for index, line in enumerate(lines)]
    return Placed(tuple(shapes), 22 + 16 * len(lines))
