"""The picture of time as plain text for a terminal of 80 columns: a sign for each piece of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.report.cards import Width
from labs.report.time.bands import (
    CROWDS_MOST,
    ROWS_MOST,
    STUCK,
    Bins,
    Cell,
    crowds,
    even_cells,
    lane_views,
)
from labs.report.time.picture import TimeView
from labs.report.time.words import crowd_name, fault_words, lane_name, look_notes, look_title
from labs.report.writing import WIDTH, Messages, columns, cut, pad, wrap
from labs.simulation.outcome import CloseLook, CloseRow, Row, Timeline
from labs.simulation.outcome.moment import PodState

SIGNS = 50
NAMES_MOST = 24
LOOK_ROWS = 8
FULL = 0.95


def time_text(view: TimeView, messages: Messages) -> str:
    """Rows of Pods and cards on one axis, then the close look."""
    timeline = view.timeline
    rows = [*_pods(timeline), *_crowds(timeline, messages)]
    lanes = [
        (lane_name(view_of_lane.lane, timeline, messages), _lane(view_of_lane.pieces, timeline))
        for view_of_lane in lane_views(timeline)
    ]
    look = view.looks[Width.WIDE]
    names = [name for name, _ in (*rows, *lanes)] + [row.pod for row in (look.rows if look else ())]
    margin = min(NAMES_MOST, max((columns(name) for name in names), default=0)) + 2
    lines = [messages.text("timeline.heading")]
    lines += [f"{pad(cut(name, margin - 1), margin)}{signs}" for name, signs in rows]
    hidden = len(crowds(timeline)) - CROWDS_MOST
    if hidden > 0:
        lines.append(messages.count("timeline.more", hidden))
    lines += [_axis(margin, timeline.end_us, messages)]
    key = "crowd" if crowds(timeline) else "legend"
    lines += wrap(
        messages.text(f"timeline.text.{key}", time=messages.duration(timeline.end_us // SIGNS)), WIDTH
    )
    lines += [f"{messages.duration(at_us)}: {words}" for at_us, words in fault_words(timeline, messages)[:3]]
    lines += ["", messages.text("timeline.lanes")]
    lines += [f"{pad(cut(name, margin - 1), margin)}{signs}" for name, signs in lanes]
    if look is not None:
        lines += ["", *_look(look, timeline, margin, messages)]
    return "\n".join(line.rstrip() for line in lines)


def _pods(timeline: Timeline) -> Iterator[tuple[str, str]]:
    if len(timeline.rows) > ROWS_MOST:
        return
    mechanisms = {(lane.node, lane.number): lane.mechanism for lane in timeline.lanes}
    for row in timeline.rows:
        cells = even_cells(row, mechanisms, 0, timeline.end_us, SIGNS)
        yield row.pod, _marked(row, "".join(_sign(cell) for cell in cells), timeline.end_us)


def _sign(cell: Cell | None) -> str:
    if cell is None:
        return " "
    if cell.works:
        return _tenths(cell.pace or 0.0)
    if cell.state is PodState.RUNNING:
        return "="
    if cell.state in STUCK:
        return "x"
    return "~" if cell.state is PodState.BACK_OFF else "."


def _tenths(share: float) -> str:
    """A share of 1 as a digit: from 1 on, however little it is; # where it is all."""
    return "#" if share >= FULL else str(max(1, round(10 * share))) if round(10 * share) < 10 else "9"


def _marked(row: Row, signs: str, end_us: int) -> str:
    """The signs with a `!` where something went wrong, and a `|` where the Pod was done."""
    marked = list(signs)
    for mark in row.marks:
        marked[_place(mark.at_us, end_us)] = "!"
    if row.end is not None:
        marked[_place(row.end_us, end_us)] = "|" if row.end is PodState.SUCCEEDED else "!"
    return "".join(marked)


def _place(at_us: float, end_us: float) -> int:
    return min(SIGNS - 1, int(at_us * SIGNS / end_us)) if end_us else 0


def _crowds(timeline: Timeline, messages: Messages) -> Iterator[tuple[str, str]]:
    for crowd in crowds(timeline)[:CROWDS_MOST]:
        bins = Bins(timeline.end_us, SIGNS)
        for cell in crowd.cells:
            bins.add(cell.start_us, cell.end_us, cell.runs / crowd.count)
        yield crowd_name(crowd, messages), "".join(_share(mean) for mean in bins.means())


def _share(share: float) -> str:
    return "0" if share < 0.005 else _tenths(share)


def _lane(pieces: Sequence[tuple[float, float, float]], timeline: Timeline) -> str:
    bins = Bins(timeline.end_us, SIGNS)
    for start, end, share in pieces:
        bins.add(start, end, share)
    return "".join(_share(mean) for mean in bins.means())


def _axis(margin: int, end_us: int, messages: Messages) -> str:
    """0 at the left, the half in the middle, the end at the right."""
    start, half, end = (messages.duration(round(end_us * part)) for part in (0, 0.5, 1))
    left = pad(start, SIGNS // 2 - columns(half) // 2) + half
    return " " * margin + left + pad(end, SIGNS - columns(left), right=True)


def _look(look: CloseLook, timeline: Timeline, margin: int, messages: Messages) -> Iterator[str]:
    step = look.length_us / SIGNS
    yield look_title(look, timeline, messages)
    for row in look.rows[:LOOK_ROWS]:
        signs = "".join(_moment(row, step * place, step * (place + 1)) for place in range(SIGNS))
        yield f"{pad(cut(row.pod, margin - 1), margin)}{signs}"
    if len(look.rows) > LOOK_ROWS:
        yield messages.count("timeline.look.more", len(look.rows) - LOOK_ROWS)
    yield _axis(margin, look.length_us, messages)
    yield from wrap(
        messages.text("timeline.text.look", time=messages.duration(look.length_us // SIGNS)), WIDTH
    )
    for note in look_notes(look, messages):
        yield from wrap(note, WIDTH)


def _moment(row: CloseRow, start_us: float, end_us: float) -> str:
    """What the Pod does in the middle of this piece of time; a run that is shorter than the piece is not left out."""
    middle = (start_us + end_us) / 2
    if any(start <= middle < end or start_us <= start < end <= end_us for start, end in row.runs):
        return "#"
    return "-" if any(start <= middle < end for start, end in row.waits) else " "
