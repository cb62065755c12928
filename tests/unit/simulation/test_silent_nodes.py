"""Nodes whose kubelet falls silent, and nodes that reboot: what the API server, the controllers and the kubelet make of it.

Upstream behaviour; the sources stand in `rollout_silence.py` and `unreachable.py`.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from labs.config.own.problem import ProblemsError
from labs.simulation.outcome.outcome import Outcome
from labs.simulation.outcome.rollout.moments import fleet_snapshot
from labs.simulation.outcome.rollout.snapshot import FleetNodeView, Trouble
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.trace import ContainerExited, MigConfigSet, PodGone, PodSucceeded, PodTerminating
from labs.simulation.world.rollout.world import RolloutEnd, run_rollout
from tests.unit.scenarios import happened, outcome, phases
from tests.unit.simulation.test_rollout_sharing import (
    EXCLUSIVE,
    GPU,
    at,
    changed,
    node,
    offered,
    pods,
    ran,
    shared,
)

SECOND = 1_000_000
LOST = (
    "Pod was rejected: Allocate failed due to no healthy devices present; "
    "cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected"
)


def alone(*events: dict[str, Any], **more: Any) -> RolloutEnd:
    return run_rollout(
        read_rollout(yaml.safe_dump({"rollout": {"nodes": 3, **more, "events": list(events)}}))
    )


def seen(end: RolloutEnd, seconds: float, name: str = "node-2", **more: Any) -> FleetNodeView:
    """A node of such a rollout at a time."""
    rollout = read_rollout(yaml.safe_dump({"rollout": {"nodes": 3, "until": end.at_us // SECOND, **more}}))
    found = fleet_snapshot(rollout, end.trace, round(seconds * SECOND))
    return next(each for each in found.nodes if each.name == name)


# The node and the DaemonSet


@pytest.mark.parametrize(("version", "grace"), [("newest", 50), ("v1.32", 50), ("v1.31", 40), ("v1.25", 40)])
def test_a_silent_node_is_not_ready_after_the_grace_of_its_version(version: str, grace: int) -> None:
    end = alone({"at": 100, "down": "node-2"}, kubernetes=version)
    before, after = seen(end, 99.9 + grace), seen(end, 100 + grace)
    assert (before.status, before.pods[0].ready, before.trouble) == ("Ready", True, None)
    assert (after.status, after.pods[0].ready, after.trouble) == ("NotReady", False, Trouble.NODE_DOWN)


def test_a_pod_of_the_daemonset_tolerates_the_taint_and_the_node_leaves_desired() -> None:
    end = alone({"at": 100, "down": "node-2"}, until=3_600)
    assert [len(each.pods) for each in end.nodes] == [1, 1, 1]
    assert (end.status.desired, end.status.misscheduled, end.status.available) == (2, 1, 2)


def test_a_node_that_is_heard_of_in_time_has_never_been_away() -> None:
    end = alone({"at": 100, "down": "node-2"}, {"at": 140, "repair": "node-2"})
    assert seen(end, 160).status == "Ready"
    assert seen(end, 160).pods[0].restarts == 0
    assert end.status.available == 3


def test_nothing_starts_on_a_silent_node_and_nothing_that_was_starting_goes_on() -> None:
    rolled = [{"at": 0, "template": "r2"}, {"at": 10, "down": "node-2"}, {"at": 11, "deletePod": "node-2"}]
    end = alone(*rolled, {"at": 300, "repair": "node-2"}, startupSeconds=5)
    stuck = seen(end, 200)
    assert [(pod.terminating, pod.ready) for pod in stuck.pods] == [(True, False)]
    assert (end.status.updated, end.status.available) == (3, 3)


def test_a_rollout_halts_at_a_node_that_falls_silent_as_at_one_that_was_so_before() -> None:
    """T32: the old Pod is unavailable, is deleted first and hangs, and uses the budget for ever."""
    end = alone({"at": 0, "down": "node-1"}, {"at": 60, "template": "r2"})
    assert (end.status.updated, end.status.available, end.settled) == (0, 2, True)
    assert end.nodes[0].pods[0].terminating


def test_a_reboot_starts_the_same_pod_again() -> None:
    end = alone({"at": 100, "reboot": "node-2"}, rebootSeconds=30, startupSeconds=5)
    name = seen(end, 99).pods[0].name
    assert seen(end, 125).pods[0].ready  # nobody has noticed
    coming = seen(end, 131)
    assert (coming.status, coming.pods[0].status, coming.trouble) == ("Ready", "Pending", Trouble.STARTING)
    back = seen(end, 136).pods[0]
    assert (back.name, back.ready, back.restarts) == (name, True, 1)
    events = [
        event.reason
        for event in fleet_snapshot(read_rollout("rollout: {nodes: 3}"), end.trace, 400 * SECOND).events
    ]
    assert events == ["reboot", "Rebooted"]


def test_a_slow_reboot_is_noticed_and_brings_a_silent_node_back_too() -> None:
    end = alone({"at": 100, "down": "node-2"}, {"at": 300, "reboot": "node-2"}, rebootSeconds=100)
    assert (seen(end, 399).status, seen(end, 401).status) == ("NotReady", "Ready")
    assert end.status.available == 3


def test_a_reboot_removes_what_was_terminating_and_a_new_pod_comes() -> None:
    end = alone(
        {"at": 10, "down": "node-2"}, {"at": 20, "deletePod": "node-2"}, {"at": 60, "reboot": "node-2"}
    )
    assert seen(end, 170).pods[0].terminating
    assert not seen(end, 190).pods[0].terminating
    assert end.status.available == 3


@pytest.mark.parametrize("pod", ["never-ready", "init-stuck", "image-pull", "failed", "crash-loop"])
def test_a_reboot_mends_no_pod(pod: str) -> None:
    life = {"runSeconds": 5} if pod == "crash-loop" else {}
    more = {"behaviour": [{"nodes": ["node-2"], "revisions": ["r2"], "pod": pod, **life}]}
    end = alone({"at": 0, "template": "r2"}, {"at": 100, "reboot": "node-2"}, until=1_000, **more)
    assert (end.status.updated, end.status.available) in {(2, 2), (3, 2), (3, 3)}
    if pod != "crash-loop":  # without a probe that slips through
        assert end.status.available == 2


# Pods of workloads


def test_pods_of_a_silent_node_run_on_and_are_evicted_when_their_toleration_is_over() -> None:
    events = [{"at": 60, "down": "n1"}]
    outcome = ran([pods("w", 2)], nodes=2, cards=2, horizon="20m", events=events)
    assert at(outcome, 409).waiting_pods == ()
    left = [pod for pod in outcome.pods if pod.reason == "Terminating"]
    assert [(pod.name, pod.node, pod.phase) for pod in left] == [("w-0", "n1", "Running")]
    new = next(pod for pod in outcome.pods if pod.name == "w-2")
    assert (new.phase, new.node, new.started_at) == ("Running", "n2", 410.0)
    assert outcome.metrics["terminatingPods"] == 1
    assert outcome.metrics["runningPods"] == 2
    assert not happened(outcome, ContainerExited)
    assert offered(outcome, 1_100)[GPU] == (2, 2, 1)


@pytest.mark.parametrize(("tolerates", "gone"), [(0, 110), (60, 170), (300, 410), (None, 410)])
def test_each_workload_has_its_toleration(tolerates: int | None, gone: int) -> None:
    more: dict[str, Any] = {} if tolerates is None else {"tolerationSeconds": tolerates}
    outcome = ran([pods("w", 1, **more)], nodes=2, horizon="20m", events=[{"at": 60, "down": "n1"}])
    assert happened(outcome, PodTerminating) == [(gone, "pod-terminating", "w-0", None)]


def test_a_node_that_is_heard_of_again_in_time_loses_no_pod() -> None:
    events = [{"at": 60, "down": "n1"}, {"at": 400, "repair": "n1"}]
    outcome = ran([pods("w", 1)], horizon="20m", events=events)
    assert phases(outcome) == {"w-0": "Running"}
    assert not happened(outcome, PodTerminating, ContainerExited)


def test_what_is_terminating_goes_when_the_kubelet_is_heard_again_and_its_devices_with_it() -> None:
    events = [{"at": 60, "down": "n1"}, {"at": 900, "repair": "n1"}]
    outcome = ran(
        [pods("w", 3)], nodes=2, horizon="20m", **changed(EXCLUSIVE, EXCLUSIVE) | {"events": events}
    )
    assert {pod.name: pod.node for pod in outcome.pods} == {"w-1": "n2", "w-2": "n1", "w-3": None}
    assert [name for _, _, name, _ in happened(outcome, PodGone)] == ["w-0"]
    assert outcome.metrics["terminatingPods"] == 0


def test_a_job_that_was_left_behind_is_begun_anew_and_is_done_when_its_work_is() -> None:
    job = {"kind": "training", "soloTime": "1s", "iterations": 200, "residency": 0.5}
    work = pods("t", 1, job=job, restartPolicy="Never", tolerationSeconds=0)
    outcome = ran([work], nodes=2, horizon="20m", events=[{"at": 60, "down": "n1"}])
    done = next(pod for pod in outcome.pods if pod.name == "t-1")
    assert (done.phase, done.node, done.finished_at) == ("Succeeded", "n2", 310.0)
    assert outcome.metrics["meanCompletionSeconds"] == 310


def test_what_ends_while_nobody_hears_of_it_is_seen_to_have_ended_later() -> None:
    job = {"kind": "training", "soloTime": "1s", "iterations": 80, "residency": 0.5}
    events = [{"at": 60, "down": "n1"}, {"at": 200, "repair": "n1"}]
    outcome = ran([pods("t", 1, job=job, restartPolicy="Never")], horizon="20m", events=events)
    assert [time for time, _, _, _ in happened(outcome, ContainerExited)] == [80]
    assert [time for time, _, _, _ in happened(outcome, PodSucceeded)] == [200]


def test_a_pod_bound_to_a_silent_node_does_not_start_until_the_kubelet_hears_of_it() -> None:
    events = [{"at": 60, "down": "n1"}, {"at": 200, "repair": "n1"}]
    outcome = ran([pods("w", 1, "70s")], events=events)
    bound = node(at(outcome, 150)).workload_pods[0]
    assert (str(bound.state), offered(outcome, 150)[GPU][2]) == ("bound", 1)
    assert outcome.pods[0].started_at == 200
    never = ran([pods("w", 1, "70s")], nodes=1, horizon="20m", events=events[:1])
    assert [(pod.name, pod.phase, pod.reason) for pod in never.pods] == [
        ("w-0", "Pending", "Terminating"),
        ("w-1", "Pending", "Unschedulable"),
    ]


def test_no_new_pod_comes_to_a_node_that_is_known_to_be_unreachable() -> None:
    outcome = ran([pods("w", 1, "2m")], events=[{"at": 60, "down": "n1"}])
    assert outcome.pods[0].message == (
        "0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }."
    )


def test_the_pods_of_a_silent_node_that_is_deleted_go_with_it() -> None:
    events = [{"at": 60, "down": "n1"}, {"at": 500, "deleteNode": "n1"}]
    outcome = ran([pods("w", 2)], nodes=2, horizon="20m", events=events)
    assert {pod.name: pod.node for pod in outcome.pods} == {"w-1": "n2", "w-2": None}


def test_a_reboot_refuses_every_pod_that_had_a_device() -> None:
    """G10, kubernetes#125579: the kubelet admits them anew before the plugin has registered."""
    events = [{"at": 60, "reboot": "n1"}]
    outcome = ran([pods("w", 2), pods("late", 1, "4m")], nodes=2, rebootSeconds=30, events=events)
    lost = next(pod for pod in outcome.pods if pod.name == "w-0")
    assert (lost.phase, lost.reason, lost.message, lost.finished_at) == (
        "Failed",
        "UnexpectedAdmissionError",
        LOST,
        90.0,
    )
    assert happened(outcome, ContainerExited) == [(60, "container-exited", "w-0", 137)]
    assert offered(outcome, 91)[GPU] == (0, 0, 0)
    assert offered(outcome, 96)[GPU][:2] == (1, 1)
    assert next(pod.node for pod in outcome.pods if pod.name == "late-0") == "n1"


