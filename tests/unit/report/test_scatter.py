"""Predicted against measured as a picture: where marks lie, what the axes say, what the band covers."""

from __future__ import annotations

import re

from labs.report.drawing.scatter import LEFT, SIDE, TOP, Axes, Series, scatter_scene
from labs.report.drawing.shapes import Path, Scene, Text
from labs.report.drawing.svg import svg

AXES = Axes("measured", "predicted", "gl-mps-soft", "gl-mps", band=10.0)


def drawn(*series: Series, axes: Axes = AXES) -> Scene:
    return scatter_scene(series, axes, "Title", "Words")


def marks(scene: Scene) -> list[str]:
    return [shape.d for shape in scene.shapes if isinstance(shape, Path) and shape.css == "gl-mps"]


def texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.shapes if isinstance(shape, Text)]


def test_what_is_met_exactly_lies_on_the_line() -> None:
    scene = drawn(Series("D01", ((2.0, 2.0),)))
    x, y = map(float, re.match(r"M([\d.]+) ([\d.]+)", marks(scene)[0]).groups())  # type: ignore[union-attr]
    assert round((x - LEFT) + (y - TOP) + 2 * 2.6, 1) == SIDE


def test_the_axes_reach_over_all_values() -> None:
    scene = drawn(Series("D01", ((0.8, 1.0), (7.0, 9.0))))
    assert {"0.7", "12"} <= set(texts(scene))
    assert "20" not in texts(scene)


def test_every_dataset_has_a_shape_of_its_own_and_a_name() -> None:
    scene = drawn(*(Series(name, ((2.0, 2.0),)) for name in ("D01", "D02", "D03")))
    shapes = {re.sub(r"[\d.]+", "", path) for path in marks(scene)}
    assert len(shapes) == 3
    assert {"D01", "D02", "D03"} <= set(texts(scene))


def test_shares_stand_on_plain_scales() -> None:
    scene = drawn(Series("D04", ((50.0, 60.0),)), axes=Axes("m", "p", "a", "gl-mps", 10.0, is_ratio=False))
    assert {"0%", "20%", "100%"} <= set(texts(scene))


def test_values_outside_lie_at_the_edge() -> None:
    scene = drawn(Series("D04", ((500.0, 1.0),)))
    assert f"M{LEFT + SIDE - 2.6:.1f}" in marks(scene)[0]


def test_the_picture_has_its_words() -> None:
    written = svg(drawn(Series("D01", ((2.0, 2.0),))), "x")
    assert '<title id="x-title">Title</title>' in written
    assert "style=" not in written
