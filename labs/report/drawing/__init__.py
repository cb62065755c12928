"""Pictures as plain geometry, and the same as SVG."""

from labs.report.drawing.heading import heading
from labs.report.drawing.scatter import Axes, Series, scatter_scene
from labs.report.drawing.shapes import Anchor, Group, Line, Path, Pattern, Placed, Rect, Scene, Shape, Text
from labs.report.drawing.svg import svg, svg_file

__all__ = [
    "Anchor",
    "Axes",
    "Group",
    "Line",
    "Path",
    "Pattern",
    "Placed",
    "Rect",
    "Scene",
    "Series",
    "Shape",
    "Text",
    "heading",
    "scatter_scene",
    "svg",
    "svg_file",
]
