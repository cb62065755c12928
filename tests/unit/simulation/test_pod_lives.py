"""The life of a Pod: out of memory and then, restarts, back-off, waiting and leaving."""

from __future__ import annotations

import pytest

from labs.simulation.trace import (
    AllocationFailed,
    BackedOff,
    ContainerExited,
    ContainerStarted,
    ContextAllocated,
    PodFailed,
    PodScheduled,
    PodSucceeded,
    SlotAllocated,
    SpeedChanged,
)
from tests.unit.scenarios import (
    MIB,
    config,
    happened,
    node,
    outcome,
    phases,
    pod,
    pods,
    read,
    records,
    scenario,
    training,
)

TOO_MUCH = "100GiB"
LIFE = (
    ContainerStarted,
    AllocationFailed,
    ContainerExited,
    BackedOff,
    PodSucceeded,
    PodFailed,
)


# Out of memory


def test_a_process_that_dies_of_it_is_restarted_after_growing_waits() -> None:
    result = outcome(scenario([node()], [pods("a", memory=TOO_MUCH)], horizon="30m"))
    waits = [value for _, _, _, value in happened(result, BackedOff) if value is not None]
    assert [wait // 1_000_000 for wait in waits] == [1, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300]
    starts = [seconds for seconds, *_ in happened(result, ContainerStarted)]
    assert starts == [0, 1, 11, 31, 71, 151, 311, 611, 911, 1211, 1511]


def test_out_of_gpu_memory_is_never_oomkilled() -> None:
    """The kernel's killer watches the container's own memory, not the card's."""
    for policy in ("Always", "OnFailure", "Never"):
        for on_oom in ("exit", "catch"):
            text = scenario([node()], [pods("a", memory=TOO_MUCH, restartPolicy=policy, onOOM=on_oom)])
            assert "OOMKilled" not in outcome(text).trace.canonical_json()
            assert "OOMKilled" not in str(outcome(text).to_json())


@pytest.mark.parametrize(
    ("policy", "on_oom", "expected"),
    [
        ("Always", "exit", "Running/CrashLoopBackOff"),
        ("OnFailure", "exit", "Running/CrashLoopBackOff"),
        ("Never", "exit", "Failed/Error"),
        ("Always", "catch", "Running"),
        ("OnFailure", "catch", "Running"),
        ("Never", "catch", "Running"),
    ],
)
def test_what_a_pod_shows_after_running_out_of_memory(policy: str, on_oom: str, expected: str) -> None:
    text = scenario([node()], [pods("a", memory=TOO_MUCH, restartPolicy=policy, onOOM=on_oom)])
    assert phases(outcome(text)) == {"a-0": expected}


def test_a_pod_that_fails_frees_its_slot_and_the_first_waiting_one_takes_it() -> None:
    text = scenario(
        [node()],
        [
            pods("first", memory=TOO_MUCH, restartPolicy="Never"),
            pods("second", memory="1GiB", arrival="0s"),
            pods("third", memory="1GiB", arrival="0s"),
        ],
    )
    assert phases(outcome(text)) == {
        "first-0": "Failed/Error",
        "second-0": "Running",
        "third-0": "Pending/Unschedulable",
    }


def test_a_dead_process_frees_its_memory_while_its_pod_keeps_its_slot() -> None:
    text = scenario(
        [node(replicas=2)],
        [
            pods("greedy", memory=[{"at": "0s", "set": "30GiB"}, {"at": "5s", "set": "60GiB"}]),
            pods("late", memory="30GiB", arrival="5500ms"),
            pods("waiting", memory="1GiB", arrival="5600ms"),
        ],
    )
    assert phases(outcome(text)) == {
        "greedy-0": "Running/CrashLoopBackOff",
        "late-0": "Running",
        "waiting-0": "Pending/Unschedulable",
    }


def test_the_victim_is_whoever_asks_next() -> None:
    """The small one grows by 2 GiB last and fails, though the other holds most of the card."""
    text = scenario(
        [node(replicas=2)],
        [
            pods("small", memory=[{"at": "0s", "set": "1GiB"}, {"at": "20s", "set": "3GiB"}], onOOM="catch"),
            pods("large", memory=[{"at": "0s", "set": "10GiB"}, {"at": "10s", "set": "37GiB"}]),
        ],
    )
    failures = [
        (record.at_us, record.pod, record.asked_bytes) for record in records(outcome(text), AllocationFailed)
    ]
    assert failures == [(20_000_000, "small-0", 2 * 2**30)]


def test_memory_that_shrinks_is_there_for_others() -> None:
    text = scenario(
        [node(replicas=2)],
        [
            pods("first", memory=[{"at": "0s", "set": "30GiB"}, {"at": "10s", "set": "1GiB"}]),
            pods("second", memory=[{"at": "0s", "set": "1GiB"}, {"at": "20s", "set": "30GiB"}]),
        ],
    )
    assert outcome(text).metrics["oomPods"] == 0


def test_a_restart_succeeds_once_a_card_mate_has_left() -> None:
    """The trainer holds 30 GiB for 15 s; the other one dies at 0, 1 and 11 s and gets its memory at 31 s."""
    text = scenario(
        [node(replicas=2)],
        [
            pods("trainer", memory="30GiB", job=training("1s", 15)),
            pods("other", memory="20GiB", arrival="0s"),
        ],
    )
    result = outcome(text)
    found = pod(result, "other-0")
    assert (found.phase, found.reason, found.oom, found.restarts) == ("Running", None, 3, 3)
    assert [row for row in happened(result, *LIFE) if row[2] == "other-0"][-1] == (
        31.0,
        "container-started",
        "other-0",
        3,
    )


def test_back_off_is_forgotten_after_ten_good_minutes() -> None:
    steps = [{"at": "0s", "set": "1GiB"}, {"at": "11m", "set": TOO_MUCH}]
    result = outcome(scenario([node()], [pods("a", memory=steps)], horizon="60m"))
    assert {value for _, _, _, value in happened(result, BackedOff)} == {1_000_000}


@pytest.mark.parametrize(("over", "failures"), [(0, 0), (1, 1)])
def test_a_card_is_full_to_the_byte(over: int, failures: int) -> None:
    free = read(scenario([node()], [pods("a")])).nodes[0].usable_bytes - 300 * MIB
    text = scenario([node()], [pods("a", memory=str(free + over), onOOM="catch")])
    assert outcome(text).metrics["oomEvents"] == failures


def test_a_context_alone_can_be_too_much() -> None:
    text = scenario(
        [node(replicas=3)],
        [pods("large", memory="38GiB"), pods("small", 2, memory="0", contextMemory="700MiB", onOOM="catch")],
    )
    failures = records(outcome(text), AllocationFailed)
    assert [(record.pod, record.purpose) for record in failures] == [("small-1", "context")]


def test_a_pod_with_neither_memory_nor_work_needs_no_context() -> None:
    result = outcome(scenario([node()], [pods("a")]))
    assert records(result, ContextAllocated) == []
    assert result.metrics["peakMemoryMiB"] == 0


def test_a_pod_on_two_cards_takes_its_memory_on_each() -> None:
    result = outcome(scenario([node(cards=2)], [pods("a", units=2, memory="10GiB")]))
    assert [gpu.peak_memory_mib for gpu in result.gpus] == [10 * 1024 + 300, 10 * 1024 + 300]


def test_two_slots_of_one_card_are_one_device_with_one_memory() -> None:
    text = scenario([node(replicas=2)], [pods("a", units=2, memory="10GiB")])
    result = outcome(text)
    assert pod(result, "a-0").device == "node/gpu0"
    assert result.metrics["peakMemoryMiB"] == 10 * 1024 + 300
    assert len(records(result, SlotAllocated)) == 2


# The end of work


def test_training_that_is_done_is_completed_and_frees_everything() -> None:
    text = scenario(
        [node()], [pods("a", 2, memory="30GiB", job=training("100ms", 100)), pods("b", arrival="5s")]
    )
    result = outcome(text)
    assert phases(result) == {"a-0": "Succeeded/Completed", "a-1": "Succeeded/Completed", "b-0": "Running"}
    assert happened(result, PodSucceeded) == [
        (10.0, "pod-succeeded", "a-0", None),
        (20.0, "pod-succeeded", "a-1", None),
    ]
    assert pod(result, "b-0").started_at == 20.0


def test_training_that_always_restarts_begins_anew_after_its_back_off() -> None:
    text = scenario([node()], [pods("a", job=training("1s", 5), restartPolicy="Always")], horizon="30s")
    assert happened(outcome(text), *LIFE) == [
        (0.0, "container-started", "a-0", 0),
        (5.0, "container-exited", "a-0", 0),
        (5.0, "back-off", "a-0", 1_000_000),
        (6.0, "container-started", "a-0", 1),
        (11.0, "container-exited", "a-0", 0),
        (11.0, "back-off", "a-0", 10_000_000),
        (21.0, "container-started", "a-0", 2),
        (26.0, "container-exited", "a-0", 0),
        (26.0, "back-off", "a-0", 20_000_000),
    ]


def test_training_that_succeeds_is_not_restarted_on_failure() -> None:
    text = scenario([node()], [pods("a", job=training("1s", 5), restartPolicy="OnFailure")])
    assert phases(outcome(text)) == {"a-0": "Succeeded/Completed"}


def test_a_job_that_ran_out_of_memory_makes_no_more_progress() -> None:
    steps = [{"at": "0s", "set": "1GiB"}, {"at": "5s", "set": TOO_MUCH}]
    text = scenario(
        [node()], [pods("a", memory=steps, onOOM="catch", job=training("1s", 100))], horizon="20s"
    )
    found = pod(outcome(text), "a-0")
    assert (found.phase, found.throughput) == ("Running", 0.25)


def test_the_others_go_faster_once_a_job_has_died() -> None:
    steps = [{"at": "0s", "set": "1GiB"}, {"at": "5s", "set": TOO_MUCH}]
    text = scenario(
        [node(replicas=2)],
        [
            pods("dies", memory=steps, restartPolicy="Never", job=training("1s", 100, overlap=0)),
            pods("lives", memory="1GiB", job=training("1s", 100, overlap=0)),
        ],
    )
    speeds = [row[3] for row in happened(outcome(text), SpeedChanged) if row[2] == "lives-0"]
    assert speeds == [462_963, 1_000_000, 0]


# Waiting for a slot


def test_a_pod_that_fits_nowhere_waits_with_the_schedulers_words() -> None:
    result = outcome(scenario([node("a"), node("b")], [pods("x", units=2)]))
    assert pod(result, "x-0").message == "0/2 nodes are available: 2 Insufficient nvidia.com/gpu."


def test_a_resource_that_nobody_offers_is_waited_for() -> None:
    workload = {"name": "x", "request": {"nvidia.com/mig-1g.5gb": 1}}
    result = outcome(scenario([node()], [workload]))
    assert phases(result) == {"x-0": "Pending/Unschedulable"}
    assert pod(result, "x-0").message == "0/1 nodes are available: 1 Insufficient nvidia.com/mig-1g.5gb."


def test_waiting_pods_are_tried_in_the_order_of_their_creation_whatever_they_ask_for() -> None:
    """Three cards come free at once.

    The first takes one, the second two, and the third, like the first in its request, waits.
    """
    text = scenario(
        [node(cards=3)],
        [
            pods("before", units=3, job=training("1s", 10)),
            pods("one", units=1, arrival="1s"),
            pods("two", units=2, arrival="2s"),
            pods("three", units=1, arrival="3s"),
        ],
    )
    placed = [record.pod for record in records(outcome(text), PodScheduled)]
    assert placed == ["before-0", "one-0", "two-0"]
    assert phases(outcome(text)) == {
        "before-0": "Succeeded/Completed",
        "one-0": "Running",
        "two-0": "Running",
        "three-0": "Pending/Unschedulable",
    }


def test_a_pod_that_is_too_large_does_not_keep_smaller_ones_behind_it_waiting() -> None:
    text = scenario(
        [node(cards=2)],
        [
            pods("before", units=1, job=training("1s", 10)),
            pods("other"),
            pods("large", units=2, arrival="1s"),
            pods("small", units=1, arrival="2s"),
        ],
    )
    assert phases(outcome(text))["large-0"] == "Pending/Unschedulable"
    assert phases(outcome(text))["small-0"] == "Running"


def test_a_refused_node_takes_no_pods_and_the_others_do() -> None:
    text = scenario([node("bad", text=config(1)), node("good", cards=2)], [pods("x", 3)])
    result = outcome(text)
    assert [found.node for found in result.pods] == ["good", "good", None]
    assert [(found.name, found.error is None) for found in result.nodes] == [("bad", False), ("good", True)]


def test_a_pod_created_at_the_horizon_is_not_seen() -> None:
    """A run is what happens before its horizon."""
    assert outcome(scenario([node()], [pods("a", arrival="10m")])).pods == ()
