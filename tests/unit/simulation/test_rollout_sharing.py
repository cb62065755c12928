"""Rollouts of a sharing config beside nodes and workloads.

The accounting cases G1 to G12 of `cases/rollout.yaml`, whole, and what Pods, the scheduler and the kubelets make of a
plugin that comes and goes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.config.own.problem import Problem, ProblemsError
from labs.library import LANGUAGES, builtin_library
from labs.report.writing.problems import problem_words
from labs.simulation.outcome.evaluate import evaluate
from labs.simulation.outcome.moment.snapshot import PodState
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.outcome.rollout.moments import fleet_snapshot
from labs.simulation.outcome.rollout.snapshot import FleetNodeView, FleetSnapshot, Trouble
from labs.simulation.scenario.reader import read_scenario
from labs.simulation.trace import AllocatableChanged, ContainerExited, PodEvicted, PodFailed, SlotAllocated
from labs.simulation.world.rollout import restarts_since

_TEXT = (Path(__file__).parents[2] / "cases" / "rollout.yaml").read_text("utf-8")
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in yaml.safe_load(_TEXT[_TEXT.index("\ngpu_accounting_cases:") :])["gpu_accounting_cases"]
}
GPU, SHARED = "nvidia.com/gpu", "nvidia.com/gpu.shared"
EXCLUSIVE = "version: v1\n"


def shared(replicas: int, *, rename: bool = False) -> str:
    """A time-slicing config."""
    resource = f"{{name: {GPU}, replicas: {replicas}}}"
    default = f"renameByDefault: {str(rename).lower()}, "
    return f"version: v1\nsharing: {{timeSlicing: {{{default}resources: [{resource}]}}}}\n"


def pods(name: str, count: int, at: Any = "0s", resource: str = GPU, **more: Any) -> dict[str, Any]:
    """So many Pods of one unit each."""
    idle = {"job": {"kind": "idle"}, "memory": "1GiB", "onOOM": "catch"}
    return {"name": name, "count": count, "arrival": at, "request": {resource: 1}, **idle, **more}


def ran(
    workloads: list[dict[str, Any]], *, nodes: int = 1, cards: int = 1, horizon: str = "10m", **rollout: Any
) -> Outcome:
    """A small cluster whose plugin is rolled out; kubelets report at once."""
    model = {"model": rollout.pop("model", "a100-80gb"), "count": cards}
    top: dict[str, Any] = {
        key: rollout.pop(key) for key in ("migConfigs", "seed", "faults") if key in rollout
    }
    scenario: dict[str, Any] = {
        "format": 1,
        "horizon": horizon,
        "nodes": [{"name": f"n{number}", "gpus": model} for number in range(1, nodes + 1)],
        "workloads": workloads,
        "rollout": {"nodeStatusSeconds": 0, **rollout},
        **top,
    }
    return evaluate(yaml.safe_dump(scenario, sort_keys=False), builtin_library().catalog)


def changed(before: str, after: str, **more: Any) -> dict[str, Any]:
    """A rollout at 60 s from one config to another."""
    revisions = {"r1": {"config": before}, "r2": {"config": after}}
    return {"revisions": revisions, "events": [{"at": 60, "template": "r2"}], **more}


def at(outcome: Outcome, seconds: float) -> FleetSnapshot:
    rollout = outcome.scenario.rollout
    assert rollout is not None
    return fleet_snapshot(rollout, outcome.trace, round(seconds * 1_000_000), outcome.scenario)


def node(found: FleetSnapshot, name: str = "n1") -> FleetNodeView:
    return next(each for each in found.nodes if each.name == name)


def offered(outcome: Outcome, seconds: float, name: str = "n1") -> dict[str, tuple[int, int, int]]:
    """(capacity, allocatable, requested) by resource."""
    offers = node(at(outcome, seconds), name).offers
    return {offer.resource: (offer.capacity, offer.allocatable, offer.requested) for offer in offers}


def running(outcome: Outcome, workload: str) -> int:
    return sum(pod.workload == workload and pod.phase == "Running" for pod in outcome.pods)


def touched(outcome: Outcome, workload: str) -> int:
    """Ends and restarts of the workload's containers."""
    ends = ContainerExited | PodEvicted | PodFailed
    return sum(
        isinstance(record, ends) and record.pod.startswith(f"{workload}-") for record in outcome.trace.records
    )


