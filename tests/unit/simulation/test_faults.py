"""Faults: whom each kind hits under each way of sharing a card, and what Kubernetes shows of it afterwards."""

from __future__ import annotations

import json
from typing import Any

import pytest

from labs.config.own.problem import ProblemsError
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.trace import CardUnhealthy, ContainerStarted, CudaRefused, SpeedChanged
from tests.unit.scenarios import (
    GPU,
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

MPS = json.dumps({"version": "v1", "sharing": {"mps": {"resources": [{"name": GPU, "replicas": 5}]}}})
SHARED_MIG = json.dumps(
    {
        "version": "v1",
        "flags": {"migStrategy": "single"},
        "sharing": {"timeSlicing": {"resources": [{"name": GPU, "replicas": 2}]}},
    }
)
ONE_BY_ONE = json.dumps({"version": "v1", "flags": {"migStrategy": "single"}})
TWO_PARTS = {"model": "a100-40gb", "count": 2, "mig": ["3g.20gb", "3g.20gb"]}
NODES = {
    "exclusive": node(cards=5),
    "time-slicing": node(cards=1, replicas=5),
    "mps": node(cards=1, text=MPS),
    "mig": {"name": "node", "gpus": TWO_PARTS, "config": ONE_BY_ONE},
    "time-sliced mig": {"name": "node", "gpus": TWO_PARTS, "config": SHARED_MIG},
}
OF_A_CARD = {"node": "node", "gpu": 0}


def five(how: str, *faults: dict[str, Any], horizon: str = "10m", **more: Any) -> Outcome:
    """Five services under a mechanism, with these faults."""
    five_pods = pods("a", 5, memory="1GiB", job=service("100ms", clients=1), **more)
    return outcome(scenario([NODES[how]], [five_pods], horizon, faults=list(faults)))


def hit(result: Outcome) -> list[list[str]]:
    """Whom each fault hit."""
    return [list(fault.hit) for fault in result.faults]


def names(*numbers: int) -> list[str]:
    return [f"a-{number}" for number in numbers]


# Whom it hits: the Pods that share a card with a-0, or a MIG device with it

TOGETHER = {
    "exclusive": ([0], [0]),
    "time-slicing": ([0, 1, 2, 3, 4], [0]),
    "mps": ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
    "mig": ([0, 1], [0]),
    "time-sliced mig": ([0, 4, 1], [0]),
}


@pytest.mark.parametrize("how", NODES)
def test_the_death_of_a_process_is_its_own_everywhere(how: str) -> None:
    assert hit(five(how, {"at": "60s", "pod": "a-0", "kind": "process"})) == [["a-0"]]


@pytest.mark.parametrize(("how", "together"), TOGETHER.items())
def test_an_illegal_access_is_everybodys_only_under_mps(
    how: str, together: tuple[list[int], list[int]]
) -> None:
    result = five(how, {"at": "60s", "pod": "a-0", "kind": "illegal-access"})
    assert hit(result) == [names(*together[1])]


@pytest.mark.parametrize("kind", ["xid-reset", "card-lost"])
@pytest.mark.parametrize(("how", "together"), TOGETHER.items())
def test_what_happens_to_a_card_happens_to_all_on_it(
    how: str, together: tuple[list[int], list[int]], kind: str
) -> None:
    result = five(how, {"at": "60s", **OF_A_CARD, "kind": kind})
    assert hit(result) == [names(*together[0])]
    assert result.metrics["faultedPods"] == len(together[0])


def test_a_mig_device_contains_its_own_faults() -> None:
    faults = [{"at": "60s", **OF_A_CARD, "mig": number, "kind": "instance-fault"} for number in (0, 1)]
    assert hit(five("time-sliced mig", *faults)) == [["a-0", "a-4"], ["a-1"]]


def test_under_mps_cards_that_one_pod_uses_share_their_faults() -> None:
    """`both` has two cards, so a fault of a client of one of them reaches the clients of the other."""
    allowed = json.loads(MPS)
    allowed["sharing"]["mps"]["failRequestsGreaterThanOne"] = False
    work: dict[str, Any] = {"memory": "1GiB", "job": service(clients=1)}
    text = scenario(
        [node(cards=2, text=json.dumps(allowed))],
        [pods("both", units=2, **work), pods("a", 2, **work)],
        faults=[{"at": "60s", "pod": "a-0", "kind": "illegal-access"}],
    )
    assert sorted(hit(outcome(text))[0]) == ["a-0", "a-1", "both-0"]


@pytest.mark.parametrize(
    "late",
    [{"arrival": "2m"}, {"memory": "100GiB", "restartPolicy": "Never"}, {"request": {"nvidia.com/none": 1}}],
    ids=["not there yet", "dead", "pending"],
)
@pytest.mark.parametrize("kind", ["process", "illegal-access"])
def test_a_fault_of_a_pod_without_a_process_hits_nobody(late: dict[str, Any], kind: str) -> None:
    text = scenario([node()], [pods("a", **late)], faults=[{"at": "60s", "pod": "a-0", "kind": kind}])
    result = outcome(text)
    assert hit(result) == [[]]
    assert pod(result, "a-0").faults == 0


def test_an_illegal_access_takes_a_context() -> None:
    """Of a container that never used the GPU there is nothing to break; its process can die all the same."""
    faults = [{"at": "60s", "pod": "a-0", "kind": kind} for kind in ("illegal-access", "process")]
    assert hit(outcome(scenario([node()], [pods("a")], faults=faults))) == [[], ["a-0"]]


# What Kubernetes shows


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("Always", "Running"), ("OnFailure", "Running"), ("Never", "Failed/Error")],
)
def test_the_restart_policy_decides_what_becomes_of_a_pod(policy: str, expected: str) -> None:
    result = five("mps", {"at": "60s", "pod": "a-0", "kind": "illegal-access"}, restartPolicy=policy)
    assert set(phases(result).values()) == {expected}
    assert {found.restarts for found in result.pods} == {0 if policy == "Never" else 1}


