"""The 38 GiB story, from the lab's own file: slots multiply, memory does not."""

from __future__ import annotations

import pytest

from labs.library import builtin_library
from labs.simulation.trace import AllocationFailed, PodUnschedulable
from labs.teaching.scenario_lab.controls import preset_text, with_change
from tests.unit.scenarios import GPU, MIB, STORY, outcome, phases, pod, records

LAB = builtin_library().lab("slots-and-memory")
MODELS = next(control.options for control in LAB.controls if control.id == "model")
NAMES = ["big-0", *(f"notebook-{index}" for index in range(19))]


def changed(**values: str | bool) -> str:
    """The story with some controls set."""
    text = STORY
    for control, value in values.items():
        text = with_change(LAB, text, control, value)
    return text


def test_exactly_the_four_card_mates_of_the_big_pod_run_out_of_memory() -> None:
    result = outcome(STORY)
    device = pod(result, "big-0").device
    mates = {found.name for found in result.pods if found.device == device} - {"big-0"}
    out_of_memory = {found.name for found in result.pods if found.oom}
    assert len(mates) == 4
    assert out_of_memory == mates


def test_all_of_them_still_show_running_without_a_reason() -> None:
    assert phases(outcome(STORY)) == dict.fromkeys(NAMES, "Running")


def test_each_mate_fails_once_and_then_sits_there() -> None:
    failures = records(outcome(STORY), AllocationFailed)
    assert [(record.at_us, record.purpose) for record in failures] == [
        (10_000_000, "memory"),
        (10_000_000, "memory"),
        (10_000_000, "memory"),
        (10_000_000, "context"),
    ]


def test_the_card_holds_the_big_pod_and_three_contexts_at_its_peak() -> None:
    result = outcome(STORY)
    assert result.metrics["peakMemoryMiB"] == 38 * 1024 + 300 + 3 * 300
    assert result.metrics["peakMemoryMiB"] * MIB <= result.scenario.nodes[0].usable_bytes


def test_five_pods_stand_on_each_card() -> None:
    result = outcome(STORY)
    per_card = [sum(found.device == f"gpu-node-1/gpu{card}" for found in result.pods) for card in range(4)]
    assert per_card == [5, 5, 5, 5]


def test_the_lab_expects_what_happens() -> None:
    assert outcome(STORY).differences == ()


def test_with_six_instead_of_38_gib_nobody_runs_out_of_memory() -> None:
    result = outcome(changed(big="6"))
    assert [found.name for found in result.pods if found.oom] == []
    assert set(phases(result).values()) == {"Running"}


def test_the_numbers_of_the_prose() -> None:
    found = outcome(STORY).metrics
    assert {key: found[key] for key in ("slots", "slotsPerCard", "oomPods", "guaranteedMiB")} == {
        "slots": 20,
        "slotsPerCard": 5,
        "oomPods": 4,
        "guaranteedMiB": 0,
    }


def test_one_replica_is_refused_with_the_loaders_reason_and_all_pods_wait() -> None:
    result = outcome(changed(replicas="1"))
    (only,) = result.nodes
    assert only.error is not None
    assert "number of replicas must be >= 2" in only.error
    assert only.resources == ()
    assert set(phases(result).values()) == {"Pending/Unschedulable"}
    assert {found.message for found in result.pods} == {f"0/1 nodes are available: 1 Insufficient {GPU}."}
    assert result.metrics["slots"] == 0


def test_two_slots_are_refused_at_admission_where_the_config_says_so() -> None:
    result = outcome(changed(request="2"))
    assert pod(result, "big-0").reason is None
    refused = [found for found in result.pods if found.workload == "notebook"]
    assert {(found.phase, found.reason, found.device) for found in refused} == {
        ("Failed", "UnexpectedAdmissionError", None)
    }
    assert {found.message for found in refused} == {
        "Pod was rejected: Allocate failed due to rpc error: code = Unknown desc = invalid allocation request "
        f'for "{GPU}": invalid request: maximum request size for shared resources is 1; found 2, which is '
        "unexpected"
    }


def test_refused_pods_give_their_slots_back() -> None:
    """Ten find no room while the first nine hold theirs; each gets its turn, and its refusal."""
    result = outcome(changed(request="2"))
    assert len(records(result, PodUnschedulable)) == 10
    assert result.metrics["refusedPods"] == 19


def test_without_that_setting_two_slots_are_two_cards_and_no_more_memory() -> None:
    result = outcome(changed(request="2", failRequestsGreaterThanOne=False))
    running = [found for found in result.pods if found.workload == "notebook" and found.phase == "Running"]
    assert len(running) == 9
    assert {found.device.count("gpu-node-1/") for found in running if found.device} == {2}
    assert sum(found.phase == "Pending" for found in result.pods) == 10


@pytest.mark.parametrize(("size", "fits"), [(17, True), (18, True), (34, True), (35, False), (38, False)])
def test_memory_is_given_to_whoever_asks_first_until_it_is_gone(size: int, fits: bool) -> None:
    """One card, 39.2 GiB usable: the second Pod asks for 4 GiB and gets them while they are there."""
    text = changed(cards="1", others="4", pods="2", big=str(size))
    assert (pod(outcome(text), "notebook-0").oom == 0) is fits


@pytest.mark.parametrize("preset", [preset.id for preset in LAB.presets])
def test_every_preset_of_the_lab_runs(preset: str) -> None:
    servers = {"finds": 5, "agreed": 5}  # a scenario of their own: what allocators take, on one card
    assert outcome(preset_text(LAB, preset)).metrics["pods"] == servers.get(preset, 20)


@pytest.mark.parametrize("model", MODELS)
def test_the_story_can_be_told_on_every_card_of_the_form(model: str) -> None:
    result = outcome(changed(model=model))
    assert result.metrics["slots"] == 20
    assert result.metrics["pods"] == 20


def test_every_control_changes_the_result() -> None:
    told = {outcome(STORY).trace_hash}
    for control, value in {
        "model": "a100-80gb",
        "cards": "3",
        "replicas": "4",
        "big": "5",
        "others": "9",
        "pods": "11",
        "request": "2",
    }.items():
        told.add(outcome(changed(**{control: value})).trace_hash)
    assert len(told) == 8
