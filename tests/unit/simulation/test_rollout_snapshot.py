"""Snapshots of a rollout: the same as the world itself at every moment, what is wrong on a node, and the events."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.simulation.outcome.rollout.moments import fleet_moments, fleet_snapshot, fleet_snapshots
from labs.simulation.outcome.rollout.snapshot import FleetNodeView, FleetSnapshot, Trouble
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.scenario.rollout.rollout import Rollout
from labs.simulation.world.rollout.world import run_rollout

_TEXT = (Path(__file__).parents[2] / "cases" / "rollout.yaml").read_text("utf-8")
CASES: list[dict[str, Any]] = yaml.safe_load(_TEXT[: _TEXT.index("\nvalidation_cases:")])


def read(rollout: dict[str, Any]) -> Rollout:
    return read_rollout(yaml.safe_dump({"rollout": rollout}))


def last(nodes: int = 3, **more: Any) -> FleetSnapshot:
    rollout = read({"nodes": nodes, "events": [{"at": 0, "template": "r2"}], **more})
    return fleet_snapshot(rollout, run_rollout(rollout).trace, rollout.until_us)


def node_of(found: FleetSnapshot, name: str) -> FleetNodeView:
    return next(node for node in found.nodes if node.name == name)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_snapshot_is_what_the_world_is_at_that_time(case: dict[str, Any]) -> None:
    rollout = read(case["rollout"])
    trace = run_rollout(rollout).trace
    times = sorted({0, 1, 2, 5, 8, 9, 16, 60, 61, 62, 63, 70, 100, rollout.until_us // 1_000_000})
    for at, found in zip(
        times, fleet_snapshots(rollout, trace, [at * 1_000_000 for at in times]), strict=True
    ):
        end = run_rollout(replace(rollout, until_us=at * 1_000_000))
        assert (found.status, found.line, found.revision) == (end.status, end.line, end.spec.revision)
        assert [
            (node.name, node.should_run, [(pod.name, pod.revision, pod.phase) for pod in node.pods])
            for node in found.nodes
        ] == [
            (node.name, node.should_run, [(pod.name, pod.revision, pod.phase) for pod in node.pods])
            for node in end.nodes
        ]
        assert [(pod.ready, pod.available, pod.terminating) for node in found.nodes for pod in node.pods] == [
            (pod.ready, pod.available(end.spec.min_ready_us, end.at_us), pod.terminating)
            for node in end.nodes
            for pod in node.pods
        ]


@pytest.mark.parametrize(
    ("pod", "trouble", "status"),
    [
        ("never-ready", Trouble.NOT_READY, "Running"),
        ("pending", Trouble.UNSCHEDULABLE, "Pending"),
        ("init-stuck", Trouble.WAITING, "Init:0/1"),
        ("image-pull", Trouble.WAITING, "ImagePullBackOff"),
        ("crash-loop", Trouble.CRASH_LOOP, "CrashLoopBackOff"),
    ],
)
def test_a_stuck_node_says_what_is_wrong(pod: str, trouble: Trouble, status: str) -> None:
    runs = {"runSeconds": 2, "readyAfterSeconds": 9} if pod == "crash-loop" else {}
    bad = {"nodes": ["node-2"], "revisions": ["r2"], "pod": pod, **runs}
    found = last(behaviour=[bad])
    stuck = node_of(found, "node-2")
    assert (stuck.trouble, stuck.pods[0].status, stuck.is_updated) == (trouble, status, True)
    assert [node.trouble for node in found.nodes if node is not stuck] == [None, None]
    assert (found.status.updated, found.is_done, found.revisions) == (2, False, ("r1", "r2"))


def test_a_probe_that_fails_holds_a_crash_loop_that_would_slip() -> None:
    bad = {"nodes": "all", "revisions": ["r2"], "pod": "crash-loop", "runSeconds": 15}
    assert last(behaviour=[bad]).status.updated == 3
    assert last(behaviour=[{**bad, "readyAfterSeconds": 20}]).status.updated == 1


def test_a_dead_node_and_a_pod_that_is_on_its_way_are_told_apart() -> None:
    found = last(before=[{"nodes": ["node-1"], "state": "down"}])
    assert (node_of(found, "node-1").trouble, node_of(found, "node-1").status) == (
        Trouble.NODE_DOWN,
        "NotReady",
    )
    rollout = read({"nodes": 1, "events": [{"at": 0, "template": "r2"}], "minReadySeconds": 10})
    trace = run_rollout(rollout).trace
    seen = [
        found.nodes[0].trouble for found in fleet_snapshots(rollout, trace, fleet_moments(rollout, trace))
    ]
    assert seen == [
        None,
        Trouble.TERMINATING,
        Trouble.STARTING,
        Trouble.NOT_AVAILABLE,
        None,
    ]


def test_events_are_the_controllers_own_words() -> None:
    failed = {"nodes": ["node-1"], "revisions": ["r2"], "pod": "failed"}
    events = last(nodes=1, behaviour=[failed]).events
    assert {event.reason for event in events if event.is_warning} == {"FailedDaemonPod"}
    assert events[1].message.startswith("Deleted pod: nvidia-device-plugin-daemonset-")
    assert {"template-changed", "SuccessfulDelete", "SuccessfulCreate"} <= {event.reason for event in events}


def test_an_edit_that_reaches_nobody_leaves_the_fleet_as_it_is() -> None:
    """Whatever is said of the ConfigMap after it."""
    events = [{"at": 10, "configMap": {"config": "version: v1"}}, {"at": 20, "configMap": "changed"}]
    assert last(events=events).status.available == last(events=[]).status.available
