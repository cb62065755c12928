"""An estimate's forecasts against the number of Pods, with their known errors and what was measured."""

from __future__ import annotations

from collections.abc import Sequence

from labs.report.drawing import svg
from labs.report.evidence.copies_picture import Curve, Dot, Plot, PlotWidth, copies_scene
from labs.report.evidence.estimate_words import time_text, where_text
from labs.report.writing import Html, Messages, html, join
from labs.simulation.evidence import ERRORS, Estimate, Observation, Sharing

WAYS = ("time-slicing", "mps", "mps-capped")


def estimate_picture(
    estimate: Estimate, seen: Sequence[Observation], most: int, prefix: str, messages: Messages
) -> Html:
    """What each Pod takes and what all do together, for a wide column and for a phone's, as HTML.

    Measured copies of a whole card are dots; thread percentages and MIG devices are no matter of how many there are.
    """
    text = messages.text
    largest = max(forecast.cycle_s for forecast in estimate.forecasts)
    unit, size = ("ms", 1e-3) if largest < 2 else ("s", 1.0)
    together, singly = [], []
    for way in WAYS:
        name, percent = text(f"estimate-lab.way.{way}"), ERRORS[way.removesuffix("-capped")]
        times = [(1, estimate.solo_s)]
        times += [
            (forecast.sharing.copies, forecast.cycle_s)
            for forecast in estimate.forecasts
            if _way(forecast.sharing) == way
        ]
        measured = [
            observation
            for observation in seen
            if _way(observation.sharing) == way and observation.sharing.copies <= most
        ]
        labels = [_label(observation, messages) for observation in measured]
        dots = list(zip(measured, labels, strict=True))
        singly.append(
            Curve(
                way,
                name,
                tuple((n, seconds / size) for n, seconds in times),
                percent,
                tuple(
                    Dot(observation.sharing.copies, observation.cycle_s / size, label)
                    for observation, label in dots
                ),
            )
        )
        together.append(
            Curve(
                way,
                name,
                tuple((n, n / seconds) for n, seconds in times),
                percent,
                tuple(
                    Dot(observation.sharing.copies, observation.sharing.copies / observation.cycle_s, label)
                    for observation, label in dots
                ),
            )
        )
    axis, kind = text("estimate-lab.axis"), estimate.kind
    heading = text(f"estimate-lab.plot.each-{kind}", unit=text(f"four-ways.unit.{unit}"))
    drawn = (
        Plot(text(f"four-ways.plot.together-{kind}"), axis, tuple(together), most),
        Plot(heading, axis, tuple(singly), most),
    )
    description = text("list.sentences").join(_curve_words(curve, most, size, messages) for curve in singly)
    widths = ((PlotWidth.WIDE, "wide"), (PlotWidth.NARROW, "narrow"))
    title = text("estimate-lab.alt")
    pictures = join(
        svg(copies_scene(drawn, width, title, description), f"{prefix}-{name}", f"gl-{name}")
        for width, name in widths
    )
    return html('<div class="gl-picture">{}</div>', pictures)


def _way(sharing: Sharing) -> str:
    """The curve that a way of sharing is on; "" for none."""
    if sharing.mechanism == "mps" and sharing.thread_percent is not None:
        return "mps-capped" if sharing.thread_percent == 100 // sharing.copies else ""
    return sharing.mechanism if sharing.mechanism in WAYS else ""


def _label(observation: Observation, messages: Messages) -> str:
    where, time = where_text(observation.sharing, messages), time_text(observation.cycle_s, messages)
    return messages.text("estimate-lab.measured", where=where, time=time)


def _curve_words(curve: Curve, most: int, size: float, messages: Messages) -> str:
    """A curve's end, in words."""
    time = time_text(curve.points[-1][1] * size, messages)
    return messages.text("estimate-lab.end", way=curve.name, n=most, time=time)
