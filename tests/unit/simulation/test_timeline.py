"""A run over time: what a Pod does when, at what pace, and how it ends."""

from __future__ import annotations

import pytest

from labs.simulation.outcome.moment.snapshot import PodState
from labs.simulation.outcome.timeline import Row, Timeline, timeline
from labs.simulation.scenario.scenario import FaultKind
from tests.unit.scenarios import SECOND, node, outcome, pods, scenario, service, training

TEN_SECONDS = training("1s", 10, residency=1, overlap=0)


def told(text: str) -> Timeline:
    result = outcome(text)
    return timeline(result.scenario, result.trace)


def lives(row: Row) -> list[tuple[float, float, PodState, int | None]]:
    """The stretches in seconds, with the pace in percent."""
    return [
        (
            stretch.start_us / SECOND,
            stretch.end_us / SECOND,
            stretch.state,
            None if stretch.pace_ppm is None else round(stretch.pace_ppm / 10_000),
        )
        for stretch in row.stretches
    ]


def test_who_has_to_wait_is_pending_and_then_runs() -> None:
    found = told(scenario([node()], [pods("a", 2, job=TEN_SECONDS)], "1m"))
    first, second = found.rows
    assert lives(first) == [(0, 10, PodState.RUNNING, 100)]
    assert lives(second) == [(0, 10, PodState.PENDING, 0), (10, 20, PodState.RUNNING, 100)]
    assert [(row.end, row.end_us) for row in found.rows] == [
        (PodState.SUCCEEDED, 10 * SECOND),
        (PodState.SUCCEEDED, 20 * SECOND),
    ]
    (lane,) = found.lanes
    assert lane.steps == ((0, 1_000_000), (20 * SECOND, 0))


def test_who_shares_goes_at_a_part_of_the_pace_until_it_is_alone() -> None:
    found = told(
        scenario(
            [node(replicas=2)],
            [pods("short", job=TEN_SECONDS), pods("long", job=training("1s", 20, residency=1, overlap=0))],
            "2m",
        )
    )
    long = next(row for row in found.rows if row.pod == "long-0")
    assert [pace for *_, pace in lives(long)] == [46, 100]


def test_the_pace_of_a_service_is_that_of_its_latency() -> None:
    text = scenario([node(replicas=2)], [pods("a", 2, job=service("100ms", residency=1, rate="2/s"))])
    result = outcome(text)
    row = told(text).rows[0]
    pace = row.stretches[-1].pace_ppm
    slowdown = result.pods[0].slowdown
    assert pace is not None
    assert slowdown is not None
    assert pace / 1e6 == pytest.approx(1 / slowdown, rel=0.01)
    assert pace < 1_000_000


def test_a_service_that_falls_behind_is_told_by_what_it_answers() -> None:
    found = told(scenario([node()], [pods("a", job=service("100ms", residency=1, rate="20/s"))]))
    assert [pace for *_, pace in lives(found.rows[0])] == [50]


def test_an_idle_pod_has_no_pace() -> None:
    found = told(scenario([node()], [pods("a", memory="1GiB")], "1m"))
    assert lives(found.rows[0]) == [(0, 60, PodState.RUNNING, None)]
    assert found.lanes[0].steps == ((0, 0),)


def test_out_of_memory_is_a_mark_and_a_state() -> None:
    works = [pods("a", memory="38GiB"), pods("b", arrival="10s", memory="5GiB", onOOM="catch")]
    found = told(scenario([node(replicas=2)], works, "1m"))
    hit = found.rows[1]
    assert [(mark.at_us, mark.kind) for mark in hit.marks] == [(10 * SECOND, "oom")]
    assert lives(hit) == [(10, 60, PodState.OUT_OF_MEMORY, None)]


def test_a_fault_is_told_with_its_kind_and_marks_whom_it_hit() -> None:
    fault = {"at": "30s", "kind": "process", "pod": "a-0"}
    found = told(scenario([node()], [pods("a", job=service(clients=1))], "1m", faults=[fault]))
    assert found.faults == ((30 * SECOND, FaultKind.PROCESS),)
    assert [(mark.at_us, mark.kind) for mark in found.rows[0].marks] == [(30 * SECOND, "fault")]
    assert [state for _, _, state, _ in lives(found.rows[0])] == [
        PodState.RUNNING,
        PodState.BACK_OFF,
        PodState.RUNNING,
    ]


def test_a_mig_device_that_a_new_layout_takes_away_has_a_lane_to_its_end() -> None:
    gpus = {"model": "a100-40gb", "count": 1, "mig": ["7g.40gb"]}
    made = {"name": "node", "gpus": gpus, "config": '{"version": "v1", "flags": {"migStrategy": "single"}}'}
    change = {"at": "1m", "node": "node", "mig": ["3g.20gb", "3g.20gb"], "drain": True}
    found = told(scenario([made], [pods("a", job=service(clients=1))], "10m", migConfigs=[change]))
    first, *others = found.lanes
    assert (first.mig, first.since_us) == ("7g.40gb", 0)
    assert {(lane.mig, lane.since_us, lane.until_us) for lane in others} == {
        ("3g.20gb", first.until_us, 600 * SECOND)
    }
    assert first.until_us > 60 * SECOND