def test_a_container_that_waits_for_its_next_start_goes_with_the_reboot_as_well() -> None:
    crash = [{"at": f"{second}s", "pod": "w-0", "kind": "process"} for second in (10, 20, 40, 70)]
    outcome = ran([pods("w", 1)], faults=crash, rebootSeconds=10, events=[{"at": 75, "reboot": "n1"}])
    assert phases(outcome) == {"w-0": "Failed/UnexpectedAdmissionError"}


def test_a_reboot_lets_the_plugin_read_what_the_configmap_holds_by_then() -> None:
    """The volume is mounted anew: no wait for its refresh."""
    events = [{"at": 50, "configMap": {"config": shared(4)}}, {"at": 60, "reboot": "n1"}]
    outcome = ran(
        [pods("w", 1)], nodes=2, rebootSeconds=5, revisions={"r1": {"config": EXCLUSIVE}}, events=events
    )
    assert [offered(outcome, 75, name)[GPU][0] for name in ("n1", "n2")] == [4, 1]


def test_with_a_plugin_that_is_there_at_once_a_pod_keeps_its_device_over_a_reboot() -> None:
    outcome = ran([pods("w", 1)], startupSeconds=0, rebootSeconds=5, events=[{"at": 60, "reboot": "n1"}])
    pod = outcome.pods[0]
    assert (pod.phase, pod.restarts, pod.device) == ("Running", 1, "n1/gpu0")
    smaller = changed(shared(3), EXCLUSIVE) | {
        "events": [{"at": 10, "configMap": {"config": EXCLUSIVE}}, {"at": 80, "reboot": "n1"}]
    }
    gone = ran([pods("w", 3)], startupSeconds=0, rebootSeconds=5, **smaller)
    assert [str(pod.phase) for pod in gone.pods].count("Failed") >= 2
    assert any(
        "previously allocated devices are no longer healthy" in (pod.message or "") for pod in gone.pods
    )