def test_a_container_that_starts_again_on_a_lost_card_dies_again() -> None:
    result = five("time-slicing", {"at": "60s", **OF_A_CARD, "kind": "card-lost"})
    assert set(phases(result).values()) == {"Running/CrashLoopBackOff"}
    refused = records(result, CudaRefused)
    assert {record.error for record in refused} == {"CUDA_ERROR_NO_DEVICE"}
    starts = [at for at, _, name, _ in happened(result, ContainerStarted) if name == "a-0"]
    assert starts == [0, 61, 71, 91, 131, 211, 371]


def test_after_a_reset_everybody_goes_on() -> None:
    result = five("time-slicing", {"at": "60s", **OF_A_CARD, "kind": "xid-reset"}, onFault="catch")
    assert set(phases(result).values()) == {"Running"}
    assert {found.restarts for found in result.pods} == {1}


def test_who_catches_a_fault_stays_running_and_does_nothing_more() -> None:
    result = five("time-slicing", {"at": "60s", "pod": "a-0", "kind": "illegal-access"}, onFault="catch")
    assert phases(result)["a-0"] == "Running"
    assert [found.is_broken for found in result.pods] == [True, False, False, False, False]
    speeds = [record.speed_ppm for record in records(result, SpeedChanged) if record.pod == "a-0"]
    assert speeds[-1] == 0
    assert pod(result, "a-0").cards[0].data_bytes == 2**30


def test_who_catches_a_fault_keeps_new_mps_clients_out() -> None:
    """One notebook that shows the error and stays is enough: the server waits for its exit, whoever restarts."""
    work: dict[str, Any] = {"memory": "1GiB", "job": service(clients=1)}
    text = scenario(
        [NODES["mps"]],
        [pods("a", 3, **work), pods("notebook", memory="1GiB", onFault="catch")],
        faults=[
            {"at": "60s", "pod": "a-0", "kind": "illegal-access"},
            {"at": "9m", "pod": "notebook-0", "kind": "process"},
        ],
        horizon="20m",
    )
    result = outcome(text)
    refused = records(result, CudaRefused)
    assert {record.error for record in refused} == {"CUDA_ERROR_MPS_SERVER_NOT_READY"}
    assert refused[-1].at_us < 9 * 60 * 1_000_000
    assert set(phases(result).values()) == {"Running"}


def test_a_lost_card_takes_its_slots_from_new_pods_and_moves_nobody() -> None:
    text = scenario(
        [node(cards=2, replicas=2)],
        [pods("a", 3, memory="1GiB"), pods("late", 2, memory="1GiB", arrival="2m")],
        faults=[{"at": "60s", "node": "node", "gpu": 1, "kind": "card-lost"}],
    )
    result = outcome(text)
    assert hit(result) == [["a-1"]]
    assert {name: str(found) for name, found in phases(result).items() if name.startswith("late")} == {
        "late-0": "Pending/Unschedulable",
        "late-1": "Pending/Unschedulable",
    }, "two slots are left, and all three Pods count against them"
    assert result.nodes[0].resources == ((GPU, 2),)
    assert [record.gpu for record in records(result, CardUnhealthy)] == [1]


