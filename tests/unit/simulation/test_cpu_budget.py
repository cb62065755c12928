"""The CPU budget of a job: a CPU limit makes the host's part of its cycles longer, under every way of sharing a GPU."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.config.own.problem import ProblemsError
from labs.hardware.units import PPM
from labs.library import LANGUAGES, builtin_library
from labs.report.writing.problems import problem_words
from labs.simulation.laws.cpu_budget import rates_under_cpu_limits, under_cpu_limit
from labs.simulation.laws.exclusive import Exclusive
from labs.simulation.laws.mechanism import Mechanism
from labs.simulation.laws.mps import Mps
from labs.simulation.laws.time_slicing import TimeSlicing
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.scenario.scenario import Job, JobKind
from tests.unit.scenarios import GPU, node, outcome, pod, pods, read, scenario, service, training

MPS = json.dumps({"version": "v1", "sharing": {"mps": {"resources": [{"name": GPU, "replicas": 2}]}}})
MIG = {"model": "a100-40gb", "count": 1, "mig": ["3g.20gb", "3g.20gb"]}
NODES = {
    "exclusive": node(cards=2),
    "time-slicing": node(cards=1, replicas=2),
    "mps": node(cards=1, text=MPS),
    "mig": {"name": "node", "gpus": MIG, "config": "version: v1\nflags: {migStrategy: single}\n"},
}
HALF: dict[str, Any] = {"residency": 0.5, "demand": 0.2}
LIMITED: dict[str, Any] = {"cpus": 4, "cpuLimit": 1}
MECHANISMS: list[Mechanism] = [TimeSlicing(), Mps(25), Mps(100)]
SHARES = st.floats(0.05, 1.0)


def two(how: str, job: dict[str, Any], neighbour: dict[str, Any], **more: Any) -> Outcome:
    return outcome(scenario([NODES[how]], [pods("a", job=job), pods("b", job=neighbour)], **more))


def throughput(result: Outcome, name: str) -> float:
    """Requests per second."""
    found = pod(result, name).throughput
    assert found is not None
    return found


def latency(result: Outcome, name: str) -> float:
    """Milliseconds in the mean."""
    found = pod(result, name).latency
    assert found is not None
    assert found.mean is not None
    return found.mean


def limited_jobs() -> st.SearchStrategy[Job]:
    """Jobs with a CPU limit that they may feel or not."""
    kinds = st.sampled_from([(JobKind.TRAINING, 0, 100), (JobKind.SERVICE, 1, 0), (JobKind.SERVICE, 4, 0)])
    return st.builds(
        lambda kind, residency, part, overlap, cpus, limit: Job(
            kind[0], 100_000, residency, residency * part, overlap, kind[2], None, kind[1], None, cpus, limit
        ),
        kinds,
        SHARES,
        SHARES,
        st.sampled_from([0.0, 0.5, 1.0]),
        st.floats(0.1, 16),
        st.floats(0.1, 16),
    )


@pytest.mark.parametrize("kind", [service(clients=1, **HALF), training("100ms", 100, overlap=0, **HALF)])
def test_alone_the_host_part_takes_so_many_times_as_long_and_the_gpu_part_as_long_as_ever(
    kind: dict[str, Any],
) -> None:
    """50 ms on four cores take 200 ms on one, and 50 ms on the GPU stay."""
    result = outcome(scenario([node()], [pods("a", job=kind | LIMITED)]))
    assert pod(result, "a-0").slowdown == pytest.approx(2.5, rel=1e-4)
    assert pod(result, "a-0").solo_throughput == pytest.approx(10)
    busy = result.gpus[0].utilization / result.gpus[0].worked
    assert busy == pytest.approx(0.5 / 2.5, abs=0.001)


@pytest.mark.parametrize("how", NODES)
@pytest.mark.parametrize("limit", [{}, {"cpus": 4}, {"cpus": 4, "cpuLimit": 4}, {"cpus": 4, "cpuLimit": "8"}])
def test_a_limit_that_is_not_felt_changes_nothing(how: str, limit: dict[str, Any]) -> None:
    job = service(clients=1, **HALF)
    without, found = two(how, job, job), two(how, job | limit, job)
    assert found.trace_hash == without.trace_hash


@pytest.mark.parametrize("how", NODES)
def test_a_limit_costs_its_own_job_and_leaves_more_of_the_card_to_the_neighbour(how: str) -> None:
    job, neighbour = service(clients=1, **HALF), service(clients=1, residency=0.9)
    without, found = two(how, job, neighbour), two(how, job | LIMITED, neighbour)
    assert throughput(found, "a-0") < 0.6 * throughput(without, "a-0")
    assert throughput(found, "b-0") >= throughput(without, "b-0")
    shares_time = how in ("time-slicing", "mps")
    assert (throughput(found, "b-0") > 1.01 * throughput(without, "b-0")) is shares_time


@pytest.mark.parametrize("how", NODES)
def test_both_levels_feel_the_limit_alike(how: str) -> None:
    job, neighbour = service(clients=1, **HALF) | LIMITED, service(clients=1, residency=0.7, demand=0.3)
    by_rates = two(how, job, neighbour, horizon="30m")
    by_requests = two(how, job, neighbour, horizon="30m", detail="requests")
    for name in ("a-0", "b-0"):
        assert throughput(by_requests, name) == pytest.approx(throughput(by_rates, name), rel=0.05)


@pytest.mark.parametrize("how", NODES)
def test_open_requests_wait_longer_and_are_answered_all_the_same(how: str) -> None:
    job = service(rate="1/s", **HALF)
    without, found = two(how, job, job), two(how, job | LIMITED, job)
    assert throughput(found, "a-0") == throughput(without, "a-0")
    assert latency(found, "a-0") == pytest.approx(latency(without, "a-0") + 150, rel=0.1)


def test_busy_periods_of_an_idle_job_take_longer_too() -> None:
    job = {"kind": "idle", "busy": {"every": "2m", "for": "20s"}, "residency": 0.5}
    found = outcome(scenario([node()], [pods("a", job=job | LIMITED)], horizon="2h"))
    assert pod(found, "a-0").slowdown == pytest.approx(2.5, rel=0.01)


def test_several_clients_hide_a_longer_host_part_behind_one_another_on_the_gpu() -> None:
    job = service(clients=8, residency=0.8)
    found = outcome(scenario([node()], [pods("a", job=job | {"cpus": 3, "cpuLimit": 2})]))
    assert pod(found, "a-0").slowdown == pytest.approx(1.0, abs=0.01)
    assert throughput(found, "a-0") == pytest.approx(pod(found, "a-0").solo_throughput, rel=0.01)


@given(limited_jobs(), limited_jobs(), st.sampled_from(MECHANISMS))
def test_nobody_is_faster_under_a_limit_and_alone_the_slow_down_is_the_law(
    job: Job, other: Job, mechanism: Mechanism
) -> None:
    free = replace(job, cpus=None, cpu_limit=None)
    found = [
        rates_under_cpu_limits(mechanism.rates(parts), jobs, parts).jobs[0].speed_ppm
        for jobs in ((job, other), (free, other))
        for parts in (tuple(under_cpu_limit(each) for each in jobs),)
    ]
    knows_of_several = isinstance(mechanism, TimeSlicing) or (job.clients <= 1 and other.clients <= 1)
    assert found[0] <= found[1] * (1.0001 if knows_of_several else 1.1) + 2
    part = under_cpu_limit(job)
    assert part.demand <= part.residency <= job.residency
    assert part.solo_time_us * part.residency == pytest.approx(job.solo_time_us * job.residency, rel=1e-4)
    if job.clients <= 1:
        alone = rates_under_cpu_limits(Exclusive().rates((part,)), (job,), (part,)).jobs[0].speed_ppm
        times = (1 - job.residency) * job.cpu_times + job.residency
        assert alone == pytest.approx(PPM / times, rel=1e-3)


PROBLEMS = [
    ({"cpuLimit": 2}, ["missing-key"]),
    ({"cpus": "many"}, ["bad-cores"]),
    ({"cpus": 2, "cpuLimit": "1e3"}, ["bad-cores"]),
    ({"cpus": 2, "cpuLimit": "0"}, ["out-of-range"]),
    ({"cpus": 4096}, ["out-of-range"]),
    ({"cpus": 2, "cpulimit": 1}, ["unknown-key-near"]),
]


@pytest.mark.parametrize(("given", "expected"), PROBLEMS)
def test_what_is_no_budget_is_told_in_each_language(given: dict[str, Any], expected: list[str]) -> None:
    with pytest.raises(ProblemsError) as raised:
        read(scenario([node()], [pods("a", job=service(**given))]))
    assert [problem.key for problem in raised.value.problems] == expected
    for language in LANGUAGES:
        words = problem_words(raised.value.problems[0], builtin_library().messages[language])
        assert all(words)


def test_a_job_that_never_computes_has_no_budget() -> None:
    with pytest.raises(ProblemsError) as raised:
        read(scenario([node()], [pods("a", job={"kind": "idle", "cpus": 2})]))
    assert [problem.key for problem in raised.value.problems] == ["unknown-key"]


@pytest.mark.parametrize(("text", "cores"), [("4", 4.0), ("1.5", 1.5), ("1500m", 1.5), (".5", 0.5)])
def test_cores_are_written_as_kubernetes_does(text: str, cores: float) -> None:
    job = read(scenario([node()], [pods("a", job=service(cpus=text))])).workloads[0].job
    assert job.cpus == cores