SAME_NAME = {
    "G1": (shared(20), shared(8), 15, 1),
    "G2": (shared(8), shared(20), 8, 1),
    "G4": (EXCLUSIVE, shared(10), 1, 1),
    "G5": (shared(10), EXCLUSIVE, 6, 1),
}


@pytest.mark.parametrize("name", SAME_NAME)
def test_a_changed_number_of_replicas_touches_no_running_pod(name: str) -> None:
    case = CASES[name]
    before, after, count, cards = SAME_NAME[name]
    outcome = ran([pods("old", count), pods("new", 30, "2m")], cards=cards, **changed(before, after))
    assert offered(outcome, 90)[GPU] == (case["capacity"], case["allocatable"], case["requested"])
    assert running(outcome, "new") == case["schedulable_new"]
    assert (running(outcome, "old"), touched(outcome, "old")) == (count, case.get("running_touched", 0))
    waiting = next((pod for pod in outcome.pods if pod.workload == "new" and pod.phase == "Pending"), None)
    assert waiting is not None
    assert "Insufficient nvidia.com/gpu" in (waiting.message or "")


@pytest.mark.parametrize(("left", "fits"), [(9, 0), (8, 0), (7, 1), (3, 5)])
def test_after_shrinking_the_next_pod_fits_only_when_few_enough_are_left(left: int, fits: int) -> None:
    """The note of G1."""
    done = {"kind": "training", "soloTime": "1s", "iterations": 100, "residency": 0}
    ends = pods("ends", 15 - left, job=done, restartPolicy="Never")
    outcome = ran([pods("stays", left), ends, pods("new", 9, "5m")], **changed(shared(20), shared(8)))
    assert running(outcome, "new") == fits
    assert touched(outcome, "stays") == 0


def test_g3_a_rename_leaves_the_old_name_listed_and_lets_eleven_pods_on_one_card() -> None:
    case = CASES["G3"]
    work = [pods("old", 1), pods("new", 12, "2m", SHARED), pods("late", 1, "2m")]
    outcome = ran(work, horizon="15m", **changed(EXCLUSIVE, shared(10, rename=True)))
    for seconds, key in ((90, "first_5_minutes"), (500, "after_5_minutes")):
        for resource, words in case[key].items():
            capacity, allocatable, _ = offered(outcome, seconds)[resource]
            assert words.startswith(f"capacity {capacity}, allocatable {allocatable}")
    assert running(outcome, "new") == case["schedulable_new_shared"]
    assert running(outcome, "late") == case["schedulable_new_exclusive"]
    users = {pod.name for pod in outcome.pods if pod.device == "n1/gpu0"}
    assert len(users) == case["users_of_the_gpu_at_most"]


def test_g6_without_the_rename_an_exclusive_pod_lands_beside_the_old_ones() -> None:
    case = CASES["G6"]
    work = [pods("old", 6, resource=SHARED), pods("new", 3, "2m")]
    outcome = ran(work, **changed(shared(10, rename=True), EXCLUSIVE))
    assert running(outcome, "new") == case["schedulable_new_exclusive"]
    assert (running(outcome, "old"), touched(outcome, "old")) == (6, 0)
    assert offered(outcome, 90)[SHARED] == (10, 0, 6)
    assert offered(outcome, 500)[SHARED] == (0, 0, 6)