def test_new_pods_get_a_healthy_card() -> None:
    text = scenario(
        [node(cards=2, replicas=2)],
        [pods("late", 2, memory="1GiB", arrival="2m")],
        faults=[{"at": "60s", "node": "node", "gpu": 0, "kind": "card-lost"}],
    )
    result = outcome(text)
    assert {found.device for found in result.pods} == {"node/gpu1"}
    assert set(phases(result).values()) == {"Running"}


@pytest.mark.parametrize(("kind", "slots"), [("xid-reset", 2), ("card-lost", 2), ("illegal-access", 4)])
def test_what_the_plugin_does_not_ignore_takes_the_slots_of_the_card_and_leaves_who_runs(
    kind: str, slots: int
) -> None:
    """Of Xid 31 and 13 it does nothing; of 95 and 79 allocatable falls, and Pods that run count against what is left."""
    text = scenario(
        [node(cards=2, replicas=2)],
        [pods("a", 2, memory="1GiB"), pods("late", 2, memory="1GiB", arrival="2m")],
        faults=[{"at": "60s", "pod": "a-1", "kind": kind}],
    )
    result = outcome(text)
    assert result.nodes[0].resources == ((GPU, slots),)
    assert result.metrics["slots"] == slots
    late = [str(found) for name, found in phases(result).items() if name.startswith("late")]
    assert late == (["Pending/Unschedulable"] * 2 if slots == 2 else ["Running"] * 2)
    assert str(phases(result)["a-0"]) == "Running"
    health = {"xid-reset": "unhealthy", "card-lost": "lost", "illegal-access": "healthy"}[kind]
    assert [gpu["health"] for gpu in result.to_json()["gpus"]] == ["healthy", health]


def test_a_fault_of_a_mig_device_takes_its_slots_and_no_others() -> None:
    """The plugin compares the instance that NVML names (Xid 94); one with a reset names none and strikes all."""
    late = pods("late", 10, memory="1GiB", arrival="2m")
    instance = {"at": "60s", **OF_A_CARD, "mig": 1, "kind": "instance-fault"}
    reset = {"at": "60s", **OF_A_CARD, "kind": "xid-reset"}
    for fault, slots in ((instance, 6), (reset, 4)):
        result = outcome(scenario([NODES["time-sliced mig"]], [late], faults=[fault]))
        assert result.nodes[0].resources == ((GPU, slots),)
        assert sum(found.phase == "Running" for found in result.pods) == slots


def test_marked_once_is_marked_and_a_lost_card_stays_lost() -> None:
    faults = [
        {"at": at, **OF_A_CARD, "kind": kind} for at, kind in (("1m", "xid-reset"), ("2m", "xid-reset"))
    ]
    result = five("time-slicing", *faults)
    assert len(records(result, CardUnhealthy)) == 1
    for kinds in (("xid-reset", "card-lost"), ("card-lost", "xid-reset")):
        faults = [
            {"at": f"{minute}m", **OF_A_CARD, "kind": kind} for minute, kind in enumerate(kinds, start=1)
        ]
        result = five("time-slicing", *faults)
        assert [str(gpu.health) for gpu in result.gpus] == ["lost"]
        assert result.metrics["slots"] == 0


def test_training_that_dies_begins_anew() -> None:
    text = scenario(
        [node()],
        [pods("a", memory="1GiB", job=training("1s", 100), restartPolicy="OnFailure")],
        faults=[{"at": "60s", "pod": "a-0", "kind": "illegal-access"}],
    )
    assert pod(outcome(text), "a-0").finished_at == 161.0


def test_the_others_go_on_faster_while_one_is_gone() -> None:
    result = five("time-slicing", {"at": "60s", "pod": "a-0", "kind": "process"}, restartPolicy="Never")
    assert pod(result, "a-0").finished_at == 60.0
    assert pod(result, "a-1").slowdown == pytest.approx(4.42, abs=0.02)


# What the JSON says


def test_the_json_tells_of_faults_where_the_scenario_has_some() -> None:
    told = five("time-slicing", {"at": "60s", "pod": "a-0", "kind": "illegal-access"}).to_json()
    assert told["faults"] == [
        {
            "at": 60.0,
            "kind": "illegal-access",
            "pod": "a-0",
            "node": None,
            "gpu": None,
            "mig": None,
            "hit": ["a-0"],
        }
    ]
    assert [found["faults"] for found in told["pods"]] == [1, 0, 0, 0, 0]
    assert told["metrics"]["faultedPods"] == 1


def test_the_json_is_silent_about_faults_where_there_are_none() -> None:
    told = outcome(scenario([node()], [pods("a")])).to_json()
    assert "faults" not in told
    assert "faults" not in told["pods"][0]
    assert "faultedPods" not in told["metrics"]


def test_a_fault_after_the_horizon_does_not_happen() -> None:
    result = five("time-slicing", {"at": "60s", "pod": "a-0", "kind": "process"}, horizon="60s")
    assert result.faults == ()


