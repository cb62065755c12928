"""A close look: turns on a card one by one, near to the rates that they are the mean of."""

from __future__ import annotations

import json
from typing import Any

import pytest

from labs.simulation.outcome.close_course import SLICE_US
from labs.simulation.outcome.close_look import CONTEXTS_MOST, TURNS_MOST_US, CloseLook, close_look
from labs.simulation.outcome.timeline import timeline
from tests.unit.scenarios import GPU, node, outcome, pods, scenario, service, training

LONG_US = 20_000_000
MPS = json.dumps({"version": "v1", "sharing": {"mps": {"resources": [{"name": GPU, "replicas": 5}]}}})
SINGLE = '{"version": "v1", "flags": {"migStrategy": "single"}}'
CUT = {
    "name": "node",
    "gpus": {"model": "a100-40gb", "count": 1, "mig": ["3g.20gb", "3g.20gb"]},
    "config": SINGLE,
}


def job(residency: float, overlap: float = 0, **more: Any) -> dict[str, Any]:
    return training("30ms", 100_000, residency=residency, demand=min(0.3, residency), overlap=overlap, **more)


def look(nodes: list[dict[str, Any]], works: list[dict[str, Any]], **how: Any) -> CloseLook | None:
    result = outcome(scenario(nodes, works, "1h"))
    return close_look(result.scenario, timeline(result.scenario, result.trace), 0, **how)


def shares(found: CloseLook) -> list[float]:
    """The share of the look in which each Pod has the card."""
    return [sum(end - start for start, end in row.runs) / found.length_us for row in found.rows]


def busy_by_rates(nodes: list[dict[str, Any]], works: list[dict[str, Any]]) -> float:
    result = outcome(scenario(nodes, works, "1h"))
    return timeline(result.scenario, result.trace).lanes[0].steps[0][1] / 1e6


@pytest.mark.parametrize("residency", [0.2, 0.5, 0.9])
def test_alone_a_pod_has_the_card_for_its_residency(residency: float) -> None:
    found = look([node()], [pods("a", job=job(residency))], length_us=LONG_US)
    assert found is not None
    assert shares(found) == [pytest.approx(residency, abs=0.02)]
    assert found.slice_us is None
    assert found.rows[0].waits == ()


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("residency", [0.3, 0.7, 1.0])
def test_a_long_look_is_as_busy_as_the_rates_say(count: int, residency: float) -> None:
    nodes, works = [node(replicas=5)], [pods("a", count, job=job(residency))]
    found = look(nodes, works, length_us=LONG_US)
    assert found is not None
    assert found.busy_us / found.length_us == pytest.approx(busy_by_rates(nodes, works), abs=0.03)
    assert max(shares(found)) - min(shares(found)) < 0.04


@pytest.mark.parametrize("overlap", [0.5, 1])
def test_so_it_is_of_jobs_that_launch_ahead(overlap: float) -> None:
    """The switches' time counts in both. Without what waits hide it would be 0.85 at most, not 0.95."""
    nodes, works = [node(replicas=2)], [pods("a", 2, job=job(0.7, overlap))]
    found = look(nodes, works, length_us=LONG_US)
    assert found is not None
    assert found.busy_us / found.length_us == pytest.approx(busy_by_rates(nodes, works), abs=0.03)


def test_under_load_every_turn_is_a_slice_and_a_switch_costs_its_tax() -> None:
    found = look([node(replicas=3)], [pods("a", 3, job=job(1.0))], length_us=LONG_US)
    assert found is not None
    assert found.slice_us == SLICE_US
    inner = [end - start for row in found.rows for start, end in row.runs if start > 0 and end < LONG_US]
    assert max(inner) == SLICE_US
    assert sum(shares(found)) == pytest.approx(1 / 1.08, abs=0.01)


def test_who_has_work_and_not_the_card_waits() -> None:
    found = look([node(replicas=2)], [pods("a", 2, job=job(1.0))])
    assert found is not None
    for row in found.rows:
        there = sum(end - start for start, end in (*row.runs, *row.waits))
        assert there == pytest.approx(found.length_us, abs=1)


@pytest.mark.parametrize(
    "threads", [{}, {"mps": {"activeThreadPercentage": 100}}], ids=["a part each", "no cap"]
)
def test_under_mps_kernels_run_at_the_same_time(threads: dict[str, Any]) -> None:
    found = look([node(text=MPS, **threads)], [pods("a", 3, job=job(0.9))])
    assert found is not None
    assert found.slice_us is None
    assert sum(shares(found)) > 1.5
    assert not any(row.waits for row in found.rows)


def test_pods_on_mig_devices_of_one_card_are_seen_together() -> None:
    found = look([CUT], [pods("a", 2, job=job(0.9))])
    assert found is not None
    assert [row.device for row in found.rows] == [0, 1]
    assert found.slice_us is None


def test_a_service_lives_by_its_requests() -> None:
    found = look([node()], [pods("a", job=service("100ms", residency=0.5, rate="4/s"))], length_us=LONG_US)
    assert found is not None
    assert shares(found) == [pytest.approx(0.2, abs=0.04)]
    several = look([node()], [pods("a", job=service("100ms", residency=0.5, clients=4))], length_us=LONG_US)
    assert several is not None
    assert shares(several)[0] > 0.8


def test_where_nobody_works_then_it_is_of_the_first_moment_at_which_most_do() -> None:
    works = [pods("a", 2, arrival={"every": "10s"}, job=job(0.5))]
    result = outcome(scenario([node(replicas=2)], works, "2h"))
    found = close_look(result.scenario, timeline(result.scenario, result.trace), 7_199_000_000)
    assert found is not None
    assert (found.at_us, len(found.rows)) == (10_000_000, 2)


@pytest.mark.parametrize(
    ("nodes", "works"),
    [
        ([node()], [pods("a")]),
        ([node()], [pods("a", job=job(0.0))]),
        ([node(replicas=100)], [pods("a", CONTEXTS_MOST + 1, job=job(0.5))]),
        ([node(replicas=2)], [pods("a", 2, job=service("10us", residency=1, rate="1/m"))]),
    ],
    ids=["nobody computes", "nothing on the card", "too many", "nothing to see"],
)
def test_there_is_none(nodes: list[dict[str, Any]], works: list[dict[str, Any]]) -> None:
    assert look(nodes, works) is None


def test_it_is_as_long_as_it_must_be_for_everybody_to_run_but_turns_stay_visible() -> None:
    busy = pods("a", 2, job=job(0.9))
    seldom = pods("b", job=service("10ms", residency=1, rate="1/m"))
    short, long = look([node(replicas=3)], [busy]), look([node(replicas=3)], [busy, seldom])
    assert short is not None
    assert long is not None
    assert short.length_us == 100_000
    assert (long.length_us, long.rows[2].runs) == (TURNS_MOST_US, ())


def test_it_can_be_shorter_for_a_narrow_picture() -> None:
    whole, half = (look([node(replicas=3)], [pods("a", 2, job=job(0.9))], parts=parts) for parts in (1, 2))
    assert whole is not None
    assert half is not None
    assert half.length_us * 2 == whole.length_us
    assert half.rows[0].runs[0] == whole.rows[0].runs[0]