def test_g7_while_the_plugin_is_replaced_capacity_stays_and_nothing_is_allocatable() -> None:
    case = CASES["G7"]
    outcome = ran([pods("old", 5), pods("new", 9, "2m")], cards=8, **changed(EXCLUSIVE, EXCLUSIVE))
    down = case["while_down"]
    assert offered(outcome, 63)[GPU] == (down["capacity"], down["allocatable"], down["requested"])
    back = case["after_reregistration"]
    assert offered(outcome, 68)[GPU][:2] == (back["capacity"], back["allocatable"])
    assert running(outcome, "new") == back["schedulable_new"]
    assert touched(outcome, "old") == down["running_touched"]


def test_g7_a_pod_bound_inside_the_window_is_refused_and_one_not_yet_bound_waits() -> None:
    """The scheduler has not seen yet that the plugin is gone, or it has."""
    unseen = ran([pods("new", 1, "61s")], nodeStatusSeconds=1000, **changed(EXCLUSIVE, EXCLUSIVE))
    refused = unseen.pods[0]
    assert (refused.phase, refused.reason) == ("Failed", "UnexpectedAdmissionError")
    assert refused.message == (
        "Pod was rejected: Allocate failed due to no healthy devices present; "
        "cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected"
    )
    seen = ran([pods("new", 1, "61s")], **changed(EXCLUSIVE, EXCLUSIVE))
    assert (seen.pods[0].phase, seen.pods[0].started_at) == ("Running", 67.0)


def test_g8_a_plugin_that_stays_away_takes_capacity_after_five_minutes() -> None:
    case = CASES["G8"]
    stuck = [{"nodes": "all", "revisions": ["r2"], "pod": "init-stuck"}]
    outcome = ran([pods("old", 5)], cards=8, **changed(EXCLUSIVE, EXCLUSIVE, behaviour=stuck))
    assert offered(outcome, 359)[GPU] == (8, 0, 5)
    assert offered(outcome, 361)[GPU] == (case["capacity"], case["allocatable"], case["requested"])
    assert touched(outcome, "old") == case["running_touched"]


def test_g9_a_kubelet_restart_makes_a_waiting_edit_take_effect() -> None:
    case = CASES["G9"]
    events = [{"at": 10, "configMap": {"config": shared(3)}}, {"at": 100, "restartKubelet": "n1"}]
    outcome = ran([pods("old", 2)], cards=8, revisions={"r1": {"config": EXCLUSIVE}}, events=events)
    assert offered(outcome, 99)[GPU] == (8, 8, 2)
    until = case["until_reregistration"]
    assert offered(outcome, 100.5)[GPU][:2] == (until["capacity"], until["allocatable"])
    assert offered(outcome, 102)[GPU] == (24, 24, 2)
    assert touched(outcome, "old") == 0
    same = ran([pods("old", 2)], cards=8, events=[{"at": 100, "restartKubelet": "n1"}])
    assert offered(same, 102)[GPU][:2] == (case["after"]["capacity"], case["after"]["allocatable"])


def test_a_pod_that_a_new_kubelet_admits_before_the_plugin_has_registered_fails() -> None:
    events = [{"at": 100, "restartKubelet": "n1"}]
    outcome = ran([pods("new", 1, "100.5s")], nodeStatusSeconds=1000, events=events)
    assert (outcome.pods[0].phase, outcome.pods[0].reason) == ("Failed", "UnexpectedAdmissionError")


def test_g10_after_a_reboot_the_kubelet_refuses_pods_before_the_plugin_has_registered() -> None:
    outcome = ran([pods("old", 2)], cards=8, events=[{"at": 100, "reboot": "n1"}])
    refused = [pod for pod in outcome.pods if pod.phase == "Failed"]
    assert {pod.name for pod in refused} == {"old-0", "old-1"}
    assert all(str(pod.reason) in CASES["G10"]["note"] for pod in refused)


def test_g11_a_container_restart_keeps_its_devices_when_their_ids_are_gone() -> None:
    """Also with the ids gone: no new allocation, on the same card."""
    crash = [{"at": "3m", "pod": "old-17", "kind": "process"}]
    outcome = ran([pods("old", 20)], faults=crash, **changed(shared(20), shared(8)))
    slots = [record for record in outcome.trace.records if isinstance(record, SlotAllocated)]
    pod = next(pod for pod in outcome.pods if pod.name == "old-17")
    assert (pod.phase, pod.restarts, pod.device) == ("Running", 1, "n1/gpu0")
    assert len(slots) == 20


