"""The picture of time: who ran when, how busy the cards were, and a close look at the turns on one of them.

Time runs from left to right, the same for Pods and cards. Like the central picture it comes in two widths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from labs.report.cards import CLASSES, PATTERNS, Width
from labs.report.drawing import Line, Path, Pattern, Placed, Rect, Scene, Shape, Text, heading
from labs.report.time.axis import Axis, grid, tick_names
from labs.report.time.bands import STUCK, Band, Crowd, LaneView, bands, crowds, lane_views
from labs.report.time.close_look_view import close_look_view
from labs.report.time.lanes import lanes_heading, lanes_view
from labs.report.time.rows import cross, crowds_view, done_sign, rows_view
from labs.report.time.words import crowd_name, description, fault_words, lane_name, subtitle, title
from labs.report.writing import Messages, pixels
from labs.simulation.outcome import CloseLook, Timeline, close_look
from labs.simulation.outcome import timeline as timeline_of
from labs.simulation.outcome.moment import PodState
from labs.simulation.scenario import Scenario
from labs.simulation.trace import Trace

NAMES = {Width.WIDE: 132.0, Width.NARROW: 84.0}  # at most, for the names left of the axis
LOOK_PARTS = {Width.WIDE: 1, Width.NARROW: 2}  # a phone shows half as long a look
FAULTS_DRAWN, FAULTS_NAMED = 20, 3
FAULT_LINE = 16.0
GAP = 18.0
SEEN = 0.005  # what is shorter than this share of the run is too short for a sign in the legend


Span = tuple[float, float]
"""From and to, as y."""


@dataclass(frozen=True, slots=True)
class TimeView:
    """What the picture of time shows: the whole run, the moment that a reader looks at, and a close look for each width."""

    timeline: Timeline
    at_us: int
    looks: dict[Width, CloseLook | None]


def time_view(scenario: Scenario, trace: Trace, at_us: int) -> TimeView:
    """What the picture of time shows of a run, for a reader who looks at the moment `at_us`."""
    timeline = timeline_of(scenario, trace)
    return TimeView(
        timeline, at_us, {width: close_look(scenario, timeline, at_us, LOOK_PARTS[width]) for width in Width}
    )


def time_scene(view: TimeView, messages: Messages, width: Width) -> Scene:
    """The picture."""
    placed = time_shapes(view, messages, width, 0.0)
    return Scene(
        width.units,
        placed.height + 2,
        placed.shapes,
        title(view.timeline, messages),
        description(view.timeline, view.looks[width], messages),
    )


def under_each_other(cards: Scene, view: TimeView, messages: Messages) -> Scene:
    """The wide central picture, and under it this one."""
    below = time_shapes(view, messages, Width.WIDE, cards.height + GAP)
    words = (cards.description, description(view.timeline, view.looks[Width.WIDE], messages))
    return Scene(
        cards.width,
        cards.height + GAP + below.height + 2,
        (*cards.shapes, *below.shapes),
        cards.title,
        messages.text("picture.alt.join").join(words),
    )


def time_shapes(view: TimeView, messages: Messages, width: Width, y: float) -> Placed:
    """The picture's shapes from `y` down, over its full width."""
    timeline, look = view.timeline, view.looks[width]
    pods, groups, lanes = bands(timeline), crowds(timeline), lane_views(timeline)
    left, right = 1.0, width.units - 10
    names = _names(pods, groups, lanes, timeline, look, messages, NAMES[width])
    axis = Axis(left + names + 8, right, timeline.end_us)
    head = heading(messages.text("timeline.heading"), subtitle(timeline, messages), left, y, right - left)
    top = y + head.height + 8
    faults = list(_fault_names(timeline, axis, top, messages))
    rows_top = top + FAULT_LINE * min(FAULTS_NAMED, len(timeline.faults))
    rows = rows_view(pods, axis, names, rows_top, messages)
    if groups:
        rows = crowds_view(groups, axis, names, rows_top, messages)
    rows_bottom = rows_top + rows.height
    between = lanes_heading(left, right, rows_bottom + 8, messages)
    lanes_top = rows_bottom + 8 + between.height
    below = lanes_view(timeline, lanes, axis, names, lanes_top, messages)
    bottom = lanes_top + below.height + 6
    both = ((rows_top, rows_bottom), (lanes_top, bottom))
    shapes: list[Shape] = [
        *head.shapes,
        *(shape for part in both for shape in grid(axis, messages, *part)),
        *rows.shapes,
        *between.shapes,
        *below.shapes,
        *tick_names(axis, messages, bottom),
        *_fault_lines(timeline, axis, ((top, rows_bottom), both[1])),
        *faults,
        *_moment(view, axis, both),
    ]
    at = bottom + 24
    if look is not None:
        close = close_look_view(look, timeline, left, right, names, at + 8, messages)
        shapes += close.shapes
        at += 8 + close.height + 6
    key = _legend(_legend_items(pods, groups, look, timeline.end_us, messages), left, at, right - left)
    return Placed((*shapes, *key.shapes), at + key.height - y)


def _names(
    pods: Iterable[Band],
    groups: Iterable[Crowd],
    lanes: Iterable[LaneView],
    timeline: Timeline,
    look: CloseLook | None,
    messages: Messages,
    most: float,
) -> float:
    """How much room the names need."""
    words = [band.pod for band in pods] + [crowd_name(crowd, messages) for crowd in groups]
    words += [lane_name(view.lane, timeline, messages) for view in lanes]
    words += [row.pod for row in look.rows] if look else []
    return min(most, max((pixels(name, 12) for name in words), default=0.0))


