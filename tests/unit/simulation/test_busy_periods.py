"""An idle job that computes now and then: when, for how long, and what its neighbours feel of it."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from labs.hardware.units import PPM
from labs.simulation.outcome.close_look import close_look
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.outcome.timeline import timeline
from labs.simulation.scenario.scenario import Busy, Job, JobKind
from labs.simulation.trace import SpeedChanged
from labs.simulation.world.busy_periods import STEP_US, at_work
from tests.unit.scenarios import (
    GPU,
    SECOND,
    node,
    outcome,
    phases,
    pod,
    pods,
    read,
    records,
    scenario,
    service,
    training,
)

DAY_S = 86_400


def notebook(every: str = "10m", long: str = "30s", **more: Any) -> dict[str, Any]:
    return {"kind": "idle", "busy": {"every": every, "for": long}, **more}


def mps(percent: int) -> dict[str, Any]:
    sharing = {"mps": {"resources": [{"name": GPU, "replicas": 4}]}}
    text = json.dumps({"version": "v1", "sharing": sharing})
    return node(text=text, mps={"activeThreadPercentage": percent})


def mig() -> dict[str, Any]:
    gpus = {"model": "a100-40gb", "count": 1, "mig": ["1g.5gb"] * 7}
    return {"name": "node", "gpus": gpus, "config": '{"version": "v1", "flags": {"migStrategy": "single"}}'}


def spells(result: Outcome, name: str = "a-0") -> list[tuple[int, int, int]]:
    """(from, to, work in microseconds alone) of each busy period that ended."""
    found: list[tuple[int, int, int]] = []
    since = start = speed = work = 0
    for record in records(result, SpeedChanged):
        if record.pod != name:
            continue
        start = start if speed else record.at_us
        work += speed * (record.at_us - since)
        since, speed = record.at_us, record.speed_ppm
        if not speed:
            found.append((start, since, round(work / PPM)))
            work = 0
    return found


def test_it_is_read_with_the_defaults_of_training() -> None:
    (work,) = read(scenario([node()], [pods("a", job=notebook("1m", "2s", residency=0.6))])).workloads
    assert work.job == Job(JobKind.IDLE, 0, 0.6, 0.6, 0.5, busy=Busy(60 * SECOND, 2 * SECOND))


def test_alone_each_busy_period_takes_as_long_as_it_says_and_one_begins_every_so_often() -> None:
    result = outcome(scenario([node()], [pods("a", job=notebook())], f"{30 * DAY_S}s"))
    found = spells(result)
    assert {end - start for start, end, _ in found} == {30 * SECOND}
    assert len(found) == pytest.approx(30 * DAY_S / 600, rel=0.05)
    assert result.gpus[0].utilization == pytest.approx(30 / 600, rel=0.05)
    assert pod(result, "a-0").slowdown == 1.0
    assert phases(result) == {"a-0": "Running"}


def test_pauses_are_irregular_but_the_same_in_each_run_and_others_with_another_seed() -> None:
    text = scenario([node(replicas=2)], [pods("a", 2, job=notebook())], "10h")
    first, again = outcome(text), outcome(text)
    assert first.trace_hash == again.trace_hash
    starts = [start for start, _, _ in spells(first)]
    assert len({after - before for before, after in pairwise(starts)}) > 20
    assert starts != [start for start, _, _ in spells(first, "a-1")]
    other = outcome(json.dumps(json.loads(text) | {"seed": 2}))
    assert [start for start, _, _ in spells(other)] != starts


def test_one_more_pod_leaves_when_the_others_begin_as_it_is_until_it_is_in_the_way() -> None:
    one, two = (
        spells(outcome(scenario([node(replicas=3)], [pods("a", count, job=notebook())], "10h")))
        for count in (1, 2)
    )
    assert one[0] == two[0]


@pytest.mark.parametrize("machine", [node(replicas=4), mps(25), mps(100), mig()])
def test_a_busy_period_is_work_and_all_of_it_is_done_whoever_is_in_the_way(machine: dict[str, Any]) -> None:
    work = [
        pods("a", 2, job=notebook("2m", "20s", residency=0.9, demand=0.5)),
        pods("b", job=training(iterations=10**7, demand=0.7)),
    ]
    result = outcome(scenario([machine], work, "2h"))
    found = spells(result)
    assert len(found) > 20
    assert all(abs(work_us - 20 * SECOND) <= 2 for _, _, work_us in found)
    took = sum(end - start for start, end, _ in found) / len(found)
    assert took == pytest.approx(20 * SECOND * (pod(result, "a-0").slowdown or 0.0), rel=0.02)


def test_neighbours_are_slower_just_while_it_computes() -> None:
    work = [pods("a", job=notebook("5m", "1m")), pods("b", job=training(iterations=10**7))]
    result = outcome(scenario([node(replicas=2)], work, "2h"))
    busy = spells(result)
    slow = [
        (record.at_us, record.speed_ppm) for record in records(result, SpeedChanged) if record.pod == "b-0"
    ]
    told = dict(slow)
    assert all(told[start] is not None and (told[start] or 0) < 600_000 for start, _, _ in busy)
    assert all(told[end] == PPM for _, end, _ in busy)


def test_on_mig_devices_nobody_feels_it() -> None:
    train = pods("b", job=training(iterations=10**7))
    alone = pod(outcome(scenario([mig()], [train], "2h")), "b-0").slowdown
    beside = outcome(scenario([mig()], [train, pods("a", 3, job=notebook("2m", "1m"))], "2h"))
    assert pod(beside, "b-0").slowdown == alone


def test_under_time_slicing_it_costs_by_residency_and_under_mps_by_demand() -> None:
    def slowdown(machine: dict[str, Any], demand: float) -> float:
        busy = pods("a", job=notebook("1m", "1m", residency=0.9, demand=demand))
        work = [busy, pods("b", job=training(iterations=10**7, residency=0.9, demand=0.9))]
        return pod(outcome(scenario([machine], work, "2h")), "b-0").slowdown or 0.0

    assert slowdown(node(replicas=2), 0.1) == slowdown(node(replicas=2), 0.8)
    assert slowdown(mps(100), 0.1) < slowdown(mps(100), 0.8)


@pytest.mark.parametrize("machine", [node(replicas=4), mps(25), mps(100), mig()])
def test_one_that_always_computes_is_as_much_in_the_way_as_training(machine: dict[str, Any]) -> None:
    shares = {"residency": 0.8, "demand": 0.5}
    others = [
        pods("b", job=service("50ms", clients=1, demand=0.4)),
        pods("c", job=training(iterations=10**7)),
    ]
    always, trains = (
        outcome(scenario([machine], [*others, pods("a", job=job)], "10m"))
        for job in (notebook("5s", "5s", **shares), training("5s", 10**7, **shares))
    )
    for name in ("b-0", "c-0"):
        assert pod(always, name).throughput == pytest.approx(pod(trains, name).throughput, rel=1e-4)
    assert always.gpus[0].utilization == pytest.approx(trains.gpus[0].utilization, rel=1e-4)


@pytest.mark.parametrize(("machine", "bound"), [(node(replicas=4), 0.03), (mps(25), 0.03), (mps(100), 0.07)])
def test_a_service_beside_it_comes_to_the_same_by_requests_as_by_rates(
    machine: dict[str, Any], bound: float
) -> None:
    work = [
        pods("a", job=notebook("2m", "30s", residency=0.8, demand=0.5)),
        pods("b", job=service("50ms", clients=1, residency=0.8, demand=0.5)),
    ]
    by_rates, by_requests = (
        outcome(scenario([machine], work, "60m", detail=detail)) for detail in ("rates", "requests")
    )
    expected, found = pod(by_rates, "b-0"), pod(by_requests, "b-0")
    assert found.throughput == pytest.approx(expected.throughput, rel=bound)
    assert pod(by_requests, "a-0").slowdown == pod(by_rates, "a-0").slowdown


def test_one_that_is_out_of_memory_never_computes() -> None:
    work = [pods("a", job=notebook("1m", "10s"), memory="60GiB", onOOM="catch")]
    assert spells(outcome(scenario([node()], work, "2h"))) == []


def test_a_fault_ends_a_busy_period_and_the_next_process_goes_on_with_other_pauses() -> None:
    text = scenario([node()], [pods("a", job=notebook("1m", "1m"))], "10m")
    fault = [{"at": "30s", "kind": "process", "pod": "a-0"}]
    result = outcome(json.dumps(json.loads(text) | {"faults": fault}))
    first, *others = spells(result)
    assert first == (0, 30 * SECOND, 30 * SECOND)
    assert {work for _, _, work in others} == {60 * SECOND}


def test_the_picture_of_time_shows_it_at_work_in_its_busy_periods_only() -> None:
    result = outcome(scenario([node()], [pods("a", job=notebook())], "2h"))
    (row,) = timeline(result.scenario, result.trace).rows
    works = [(stretch.start_us, stretch.end_us) for stretch in row.stretches if stretch.works]
    assert works[: len(spells(result))] == [(start, end) for start, end, _ in spells(result)]
    assert {stretch.pace_ppm for stretch in row.stretches} == {None, PPM}


def test_a_close_look_has_it_take_turns_in_steps() -> None:
    work = [pods("a", job=notebook("1m", "1m")), pods("b", job=training(iterations=10**7))]
    result = outcome(scenario([node(replicas=2)], work, "10m"))
    look = close_look(result.scenario, timeline(result.scenario, result.trace), 60 * SECOND)
    assert look is not None
    assert {row.pod for row in look.rows if row.runs and row.waits} == {"a-0", "b-0"}
    assert at_work(read(scenario([node()], work)).workloads[0].job).solo_time_us == STEP_US
