"""The axis of the picture of time: where a moment lies, and the moments that are named."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from labs.hardware.units import SECOND_US
from labs.report.drawing import Anchor, Line, Shape, Text
from labs.report.writing import Messages, pixels

_SECONDS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400)
STEPS_US = (
    *(scale * step for scale in (1_000, 10_000, 100_000) for step in (1, 2, 5)),
    *(seconds * SECOND_US for seconds in _SECONDS),
    *(86_400 * SECOND_US * days for days in (2, 7, 14, 28, 56, 112)),
)
SIZE = 11.0
TICKS_MOST = 8
KEPT = 64


@dataclass(frozen=True, slots=True)
class Axis:
    """Time from 0 to `end_us` between `left` and `right`."""

    left: float
    right: float
    end_us: float

    def at(self, us: float) -> float:
        """The x of a moment."""
        share = us / self.end_us if self.end_us else 0.0
        return self.left + (self.right - self.left) * min(1.0, max(0.0, share))


@functools.lru_cache(maxsize=KEPT)
def ticks(axis: Axis, messages: Messages) -> tuple[tuple[float, str], ...]:
    """The named moments: as many as have room, with their words. A picture asks for them several times."""
    most = TICKS_MOST
    while True:
        step = next((step for step in STEPS_US if axis.end_us / step <= most), STEPS_US[-1])
        labelled = tuple(
            (axis.at(step * n), messages.duration(step * n)) for n in range(int(axis.end_us // step) + 1)
        )
        widest = max(pixels(words, SIZE) for _, words in labelled)
        if len(labelled) <= 2 or labelled[1][0] - labelled[0][0] >= 1.5 * widest + 5 or most <= 1:
            return labelled if len(labelled) <= 2 * TICKS_MOST else labelled[:: len(labelled) // TICKS_MOST]
        most -= 1


def grid(axis: Axis, messages: Messages, top: float, bottom: float) -> Iterator[Shape]:
    """A faint line at each named moment from `top` to `bottom`."""
    for x, _ in ticks(axis, messages):
        yield Line(x, top, x, bottom, "gl-hairline", "1 4")


def tick_names(axis: Axis, messages: Messages, y: float) -> Iterator[Shape]:
    """The names of the moments under a line at `y`."""
    yield Line(axis.left, y, axis.right, y, "gl-hairline")
    for x, words in ticks(axis, messages):
        half = pixels(words, SIZE) / 2
        anchor = Anchor.END if x + half > axis.right + 6 else Anchor.MIDDLE
        yield Text(axis.right + 6 if anchor is Anchor.END else x, y + 14, words, SIZE, "gl-faint", anchor)
