"""What the picture of time says in words: names, its text alternative, what holds of the close look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.report.time.bands import STUCK, Band, Cell, Crowd, LaneView, bands, crowds, lane_views
from labs.report.writing import Messages
from labs.simulation.outcome import CloseLook, Lane, Timeline
from labs.simulation.outcome.moment import PodState

PARTS_TOLD = 8  # of a Pod's life, and of a lane
BANDS_TOLD = 12
NODES_NAMED = 1  # beyond so many nodes, a card is named with its node


def title(timeline: Timeline, messages: Messages) -> str:
    """The name of the picture."""
    return messages.text("timeline.title", time=messages.duration(timeline.end_us))


def lane_name(lane: Lane | None, timeline: Timeline, messages: Messages) -> str:
    """GPU 0, or 2: 1g.5gb, with the node where there are several; what stands for all cards where it is the mean."""
    if lane is None:
        return messages.count("timeline.mean", len(timeline.lanes))
    if lane.mig is None:
        name = messages.text("picture.gpu", n=lane.ordinal)
    else:
        name = messages.text("picture.mig", n=lane.ordinal, profile=lane.mig)
    nodes = {other.node for other in timeline.lanes}
    return name if len(nodes) <= NODES_NAMED else f"{lane.node} {name}"


def crowd_name(crowd: Crowd, messages: Messages) -> str:
    """The workload and how many Pods it has."""
    return f"{crowd.workload} × {messages.number(crowd.count)}"


def subtitle(timeline: Timeline, messages: Messages) -> str:
    """What the height of a bar means, and over what means are taken, where they are."""
    rows = bands(timeline)
    if crowds(timeline):
        return messages.text("timeline.height.crowd")
    text = messages.text("timeline.height.pod") if any(_computes(band) for band in rows) else ""
    if any(band.is_mean for band in rows):
        text = f"{text}{messages.text('timeline.height.mean')}"
    return text


def fault_words(timeline: Timeline, messages: Messages) -> list[tuple[int, str]]:
    """When each fault happens and what it is called."""
    return [(at_us, messages.text(f"timeline.fault.{kind}")) for at_us, kind in timeline.faults]


def look_title(look: CloseLook, timeline: Timeline, messages: Messages) -> str:
    """Which card the close look shows, how long, and when."""
    place = messages.text("picture.gpu", n=look.gpu)
    if len({lane.node for lane in timeline.lanes}) > NODES_NAMED:
        place = f"{look.node} {place}"
    times = {"length": messages.duration(look.length_us), "time": messages.duration(look.at_us)}
    return messages.text("timeline.look.title", place=place, **times)


def look_notes(look: CloseLook, messages: Messages) -> list[str]:
    """How the Pods share the card, what of it is assumed, how busy the card is in this look."""
    notes = []
    if look.slice_us is not None:
        notes.append(messages.text("timeline.look.turns", slice=messages.duration(look.slice_us)))
    elif len(look.rows) == 1:
        notes.append(messages.text("timeline.look.alone"))
    elif any(row.mechanism == "mps" for row in look.rows):
        notes.append(messages.text("timeline.look.together"))
    else:
        notes.append(messages.text("timeline.look.apart"))
    percent = messages.percent(look.busy_us / look.length_us)
    busy = messages.text("timeline.look.busy", percent=percent)
    return [*notes, messages.text("list.sentences").join([busy, messages.text("timeline.look.chance")])]


def description(timeline: Timeline, look: CloseLook | None, messages: Messages) -> str:
    """All that the picture shows, as sentences."""
    lines = [_band_words(band, messages) for band in bands(timeline)]
    lines += [_crowd_words(crowd, messages) for crowd in crowds(timeline)]
    if len(lines) > BANDS_TOLD:
        more = len(lines) - BANDS_TOLD
        lines = [*lines[:BANDS_TOLD], messages.count("timeline.alt.more", more)]
    lines += [_lane_words(view, timeline, messages) for view in lane_views(timeline)]
    if look is not None:
        lines.append(look_title(look, timeline, messages))
        lines += look_notes(look, messages)
        lines += [
            messages.text(
                "timeline.alt.look",
                pod=row.pod,
                percent=messages.percent(sum(end - start for start, end in row.runs) / look.length_us),
            )
            for row in look.rows[:BANDS_TOLD]
        ]
    stop, join = messages.text("picture.alt.stop"), messages.text("picture.alt.join")
    return join.join(line if line.endswith((".", "。")) else line + stop for line in lines)


def _computes(band: Band) -> bool:
    return any(cell.pace is not None for cell in band.cells)


def _kind(cell: Cell) -> str:
    """What a Pod does in a cell, as the keys of messages have it."""
    if cell.state is PodState.RUNNING:
        return "works" if cell.works else "idle"
    if cell.state in STUCK:
        return "stuck"
    return "back-off" if cell.state is PodState.BACK_OFF else "pending"


def _band_words(band: Band, messages: Messages) -> str:
    runs: list[list[Cell]] = []
    for cell in band.cells:
        if runs and _kind(runs[-1][0]) == _kind(cell):
            runs[-1].append(cell)
        else:
            runs.append([cell])
    parts = [_run_told(run, messages) for run in runs]
    if len(parts) > PARTS_TOLD:
        parts = [*parts[: PARTS_TOLD - 1], messages.text("list.more", n=len(parts) - PARTS_TOLD + 1)]
    if any(mark.kind == "oom" for mark in band.marks):
        parts.append(messages.text("timeline.alt.oom"))
    if band.end is not None:
        parts.append(messages.text(f"timeline.alt.{band.end}", time=messages.duration(band.end_us)))
    listed = messages.text("list.comma").join(parts)
    return messages.text("timeline.alt.band", pod=band.pod, parts=listed)


def _run_told(run: Sequence[Cell], messages: Messages) -> str:
    values = {
        "start": messages.duration(round(run[0].start_us)),
        "end": messages.duration(round(run[-1].end_us)),
        "percent": _percents([cell.pace or 0.0 for cell in run], messages),
    }
    return messages.pick(f"timeline.alt.part.{_kind(run[0])}", values)


def _percents(shares: Sequence[float], messages: Messages) -> str:
    low, high = messages.percent(min(shares)), messages.percent(max(shares))
    return low if low == high else f"{low}–{high}"


def _crowd_words(crowd: Crowd, messages: Messages) -> str:
    most = max((cell.runs for cell in crowd.cells), default=0.0)
    numbers = {"most": round(most), "done": crowd.done, "oom": crowd.oom}
    return messages.text("timeline.alt.crowd", workload=crowd.workload, n=crowd.count, **numbers)


def _lane_words(view: LaneView, timeline: Timeline, messages: Messages) -> str:
    parts = list(_lane_parts(view, messages))
    if len(parts) > PARTS_TOLD:
        length = view.pieces[-1][1] - view.pieces[0][0]
        mean = sum((end - start) * share for start, end, share in view.pieces) / length if length else 0.0
        parts = [messages.text("timeline.alt.lane_mean", percent=messages.percent(mean))]
    listed = messages.text("list.comma").join(parts)
    return messages.text("timeline.alt.lane", place=lane_name(view.lane, timeline, messages), parts=listed)


def _lane_parts(view: LaneView, messages: Messages) -> Iterator[str]:
    for start, end, share in view.pieces:
        times = {"start": messages.duration(round(start)), "end": messages.duration(round(end))}
        yield messages.text("timeline.alt.lane_part", percent=messages.percent(share), **times)
