"""What kubectl prints about a rollout, column by column, and the commands by which things are done to one."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest
import yaml

from labs.report.fleet.commands import NAMED_MOST, commands_of
from labs.report.fleet.kubectl import age_text, kubectl_blocks
from labs.simulation.outcome.rollout.moments import fleet_snapshot
from labs.simulation.outcome.rollout.timeline import FleetTimeline
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.scenario.rollout.rollout import Action, Rollout, RolloutEvent
from labs.simulation.world.rollout.world import run_rollout

NEW = {"at": 0, "template": "r2"}
CONFIGS = {"r1": {"configs": {"default": "version: v1\n", "other": "version: v1\n"}}}


def read(**rollout: Any) -> Rollout:
    return read_rollout(yaml.safe_dump({"rollout": {"nodes": 4, "events": [NEW], **rollout}}))


def printed(seconds: float, **rollout: Any) -> dict[str, str]:
    """What each command prints then, by its first words."""
    found = read(**rollout)
    fleet = fleet_snapshot(found, run_rollout(found).trace, round(seconds * 1_000_000))
    return {" ".join(command.split()[:3]): shown for command, shown in kubectl_blocks(found, fleet)}


def table(shown: str) -> list[dict[str, str]]:
    """The rows of a table by the heads of its columns, which stand above their cells."""
    head, *rows = shown.splitlines()
    starts = [match.start() for match in re.finditer(r"\S+(?: \S+)*", head)]
    names = re.findall(r"\S+(?: \S+)*", head)
    ends = [*starts[1:], None]
    return [
        {name: row[start:end].strip() for name, start, end in zip(names, starts, ends, strict=True)}
        for row in rows
    ]


def pods(seconds: float, **rollout: Any) -> list[dict[str, str]]:
    return table(printed(seconds, **rollout)["kubectl get pods"])


def bad(pod: str, **more: Any) -> list[dict[str, Any]]:
    return [{"nodes": ["node-2"], "revisions": ["r2"], "pod": pod, **more}]


def test_every_command_on_the_daemonset_names_its_namespace() -> None:
    found = read()
    fleet = fleet_snapshot(found, run_rollout(found).trace, 0)
    commands = [command for command, _ in kubectl_blocks(found, fleet)]
    assert [" -n gpu-operator " in command for command in commands] == [True, True, True, False]


def test_the_daemonset_has_the_selector_by_which_nodes_leave_it() -> None:
    (row,) = table(printed(30)["kubectl get daemonset"])
    assert row["NODE SELECTOR"] == "nvidia.com/gpu.deploy.device-plugin=true"


def test_pods_stand_as_kubectl_sets_them_by_node_and_those_without_first() -> None:
    found = pods(90, nodes=11, behaviour=[{"nodes": ["node-03"], "revisions": ["r2"], "pod": "pending"}])
    assert list(found[0]) == [
        *("NAME", "READY", "STATUS", "RESTARTS", "AGE", "IP", "NODE", "NOMINATED NODE", "READINESS GATES"),
        "CONTROLLER-REVISION-HASH",
    ]
    assert [row["NODE"] for row in found[:3]] == ["<none>", "node-01", "node-02"]
    assert (found[0]["READY"], found[0]["STATUS"], found[0]["IP"]) == ("0/1", "Pending", "<none>")
    assert found[0]["CONTROLLER-REVISION-HASH"] == "r2"
    addresses = [row["IP"] for row in found[1:]]
    assert len(set(addresses)) == len(addresses)


@pytest.mark.parametrize(
    ("seconds", "rollout", "ready", "status"),
    [
        (1, {}, "1/1", "Running"),
        (90, {"behaviour": bad("never-ready")}, "0/1", "Running"),
        (90, {"behaviour": bad("init-stuck")}, "0/1", "Init:0/1"),
        (90, {"behaviour": bad("failed")}, "0/1", "UnexpectedAdmissionError"),
        (12, {}, "0/1", "ContainerCreating"),
        (90, {"before": [{"nodes": ["node-2"], "state": "down"}]}, "1/1", "Terminating"),
        (0.5, {"before": [{"nodes": ["node-2"], "state": "broken"}]}, "0/1", "Running"),
        # config-manager beside the plugin
        (0, {"revisions": CONFIGS, "events": []}, "2/2", "Running"),
        (
            60,
            {"revisions": CONFIGS, "events": [{"at": 9, "label": {"nodes": "node-2", "value": "x"}}]},
            "1/2",
            "CrashLoopBackOff",
        ),
        (60, {"revisions": {"r2": CONFIGS["r1"]}, "behaviour": bad("never-ready")}, "1/2", "Running"),
    ],
)
def test_ready_counts_containers_as_the_kubelet_has_told_them(
    seconds: float, rollout: dict[str, Any], ready: str, status: str
) -> None:
    row = next(row for row in pods(seconds, **rollout) if row["NODE"] == "node-2")
    assert (row["READY"], row["STATUS"]) == (ready, status)


def test_a_plugin_that_exits_over_its_config_leaves_config_manager_running() -> None:
    row = next(
        row for row in pods(60, revisions={"r2": {"config": "version: v9\n"}}) if row["NODE"] == "node-1"
    )
    assert (row["READY"], row["STATUS"], row["CONTROLLER-REVISION-HASH"]) == ("1/2", "CrashLoopBackOff", "r2")


def test_restarts_are_told_with_how_long_ago_the_last_one_was() -> None:
    rows = pods(40, behaviour=bad("crash-loop", runSeconds=2, readyAfterSeconds=9))
    assert [row["RESTARTS"] for row in rows if row["NODE"] == "node-2"] == ["3 (12s ago)"]


def test_nodes_are_told_by_what_the_api_has_of_them() -> None:
    states = [{"nodes": ["node-2"], "state": "down"}, {"nodes": ["node-3"], "state": "cordoned"}]
    rows = table(printed(1, before=states)["kubectl get nodes"])
    assert [(row["READY"], row["CORDONED"]) for row in rows[1:3]] == [("Unknown", "<none>"), ("True", "true")]


def test_of_an_empty_fleet_the_heads_alone_are_left() -> None:
    shown = printed(30, events=[{"at": 5, "deleteNode": "all"}])
    assert shown["kubectl get pods"] == "No resources found in gpu-operator namespace."
    assert shown["kubectl get nodes"] == "NAME   READY   CORDONED"


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (
            1,
            "0/1 nodes are available: 1 Insufficient cpu. "
            "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
        ),
        (
            5,
            "0/5 nodes are available: 1 Insufficient cpu, 4 node(s) didn't satisfy plugin(s) [NodeAffinity]. "
            "preemption: 0/5 nodes are available: 1 No preemption victims found for incoming pod, "
            "4 Preemption is not helpful for scheduling.",
        ),
    ],
)
def test_the_scheduler_counts_all_nodes(nodes: int, message: str) -> None:
    shown = printed(90, nodes=nodes, behaviour=[{"nodes": "all", "revisions": ["r2"], "pod": "pending"}])
    (row,) = [row for row in table(shown["kubectl get events"]) if row["REASON"] == "FailedScheduling"]
    assert row["MESSAGE"] == message


def test_events_are_the_last_of_an_hour_and_each_once() -> None:
    crashing = {"behaviour": bad("crash-loop", runSeconds=2, readyAfterSeconds=9), "until": 9000}
    rows = table(printed(500, **crashing)["kubectl get events"])
    assert [row["REASON"] for row in rows].count("BackOff") == 1
    message = next(row["MESSAGE"] for row in rows if row["REASON"] == "BackOff")
    plugin = "nvidia-device-plugin-daemonset-[a-z0-9]{5}_gpu-operator[(][-0-9a-f]{36}[)]"
    assert re.fullmatch(f"Back-off restarting failed container nvidia-device-plugin in pod {plugin}", message)
    late = table(printed(4200, **crashing)["kubectl get events"])
    assert [row["REASON"] for row in late] == ["BackOff"]
    many = printed(300, nodes=30)["kubectl get events"].splitlines()
    assert len(many) == 12
    assert not many[0].startswith("LAST SEEN")


@pytest.mark.parametrize(
    ("seconds", "age"),
    [(0, "0s"), (119, "119s"), (120, "2m"), (599, "9m59s"), (7200, "120m"), (90_000, "25h"), (10**6, "11d")],
)
def test_ages_are_kubectls(seconds: int, age: str) -> None:
    assert age_text(seconds * 1_000_000) == age


def test_a_long_table_says_how_many_rows_are_left_out() -> None:
    assert printed(1, nodes=100)["kubectl get pods"].splitlines()[-1] == "... 40 more"


# Commands

NODES = ("node-1", "node-2", "node-3")
MANY = tuple(f"node-{number}" for number in range(NAMED_MOST + 1))
WITHOUT = (Action.NOT_READY, Action.ADD_NODE, Action.REPAIR, Action.DOWN)  # nobody types these into kubectl
ON_NODES = [
    *(Action.DELETE_POD, Action.CORDON, Action.UNCORDON, Action.DESELECT, Action.SELECT, Action.DELETE_NODE),
    *(Action.LABEL, Action.RESTART_KUBELET, Action.REBOOT),
]


def typed(action: Action, pods: tuple[str, ...] = (), **event: Any) -> tuple[str, ...]:
    return commands_of(read(), RolloutEvent(0, action, **event), pods)


@pytest.mark.parametrize("action", [action for action in Action if action not in WITHOUT])
@pytest.mark.parametrize(
    ("nodes", "every", "force"),
    [(NODES[:1], False, False), (NODES, False, True), (MANY, False, True), ((), True, True)],
)
def test_a_command_is_whole_and_is_about_what_it_says(
    action: Action, nodes: tuple[str, ...], every: bool, force: bool
) -> None:
    given: dict[str, Any] = {"template": "r2", "max_unavailable": "50%", "label": "a"}
    commands = typed(action, nodes=nodes, all_nodes=every, force=force, **given)
    assert commands
    for command in commands:
        assert re.search(r"  |^ | $|=$|= ", command) is None
        assert shlex.split(command)
        assert ("kubectl" in command) != (action in (Action.RESTART_KUBELET, Action.REBOOT) and not every)
        about_pods = "delete pod" in command or "daemonset" in command
        assert (" -n gpu-operator " in command) == (about_pods or action is Action.CONFIG_MAP)
        if "delete pod" in command:
            assert " -l app=nvidia-device-plugin-daemonset" in command
    if action in ON_NODES and len(nodes) <= NAMED_MOST:
        assert all(
            any(name in shlex.split(re.sub("[=]", " ", command)) for command in commands) for name in nodes
        )


@pytest.mark.parametrize("force", [True, False])
@pytest.mark.parametrize("nodes", [NODES[:1], NODES])
def test_a_pod_that_is_known_is_deleted_by_its_name(nodes: tuple[str, ...], force: bool) -> None:
    names = tuple(f"plugin-{name}" for name in nodes)
    (command,) = typed(Action.DELETE_POD, names, nodes=nodes, force=force)
    assert command.startswith(f"kubectl delete pod -n gpu-operator {' '.join(names)}")
    assert command.endswith(" --force --grace-period=0") == force
    assert "field-selector" not in command


def test_no_text_of_a_scenario_is_more_than_one_word_of_a_command() -> None:
    hostile = "r2; rm -rf 'x' $(y)"
    (command,) = typed(Action.TEMPLATE, template=hostile)
    assert shlex.split(command)[-1] == f"{hostile}.yaml"
    (command,) = typed(Action.PATCH, max_unavailable=hostile)
    patch = json.loads(shlex.split(command)[-1])
    assert patch["spec"]["updateStrategy"]["rollingUpdate"] == {"maxUnavailable": hostile}


def test_the_pods_that_somebody_deleted_are_known_after_the_run() -> None:
    found = read(events=[{"at": 5, "deletePod": ["node-1", "node-3"]}, {"at": 9, "deletePod": "node-1"}])
    course = FleetTimeline(found, run_rollout(found).trace)
    before = {node.name: node.pods[0].name for node in course.at(4_999_999).nodes}
    assert course.deleted_by(found.events[0]) == (before["node-1"], before["node-3"])
    assert course.deleted_by(found.events[1])[0] not in before.values()