def test_g12_a_mig_change_takes_the_node_out_of_the_daemonset_and_fails_on_a_busy_card() -> None:
    case = CASES["G12"]
    config = [{"at": "1m", "node": "n1", "mig": ["3g.40gb", "3g.40gb"]}]
    mixed = "version: v1\nflags: {migStrategy: mixed}\n"
    more: dict[str, Any] = {"migConfigs": config, "revisions": {"r1": {"config": mixed}}}
    busy = ran([pods("user", 1)], nodes=2, **more)
    assert at(busy, 62).status.desired == 1
    assert at(busy, 62).status.current == 1
    assert at(busy, 120).status.desired == 2
    assert "nvidia.com/mig.config.state=failed" in case["result"]
    assert (busy.mig_configs[0].state, touched(busy, "user")) == ("failed", 0)
    assert offered(busy, 120)[GPU] == (1, 1, 1)
    free = ran([pods("user", 1, "5m", "nvidia.com/mig-3g.40gb")], nodes=2, **more)
    assert free.mig_configs[0].state == "success"
    assert offered(free, 120)["nvidia.com/mig-3g.40gb"][:2] == (2, 2)
    assert offered(free, 120)[GPU] == (1, 0, 0)
    assert offered(free, 500)[GPU] == (0, 0, 0)
    assert running(free, "user") == 1


def test_an_undo_within_five_minutes_of_a_rename_brings_the_old_name_back_whole() -> None:
    more = changed(EXCLUSIVE, shared(10, rename=True))
    more["events"].append({"at": 200, "undo": True})
    work = [pods("old", 1), pods("new", 4, "100s", SHARED), pods("late", 1, "4m")]
    outcome = ran(work, horizon="15m", **more)
    assert (offered(outcome, 150)[GPU], offered(outcome, 230)[GPU]) == ((1, 0, 1), (1, 1, 1))
    assert (offered(outcome, 230)[SHARED], offered(outcome, 800)[SHARED]) == ((10, 0, 4), (0, 0, 4))
    assert (running(outcome, "new"), running(outcome, "late")) == (4, 0)


def test_requests_of_two_slots_are_refused_from_the_rollout_on_that_forbids_them() -> None:
    forbids = shared(8).replace("renameByDefault: false", "failRequestsGreaterThanOne: true")
    work = [pods("old", 1, request={GPU: 2}), pods("new", 1, "2m", request={GPU: 2})]
    outcome = ran(work, **changed(shared(8), forbids))
    found = next(pod for pod in outcome.pods if pod.workload == "new")
    assert (found.phase, found.reason) == ("Failed", "UnexpectedAdmissionError")
    assert (running(outcome, "old"), touched(outcome, "old")) == (1, 0)


