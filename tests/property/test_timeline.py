"""The picture of time adds up to the outcome, whatever the scenario: nobody is left out, no time is lost or invented."""

from __future__ import annotations

import itertools
from math import isclose

from hypothesis import given, settings
from hypothesis import strategies as st

from labs.report.time.bands import LANES_MOST, Bins, bands, crowds, lane_views
from labs.simulation.outcome.close_look import close_look
from labs.simulation.outcome.moment.snapshot import PodState
from labs.simulation.outcome.timeline import timeline
from tests.property.random_scenarios import scenarios
from tests.unit.scenarios import SECOND, outcome

MANY = settings(max_examples=50)


@given(scenarios())
@MANY
def test_the_lanes_add_up_to_the_utilization_of_every_card(text: str) -> None:
    result = outcome(text)
    found = timeline(result.scenario, result.trace)
    assert [(lane.node, lane.number, lane.mig) for lane in found.lanes] == [
        (gpu.node, gpu.index, gpu.mig) for gpu in result.gpus
    ]
    for lane, gpu in zip(found.lanes, result.gpus, strict=True):
        there = lane.until_us - lane.since_us
        assert isclose(lane.busy_us(), gpu.utilization * there, abs_tol=1e-6 * max(1, there))


@given(scenarios())
@MANY
def test_every_pod_has_a_row_without_gaps_to_its_end(text: str) -> None:
    result = outcome(text)
    found = timeline(result.scenario, result.trace)
    assert [row.pod for row in found.rows] == [pod.name for pod in result.pods]
    for row, pod in zip(found.rows, result.pods, strict=True):
        for before, after in zip(row.stretches, row.stretches[1:], strict=False):
            assert before.start_us < before.end_us == after.start_us
        if row.stretches:
            assert row.stretches[-1].end_us == row.end_us
        assert (row.end is not None) is (pod.finished_at is not None)
        if pod.finished_at is not None:
            assert row.end_us == round(pod.finished_at * SECOND)
        assert sum(mark.kind == "oom" for mark in row.marks) >= pod.oom
        assert (row.end is PodState.SUCCEEDED) is (str(pod.phase) == "Succeeded")


@given(scenarios(), st.sampled_from([0, 1, 30_000_000, 10**12]))
@MANY
def test_in_a_close_look_nobody_is_at_two_places_and_turns_are_one_at_a_time(text: str, at_us: int) -> None:
    result = outcome(text)
    look = close_look(result.scenario, timeline(result.scenario, result.trace), at_us)
    if look is None:
        return
    for row in look.rows:
        spans = sorted((*row.runs, *row.waits))
        assert all(0 <= start < end <= look.length_us for start, end in spans)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
    for device in {row.device for row in look.rows if look.slice_us is not None}:
        turns = sorted(span for row in look.rows if row.device == device for span in row.runs)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(turns))


@given(scenarios())
@MANY
def test_what_is_drawn_keeps_the_areas(text: str) -> None:
    result = outcome(text)
    found = timeline(result.scenario, result.trace)
    drawn = bands(found)
    for row, band in zip(found.rows, drawn, strict=True):
        whole = sum(
            (stretch.end_us - stretch.start_us) * (stretch.pace_ppm or 0) / 1e6
            for stretch in row.stretches
            if stretch.works
        )
        shown = sum(
            (cell.end_us - cell.start_us) * cell.pace for cell in band.cells if cell.pace and cell.works
        )
        assert band.is_mean or isclose(whole, shown, rel_tol=1e-9, abs_tol=1e-3)
    if len(found.lanes) <= LANES_MOST:
        for lane, view in zip(found.lanes, lane_views(found), strict=True):
            area = sum((end - start) * share for start, end, share in view.pieces)
            assert isclose(area, lane.busy_us(), rel_tol=1e-9, abs_tol=1e-3)
    assert not crowds(found)


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100), st.floats(0, 3)), max_size=20),
    st.integers(1, 50),
)
def test_even_pieces_keep_what_is_put_into_them(
    amounts: list[tuple[float, float, float]], count: int
) -> None:
    bins = Bins(100.0, count)
    for one, other, amount in amounts:
        bins.add(min(one, other), max(one, other), amount)
    area = sum(mean * (end - start) for mean, (start, end) in zip(bins.means(), bins.edges(), strict=True))
    assert isclose(
        area, sum(abs(one - other) * amount for one, other, amount in amounts), rel_tol=1e-6, abs_tol=1e-6
    )