def _fault_lines(timeline: Timeline, axis: Axis, parts: Iterable[Span]) -> Iterator[Shape]:
    for top, bottom in parts:
        for at_us, _ in timeline.faults[:FAULTS_DRAWN]:
            yield Line(axis.at(at_us), top, axis.at(at_us), bottom, "gl-fault", "3 3")


def _fault_names(timeline: Timeline, axis: Axis, top: float, messages: Messages) -> Iterator[Shape]:
    """The first faults by name, each on a line of its own."""
    words = fault_words(timeline, messages)
    named = words if len(words) <= FAULTS_NAMED else words[: FAULTS_NAMED - 1]
    lines = [(axis.at(at_us), text) for at_us, text in named]
    if len(named) < len(words):
        more = messages.count("timeline.more_faults", len(words) - len(named))
        lines.append((axis.at(words[len(named)][0]), more))
    for index, (x, text) in enumerate(lines):
        wide = pixels(text, 11.5, bold=True)
        ends = x + 6 + wide > axis.right
        at = x - 5 - wide if ends else x + 5
        yield Rect(at - 1, top + FAULT_LINE * index, wide + 2, 14, "gl-paper", 2)
        yield Text(at, top + FAULT_LINE * index + 11, text, 11.5, "gl-alarm-ink", bold=True)


def _moment(view: TimeView, axis: Axis, parts: Sequence[Span]) -> Iterator[Shape]:
    """The moment that the reader looks at; after the last change it needs no sign."""
    if any(view.at_us < change for change in _changes(view.timeline)):
        x = axis.at(view.at_us)
        for top, bottom in parts:
            yield Line(x, top, x, bottom, "gl-now")
        yield Path(f"M{x - 5:.1f} {parts[-1][0] - 7:.1f}h10l-5 7z", "gl-done")


def _changes(timeline: Timeline) -> Iterator[int]:
    """The moments at which anything begins or ends."""
    for row in timeline.rows:
        yield from (stretch.start_us for stretch in row.stretches)
        if row.end is not None:
            yield row.end_us


Sign = Callable[[float, float], Iterable[Shape]]


def _legend(items: Iterable[tuple[str, Sign]], x: float, y: float, width: float) -> Placed:
    """What the signs mean, each drawn in a box of 18 by 12."""
    shapes: list[Shape] = []
    at_x, at_y = x, y
    for words, sign in items:
        taken = 24 + pixels(words, 11.5) + 14
        if at_x > x and at_x + taken - 14 > x + width:
            at_x, at_y = x, at_y + 18
        shapes += sign(at_x, at_y)
        shapes.append(Text(at_x + 24, at_y + 10, words, 11.5, "gl-faint"))
        at_x += taken
    return Placed(tuple(shapes), at_y + 16 - y if shapes else 0.0)


def _legend_items(
    pods: Iterable[Band], groups: Iterable[Crowd], look: CloseLook | None, end_us: int, messages: Messages
) -> Iterator[tuple[str, Sign]]:
    """The signs that the picture has."""
    pods, groups = tuple(pods), tuple(groups)
    cells = [cell for band in pods for cell in band.cells]
    states = {cell.state for cell in cells}
    marks = {mark.kind for band in pods for mark in band.marks}

    def text(key: str) -> str:
        return messages.text(f"timeline.legend.{key}")

    mechanisms = [cell.mechanism for cell in cells if cell.works] + [crowd.mechanism for crowd in groups]
    for mechanism in dict.fromkeys(mechanisms):
        words = messages.text("timeline.legend.works", mechanism=messages.text(f"mechanism.{mechanism}"))
        yield words, _box(f"gl-block-{CLASSES[mechanism]}", PATTERNS.get(mechanism))
    if any(cell.state is PodState.RUNNING and cell.pace is None for cell in cells):
        yield text("idle"), lambda x, y: [Rect(x, y + 4, 18, 5, "gl-bar")]
    if PodState.PENDING in states:
        yield text("pending"), _line("gl-wait", "5 4")
    if any(
        cell.state is PodState.BACK_OFF and cell.end_us - cell.start_us >= end_us * SEEN for cell in cells
    ):
        yield text("back-off"), _line("gl-wait", "1.5 4")
    if states & {*STUCK}:
        yield text("stuck"), _line("gl-stuck", "")
    if any(cell.stuck for crowd in groups for cell in crowd.cells):
        yield text("stuck"), _box("gl-refused", Pattern.REFUSED)
    if groups:
        yield text("there"), _line("gl-wait", "")
    for kind in ("fault", "no-context"):
        if kind in marks:
            yield text(kind), lambda x, y: cross(x + 9, y + 6)
            break
    if any(band.end is PodState.SUCCEEDED for band in pods):
        yield text("done"), lambda x, y: [done_sign(x + 9, y + 6)]
    if look is not None and any(row.waits for row in look.rows):
        yield text("turn"), _line("gl-wait", "")


def _box(css: str, pattern: Pattern | None) -> Sign:
    return lambda x, y: [Rect(x + 0.5, y + 0.5, 17, 11, css, 1.5, pattern)]


def _line(css: str, dash: str) -> Sign:
    return lambda x, y: [Line(x, y + 6, x + 18, y + 6, css, dash)]
