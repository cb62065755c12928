"""Allocators that need one amount of memory and take what they find: who gets what, and who gets none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.simulation.outcome.moment.moments import snapshot
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.scenario.scenario import MemoryStep
from labs.simulation.trace import AllocationFailed, MemoryAllocated
from tests.unit.scenarios import GIB, GPU, MIB, SECOND, node, outcome, pod, pods, read, records, scenario

USABLE = read(scenario([node()], [pods("a")])).nodes[0].usable_bytes
CONTEXT = 300 * MIB


def taken(result: Outcome) -> dict[str, list[int]]:
    """What each Pod's data came to, step by step."""
    found: dict[str, list[int]] = {each.name: [] for each in result.pods}
    for record in records(result, MemoryAllocated):
        found[record.pod].append(record.size_bytes)
    return found


def run(memory: Any, count: int = 1, machine: dict[str, Any] | None = None, **more: Any) -> Outcome:
    work = [pods("a", count, memory=memory, arrival={"every": "10s"}, onOOM="catch", **more)]
    return outcome(scenario([machine or node(replicas=10)], work))


@pytest.mark.parametrize(
    ("written", "step"),
    [
        ({"needs": "4GiB", "takes": "16GiB"}, MemoryStep(0, 4 * GIB, takes_bytes=16 * GIB)),
        ({"needs": "4GiB", "takes": "90%"}, MemoryStep(0, 4 * GIB, takes_ppm=900_000)),
        ("4GiB", MemoryStep(0, 4 * GIB)),
    ],
)
def test_it_is_read(written: Any, step: MemoryStep) -> None:
    assert read(scenario([node()], [pods("a", memory=written)])).workloads[0].memory == (step,)


@pytest.mark.parametrize(
    ("step", "free", "size"),
    [
        (MemoryStep(0, 4, takes_bytes=16), 40, 16),
        (MemoryStep(0, 4, takes_bytes=16), 10, 10),
        (MemoryStep(0, 4, takes_bytes=16), 4, 4),
        (MemoryStep(0, 4, takes_bytes=16), 3, 4),  # it asks for what it needs, and is refused
        (MemoryStep(0, 4, takes_ppm=500_000), 40, 20),
        (MemoryStep(0, 4, takes_ppm=50_000), 40, 4),
        (MemoryStep(0, 4), 40, 4),
    ],
)
def test_the_size_that_it_asks_for(step: MemoryStep, free: int, size: int) -> None:
    assert step.size(free, 40) == size


def test_the_first_takes_nearly_all_the_second_what_is_left_and_the_others_run_out_of_memory() -> None:
    result = run({"needs": "2GiB", "takes": "90%"}, 4)
    most = USABLE * 9 // 10
    assert taken(result) == {
        "a-0": [most],
        "a-1": [USABLE - most - 2 * CONTEXT],
        "a-2": [],
        "a-3": [],
    }
    assert [each.oom for each in result.pods] == [0, 0, 1, 1]


def test_who_needs_more_than_is_left_is_refused_all_of_that() -> None:
    result = run({"needs": "16GiB", "takes": "90%"}, 2)
    (refused,) = records(result, AllocationFailed)
    assert (refused.pod, refused.asked_bytes, refused.purpose) == ("a-1", 16 * GIB, "memory")


def test_order_of_arrival_decides() -> None:
    greedy = pods("greedy", memory={"needs": "2GiB", "takes": "100%"}, onOOM="catch")
    modest = pods("modest", memory="10GiB", onOOM="catch")
    for first, second, oom in ((greedy, modest, {"modest-0"}), (modest, greedy, set())):
        result = outcome(scenario([node(replicas=2)], [first, second | {"arrival": "10s"}]))
        assert {each.name for each in result.pods if each.oom} == oom


