"""What the picture of time has room for: bands with few enough pieces in each.

A band for each Pod, or for each workload where there are many. What is summarised are means over even pieces of time, so
that areas stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labs.hardware.units import PPM
from labs.simulation.outcome import Lane, Mark, Row, Stretch, Timeline
from labs.simulation.outcome.moment import PodState

ROWS_MOST = 24  # Pods with a band each; more are told by workload
CROWDS_MOST = 24  # workloads with a band each
CELLS_MOST = 40  # pieces of a band; one with more stretches is told in so many even ones
STEPS_MOST = 120  # of a lane, likewise
LANES_MOST = 8  # cards with a lane each; more are told by their mean
STUCK = (PodState.OUT_OF_MEMORY, PodState.FAULTED)


@dataclass(frozen=True, slots=True)
class Cell:
    """A Pod from `start_us` to `end_us`, in the state that it is in longest, on a card shared by this mechanism.

    `pace` is the mean share of its speed alone; None: it never computes.
    """

    start_us: float
    end_us: float
    state: PodState
    pace: float | None
    mechanism: str

    @property
    def works(self) -> bool:
        """Whether a job is at work."""
        return self.state is PodState.RUNNING and bool(self.pace)


@dataclass(frozen=True, slots=True)
class Band:
    """One Pod. `is_mean`: its cells are means over even pieces of time."""

    pod: str
    cells: tuple[Cell, ...]
    marks: tuple[Mark, ...]
    end: PodState | None
    end_us: int
    is_mean: bool


@dataclass(frozen=True, slots=True)
class CrowdCell:
    """The mean numbers of a workload's Pods in a piece of time: that run, that are there and get nothing done, that wait."""

    start_us: float
    end_us: float
    runs: float
    stuck: float
    waits: float


@dataclass(frozen=True, slots=True)
class Crowd:
    """All Pods of a workload; `mechanism` by which the first of them shares its card."""

    workload: str
    count: int
    cells: tuple[CrowdCell, ...]
    oom: int  # Pods with a failed allocation
    done: int
    mechanism: str


@dataclass(frozen=True, slots=True)
class LaneView:
    """The share of time (0 to 1) with a kernel running, by pieces of time (from, to, share).

    Of one card, or the mean of all (`lane` is None).
    """

    lane: Lane | None
    pieces: tuple[tuple[float, float, float], ...]


def bands(timeline: Timeline) -> tuple[Band, ...]:
    """A band for each Pod; none where they are more than ROWS_MOST."""
    if len(timeline.rows) > ROWS_MOST:
        return ()
    mechanisms = _mechanisms(timeline)
    return tuple(_band(row, mechanisms) for row in timeline.rows)


def crowds(timeline: Timeline) -> tuple[Crowd, ...]:
    """A band for each workload where Pods are more than ROWS_MOST; all of them, of which CROWDS_MOST have room."""
    if len(timeline.rows) <= ROWS_MOST:
        return ()
    groups: dict[str, list[Row]] = {}
    for row in timeline.rows:
        groups.setdefault(row.workload, []).append(row)
    mechanisms = _mechanisms(timeline)
    return tuple(_crowd(name, rows, timeline.end_us, mechanisms) for name, rows in groups.items())


def lane_views(timeline: Timeline) -> tuple[LaneView, ...]:
    """A lane for each card, or one for the mean of all where they are more than LANES_MOST."""
    if len(timeline.lanes) <= LANES_MOST:
        return tuple(LaneView(lane, _pieces(lane)) for lane in timeline.lanes)
    sums = Bins(timeline.end_us, STEPS_MOST)
    there = Bins(timeline.end_us, STEPS_MOST)
    for lane in timeline.lanes:
        there.add(lane.since_us, lane.until_us, 1.0)
        for start, end, share in _all_pieces(lane):
            sums.add(start, end, share)
    pieces = tuple(
        (start, end, busy / number if number else 0.0)
        for (start, end), busy, number in zip(sums.edges(), sums.means(), there.means(), strict=True)
    )
    return (LaneView(None, pieces),)


class Bins:
    """Even pieces of the time from `first` to `end`, into which amounts that hold for a while are added up."""

    def __init__(self, end: float, count: int, first: float = 0.0) -> None:
        self._first, self._count = first, count
        self._size = max(1e-9, (end - first) / count)
        self._parts = [0.0] * count
        self._whole = [0.0] * (count + 1)  # changes of what holds in a whole piece

    def add(self, start: float, end: float, amount: float) -> None:
        """`amount` holds from `start` to `end`."""
        at, to = (start - self._first) / self._size, (end - self._first) / self._size
        low, high = min(self._count - 1, max(0, int(at))), min(self._count - 1, max(0, int(to)))
        if low == high:
            self._parts[low] += (to - at) * amount
            return
        self._parts[low] += (low + 1 - at) * amount
        self._parts[high] += (to - high) * amount
        self._whole[low + 1] += amount
        self._whole[high] -= amount

    def means(self) -> list[float]:
        """What holds in each piece in the mean."""
        levels, level = [], 0.0
        for part, change in zip(self._parts, self._whole, strict=False):
            level += change
            levels.append(max(0.0, part + level))
        return levels

    def edges(self) -> list[tuple[float, float]]:
        """From and to of each piece."""
        return [
            (self._first + self._size * index, self._first + self._size * (index + 1))
            for index in range(self._count)
        ]