def test_with_surge_a_plugin_deleted_by_hand_has_a_successor_that_serves() -> None:
    surge = {"rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    more: dict[str, Any] = {"revisions": {"r1": {"config": EXCLUSIVE}}, "updateStrategy": surge}
    outcome = ran([pods("w", 1)], events=[{"at": 60, "deletePod": "n1"}], **more)
    assert [len(node(at(outcome, seconds)).pods) for seconds in (61, 64)] == [2, 1]
    assert [offered(outcome, seconds)[GPU][1] for seconds in (62, 70)] == [0, 1]


def test_all_accounting_cases_are_tested() -> None:
    """By a test that is named for the case, or by one of those whose number of replicas changes."""
    named = {name.split("_")[1].upper() for name in globals() if name.startswith("test_g")}
    assert named | SAME_NAME.keys() == CASES.keys()


# Which config a plugin reads, and when


def test_half_the_fleet_offers_the_old_number_while_the_rollout_is_stuck() -> None:
    stuck = [{"nodes": ["n3"], "revisions": ["r2"], "pod": "never-ready"}]
    outcome = ran([pods("w", 1)], nodes=5, **changed(EXCLUSIVE, shared(5), behaviour=stuck))
    end = at(outcome, 500)
    assert [node(end, f"n{number}").offers[0].allocatable for number in range(1, 6)] == [5, 5, 0, 1, 1]
    assert [node(end, f"n{number}").config for number in range(1, 6)] == ["r2", "r2", "r2", "r1", "r1"]


def test_a_changed_configmap_rolls_nothing_and_nodes_drift_as_their_plugins_start_again() -> None:
    events = [
        {"at": 10, "configMap": {"config": shared(4)}},
        {"at": 30, "restartKubelet": "n2"},  # its file is not refreshed yet
        {"at": 40, "deletePod": "n1"},  # a new Pod mounts what there is
        {"at": 200, "restartKubelet": "n3"},
    ]
    outcome = ran([pods("w", 1)], nodes=4, revisions={"r1": {"config": EXCLUSIVE}}, events=events)
    end = at(outcome, 500)
    assert [node(end, f"n{number}").offers[0].capacity for number in range(1, 5)] == [4, 1, 4, 1]
    assert [node(end, f"n{number}").config for number in range(1, 5)] == ["r1#1", "r1", "r1#1", "r1"]
    assert (end.is_done, end.status.updated, end.revision) == (True, 4, "r1")


@pytest.mark.parametrize("revisions", [{}, {"r2": {"config": shared(2)}}])
def test_a_configmap_that_the_template_does_not_name_reaches_no_pod(revisions: dict[str, Any]) -> None:
    events = [
        {"at": 10, "configMap": {"config": shared(4)}},
        {"at": 11, "restartKubelet": "n1"},
        {"at": 40, "deletePod": "n2"},
        {"at": 200, "restartKubelet": "n3"},
    ]
    outcome = ran([pods("w", 1)], nodes=3, revisions=revisions, events=events)
    assert [each.offers[0].capacity for each in at(outcome, 500).nodes] == [1, 1, 1]
    assert [str(note.why) for note in outcome.notes if note.event is not None] == ["unread"]


def test_a_pod_mounts_its_configmap_when_it_gets_a_node_and_not_while_it_waits_for_one() -> None:
    pending = [{"nodes": ["n1"], "revisions": ["r2"], "pod": "pending"}]
    more = changed(EXCLUSIVE, shared(2), behaviour=pending)
    more["events"] += [{"at": 80, "configMap": {"config": shared(4)}}, {"at": 90, "repair": "n1"}]
    outcome = ran([pods("w", 1)], **more)
    assert (offered(outcome, 110)[GPU][0], node(at(outcome, 110)).config) == (4, "r2#1")


def test_undo_brings_the_old_config_back_where_each_revision_has_its_own() -> None:
    more = changed(shared(2), shared(6))
    more["events"].append({"at": 200, "undo": True})
    outcome = ran([pods("w", 1)], nodes=2, **more)
    assert offered(outcome, 150)[GPU][0] == 6
    assert [offered(outcome, 500, name)[GPU][0] for name in ("n1", "n2")] == [2, 2]


NAMED = {"r1": {"configs": {"default": EXCLUSIVE, "big": shared(7)}}}


def test_the_label_decides_which_config_a_node_gets() -> None:
    before = [{"nodes": ["n2"], "label": "big"}]
    events = [
        {"at": 60, "label": {"nodes": ["n1"], "value": "big"}},
        {"at": 90, "label": {"nodes": "n2", "value": ""}},
    ]
    outcome = ran([pods("w", 1)], nodes=3, revisions=NAMED, before=before, events=events)
    assert [offered(outcome, 50, name)[GPU][0] for name in ("n1", "n2", "n3")] == [1, 7, 1]
    assert [offered(outcome, 70, name)[GPU][0] for name in ("n1", "n2", "n3")] == [7, 7, 1]
    assert [offered(outcome, 99, name)[GPU][0] for name in ("n1", "n2", "n3")] == [7, 1, 1]


def test_an_unknown_label_takes_readiness_from_a_running_pod_and_not_its_gpus() -> None:
    events = [{"at": 60, "label": {"nodes": "n1", "value": "bgi"}}]
    outcome = ran([pods("w", 1)], nodes=2, revisions=NAMED, events=events)
    end = at(outcome, 500)
    assert (node(end).trouble, node(end).pods[0].ready, node(end).pods[0].status) == (
        Trouble.CRASH_LOOP,
        False,
        "CrashLoopBackOff",
    )
    assert offered(outcome, 500)[GPU][:2] == (1, 1)
    mended = ran(
        [pods("w", 1)],
        nodes=2,
        revisions=NAMED,
        events=[*events, {"at": 100, "label": {"nodes": "n1", "value": "big"}}],
    )
    assert offered(mended, 500)[GPU][:2] == (7, 7)
    assert at(mended, 500).status.available == 2


def test_an_unknown_label_keeps_a_new_pod_from_ever_starting_and_stops_the_rollout() -> None:
    events = [{"at": 60, "template": "r2"}]
    revisions = {**NAMED, "r2": {"configs": {"default": shared(2)}}}
    before = [{"nodes": ["n2"], "label": "big"}]
    outcome = ran([pods("w", 1)], nodes=3, revisions=revisions, before=before, events=events)
    end = at(outcome, 590)
    stuck = node(end, "n2")
    assert (stuck.trouble, stuck.pods[0].status) == (Trouble.WAITING, "Init:CrashLoopBackOff")
    assert stuck.pods[0].init_restarts == 6
    assert (end.status.updated, end.status.available) == (2, 2)
    assert offered(outcome, 590, "n2")[GPU][:2] == (0, 0)
    mended = ran(
        [pods("w", 1)],
        nodes=3,
        revisions=revisions,
        before=before,
        events=[*events, {"at": 90, "label": {"nodes": "n2", "value": ""}}],
    )
    assert at(mended, 590).is_done


def test_a_config_that_does_not_load_halts_at_its_first_node() -> None:
    outcome = ran([pods("w", 1)], nodes=3, **changed(EXCLUSIVE, "version: v2\n"))
    end = at(outcome, 590)
    assert (node(end).trouble, end.status.updated) == (Trouble.CRASH_LOOP, 1)
    assert outcome.nodes[0].error is not None


def test_a_plugin_that_serves_nothing_slips_through_as_success() -> None:
    nothing = [{"nodes": ["n2"], "revisions": ["r2"], "pod": "serves-nothing"}]
    outcome = ran([pods("w", 1)], nodes=3, **changed(EXCLUSIVE, shared(2), behaviour=nothing))
    assert at(outcome, 590).is_done
    assert [offered(outcome, 590, name)[GPU][0] for name in ("n1", "n2", "n3")] == [2, 0, 2]


def test_a_crash_looping_plugin_serves_only_while_it_is_up() -> None:
    crash = [{"nodes": "all", "revisions": ["r2"], "pod": "crash-loop", "runSeconds": 5}]
    outcome = ran([pods("w", 1)], **changed(EXCLUSIVE, shared(2), behaviour=crash))
    seen = [record.count for record in outcome.trace.records if isinstance(record, AllocatableChanged)]
    assert seen[:6] == [1, 0, 2, 0, 2, 0]


def test_with_surge_the_end_of_the_old_plugin_takes_the_new_ones_devices() -> None:
    """Both serve one resource and the kubelet asks not whose connection ended (derived from its code)."""
    rolling = {"rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    outcome = ran([pods("w", 1)], nodes=2, **changed(EXCLUSIVE, shared(2), updateStrategy=rolling))
    assert at(outcome, 590).is_done
    assert [offered(outcome, 590, name)[GPU][1] for name in ("n1", "n2")] == [0, 0]


# Nodes


def test_a_node_that_is_down_keeps_what_the_api_last_saw_and_takes_nobody() -> None:
    outcome = ran([pods("w", 3)], nodes=2, before=[{"nodes": ["n2"], "state": "down"}])
    assert offered(outcome, 590, "n2")[GPU] == (1, 1, 0)
    waiting = [pod.message for pod in outcome.pods if pod.phase == "Pending"]
    assert (
        waiting
        == [
            "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, "
            "1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }."
        ]
        * 2
    )


def test_a_broken_old_plugin_has_offered_nothing_for_long() -> None:
    outcome = ran([pods("w", 2)], nodes=2, before=[{"nodes": ["n1"], "state": "broken"}])
    assert offered(outcome, 1)[GPU] == (0, 0, 0)
    assert [pod.node for pod in outcome.pods] == ["n2", None]


def test_cordon_keeps_workloads_away_and_a_joining_or_leaving_node_takes_them() -> None:
    events = [
        {"at": 0, "cordon": "n1"},
        {"at": 60, "addNode": "n3"},
        {"at": 120, "deleteNode": "n2"},
        {"at": 180, "uncordon": "n1"},
    ]
    outcome = ran([pods("w", 2, "1s")], nodes=3, events=events)
    assert [len(node(at(outcome, 30), name).workload_pods) for name in ("n1", "n2")] == [0, 1]
    assert at(outcome, 30).waiting_pods[0].message == (
        "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) were unschedulable."
    )
    assert [each.name for each in at(outcome, 100).nodes] == ["n1", "n2", "n3"]
    assert len(node(at(outcome, 100), "n3").workload_pods) == 1
    assert len(at(outcome, 150).waiting_pods) == 1
    assert {pod.node for pod in outcome.pods} == {"n1", "n3"}


def test_the_same_seed_gives_the_same_hash_and_a_run_alone_the_same_status() -> None:
    stuck = [{"nodes": ["n2"], "revisions": ["r2"], "pod": "init-stuck"}]
    first, second = (
        ran([pods("w", 4)], nodes=4, nodeStatusSeconds=10, **changed(EXCLUSIVE, shared(3), behaviour=stuck))
        for _ in range(2)
    )
    assert first.trace_hash == second.trace_hash
    other = ran(
        [pods("w", 4)],
        nodes=4,
        seed=2,
        nodeStatusSeconds=10,
        **changed(EXCLUSIVE, shared(3), behaviour=stuck),
    )
    assert other.trace_hash != first.trace_hash
    assert other.rollout is not None
    assert first.rollout is not None
    assert other.rollout.status == first.rollout.status


# What the reader refuses

TOP = "format: 1\nhorizon: 10m\nnodes:\n  - {name: n1, gpus: {model: a100-40gb, count: 1}}\nworkloads:\n"
WORK = "  - {name: w, request: {nvidia.com/gpu: 1}, job: {kind: idle}}\n"
MPS = "'{version: v1, sharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}}'"
WRONG = [
    ("rollout-beside-nodes", "rollout: {nodes: 5}\n", "7:18"),
    ("rollout-beside-nodes", "rollout: {until: 5m}\n", "7:18"),
    ("rollout-refused", "rollout: {updateStrategy: {type: Recreate}}\n", "7:1"),
    ("unknown-node", "rollout: {events: [{at: 0, addNode: z9}]}\n", "7:37"),
    ("bad-label-value", "rollout: {before: [{nodes: all, label: a b}]}\n", "7:40"),
    ("bad-config-name", "rollout: {revisions: {r1: {configs: {a b: x}}}}\n", "7:38"),
    ("one-of-two", "rollout: {revisions: {r1: {config: x, configs: {a: x}}}}\n", "7:27"),
    ("missing-key", "rollout: {events: [{at: 0, configMap: {}}]}\n", "7:39"),
    ("mps-rollout", f"rollout: {{revisions: {{r1: {{config: {MPS}}}}}}}\n", "7:36"),
    ("unknown-key-near", "rollout: {nodeStatusSecond: 5}\n", "7:11"),
]


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(ProblemsError) as caught:
        evaluate(text, builtin_library().catalog)
    return caught.value.problems


@pytest.mark.parametrize(("key", "rollout", "place"), WRONG)
def test_a_wrong_rollout_beside_nodes_is_told_with_its_place(key: str, rollout: str, place: str) -> None:
    found = problems(TOP + WORK + rollout)
    assert [(each.key, f"{each.line}:{each.column}") for each in found] == [(key, place)]
    for language in LANGUAGES:
        assert all(words.strip() for words in problem_words(found[0], builtin_library().messages[language]))


def test_a_nodes_own_mps_is_fine_where_nothing_changes_it_and_refused_where_something_does() -> None:
    own = TOP.replace("count: 1}}", f"count: 1}}, config: {MPS}}}") + WORK
    found = read_scenario(own + "rollout: {events: [{at: 0, template: r2}]}\n", builtin_library().catalog)
    assert found.rollout is not None
    configs = "rollout: {revisions: {r2: {config: 'version: v1'}}}\n"
    assert [each.key for each in problems(own + configs)] == ["mps-rollout"]


def test_no_pod_of_a_workload_is_ever_refused_or_ended_once_it_runs() -> None:
    crash = [{"nodes": "all", "revisions": ["r2"], "pod": "crash-loop", "runSeconds": 3}]
    outcome = ran([pods("w", 6)], nodes=2, **changed(shared(3), shared(1), behaviour=crash))
    states = {pod.state for each in at(outcome, 590).nodes for pod in each.workload_pods}
    assert (states, touched(outcome, "w")) == ({PodState.RUNNING}, 0)


@pytest.mark.parametrize(("kind", "after", "late"), [("xid-reset", 8, 4), ("card-lost", 4, 3)])
def test_a_plugin_that_starts_again_finds_a_card_healthy_that_was_reset_and_no_lost_one(
    kind: str, after: int, late: int
) -> None:
    """The old plugin has marked it; capacity stays. Its successor looks anew."""
    found = ran(
        [pods("a", 1, memory="1GiB"), pods("late", 4, at="50s")],
        cards=2,
        faults=[{"at": "20s", "node": "n1", "gpu": 0, "kind": kind}],
        **changed(shared(4), shared(4) + "# changed\n"),
    )
    assert offered(found, 55)[GPU][:2] == (8, 4)
    assert offered(found, 300)[GPU][:2] == (8, after)
    assert running(found, "late") == late
    health = {"xid-reset": ["recovered", "healthy"], "card-lost": ["lost", "healthy"]}[kind]
    assert [gpu["health"] for gpu in found.to_json()["gpus"]] == health


def test_while_no_plugin_runs_nobody_marks_a_card() -> None:
    """One that starts looks at the cards as they are."""
    found = ran(
        [pods("a", 1)],
        faults=[{"at": "64s", "node": "n1", "gpu": 0, "kind": "xid-reset"}],
        **changed(shared(4), shared(8)),
    )
    assert offered(found, 64)[GPU][1] == 0
    assert offered(found, 300)[GPU][:2] == (8, 8)
    assert [gpu["health"] for gpu in found.to_json()["gpus"]] == ["healthy"]


@pytest.mark.parametrize(
    ("seconds", "restarts", "last"),
    [
        (0, 0, None),
        (0.9, 0, None),
        (1, 1, 1),
        (11, 2, 11),
        (30, 2, 11),
        (311, 6, 311),
        (610, 6, 311),
        (611, 7, 611),
    ],
)
def test_an_init_container_that_fails_is_started_again_after_longer_and_longer_waits(
    seconds: float, restarts: int, last: int | None
) -> None:
    last_us = None if last is None else (7 + last) * 1_000_000
    assert restarts_since(7_000_000, int((7 + seconds) * 1_000_000)) == (restarts, last_us)
    assert restarts_since(None, int(seconds * 1_000_000)) == (0, None)
