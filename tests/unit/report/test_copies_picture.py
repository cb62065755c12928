"""The picture against the number of copies: everything lies within it, bands hold their lines, dots have sources."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.report.drawing.shapes import Anchor, Line, Path, Pattern, Rect, Scene, Text
from labs.report.drawing.svg import svg
from labs.report.evidence.copies_picture import DASHES, Curve, Dot, Plot, PlotWidth, copies_scene

WAYS = list(DASHES)
numbers = st.floats(1e-6, 1e9, allow_nan=False)


def scene(*curves: Curve, width: PlotWidth = PlotWidth.WIDE) -> Scene:
    plot = Plot("Each takes, ms", "copies", curves, 8, 4)
    return copies_scene((plot, plot), width, "title", "what it shows")


def places(drawn: Scene) -> list[tuple[float, float]]:
    """Every point of lines and paths."""
    found: list[tuple[float, float]] = []
    for shape in drawn.shapes:
        if isinstance(shape, Line):
            found += [(shape.x1, shape.y1), (shape.x2, shape.y2)]
        elif isinstance(shape, Path):
            pairs = re.findall(r"[ML](-?[0-9.]+) (-?[0-9.]+)", shape.d)
            found += [(float(x), float(y)) for x, y in pairs]
        elif isinstance(shape, Rect):
            found += [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
    return found


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.lists(numbers, min_size=1, max_size=8), min_size=1, max_size=4),
    percent=st.sampled_from([0.0, 9.0, 19.0]),
    dot=numbers,
    width=st.sampled_from(list(PlotWidth)),
)
def test_everything_lies_within_the_picture(
    values: list[list[float]], percent: float, dot: float, width: PlotWidth
) -> None:
    curves = [
        Curve(way, way, tuple(enumerate(each, start=1)), percent, (Dot(2, dot, "source"),))
        for way, each in zip(WAYS, values, strict=False)
    ]
    drawn = scene(*curves, width=width)
    assert all(-5 <= x <= drawn.width + 5 and -5 <= y <= drawn.height + 5 for x, y in places(drawn))


def test_no_two_ways_look_alike_without_colour() -> None:
    assert len(set(DASHES.values())) == len(DASHES)
    drawn = scene(*(Curve(way, way, ((1, 1.0), (2, 2.0)), 9.0) for way in WAYS))
    marks = {shape.d.split("M")[1].split("l")[-1] for shape in drawn.shapes if isinstance(shape, Path)}
    assert len(marks) > 1
    assert set(drawn.patterns()) == {Pattern.TIME_SLICING, Pattern.MPS, Pattern.MIG}
    named = [shape.text for shape in drawn.shapes if isinstance(shape, Text) and shape.text in WAYS]
    assert sorted(named) == sorted(WAYS * 2)


def test_names_at_the_ends_do_not_touch() -> None:
    drawn = scene(*(Curve(way, way, ((1, 1.0), (8, 5.0)), 0.0) for way in WAYS))
    ends = sorted(shape.y for shape in drawn.shapes if isinstance(shape, Text) and shape.text in WAYS)
    one_plot = sorted(set(ends))
    assert all(other - one >= 14.9 for one, other in pairwise(one_plot))


def test_a_gap_in_the_copies_is_a_gap_in_the_line() -> None:
    drawn = scene(Curve("mps", "MPS", ((1, 1.0), (2, 1.5), (5, 3.0)), 9.0))
    lines = [shape for shape in drawn.shapes if isinstance(shape, Line) and "gl-curve" in shape.css]
    bands = [shape for shape in drawn.shapes if isinstance(shape, Path) and "gl-band" in shape.css]
    assert (len(lines), len(bands)) == (2, 4)  # of both plots


def test_a_dot_says_its_source_and_is_escaped() -> None:
    drawn = scene(Curve("mig", "MIG", ((1, 1.0),), 12.0, (Dot(1, 1.1, "<i>somebody, 2023"),)))
    html = svg(drawn, "p")
    assert "<title>&lt;i&gt;somebody, 2023</title>" in html
    assert 'role="img"' in html


@pytest.mark.parametrize("top", [1e-6, 0.37, 1.0, 4.99, 762.0, 1e9])
def test_the_scale_is_round_and_reaches_the_top(top: float) -> None:
    drawn = scene(Curve("mps", "MPS", ((1, top),), 0.0))
    ticks = [
        float(shape.text.replace(",", ""))
        for shape in drawn.shapes
        if isinstance(shape, Text) and shape.anchor is Anchor.END
    ]
    assert min(ticks) == 0
    assert top * 0.999 <= max(ticks) <= top * 2.5
    assert len(ticks) <= 2 * 6