def even_cells(
    row: Row, mechanisms: dict[tuple[str, int], str], first: int, end: int, count: int
) -> list[Cell | None]:
    """The row from `first` to `end` in `count` even pieces; None where there is no Pod for most of one."""
    states: dict[PodState, Bins] = {}
    work = Bins(end, count, first)
    computes = False
    mechanism = "exclusive"
    for stretch in row.stretches:
        states.setdefault(stretch.state, Bins(end, count, first)).add(stretch.start_us, stretch.end_us, 1.0)
        if stretch.pace_ppm is not None:
            computes = True
            if stretch.works:
                work.add(stretch.start_us, stretch.end_us, stretch.pace_ppm / PPM)
        if stretch.device is not None:
            mechanism = mechanisms[stretch.device]
    shares = {state: bins.means() for state, bins in states.items()}
    cells: list[Cell | None] = []
    for index, ((start, to), pace) in enumerate(zip(work.edges(), work.means(), strict=True)):
        state = max(shares, key=lambda candidate: shares[candidate][index], default=None)
        if state is None or sum(values[index] for values in shares.values()) < 0.5:
            cells.append(None)
        else:
            cells.append(Cell(start, to, state, pace if computes else None, mechanism))
    return cells


def _mechanisms(timeline: Timeline) -> dict[tuple[str, int], str]:
    return {(lane.node, lane.number): lane.mechanism for lane in timeline.lanes}


def _band(row: Row, mechanisms: dict[tuple[str, int], str]) -> Band:
    is_mean = len(row.stretches) > CELLS_MOST
    if is_mean:
        first, end = row.stretches[0].start_us, row.stretches[-1].end_us
        cells = tuple(cell for cell in even_cells(row, mechanisms, first, end, CELLS_MOST) if cell)
    else:
        cells = tuple(_cell(stretch, mechanisms) for stretch in row.stretches)
    return Band(row.pod, cells, row.marks, row.end, row.end_us, is_mean)


def _cell(stretch: Stretch, mechanisms: dict[tuple[str, int], str]) -> Cell:
    pace = None if stretch.pace_ppm is None else stretch.pace_ppm / PPM
    mechanism = "exclusive" if stretch.device is None else mechanisms[stretch.device]
    return Cell(stretch.start_us, stretch.end_us, stretch.state, pace, mechanism)


def _crowd(name: str, rows: Sequence[Row], end_us: int, mechanisms: dict[tuple[str, int], str]) -> Crowd:
    runs, stuck, waits = (Bins(end_us, CELLS_MOST) for _ in range(3))
    mechanism = "exclusive"
    for row in reversed(rows):
        for stretch in row.stretches:
            runs_now = stretch.state is PodState.RUNNING
            bins = runs if runs_now else stuck if stretch.state in STUCK else waits
            bins.add(stretch.start_us, stretch.end_us, 1.0)
            if stretch.device is not None:
                mechanism = mechanisms[stretch.device]
    cells = tuple(
        CrowdCell(start, end, *numbers)
        for (start, end), *numbers in zip(
            runs.edges(), runs.means(), stuck.means(), waits.means(), strict=True
        )
    )
    oom = sum(any(mark.kind == "oom" for mark in row.marks) for row in rows)
    done = sum(row.end is PodState.SUCCEEDED for row in rows)
    return Crowd(name, len(rows), cells, oom, done, mechanism)


def _pieces(lane: Lane) -> tuple[tuple[float, float, float], ...]:
    pieces = _all_pieces(lane)
    if len(pieces) <= STEPS_MOST:
        return pieces
    bins = Bins(lane.until_us, STEPS_MOST, lane.since_us)
    for start, end, share in pieces:
        bins.add(start, end, share)
    return tuple((*edge, mean) for edge, mean in zip(bins.edges(), bins.means(), strict=True))


def _all_pieces(lane: Lane) -> tuple[tuple[float, float, float], ...]:
    ends = [*(at for at, _ in lane.steps[1:]), lane.until_us]
    return tuple((at, end, rate / PPM) for (at, rate), end in zip(lane.steps, ends, strict=True))
