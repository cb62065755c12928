"""Named workloads: their figures are those of their source, and a scenario that uses one."""

from __future__ import annotations

import json

import pytest

from labs.config.own.problem import ProblemsError
from labs.hardware.catalog import builtin_catalog
from labs.library import LANGUAGES, builtin_library
from labs.simulation.evidence.accuracy import observation
from labs.simulation.evidence.calibration import Parameter, Shares, fit
from labs.simulation.evidence.datasets import builtin_datasets, builtin_points
from labs.simulation.evidence.measurement import Role
from labs.simulation.outcome.evaluate import evaluate
from labs.simulation.scenario.reader import read_scenario
from labs.simulation.scenario.scenario import Job, JobKind
from labs.simulation.scenario.workloads import (
    NamedWorkload,
    WorkloadsError,
    builtin_workloads,
    read_workloads,
)

WORKLOADS = builtin_workloads()


def scenario(job: str) -> str:
    return f"""format: 1
horizon: 1m
nodes:
  - name: node-1
    gpus: {{model: a100-80gb, count: 1}}
workloads:
  - name: work
    request: {{nvidia.com/gpu: 1}}
    job: {job}
"""


def job(text: str) -> Job:
    return read_scenario(scenario(text), builtin_catalog()).workloads[0].job


def problem(text: str) -> tuple[str, dict[str, object]]:
    with pytest.raises(ProblemsError) as raised:
        job(text)
    (found,) = raised.value.problems
    return found.key, dict(found.values)


@pytest.mark.parametrize("named", [one for one in WORKLOADS.values() if one.point], ids=lambda one: one.id)
def test_time_and_demand_are_what_the_calibrating_figures_say(named: NamedWorkload) -> None:
    shares = Shares(builtin_catalog())
    points = [
        point
        for point in builtin_points()
        if (point.dataset, point.workload, point.role) == (named.dataset, named.point, Role.CALIBRATE)
    ]
    fits = [
        fit(named.job.kind, Parameter.DEMAND, seen, shares, residency=named.job.residency)
        for mechanism in ("mps", "mig")
        if (
            seen := [
                seen_one for one in points if one.mechanism != mechanism and (seen_one := observation(one))
            ]
        )
    ]
    found = [one for one in fits if one is not None]
    demand = sum(one.value for one in found) / len(found)
    solo = sum(one.solo_s for one in found) / len(found)
    per_request = 1 if named.job.kind is JobKind.TRAINING else named.batch
    assert named.job.demand == pytest.approx(demand, abs=0.006)
    assert named.job.solo_time_us == pytest.approx(solo * per_request * 1e6, rel=0.005)


def test_every_named_workload_has_a_source_and_a_name_in_every_language() -> None:
    for named in WORKLOADS.values():
        assert named.dataset in builtin_datasets()
        assert all(builtin_library().messages[language].has(f"workload.{named.id}") for language in LANGUAGES)


def test_a_scenario_uses_a_workload_by_name() -> None:
    yolos = WORKLOADS["yolos-small-a100-80gb"].job
    found = job("{use: yolos-small-a100-80gb}")
    assert (found.kind, found.solo_time_us, found.residency, found.demand) == (
        JobKind.SERVICE,
        88_150,
        yolos.residency,
        yolos.demand,
    )
    assert found.clients == 1
    assert job("{kind: service, use: yolos-small-a100-80gb, rate: 2/s}").rate_per_s == 2.0


def test_what_a_job_says_itself_counts_more() -> None:
    found = job("{use: bert-b32-a100-80gb, soloTime: 100ms, residency: 0.9, demand: 0.2, overlap: 0.1}")
    assert (found.solo_time_us, found.residency, found.demand, found.overlap) == (100_000, 0.9, 0.2, 0.1)


def test_a_lower_residency_takes_the_demand_with_it() -> None:
    assert job("{use: vgg16-b8-a100-80gb, residency: 0.5}").demand == 0.5


def test_training_by_name_still_says_how_long() -> None:
    assert job("{use: bert-b6-training-a100-40gb, iterations: 10}").iterations == 10
    assert problem("{use: bert-b6-training-a100-40gb}") == ("missing-key", {"key": "iterations"})


def test_a_misspelt_name_gets_the_nearest() -> None:
    key, values = problem("{kind: service, use: yolo-small-a100}")
    assert (key, values["near"]) == ("no-such-workload-near", "yolos-small-a100-80gb")
    assert problem("{use: zzz}")[0] == "no-such-workload"


def test_a_workload_of_another_kind_is_refused() -> None:
    wanted = {"value": "yolos-small-a100-80gb", "kind": "service"}
    for kind in ("training", "idle"):
        assert problem(f"{{kind: {kind}, use: yolos-small-a100-80gb}}") == ("workload-of-other-kind", wanted)


def test_the_demand_of_another_field_is_still_held_against_residency() -> None:
    assert problem("{use: vgg16-b8-a100-80gb, residency: 0.5, demand: 0.6}")[0] == "demand-over-residency"


def test_a_run_of_a_named_workload_is_the_run_of_its_figures() -> None:
    named = evaluate(scenario("{use: yolos-small-a100-80gb}"), builtin_catalog())
    spelt = evaluate(
        scenario("{kind: service, soloTime: 88.15ms, residency: 1, demand: 0.48}"), builtin_catalog()
    )
    assert named.trace_hash == spelt.trace_hash


ROW: dict[str, object] = {
    "id": "a",
    "job": {"kind": "service", "soloTime": "1ms", "residency": 1, "demand": 0.5},
    "dataset": "D01",
    "point": None,
    "batch": 1,
    "assumed": [],
}


@pytest.mark.parametrize(
    "rows",
    [
        [{**ROW, "id": "A b"}],
        [{**ROW, "note": "x"}],
        [ROW, ROW],
        [{**ROW, "batch": 0}],
        [{**ROW, "assumed": ["memory"]}],
        [{**ROW, "dataset": None}],
        [{**ROW, "job": {"kind": "idle", "soloTime": "1ms"}}],
        [{**ROW, "job": {"kind": "service"}}],
        [{**ROW, "job": {"kind": "service", "soloTime": "soon", "residency": 1, "demand": 1}}],
        [{**ROW, "job": {"kind": "service", "soloTime": "1ms", "residency": 0.5, "demand": 1}}],
        [{**ROW, "job": {"kind": "service", "soloTime": "1ms", "residency": 2, "demand": 1}}],
    ],
)
def test_a_library_that_is_not_of_its_form_is_refused(rows: list[object]) -> None:
    assert read_workloads(json.dumps({"format": 1, "workloads": [ROW]}))
    with pytest.raises(WorkloadsError):
        read_workloads(json.dumps({"format": 1, "workloads": rows}))