def test_a_mig_change_waits_for_a_silent_node() -> None:
    config = [{"at": "2m", "node": "n1", "mig": ["3g.40gb", "3g.40gb"]}]
    mixed = "version: v1\nflags: {migStrategy: mixed}\n"
    events = [{"at": 60, "down": "n1"}, {"at": 300, "repair": "n1"}]
    more: dict[str, Any] = {"migConfigs": config, "revisions": {"r1": {"config": mixed}}, "events": events}
    outcome = ran([pods("user", 1, "8m", "nvidia.com/mig-3g.40gb")], **more)
    assert [time for time, _, _, _ in happened(outcome, MigConfigSet)] == [300]
    assert outcome.mig_configs[0].state == "success"


def test_a_toleration_without_a_rollout_is_a_problem_with_its_place() -> None:
    text = """\
format: 1
horizon: 1m
nodes: [{name: g, gpus: {model: a100-40gb, count: 1}}]
workloads:
  - {name: w, request: {nvidia.com/gpu: 1}, tolerationSeconds: 5}
"""
    with pytest.raises(ProblemsError) as caught:
        outcome(text)
    assert [(each.key, each.line, each.column) for each in caught.value.problems] == [
        ("without-rollout", 5, 64)
    ]


def everything_in_its_place(found: Outcome) -> bool:
    return all(pod.node is None or pod.phase == "Running" for pod in found.pods)


def test_many_nodes_that_come_and_go_leave_nobody_twice() -> None:
    events = [
        {"at": 60, "down": ["n1", "n2"]},
        {"at": 500, "reboot": "n1"},
        {"at": 700, "repair": "n2"},
        {"at": 800, "down": "n3"},
    ]
    found = ran([pods("w", 6, tolerationSeconds=100)], nodes=3, cards=2, horizon="30m", events=events)
    alive = [pod for pod in found.pods if pod.reason != "Terminating"]
    assert len(alive) == 6
    assert everything_in_its_place(found)
