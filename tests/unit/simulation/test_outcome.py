"""What a run adds up to: speeds, times, metrics, expectations, and the JSON that scripts read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from labs.config.own.problem import ProblemsError
from labs.simulation.trace import PodCreated, RunEnded, Trace
from labs.simulation.world.run import run
from labs.simulation.world.trace_writer import RunTooLargeError
from tests.unit.scenarios import (
    STORY,
    happened,
    node,
    outcome,
    pod,
    pods,
    read,
    records,
    scenario,
    service,
    training,
)

# Speeds and times


def test_training_alone_takes_its_own_time() -> None:
    found = pod(outcome(scenario([node()], [pods("a", job=training("120ms", 1000))])), "a-0")
    assert (found.started_at, found.finished_at, found.slowdown) == (0.0, 120.0, 1.0)
    assert (found.throughput, found.solo_throughput) == (8.333333, 8.333333)


def test_two_always_busy_trainings_take_turns_until_one_is_done() -> None:
    """Both at 1 / 2.16; the short one ends after 21.6 s, and the long one has 90 s of work left."""
    text = scenario(
        [node(replicas=2)],
        [pods("short", job=training("1s", 10, overlap=0)), pods("long", job=training("1s", 100, overlap=0))],
    )
    result = outcome(text)
    assert pod(result, "short-0").finished_at == pytest.approx(21.6, abs=1e-4)
    assert pod(result, "long-0").finished_at == pytest.approx(21.6 + 90, abs=1e-4)
    assert pod(result, "short-0").slowdown == pytest.approx(2.16, abs=1e-4)


def test_the_mean_completion_counts_from_a_jobs_creation() -> None:
    one_by_one = pods("a", 2, arrival={"every": "5s"}, job=training("1s", 10))
    found = outcome(scenario([node()], [one_by_one])).metrics
    assert (found["meanCompletionSeconds"], found["completionSeconds"]) == (12.5, 20.0)


def test_the_metrics_of_pods_that_work_are_there_where_they_apply() -> None:
    both = [
        pods("short", job=training("1s", 10, overlap=0)),
        pods("long", job=training("1s", 100, overlap=0)),
    ]
    done = outcome(scenario([node(replicas=2)], both)).metrics
    assert done["completionSeconds"] == pytest.approx(111.6, abs=1e-4)
    assert done["worstSlowdown"] == pytest.approx(2.16, abs=1e-4)
    assert done["meanCompletionSeconds"] == pytest.approx((21.6 + 111.6) / 2, abs=1e-4)
    assert done["workingUtilization"] == pytest.approx(done["utilization"] * 600 / 111.6, rel=1e-4)
    cut = outcome(scenario([node(replicas=2)], both, horizon="60s")).metrics
    assert not {"completionSeconds", "meanCompletionSeconds"} & cut.keys()
    assert cut["worstSlowdown"] == pytest.approx(2.16, abs=1e-4)
    assert (
        not {"completionSeconds", "worstSlowdown"} & outcome(scenario([node()], [pods("a")])).metrics.keys()
    )


def test_work_lost_in_a_crash_is_no_work_done() -> None:
    """Half done, it dies of a step that the busy card refuses; begun anew 1 s after that, it has room.

    5 s of 10 are lost, 1 s is waited, 10 s bring the end: 1.6 times as long as alone.
    """
    text = scenario(
        [node(replicas=2)],
        [
            pods(
                "worker",
                job=training("1s", 10, overlap=0),
                memory=[{"at": "0s", "set": "1GiB"}, {"at": "5s", "set": "20GiB"}],
                restartPolicy="OnFailure",
            ),
            pods("other", memory=[{"at": "0s", "set": "30GiB"}, {"at": "8s", "set": "1GiB"}]),
        ],
    )
    found = pod(outcome(text), "worker-0")
    assert (found.oom, found.finished_at, found.slowdown) == (1, 16.0, 1.6)
    assert found.throughput == pytest.approx(10 / 16)


def test_work_on_two_cards_goes_as_fast_as_on_the_slower_one() -> None:
    text = scenario(
        [node(cards=2, replicas=2)],
        [
            pods("both", units=2, job=training("1s", 10, overlap=0)),
            pods("other", job=training("1s", 500, overlap=0)),
        ],
    )
    assert pod(outcome(text), "both-0").slowdown == pytest.approx(2.16, abs=1e-4)


def test_a_closed_service_answers_when_it_can() -> None:
    found = pod(outcome(scenario([node(replicas=2)], [pods("a", 2, job=service("88ms", clients=1))])), "a-0")
    assert found.latency is not None
    assert found.latency.mean == pytest.approx(88 * 2.16, abs=0.01)
    assert (found.latency.p50, found.latency.p99) == (None, None)
    assert found.throughput == pytest.approx(1 / (0.088 * 2.16), abs=1e-3)
    assert found.slowdown == pytest.approx(2.16, abs=1e-3)
    assert (found.solo_latency_ms, found.solo_throughput) == (88.0, 11.363636)


def test_an_open_service_answers_all_its_requests() -> None:
    found = pod(outcome(scenario([node()], [pods("a", job=service("88ms", rate="2/s"))])), "a-0")
    assert (found.throughput, found.slowdown) == (2.0, 1.0)


def test_an_overloaded_service_has_no_mean_latency_and_no_slowdown() -> None:
    found = pod(outcome(scenario([node()], [pods("a", job=service("100ms", rate="50/s"))])), "a-0")
    assert found.throughput == 10.0
    assert found.latency is not None
    assert found.latency.mean is None
    assert found.slowdown is None


def test_the_mean_latency_weighs_the_time_with_company_by_its_requests() -> None:
    text = scenario(
        [node(replicas=2)],
        [
            pods("a", job=service("100ms", clients=1)),
            pods("b", job=training("1s", 100, overlap=0), arrival="5m"),
        ],
        horizon="10m",
    )
    found = pod(outcome(text), "a-0")
    alone_s, shared_s = 600 - 216, 216
    answers = alone_s / 0.1 + shared_s / 0.216
    assert found.latency is not None
    assert found.latency.mean == pytest.approx((600 / answers) * 1000, rel=1e-4)


def test_utilization_is_the_share_of_time_with_a_kernel_on_the_card() -> None:
    text = scenario([node(cards=2)], [pods("a", job=training("1s", 150, residency=0.5, overlap=0))])
    assert [gpu.utilization for gpu in outcome(text).gpus] == [pytest.approx(0.125), 0.0]


def test_idle_pods_have_no_speed() -> None:
    found = pod(outcome(scenario([node()], [pods("a", memory="1GiB")])), "a-0")
    assert (found.slowdown, found.throughput, found.latency, found.solo_throughput) == (None,) * 4


def test_records_do_not_multiply_with_the_length_of_the_work() -> None:
    counts = {
        len(
            outcome(
                scenario(
                    [node(cards=2, replicas=3)],
                    [pods("t", 6, job=training("10ms", 500 * factor)), pods("i", 2, memory="1GiB")],
                    horizon=f"{factor}m",
                )
            ).trace.records
        )
        for factor in (1, 10, 1000)
    }
    assert len(counts) == 1


def test_a_shorter_iteration_means_no_more_records() -> None:
    counts = {
        len(outcome(scenario([node(replicas=3)], [pods("t", 3, job=training(solo, n))])).trace.records)
        for solo, n in (("1us", 10_000_000), ("1ms", 10_000), ("1s", 10))
    }
    assert len(counts) == 1


# Many


def test_a_thousand_nodes_with_five_thousand_pods() -> None:
    nodes = [node(f"n{index}", cards=8) for index in range(1000)]
    result = outcome(
        scenario(
            nodes,
            [pods("idle", 4000, memory="6GiB"), pods("t", 1000, arrival={"every": "1s"}, job=training())],
        )
    )
    assert result.metrics["pods"] == 4600
    assert result.metrics["pendingPods"] == 0


def test_requests_for_several_cards_among_nodes_that_are_nearly_full() -> None:
    nodes = [node(f"n{index}", cards=2) for index in range(1000)]
    result = outcome(scenario(nodes, [pods("one", 1000), pods("two", 500, units=2)]))
    assert result.metrics["pendingPods"] == 500


def test_a_run_past_its_limit_is_a_problem_of_the_text() -> None:
    with pytest.raises(ProblemsError) as caught:
        outcome(STORY, record_limit=50)
    (problem,) = caught.value.problems
    assert (problem.key, dict(problem.values)) == ("run-too-large", {"limit": 50, "seconds": 10})


def test_the_limit_holds_in_the_middle_of_a_pods_life_too() -> None:
    with pytest.raises(RunTooLargeError) as caught:
        run(read(scenario([node()], [pods("a", memory="90GiB")], horizon="9000h")), record_limit=1000)
    assert caught.value.limit == 1000


def test_progress_rises_to_one() -> None:
    seen: list[float] = []
    run(read(STORY), on_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


# Expectations and errors


@pytest.mark.parametrize(
    ("expect", "differences"),
    [
        (None, None),
        ({}, []),
        ({"oom": 1, "pods": {"a": "Running", "b": "Pending"}}, []),
        ({"oom": 0}, [{"what": "oom", "expected": "0", "found": "1"}]),
        (
            {"pods": {"a": "Failed", "b": "Running"}},
            [
                {"what": "pods.a", "expected": "Failed", "found": "1 Running"},
                {"what": "pods.b", "expected": "Running", "found": "2 Pending"},
            ],
        ),
        (
            {"pods": {"never": "Running"}},
            [{"what": "pods.never", "expected": "Running", "found": "0 Pods"}],
        ),
    ],
)
def test_an_expectation_is_met_or_says_what_differs(expect: Any, differences: Any) -> None:
    more = {} if expect is None else {"expect": expect}
    workloads = [
        pods("a", memory="90GiB", onOOM="catch"),
        pods("b", 2),
        pods("never", arrival="1h"),
    ]
    found = outcome(scenario([node()], workloads, **more)).to_json()["expectation"]
    assert found == (None if differences is None else {"met": not differences, "differences": differences})


def test_the_known_error_is_printed_where_a_speed_was_predicted() -> None:
    shared, alone = node(replicas=2), node()
    working, idle = [pods("a", job=training())], [pods("a", memory="1GiB")]
    assert [error.mechanism for error in outcome(scenario([shared], working)).expected_errors] == [
        "time-slicing"
    ]
    assert outcome(scenario([shared], idle)).expected_errors == ()
    assert outcome(scenario([alone], working)).expected_errors == ()


def test_the_json_says_on_what_the_known_error_rests_and_what_it_does_not_cover() -> None:
    found = outcome(scenario([node(replicas=2)], [pods("a", job=training())])).to_json()["expectedError"]
    basis = found["time-slicing"]["basis"]
    assert all(words in basis for words in ("Lucid, ASPLOS 2023", "Nebuly nos", "No published measurement"))


@pytest.mark.parametrize(("copies", "measured_s"), [(3, 0.293140), (5, 0.488952), (7, 0.684880)])
def test_the_basis_says_no_more_than_is_so(copies: int, measured_s: float) -> None:
    """Nebuly nos, demos/gpu-sharing-comparison: inference of YOLOS-small, without pause, 0.088150 s alone."""
    workloads = [pods("a", copies, job=service("88.15ms", clients=1))]
    latency = pod(outcome(scenario([node(replicas=7)], workloads)), "a-0").latency
    assert latency is not None
    assert latency.mean == pytest.approx(measured_s * 1000, rel=0.03)


def test_a_config_beyond_our_limits_is_no_verdict_of_the_plugin() -> None:
    text = scenario([node(text="sharing: " + "[" * 500 + "]" * 500)], [pods("a")])
    with pytest.raises(ProblemsError) as caught:
        outcome(text)
    assert [problem.key for problem in caught.value.problems] == ["config-too-large"]


# The JSON

NUMBER = (int, float)
OPTIONAL_NUMBER, OPTIONAL_TEXT = (int, float, type(None)), (str, type(None))
POD_SHAPE: dict[str, Any] = {
    "name": str,
    "workload": str,
    "node": OPTIONAL_TEXT,
    "device": OPTIONAL_TEXT,
    "phase": str,
    "reason": OPTIONAL_TEXT,
    "message": OPTIONAL_TEXT,
    "oom": int,
    "startedAt": OPTIONAL_NUMBER,
    "finishedAt": OPTIONAL_NUMBER,
    "slowdown": OPTIONAL_NUMBER,
    "throughput": OPTIONAL_NUMBER,
    "latency": {"mean": OPTIONAL_NUMBER, "p50": OPTIONAL_NUMBER, "p99": OPTIONAL_NUMBER},
    "solo": {"throughput": OPTIONAL_NUMBER, "latency": OPTIONAL_NUMBER},
}
GPU_SHAPE = {"node": str, "index": int, "utilization": NUMBER, "peakMemoryMiB": NUMBER, "oom": int}
NODE_SHAPE = {"name": str, "resources": dict, "error": OPTIONAL_TEXT}
TOP = ["traceHash", "pods", "gpus", "nodes", "metrics", "expectedError", "expectation"]


def has_shape(value: Any, shape: Any) -> bool:
    """Whether a JSON value has exactly the keys, in order, and the types of the shape."""
    if isinstance(shape, dict):
        return list(value) == list(shape) and all(has_shape(value[key], shape[key]) for key in shape)
    return isinstance(value, shape) and (shape is bool or not isinstance(value, bool))


MIXED = scenario(
    [node("a", replicas=2), node("b", text="version: v2"), node("c", cards=2)],
    [
        pods("oom", memory="90GiB"),
        pods("train", 2, job=training()),
        pods("serve", 2, memory="1GiB", job=service(clients=2)),
        pods("wait", units=9),
    ],
    expect={"oom": 3},
)


@pytest.mark.parametrize("text", [STORY, MIXED])
def test_the_json_has_the_keys_and_types_that_scripts_rely_on(text: str) -> None:
    found = outcome(text).to_json()
    assert list(found) == TOP
    assert all(has_shape(each, POD_SHAPE) for each in found["pods"])
    assert all(has_shape(each, GPU_SHAPE) for each in found["gpus"])
    assert all(has_shape(each, NODE_SHAPE) for each in found["nodes"])
    assert all(isinstance(value, NUMBER) for value in found["metrics"].values())
    assert len(found["traceHash"]) == 64
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_pods_are_listed_by_workload_and_index_and_cards_by_node() -> None:
    found = outcome(MIXED).to_json()
    assert [each["name"] for each in found["pods"]] == [
        "oom-0",
        "train-0",
        "train-1",
        "serve-0",
        "serve-1",
        "wait-0",
    ]
    assert [(each["node"], each["index"]) for each in found["gpus"]] == [
        ("a", 0),
        ("b", 0),
        ("c", 0),
        ("c", 1),
    ]


def test_pods_that_share_a_card_have_the_same_device() -> None:
    found = outcome(scenario([node(cards=2, replicas=2)], [pods("a", 4)]))
    devices = [each.device for each in found.pods]
    assert sorted(devices, key=str) == ["node/gpu0", "node/gpu0", "node/gpu1", "node/gpu1"]


# The Trace


def test_a_trace_is_hashed_as_its_canonical_json() -> None:
    trace = Trace((PodCreated(0, "a-0"), RunEnded(5)))
    assert trace.canonical_json() == (
        '[[0,"pod-created","a-0",null,null,null,null,null],[5,"end",null,null,null,null,null,null]]'
    )
    assert trace.hash() == "b1566c5ef0dd57c0c57f04ec60e5120666026e8878f26c11033cd7cb0d51de6e"


def test_a_trace_ends_at_the_horizon() -> None:
    last = outcome(STORY).trace.records[-1]
    assert last == RunEnded(600_000_000)


def test_equal_texts_have_equal_hashes_and_comments_do_not_count() -> None:
    assert outcome(STORY).trace_hash == outcome(STORY + "\n# a comment\n").trace_hash


def test_the_seed_matters_only_where_chance_does() -> None:
    def hashes(arrival: Any) -> int:
        workloads = [pods("a", 5, arrival=arrival)]
        return len({outcome(scenario([node()], workloads, seed=seed)).trace_hash for seed in range(3)})

    assert (hashes("1s"), hashes({"every": "2s"}), hashes({"poisson": "1/s"})) == (1, 1, 3)


def test_random_arrivals_of_one_workload_do_not_depend_on_the_others() -> None:
    def arrivals(*others: dict[str, Any]) -> list[float]:
        text = scenario([node()], [*others, pods("a", 5, arrival={"poisson": "1/s"})])
        return [row[0] for row in happened(outcome(text), PodCreated) if row[2][:2] == "a-"]

    assert arrivals() == arrivals(pods("b", 7, arrival={"poisson": "3/s"}))


def test_poisson_arrivals_come_at_their_rate() -> None:
    text = scenario([node()], [pods("a", 4000, arrival={"poisson": "10/s"})], horizon="2h")
    last = max(record.at_us for record in records(outcome(text), PodCreated))
    assert last / 1_000_000 == pytest.approx(400, rel=0.06)