# What the reader refuses

PROBLEMS: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({"at": "1s", "pod": "b-0", "kind": "process"}, [("unknown-pod", "a-0")]),
    ({"at": "1s", "pod": "a-2", "kind": "process"}, [("unknown-pod", "a-0 … a-1")]),
    ({"at": "1s", "pod": "a-01", "kind": "process"}, [("unknown-pod", "a-0 … a-1")]),
    ({"at": "1s", "pod": "a-0", "kind": "illegal"}, [("not-one-of", "")]),
    ({"at": "1s", "pod": "a-0", "kind": "process", "gpu": 0}, [("unknown-key", "")]),
    ({"at": "1s", "kind": "process"}, [("missing-key", "")]),
    ({"at": "soon", "pod": "a-0", "kind": "process"}, [("bad-duration", "")]),
    ({"at": "1s", "node": "nod", "gpu": 0, "kind": "card-lost"}, [("unknown-gpu-node", "node")]),
    ({"at": "1s", "node": "node", "gpu": 2, "kind": "card-lost"}, [("out-of-range", "")]),
    ({"at": "1s", "node": "node", "kind": "xid-reset"}, [("missing-key", "")]),
    ({"at": "1s", "node": "node", "gpu": 0, "mig": 0, "kind": "instance-fault"}, [("no-mig-devices", "")]),
    (
        {"at": "1s", "node": "node", "gpus": 0, "kind": "xid-reset"},
        [("unknown-key-near", "gpu")],  # it is not missing as well
    ),
]


@pytest.mark.parametrize(("fault", "expected"), PROBLEMS)
def test_a_fault_that_can_not_be_meant_is_a_problem(
    fault: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    with pytest.raises(ProblemsError) as raised:
        read(scenario([node(cards=2)], [pods("a", 2)], faults=[fault]))
    found = [(problem.key, str(problem.values.get("near", ""))) for problem in raised.value.problems]
    assert found == expected


def test_what_was_not_understood_is_not_called_unknown_as_well() -> None:
    faults = [
        {"at": "1s", "pod": "a-0", "kind": "process"},
        {"at": "1s", "node": "node", "gpu": 0, "kind": "xid-reset"},
    ]
    with pytest.raises(ProblemsError) as raised:
        read(scenario([node(model="a100-40g")], [pods("a", 2, job={"kind": "none"})], faults=faults))
    assert sorted(problem.key for problem in raised.value.problems) == ["not-one-of", "unknown-gpu-near"]


def test_faults_are_read_in_the_order_of_time() -> None:
    faults = [{"at": at, "pod": "a-0", "kind": "process"} for at in ("9s", "1s", "5s")]
    found = read(scenario([node()], [pods("a")], faults=faults)).faults
    assert [fault.at_us for fault in found] == [1_000_000, 5_000_000, 9_000_000]


@pytest.mark.parametrize("how", list(NODES))
@pytest.mark.parametrize("kind", ["xid-reset", "card-lost"])
def test_a_fault_of_a_card_may_name_a_pod_that_is_on_it(how: str, kind: str) -> None:
    when = {"at": "1m", "kind": kind}
    by_pod = five(how, when | {"pod": "a-0"})
    by_place = five(how, when | OF_A_CARD)
    assert by_pod.trace_hash == by_place.trace_hash
    assert hit(by_pod)[0]


def test_a_fault_of_a_mig_device_may_name_the_pod_on_it() -> None:
    when = {"at": "1m", "kind": "instance-fault"}
    by_place = five("time-sliced mig", when | OF_A_CARD | {"mig": 1})
    victims = hit(by_place)[0]
    assert victims
    assert five("time-sliced mig", when | {"pod": victims[0]}).trace_hash == by_place.trace_hash


def test_what_the_pod_does_not_have_is_not_struck() -> None:
    on_whole_cards = five("time-slicing", {"at": "1m", "kind": "instance-fault", "pod": "a-0"})
    assert hit(on_whole_cards) == [[]]
    waiting = outcome(
        scenario(
            [node()],
            [pods("a", 2, job=service("100ms", clients=1))],
            faults=[{"at": "1m", "kind": "card-lost", "pod": "a-1"}],
        )
    )
    assert hit(waiting) == [[]]
    assert not records(waiting, CardUnhealthy)


def test_a_fault_names_a_pod_or_a_place_and_not_both() -> None:
    with pytest.raises(ProblemsError) as caught:
        five("mps", {"at": "1m", "kind": "xid-reset", "pod": "a-0"} | OF_A_CARD)
    assert {problem.key for problem in caught.value.problems} == {"unknown-key"}