def test_mps_leaves_each_client_its_part_of_which_it_takes_what_it_finds() -> None:
    sharing = {"mps": {"resources": [{"name": GPU, "replicas": 4}]}}
    result = run(
        {"needs": "2GiB", "takes": "90%"}, 4, node(text=json.dumps({"version": "v1", "sharing": sharing}))
    )
    limit = 40 * GIB // 4
    assert [each.oom for each in result.pods] == [0, 0, 0, 0]
    assert {size for sizes in taken(result).values() for size in sizes} == {limit * 9 // 10}


def test_on_a_mig_device_it_takes_what_the_device_has() -> None:
    gpus = {"model": "a100-40gb", "count": 1, "mig": ["3g.20gb", "3g.20gb"]}
    machine = {
        "name": "node",
        "gpus": gpus,
        "config": '{"version": "v1", "flags": {"migStrategy": "single"}}',
    }
    result = run({"needs": "2GiB", "takes": "100%"}, 2, machine)
    usable = result.scenario.nodes[0].mig[0].usable_bytes
    assert taken(result) == {"a-0": [usable - CONTEXT], "a-1": [usable - CONTEXT]}


def test_what_a_job_takes_on_a_whole_card_does_not_say_that_it_fails_on_a_small_device() -> None:
    """MISO, SoCC 2022: jobs that used 9.9 GB of a whole card ran in slices of 5 GB."""
    gpus = {"model": "a100-40gb", "count": 1, "mig": ["1g.5gb"]}
    small = {
        "name": "node",
        "gpus": gpus,
        "config": '{"version": "v1", "flags": {"migStrategy": "single"}}',
    }
    memory = {"needs": "3GiB", "takes": "9900MiB"}
    assert taken(run(memory)) == {"a-0": [9900 * MIB]}
    assert [run(memory, 1, small).pods[0].oom, run("9900MiB", 1, small).pods[0].oom] == [0, 1]


def test_steps_take_anew_what_is_free_by_then_and_give_back_what_they_do_not_take() -> None:
    steps = [
        {"at": "0s", "needs": "1GiB", "takes": "10GiB"},
        {"at": "1m", "needs": "1GiB", "takes": "100%"},
        {"at": "2m", "needs": "1GiB", "takes": "5GiB"},
        {"at": "3m", "set": "2GiB"},
    ]
    work = [pods("a", memory=steps), pods("b", memory="8GiB")]
    result = outcome(scenario([node(replicas=2)], work))
    whole = USABLE - 2 * CONTEXT - 8 * GIB
    assert taken(result)["a-0"] == [10 * GIB, whole, 5 * GIB, 2 * GIB]


def test_what_it_holds_without_need_is_told_at_each_moment_and_at_the_end() -> None:
    steps = [{"at": "0s", "needs": "1GiB", "takes": "10GiB"}, {"at": "1m", "set": "12GiB"}]
    work = [pods("a", memory=steps)]
    result = outcome(scenario([node()], work, "2m"))

    def found(at_s: int) -> int:
        return snapshot(result.scenario, result.trace, at_s * SECOND).nodes[0].cards[0].found_bytes

    assert [found(at_s) for at_s in (0, 59, 60, 120)] == [9 * GIB, 9 * GIB, 0, 0]
    told = pod(outcome(scenario([node()], work, "30s")), "a-0").to_json()["memory"]
    assert told == {"needsMiB": 12 * 1024, "peakMiB": 10 * 1024 + 300, "foundMiB": 9 * 1024}


def test_a_pod_of_fixed_size_is_told_as_before() -> None:
    result = run("4GiB")
    assert "memory" not in pod(result, "a-0").to_json()


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 45), st.integers(0, 300)), min_size=1, max_size=6)
)
def test_who_gets_what_is_what_arithmetic_says(pods_in_order: list[tuple[int, int, int]]) -> None:
    """(needs, takes beyond that, MiB of context) of Pods one after the other on one card."""
    work = [
        pods(
            f"w{index}",
            memory={"needs": f"{needs}GiB", "takes": f"{needs + more}GiB"},
            contextMemory=f"{context}MiB",
            arrival=f"{index}s",
            onOOM="catch",
        )
        for index, (needs, more, context) in enumerate(pods_in_order)
    ]
    result = outcome(scenario([node(replicas=10)], work))
    free = USABLE
    for index, (needs, more, context) in enumerate(pods_in_order):
        held = pod(result, f"w{index}-0").cards[0]
        if context * MIB > free:
            expected = (0, 0)
        else:
            left = free - context * MIB
            data = min(left, (needs + more) * GIB) if needs * GIB <= left else 0
            expected = (context * MIB, data)
        assert (held.context_bytes, held.data_bytes) == expected
        free -= sum(expected)
    assert free >= 0
