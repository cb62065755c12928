"""MIG layouts that change while the cluster runs: what mig-manager does, and what becomes of the Pods."""

from __future__ import annotations

import json
from typing import Any

import pytest

from labs.config.own.problem import ProblemsError
from labs.library import builtin_library
from labs.report.result.sentence import sentence
from labs.report.result.tables import nodes_table
from labs.simulation.outcome.moment.moments import snapshot
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.trace import (
    AllocatableChanged,
    MigLayoutChanged,
    MigModeSwitched,
    MigStateChanged,
    NodeCordoned,
    NodeUncordoned,
    PodEvicted,
    PodScheduled,
    PodUnschedulable,
)
from tests.unit.scenarios import (
    GPU,
    SECOND,
    happened,
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

MIXED = json.dumps({"version": "v1", "flags": {"migStrategy": "mixed"}})
SINGLE = json.dumps({"version": "v1", "flags": {"migStrategy": "single"}})
THREE = ["1g.10gb", "2g.20gb", "3g.40gb"]
SMALL = "nvidia.com/mig-1g.10gb"
HALF = "nvidia.com/mig-3g.40gb"
MESSAGES = builtin_library().messages
STATES = (MigStateChanged,)


def cut(profiles: list[str], *, model: str = "a100-80gb", text: str = MIXED, **more: Any) -> dict[str, Any]:
    """A node with a card, cut so (not at all: MIG mode is off)."""
    gpus = {"model": model, "count": 1, **({"mig": profiles} if profiles else {})}
    return {"name": "node", "gpus": gpus, "config": text, **more}


def change(mig: list[str], at: str = "60s", **more: Any) -> dict[str, Any]:
    return {"at": at, "node": "node", "mig": mig, **more}


def asks(name: str, resource: str, count: int = 1, **more: Any) -> dict[str, Any]:
    """Pods that ask for one device and hold a GiB on it."""
    return {"name": name, "count": count, "request": {resource: 1}, "memory": "1GiB", **more}


def play(
    spec: dict[str, Any],
    works: list[dict[str, Any]],
    *changes: dict[str, Any],
    horizon: str = "10m",
    **more: Any,
) -> Outcome:
    return outcome(scenario([spec], works, horizon, migConfigs=list(changes), **more))


def states(result: Outcome) -> list[tuple[float, str | None]]:
    """When the node got which state."""
    return [(record.at_us / SECOND, record.state) for record in records(result, MigStateChanged)]


def test_a_free_node_is_cut_and_a_waiting_pod_is_placed() -> None:
    result = play(cut([]), [asks("a", HALF)], change(THREE))
    assert states(result) == [(60, "pending"), (95, "success")]
    assert happened(result, PodScheduled) == [(95, "pod-scheduled", "a-0", None)]
    assert pod(result, "a-0").device == "node/gpu0:2"
    assert dict(result.nodes[0].resources) == {SMALL: 1, "nvidia.com/mig-2g.20gb": 1, HALF: 1}


@pytest.mark.parametrize(
    ("model", "profile", "reset"),
    [("a100-80gb", "7g.80gb", "gpu-reset"), ("h100-80gb-sxm", "7g.80gb", "no-reset")],
)
def test_switching_mig_mode_takes_a_reset_on_ampere_and_none_on_hopper(
    model: str, profile: str, reset: str
) -> None:
    on = play(cut([], model=model), [asks("a", GPU, arrival="9m")], change([profile]))
    off = play(cut([profile], model=model), [asks("a", GPU, arrival="9m")], change([]))
    for result, value in ((on, True), (off, False)):
        assert [(record.how, record.is_on) for record in records(result, MigModeSwitched)] == [(reset, value)]
        assert states(result)[-1] == (95, "success")
    assert phases(on) == {"a-0": "Pending/Unschedulable"}
    assert phases(off) == {"a-0": "Running"}


def test_a_change_of_layout_alone_switches_nothing() -> None:
    result = play(cut(["3g.40gb", "3g.40gb"]), [asks("a", SMALL)], change(THREE))
    assert states(result) == [(60, "pending"), (68, "success")]
    assert not records(result, MigModeSwitched)
    assert phases(result) == {"a-0": "Running"}


def test_a_process_on_the_gpu_makes_it_fail_and_the_layout_stays() -> None:
    result = play(
        cut(THREE), [asks("a", HALF), asks("b", SMALL, arrival="62s")], change(["7g.80gb"]), change([], "3m")
    )
    assert states(result) == [(60, "pending"), (65, "failed"), (180, "pending"), (185, "failed")]
    assert [record.in_the_way for record in records(result, *STATES)] == [None, 1, None, 2]
    assert phases(result) == {"a-0": "Running", "b-0": "Running"}
    assert happened(result, PodScheduled)[-1][0] == 65  # the plugin is away from 60 s on
    assert dict(result.nodes[0].resources)[HALF] == 1
    assert result.nodes[0].mig_state == "failed"
    assert not records(result, MigLayoutChanged, MigModeSwitched)


def test_nothing_is_allocatable_while_the_plugin_is_away() -> None:
    result = play(cut(["7g.80gb"]), [asks("a", SMALL)], change(THREE))
    resource = "nvidia.com/mig-7g.80gb"
    assert [
        (record.at_us, record.resource, record.count) for record in records(result, AllocatableChanged)
    ] == [(60 * SECOND, resource, 0)]
    assert snapshot(result.scenario, result.trace, 61 * SECOND).nodes[0].resources == ((resource, 0),)


def test_drain_evicts_first_and_the_new_pods_wait_for_the_new_devices() -> None:
    works = [asks("a", GPU, 2, job=service("100ms", clients=1))]
    result = play(
        cut(["3g.40gb", "3g.40gb"], text=SINGLE), works, change(["2g.20gb"] * 3, drain=True), horizon="3m"
    )
    assert happened(result, NodeCordoned, PodEvicted, NodeUncordoned) == [
        (60, "node-cordoned", None, None),
        (60, "pod-evicted", "a-0", None),
        (60, "pod-evicted", "a-1", None),
        (69, "node-uncordoned", None, None),
    ]
    assert states(result) == [(61, "pending"), (69, "success")]
    assert phases(result) == {"a-0": "Running", "a-1": "Running"}
    assert [pod(result, name).started_at for name in ("a-0", "a-1")] == [69, 69]
    waits = [record.message for record in records(result, PodUnschedulable)]
    assert waits == ["0/1 nodes are available: 1 node(s) were unschedulable."] * 2
    assert [config.evicted for config in result.mig_configs] == [2]


def test_who_still_waits_after_a_change_is_told_the_reason_of_then() -> None:
    result = play(cut(["7g.80gb"], text=SINGLE), [asks("a", GPU, 2)], change([], drain=True))
    told = [(record.pod, record.at_us // SECOND) for record in records(result, PodUnschedulable)]
    assert told == [("a-1", 0), ("a-0", 60), ("a-0", 96)]
    assert pod(result, "a-0").message == f"0/1 nodes are available: 1 Insufficient {GPU}."


def test_an_evicted_pod_goes_to_another_node() -> None:
    other = {**cut(["7g.80gb"], text=SINGLE), "name": "other"}
    text = scenario(
        [cut(["7g.80gb"], text=SINGLE), other], [asks("a", GPU)], migConfigs=[change([], drain=True)]
    )
    result = outcome(text)
    assert pod(result, "a-0").node == "other"
    assert pod(result, "a-0").started_at == 60


def test_training_that_is_done_is_not_evicted_and_the_rest_begins_anew() -> None:
    works = [
        asks("done", SMALL, job=training("100ms", 10, residency=0.5)),
        asks("half", HALF, job=training("1s", 100, residency=0.2)),
    ]
    result = play(cut(THREE), works, change(["3g.40gb", "3g.40gb"], drain=True))
    assert [record.pod for record in records(result, PodEvicted)] == ["half-0"]
    assert phases(result) == {"done-0": "Succeeded/Completed", "half-0": "Succeeded/Completed"}
    began, ended = pod(result, "half-0").started_at, pod(result, "half-0").finished_at
    assert began == 69
    assert ended is not None
    assert ended >= 169


def test_a_pod_that_waits_for_its_next_start_is_not_in_the_way_and_loses_its_device() -> None:
    crashes = asks("a", HALF) | {"memory": "60GiB"}
    result = play(cut(THREE), [crashes], change(["7g.80gb"]))
    assert states(result)[-1] == (68, "success")
    assert phases(result) == {"a-0": "Running/CrashLoopBackOff"}
    assert pod(result, "a-0").cuda_error == "nvidia-container-cli: device error: unknown device"
    assert "holds a device that is no more" in sentence(result, MESSAGES["en"])


def test_a_pod_that_waits_for_its_next_start_is_evicted_too() -> None:
    crashes = asks("a", HALF) | {"memory": "60GiB"}
    result = play(cut(THREE), [crashes], change(["7g.80gb"], drain=True), horizon="2m")
    assert phases(result) == {"a-0": "Pending/Unschedulable"}
    assert pod(result, "a-0").oom == 0
    assert pod(result, "a-0").device is None


def test_the_same_layout_in_another_order_changes_nothing() -> None:
    result = play(cut(THREE), [asks("a", HALF)], change(THREE[::-1]))
    assert states(result) == [(60, "pending"), (60, "success")]
    assert not records(result, AllocatableChanged, MigLayoutChanged)


def test_a_node_with_a_lost_card_cannot_be_changed() -> None:
    lost = {"at": "10s", "node": "node", "gpu": 0, "kind": "card-lost"}
    for at in ("10s", "66s"):
        result = play(cut(THREE), [asks("a", SMALL, arrival="5m")], change([]), faults=[lost | {"at": at}])
        assert states(result)[-1][1] == "failed"
        assert "is lost" in sentence(result, MESSAGES["en"])


def test_the_plugin_that_starts_after_a_change_finds_a_card_healthy_that_was_reset() -> None:
    """Whether the change succeeds or fails, the operator has started the plugin again."""
    reset = {"at": "10s", "node": "node", "gpu": 0, "kind": "xid-reset"}
    holder, late = asks("holder", HALF), asks("late", SMALL, arrival="5m")
    for works, state in (([late], "success"), ([holder, late], "failed")):
        wanted = ["1g.10gb"] * 7 if state == "success" else []
        before = play(cut(THREE), works, faults=[reset])
        after = play(cut(THREE), works, change(wanted), faults=[reset])
        assert states(after)[-1][1] == state
        assert phases(before)["late-0"] == "Pending/Unschedulable"
        assert phases(after)["late-0"] == "Running"
    assert [gpu.health for gpu in after.gpus] == ["recovered"] * 3


def test_a_later_fault_strikes_the_new_devices() -> None:
    fault = {"at": "2m", "node": "node", "gpu": 0, "mig": 1, "kind": "instance-fault"}
    works = [asks("a", GPU, 2, arrival="90s")]
    result = play(cut([], text=SINGLE), works, change(["3g.40gb", "3g.40gb"]), faults=[fault])
    assert [list(found.hit) for found in result.faults] == [["a-1"]]
    early = play(cut([], text=SINGLE), works, change(["3g.40gb"] * 2), faults=[fault | {"at": "1s"}])
    assert [list(found.hit) for found in early.faults] == [[]]
    told = [sentence(each, MESSAGES["en"]) for each in (result, early)]
    assert ["no such MIG device" in each for each in told] == [False, True]


def test_the_plugins_refusal_of_the_new_layout_is_told_and_ends_with_it() -> None:
    result = play(cut(["7g.80gb"], text=SINGLE), [asks("a", GPU, arrival="9m")], change(THREE))
    assert result.nodes[0].mig_state == "success"
    assert result.nodes[0].error is not None
    again = play(cut(THREE, text=SINGLE), [asks("a", GPU, arrival="9m")], change(["7g.80gb"]))
    assert again.nodes[0].error is None
    assert phases(again) == {"a-0": "Running"}


def test_the_picture_shows_the_layout_of_its_moment() -> None:
    result = play(cut(["7g.80gb"]), [asks("a", HALF)], change(THREE))
    before, after = (snapshot(result.scenario, result.trace, at * SECOND).nodes[0] for at in (67, 68))
    assert [card.mig for card in before.cards] == ["7g.80gb"]
    assert [card.mig for card in after.cards] == THREE
    assert [block.pod for block in after.cards[2].blocks] == ["a-0"]
    assert [card.number for card in after.cards] == [0, 1, 2]


def test_the_json_and_the_metrics_tell_devices_that_went() -> None:
    works = [asks("a", GPU, job=training("1s", 30, residency=1.0, demand=0.1))]
    result = play(cut([]), works, change(THREE), horizon="190s")
    told = result.to_json()
    assert [gpu.get("until") for gpu in told["gpus"]] == [95, None, None, None]
    assert told["gpus"][0]["utilization"] == pytest.approx(30 / 95, abs=1e-4)
    assert result.metrics["cards"] == 3
    assert result.metrics["utilization"] == pytest.approx(30 / (95 * 4), abs=1e-4)
    assert told["nodes"][0]["migState"] == "success"
    assert told["migConfigs"] == [
        {
            "at": 60,
            "node": "node",
            "mig": THREE,
            "state": "success",
            "endedAt": 95,
            "processesInTheWay": 0,
            "evicted": 0,
            "modeChange": "gpu-reset",
        }
    ]
    plain = outcome(scenario([node()], [pods("a")])).to_json()
    assert "migConfigs" not in plain
    assert "migState" not in plain["nodes"][0]


def test_requests_of_an_evicted_pod_are_not_its_successors() -> None:
    works = [asks("a", GPU, job=service("100ms", clients=1, residency=0.5))]
    spec = cut(["7g.80gb"], text=SINGLE)
    result = play(spec, works, change(["7g.80gb"], drain=True), horizon="2m", detail="requests")
    found = pod(result, "a-0")
    assert found.started_at == 61
    assert found.throughput is not None
    assert 8 < found.throughput < 12


def test_a_change_after_the_horizon_does_not_happen_and_one_before_it_may_be_pending() -> None:
    assert play(cut([]), [asks("a", GPU)], change(THREE, "10m")).mig_configs == ()
    late = play(cut([]), [asks("a", GPU, arrival="545s")], change(THREE, "9m"), horizon="546s")
    assert late.mig_configs[0].state == "pending"


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_every_end_has_its_sentence(language: str) -> None:
    messages = MESSAGES[language]
    works = [asks("a", HALF)]
    told = {
        sentence(result, messages)
        for result in (
            play(cut(THREE), works, change(["7g.80gb"])),
            play(cut(THREE), works, change(["7g.80gb"], drain=True)),
            play(cut(THREE), works, change([], drain=True)),
            play(cut([], model="h100-80gb-sxm"), works, change(THREE)),
            play(cut(THREE), works, change(THREE)),
            play(cut(THREE), works, *(change(["7g.80gb"], f"{minute}m") for minute in range(1, 6))),
            play(cut(THREE), works, change([]), horizon="61s"),
        )
    }
    assert len(told) == 7
    rows = nodes_table(play(cut(THREE), works, change(["7g.80gb"])), messages).rows
    assert "failed" in rows[0]


AT_NODE = {"at": "1s", "node": "node"}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ([AT_NODE], "missing-key"),
        ([{"at": "1s", "node": "nod", "mig": []}], "unknown-gpu-node"),
        ([AT_NODE | {"mig": ["3g.40gb"] * 3}], "mig-no-room"),
        ([AT_NODE | {"mig": ["9g.90gb"]}], "mig-profile"),
        ([AT_NODE | {"mig": "7g.80gb"}], "wrong-type"),
        ([AT_NODE | {"mig": [], "drain": "perhaps"}], "not-one-of"),
        ([AT_NODE | {"mig": [], "when": "now"}], "unknown-key"),
        ([AT_NODE | {"mig": []}, {"at": "60s", "node": "node", "mig": []}], "mig-configs-close"),
    ],
)
def test_what_is_wrong_with_a_change_is_told(changes: list[dict[str, Any]], code: str) -> None:
    with pytest.raises(ProblemsError) as raised:
        read(scenario([cut([])], [asks("a", GPU)], migConfigs=changes))
    found = [problem.key for problem in raised.value.problems]
    assert len(found) == 1
    assert found[0].startswith(code)


def test_a_card_without_mig_cannot_be_cut() -> None:
    with pytest.raises(ProblemsError) as raised:
        read(scenario([node(model="t4-16gb")], [pods("a")], migConfigs=[change([])]))
    assert [(problem.key, problem.line) for problem in raised.value.problems] == [("mig-none", 1)]
