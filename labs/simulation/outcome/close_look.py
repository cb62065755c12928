"""A close look at one card: who has a kernel on it in each single moment of a fraction of a second.

A run knows rates only. Here the contexts that have work at a moment live through it once more, request by request and turn by
turn, as at the request level: host and GPU phase follow each other, their lengths are drawn from exponential distributions
with the means of the rates, and contexts share the card as its mechanism's `split` says. Time-slicing goes round in turns of
SLICE_US, an assumption: NVIDIA publishes no length, and from outside only the ratio of switch time to slice length can be
seen. A turn ends early when its context has no more work; a switch costs the tax of the turn before it, while another
context has work. So a close look is one short course, drawn with the scenario's seed, of what the rates are the mean of; a
long one comes to the same shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labs.simulation.laws import Mechanism, under_cpu_limit
from labs.simulation.outcome.close_course import SLICE_US, CloseContext, live
from labs.simulation.outcome.timeline import Row, Stretch, Timeline
from labs.simulation.scenario import Scenario
from labs.simulation.world import at_work, mechanism_of

CONTEXTS_MOST = 48  # on one card; beyond, no single turn can be seen
LENGTHS_US = (100_000, 200_000, 500_000, 1_000_000, 2_000_000)  # the shortest in which everybody runs …
TURNS_MOST_US = 200_000  # … but no longer where turns are to be seen
OVERLAP = 0.1  # from this share of a look on, in which two run at once, there is something to see

Span = tuple[int, int]
"""From and to, in microseconds from the beginning of the look."""


@dataclass(frozen=True, slots=True)
class CloseRow:
    """A Pod: when it has a kernel on the card, and when it has work there and waits for its turn."""

    pod: str
    device: int
    mechanism: str
    runs: tuple[Span, ...]
    waits: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CloseLook:
    """`length_us` of card `gpu` of a node, as it is at `at_us` of the run.

    `slice_us` is the assumed length of a turn, None where nobody takes turns. `busy_us`: with a kernel of anybody on the
    card, or between two turns.
    """

    node: str
    gpu: int
    at_us: int
    length_us: int
    slice_us: int | None
    rows: tuple[CloseRow, ...]
    busy_us: int


def close_look(
    scenario: Scenario, timeline: Timeline, at_us: int, parts: int = 1, length_us: int | None = None
) -> CloseLook | None:
    """A close look at the card with most Pods at work at `at_us`; None where there is nothing to see.

    Where nobody works then, it is at the first moment at which most do. There is nothing to see where nobody ever works,
    where more happens than can be shown, where nobody waits for a turn, no two run at once and nobody runs twice. It is
    as long as it must be for everybody to run (see LENGTHS_US), divided by `parts`, or `length_us` where that is given.
    """
    at_us, crowd = _crowd(timeline, at_us)
    if not crowd or len(crowd) > CONTEXTS_MOST:
        return None
    if length_us is not None:
        return _look(scenario, timeline, at_us, crowd, length_us)
    best: CloseLook | None = None
    for length in LENGTHS_US:
        look = _look(scenario, timeline, at_us, crowd, length // parts)
        if look is None or (best is not None and look.slice_us is not None and length > TURNS_MOST_US):
            break
        best = look
        if all(row.runs for row in look.rows):
            break
    return best if best is not None and _has_something_to_see(best) else None


def _has_something_to_see(look: CloseLook) -> bool:
    if look.slice_us is not None:
        return any(row.waits for row in look.rows)
    if len(look.rows) == 1:
        return len(look.rows[0].runs) > 1
    runs = sum(end - start for row in look.rows for start, end in row.runs)
    return runs - look.busy_us > look.length_us * OVERLAP


def _look(
    scenario: Scenario, timeline: Timeline, at_us: int, crowd: Sequence[tuple[Row, Stretch]], length_us: int
) -> CloseLook | None:
    """So long a look at these Pods, which are on one card."""
    jobs = {work.name: under_cpu_limit(at_work(work.job)) for work in scenario.workloads}
    devices: dict[tuple[str, int], list[Row]] = {}
    for row, stretch in crowd:
        assert stretch.device is not None
        devices.setdefault(stretch.device, []).append(row)
    by_pod: dict[str, CloseRow] = {}
    takes_turns = False
    busy: list[tuple[float, float]] = []
    for (node, number), rows in devices.items():
        mechanism = mechanism_of(scenario, node, number)
        split = mechanism.split([jobs[row.workload] for row in rows])
        lived = live(split, [f"{scenario.seed}:close-look/{row.pod}" for row in rows], length_us)
        if lived is None:
            return None
        contexts, between = lived
        takes_turns = takes_turns or (split.takes_turns and len(rows) > 1)
        busy += between
        for row, context in zip(rows, contexts, strict=True):
            busy += context.runs
            by_pod[row.pod] = _row(row, number, mechanism, context, length_us)
    node, number = next(iter(devices))
    gpu = next(lane.gpu for lane in timeline.lanes if (lane.node, lane.number) == (node, number))
    rows_found = tuple(by_pod[row.pod] for row, _ in crowd)
    slice_us = SLICE_US if takes_turns else None
    return CloseLook(node, gpu, at_us, length_us, slice_us, rows_found, _covered(busy, length_us))


def _crowd(timeline: Timeline, at_us: int) -> tuple[int, list[tuple[Row, Stretch]]]:
    """The Pods at work on one card at `at_us`, or when most are, with the moment."""
    gpus = {(lane.node, lane.number): (lane.node, lane.gpu) for lane in timeline.lanes}
    here: dict[tuple[str, int], list[tuple[Row, Stretch]]] = {}
    changes: list[tuple[int, int, tuple[str, int]]] = []
    for row in timeline.rows:
        for stretch in row.stretches:
            if not stretch.works or stretch.device is None:
                continue
            gpu = gpus[stretch.device]
            changes += [(stretch.start_us, 1, gpu), (stretch.end_us, -1, gpu)]
            if stretch.start_us <= at_us < stretch.end_us:
                here.setdefault(gpu, []).append((row, stretch))
    if here:
        return at_us, max(here.values(), key=len)
    if not changes:
        return at_us, []
    counts: dict[tuple[str, int], int] = {}
    most, moment = 0, at_us
    for when, change, gpu in sorted(changes, key=lambda change_at: change_at[:2]):  # who leaves goes first
        counts[gpu] = counts.get(gpu, 0) + change
        if counts[gpu] > most:
            most, moment = counts[gpu], when
    return _crowd(timeline, moment)


def _row(row: Row, number: int, mechanism: Mechanism, context: CloseContext, length_us: int) -> CloseRow:
    runs = _within(_joined(context.runs), length_us)
    waits = _within(_less(context.worked, context.runs), length_us)
    return CloseRow(row.pod, number, mechanism.name, runs, waits)


def _joined(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spans in order, those that touch or overlap as one."""
    spans_joined: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if spans_joined and start <= spans_joined[-1][1]:
            spans_joined[-1] = (spans_joined[-1][0], max(spans_joined[-1][1], end))
        else:
            spans_joined.append((start, end))
    return spans_joined


def _less(
    spans: Sequence[tuple[float, float]], runs: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """What of the spans is no run; every run lies in a span."""
    edges = [(start, end) for start, end in _joined(runs)]
    rest: list[tuple[float, float]] = []
    for start, end in _joined(spans):
        at = start
        for run_start, run_end in edges:
            if run_end <= at or run_start >= end:
                continue
            if run_start > at:
                rest.append((at, run_start))
            at = run_end
        if at < end:
            rest.append((at, end))
    return rest


def _within(spans: Sequence[tuple[float, float]], length_us: int) -> tuple[Span, ...]:
    cut = ((max(0, round(start)), min(length_us, round(end))) for start, end in spans)
    return tuple((start, end) for start, end in cut if start < end)


def _covered(spans: Sequence[tuple[float, float]], length_us: int) -> int:
    return sum(end - start for start, end in _within(_joined(spans), length_us))
