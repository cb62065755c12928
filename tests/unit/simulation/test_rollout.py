"""Rollouts from scenario to end: all cases, any order, ways on, and what the reader refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.config.own.problem import ProblemsError
from labs.simulation.scenario.rollout.reader import read_rollout
from labs.simulation.trace import FailedDaemonPodFound
from labs.simulation.world.rollout.world import VISITS_A_RECORD, RolloutEnd, RolloutTooLargeError, run_rollout
from tests.some import some

_FOLDER = Path(__file__).parents[2] / "cases"
_TEXT = (_FOLDER / "rollout.yaml").read_text("utf-8")
CASES: list[dict[str, Any]] = yaml.safe_load(_TEXT[: _TEXT.index("\nvalidation_cases:")])
MORE: list[dict[str, Any]] = [
    {**case, "rollout": {"nodes": 5, "events": [{"at": 0, "template": "r2"}], **case["rollout"]}}
    for case in yaml.safe_load((_FOLDER / "rollout-more.yaml").read_text("utf-8"))["rollout_cases"]
]
BY_ID = {case["id"]: case for case in CASES}
STUCK = {"nodes": ["node-3"], "revisions": ["r2"], "pod": "never-ready"}
SEEDS, FEW_SEEDS = range(60), range(8)


def ended(rollout: dict[str, Any], **changed: Any) -> RolloutEnd:
    return run_rollout(read_rollout(yaml.safe_dump({"rollout": {**rollout, **changed}})))


def fleet(nodes: int = 5, *events: dict[str, Any], **more: Any) -> RolloutEnd:
    return ended({"nodes": nodes, "events": [{"at": 0, "template": "r2"}, *events], **more})


def counts(end: RolloutEnd) -> dict[str, int]:
    return end.status.to_json()


def allowed(found: dict[str, int], wanted: dict[str, Any]) -> bool:
    return all(
        want["min"] <= found[name] <= want["max"] if isinstance(want, dict) else found[name] == want
        for name, want in wanted.items()
    )


@pytest.mark.parametrize("case", [*CASES, *MORE], ids=lambda case: case["id"])
def test_a_case_ends_as_it_says(case: dict[str, Any]) -> None:
    end, wanted = ended(case["rollout"]), case["expect"]
    if "status" in wanted:
        assert (counts(end), end.line) == (wanted["status"], wanted.get("rolloutStatus", end.line))
    assert allowed(counts(end), wanted.get("anyOrder", {}))


@pytest.mark.parametrize(
    "case", [case for case in CASES if "anyOrder" in case["expect"]], ids=lambda case: case["id"]
)
def test_what_holds_in_any_order_holds_in_sixty_orders(case: dict[str, Any]) -> None:
    for seed in some(SEEDS):
        end = ended(case["rollout"], order={"seed": seed})
        assert allowed(counts(end), case["expect"]["anyOrder"]), seed


@pytest.mark.parametrize(
    "case", [case for case in MORE if "anyOrder" in case["expect"]], ids=lambda case: case["id"]
)
def test_so_does_what_holds_of_the_other_cases(case: dict[str, Any]) -> None:
    for seed in some(FEW_SEEDS):
        end = ended(case["rollout"], order={"seed": seed})
        assert allowed(counts(end), case["expect"]["anyOrder"]), seed


def test_a_crash_loop_can_look_like_success_for_a_moment() -> None:
    for until, done in ((15, False), (16, True), (17, True), (18, True), (19, False)):
        end = ended(BY_ID["T30b"]["rollout"], until=until)
        assert end.line.endswith("successfully rolled out") == done, until


@pytest.mark.parametrize(("run_seconds", "updated"), [(1, 2), (2, 3), (5, 5), (60, 5)])
def test_the_longer_a_crashing_container_lives_the_further_it_goes(run_seconds: int, updated: int) -> None:
    behaviour = {"nodes": "all", "revisions": ["r2"], "pod": "crash-loop", "runSeconds": run_seconds}
    assert fleet(behaviour=[behaviour]).status.updated == updated


def test_a_healthy_node_takes_its_stop_its_start_and_min_ready_seconds() -> None:
    done = [at for at, line in fleet(3, minReadySeconds=30).lines if line.endswith("rolled out")]
    assert done == [(1 + 3 * 37) * 1_000_000]


@pytest.mark.parametrize("surge", [False, True])
def test_without_a_stuck_pod_every_percentage_ends_in_success(surge: bool) -> None:
    for share in ("1%", "20%", "34%", "100%"):
        rolling = {"maxUnavailable": 0, "maxSurge": share} if surge else {"maxUnavailable": share}
        end = fleet(7, updateStrategy={"rollingUpdate": rolling})
        assert (end.status.updated, end.status.available, end.settled) == (7, 7, True)


def test_raising_the_budget_lets_it_go_on_without_a_new_revision() -> None:
    end = fleet(5, {"at": 60, "maxUnavailable": 2}, behaviour=[STUCK])
    assert (end.status.updated, end.status.unavailable, end.history.numbers[-1]) == (5, 1, ("r2", 2))


def test_a_refused_budget_changes_nothing() -> None:
    end = fleet(5, {"at": 60, "maxSurge": 1}, behaviour=[STUCK])
    assert end.error is not None
    assert "may not be set when maxUnavailable is non-zero" in end.error
    assert end.status.updated == 3


def test_taking_the_stuck_node_out_of_the_selector_lets_it_go_on() -> None:
    end = fleet(5, {"at": 60, "deselect": "node-3"}, behaviour=[STUCK])
    assert (end.status.desired, end.status.updated) == (4, 4)
    back = fleet(5, {"at": 60, "deselect": "node-3"}, {"at": 90, "select": "node-3"}, behaviour=[STUCK])
    assert (back.status.desired, back.status.updated, back.status.available) == (5, 5, 4)


def test_a_joining_node_gets_the_newest_revision_outside_the_budget() -> None:
    end = fleet(5, {"at": 60, "addNode": "node-6"}, behaviour=[STUCK])
    assert (end.status.desired, end.status.updated, end.status.unavailable) == (6, 4, 1)


def test_a_second_broken_template_leaves_three_revisions() -> None:
    end = fleet(5, {"at": 60, "template": "r3"}, behaviour=[{**STUCK, "revisions": ["r2", "r3"]}])
    assert end.status.updated == 1
    assert {pod.revision for node in end.nodes for pod in node.pods} == {"r1", "r2", "r3"}


def test_before_version_1_31_three_broken_templates_take_all_pods_down() -> None:
    assert ended(BY_ID["T44"]["rollout"], kubernetes="v1.30").status.available == 0


def test_a_taint_removes_the_daemon_for_good_and_reports_success() -> None:
    end = fleet(before=[{"nodes": ["node-2"], "state": "tainted"}])
    assert (end.status.desired, end.status.misscheduled, end.status.updated) == (4, 0, 4)


def test_with_tolerations_a_dead_node_stays_wanted() -> None:
    dead = [{"nodes": ["node-4"], "state": "down"}]
    end = fleet(before=dead, tolerateAll=True)
    assert counts(end) == {
        "desired": 5,
        "current": 5,
        "misscheduled": 0,
        "ready": 4,
        "updated": 0,
        "available": 4,
        "unavailable": 1,
    }
    forced = fleet(5, {"at": 60, "deletePod": "node-4", "force": True}, before=dead, tolerateAll=True)
    assert (forced.status.updated, forced.status.unavailable) == (1, 1)
    assert fleet(5, {"at": 60, "repair": "node-4"}, before=dead).status.available == 5


def test_with_surge_a_stuck_pod_is_not_counted_as_updated() -> None:
    rolling = {"rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    end = fleet(behaviour=[STUCK], updateStrategy=rolling)
    assert (end.status.updated, end.status.unavailable) == (2, 0)


def test_with_surge_a_pod_deleted_by_hand_has_its_successor_before_it_is_gone() -> None:
    surge = {"rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    for strategy, pods in ((surge, 2), ({}, 1)):
        deleted = [{"at": 3, "deletePod": "node-1"}]
        end = ended({"nodes": 1, "updateStrategy": strategy, "events": deleted, "until": 4})
        assert len(end.nodes[0].pods) == pods


def test_with_surge_a_node_whose_pods_all_fail_is_flooded_and_holds_the_rollout_up() -> None:
    surge = {"rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    failing = [{"nodes": ["node-6"], "revisions": ["r2"], "pod": "failed"}]
    events = [{"at": 0, "template": "r2"}, {"at": 3, "addNode": "node-6"}]
    read = read_rollout(
        yaml.safe_dump(
            {"rollout": {"nodes": 5, "behaviour": failing, "updateStrategy": surge, "events": events}}
        )
    )
    end = run_rollout(read)
    assert (end.status.updated, end.status.available) == (2, 5)
    assert len(end.nodes[5].pods) > 500
    with pytest.raises(RolloutTooLargeError):  # six nodes in 600 syncs are few, but not their Pods
        run_rollout(read, visit_limit=100_000)


def test_on_delete_waits_for_a_person() -> None:
    end = fleet(5, {"at": 60, "deletePod": "node-2"}, updateStrategy={"type": "OnDelete"})
    assert end.status.updated == 1
    assert end.line == "error: rollout status is only available for RollingUpdate strategy type"


@pytest.mark.parametrize("pod", ["never-ready", "pending", "failed", "crash-loop"])
def test_a_repair_ends_every_kind_of_trouble(pod: str) -> None:
    runs = {"runSeconds": 2} if pod == "crash-loop" else {}
    behaviour = {"nodes": ["node-3"], "revisions": ["r2"], "pod": pod, **runs}
    for at in (16.5, 60, 61, 62, 63):
        end = fleet(5, {"at": at, "repair": "node-3"}, behaviour=[behaviour], minReadySeconds=3)
        assert (end.status.updated, end.status.available) == (5, 5)


def test_a_change_of_the_spec_begins_the_waits_for_failed_pods_anew() -> None:
    """failedPodsBackoffKey has the observed generation."""
    failing = [{"nodes": ["node-1"], "revisions": ["r2"], "pod": "failed"}]
    events = [{"at": 0, "template": "r2"}, {"at": 100, "maxUnavailable": "40%"}]
    for given, deleted in ((events, [68, 101, 103, 105, 109]), (events[:1], [68, 132])):
        end = ended({"nodes": 2, "behaviour": failing, "events": given, "until": 140})
        told = [each for each in end.trace.rollout if isinstance(each, FailedDaemonPodFound)]
        assert [each.at_us // 1_000_000 for each in told if each.at_us > 60_000_000][:5] == deleted


@pytest.mark.parametrize("seed", range(10))
def test_an_undone_rollout_ends_where_it_began(seed: int) -> None:
    end = fleet(9, {"at": 30, "undo": True}, behaviour=[{**STUCK, "nodes": "all"}], order={"seed": seed})
    assert {pod.revision for node in end.nodes for pod in node.pods} == {"r1"}
    assert (end.status.available, end.history.numbers) == (9, (("r2", 2), ("r1", 3)))


def test_an_undo_that_kubectl_refuses_changes_nothing() -> None:
    end = ended({"nodes": 2, "events": [{"at": 5, "undo": True}]})
    assert [words for _, words in end.printed] == ["error: no last revision to roll back to"]


def test_the_spec_is_not_observed_before_the_first_sync() -> None:
    assert fleet(until=0.5).line == "Waiting for daemon set spec update to be observed..."


def test_equal_scenarios_have_equal_traces() -> None:
    first, second = (fleet(9, order={"seed": 4}) for _ in range(2))
    assert first.trace.hash() == second.trace.hash()
    assert fleet(9, order={"seed": 5}).trace.hash() != first.trace.hash()


@pytest.mark.parametrize(
    ("text", "allowed_keys"),
    [
        ("quiz: 1\nrollout: {nodes: 2}", "format, rollout"),
        ("rollout: {nodes: 2, revisions: {r2: {quiz: 1}}}", "config, configs"),
        ("rollout: {nodes: 2, events: [{at: 0, configMap: {config: a, quiz: 1}}]}", "config, configs"),
    ],
)
def test_an_unknown_key_names_those_allowed(text: str, allowed_keys: str) -> None:
    with pytest.raises(ProblemsError) as error:
        read_rollout(text)
    assert [problem.values.get("allowed") for problem in error.value.problems] == [allowed_keys]


def test_a_rollout_is_bounded() -> None:
    rollout = read_rollout("rollout: {nodes: 5, events: [{at: 0, template: r2}]}")
    with pytest.raises(RolloutTooLargeError):
        run_rollout(rollout, visit_limit=20)
    assert run_rollout(replace(rollout, until_us=10**12)).settled


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ["empty-rollout"]),
        ("rollout: {nodes: 0}", ["out-of-range"]),
        ("rollout: {}", ["missing-key"]),
        ("horizon: 1m\nnodes: []\nworkloads: []\nseed: 1\nfaults: []", ["no-rollout"]),
        ("rollout: null\nworkloads: []", ["no-rollout"]),
        ("seed: 1", ["missing-key", "reserved-key"]),
        ("rollout: {nodes: 2, evnts: []}", ["unknown-key-near"]),
        ("rollout: {nodes: 2}\nworkloads: []", ["reserved-key"]),
        ("rollout: {nodes: 2, kubernetes: v1.20}", ["bad-kubernetes"]),
        ("rollout: {nodes: 2, startupSeconds: soon}", ["bad-seconds"]),
        ("rollout: {nodes: 2, startupSeconds: -1}", ["bad-seconds"]),
        ("rollout: {nodes: 2, tolerateAll: 1}", ["not-one-of"]),
        ("rollout: {nodes: 2, order: age}", ["not-one-of"]),
        ("rollout: {nodes: 2, before: [{nodes: [node-3], state: down}]}", ["unknown-node"]),
        ("rollout: {nodes: 2, events: [{at: 0}]}", ["one-deed"]),
        ("rollout: {nodes: 2, events: [{at: 0, template: r2, undo: true}]}", ["one-deed"]),
        ("rollout: {nodes: 2, events: [{at: 0, configMap: gone}]}", ["not-one-of"]),
        ("rollout: {nodes: 2, updateStrategy: {rollingUpdate: {maxSurge: 1.5}}}", ["not-int-or-percent"]),
        ("rollout: {nodes: 2, behaviour: [{nodes: all, revisions: [r2], pod: crash-loop}]}", ["missing-key"]),
    ],
)
def test_the_reader_names_what_is_wrong(text: str, problems: list[str]) -> None:
    with pytest.raises(ProblemsError) as caught:
        read_rollout(text)
    assert [problem.key for problem in caught.value.problems] == problems


def test_an_empty_list_is_as_good_as_none() -> None:
    empty = read_rollout("rollout: {nodes: 2, before: [], behaviour: [], events: []}")
    assert empty == read_rollout("rollout: {nodes: 2}")


def test_a_scenario_may_carry_configs_and_any_form_of_time() -> None:
    rollout = read_rollout(
        "format: 1\nrollout: {nodes: 12, kubernetes: 1.30, startupSeconds: 1500ms, until: 2m,\n"
        "  revisions: {r1: {config: 'version: v1'}},\n"
        "  events: [{at: 1.5, configMap: {config: 'version: v1'}}, {at: 3s, cordon: [node-01, node-12]}]}\n"
    )
    assert (rollout.nodes[0], rollout.startup_us, rollout.until_us) == ("node-01", 1_500_000, 120_000_000)
    assert not rollout.counts_unavailable_old
    assert [event.at_us for event in rollout.events] == [1_500_000, 3_000_000]


@pytest.mark.parametrize(
    ("version", "available"),
    [
        ("v1.21.0", 0),
        ("v1.27.16", 0),
        ("v1.28.14", 0),
        ("v1.28.15", 2),
        ("v1.29.9", 0),
        ("v1.29.10", 2),
        ("v1.30", 0),
        ("v1.30.5", 0),
        ("1.30.6", 2),
        ("v1.30.14", 2),
        ("v1.31", 2),
        ("v1.31.0", 2),
        ("newest", 2),
    ],
)
def test_three_broken_templates_in_a_row_take_all_pods_before_the_release_that_counts_them(
    version: str, available: int
) -> None:
    broken = {"nodes": "all", "revisions": ["r2", "r3", "r4"], "pod": "never-ready"}
    more = ({"at": 60, "template": "r3"}, {"at": 120, "template": "r4"})
    assert fleet(3, *more, kubernetes=version, behaviour=[broken]).status.available == available


@pytest.mark.parametrize("version", ["v1.20.9", "v2.1", "v1", "v1.30.", "v1.30.6.1", "v1.30.6-gke", "oldest"])
def test_what_is_no_version_from_the_oldest_on_is_refused(version: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        fleet(3, kubernetes=version)
    assert [problem.key for problem in caught.value.problems] == ["bad-kubernetes"]


def test_five_thousand_nodes_one_by_one_cost_by_what_happens() -> None:
    rollout = read_rollout("rollout: {nodes: 5000, until: 36000, events: [{at: 0, template: r2}]}")
    end = run_rollout(rollout)
    assert (end.status.updated, end.status.available, end.settled) == (5_000, 5_000, True)
    records = VISITS_A_RECORD * len(end.trace.rollout)
    assert run_rollout(rollout, visit_limit=records + 10 * 5_000).trace.hash() == end.trace.hash()


@pytest.mark.parametrize(
    "pod",
    ["pod: failed", "pod: never-ready", "pod: pending", "pod: init-stuck", "pod: crash-loop, runSeconds: 1"],
)
def test_nodes_that_can_only_wait_cost_nothing_while_they_do(pod: str) -> None:
    """All 400 fail at once, and 9 minutes pass: a sync of all in each second would be 240,000 visits."""
    budget = "updateStrategy: {rollingUpdate: {maxUnavailable: 100%}}"
    behaviour = (
        f"behaviour: [{{nodes: all, revisions: [r2], {pod}}}, {{nodes: all, revisions: [r3], pod: failed}}]"
    )
    events = "events: [{at: 0, template: r2}, {at: 300, template: r3}, {at: 301, maxUnavailable: 3}]"
    rollout = read_rollout(f"rollout: {{nodes: 400, until: 600, {budget}, {behaviour}, {events}}}")
    end = run_rollout(rollout)
    assert (end.status.updated, end.status.available) == (400, 0)
    assert run_rollout(rollout, visit_limit=VISITS_A_RECORD * len(end.trace.rollout) + 30_000) is not None


def test_what_is_written_down_counts_towards_the_limit_by_what_it_costs() -> None:
    """60 nodes that fail for a day are visited some thousand times, and leave 50,000 records."""
    failing = "behaviour: [{nodes: all, revisions: [r2], pod: failed}], events: [{at: 0, template: r2}]"
    strategy = "updateStrategy: {rollingUpdate: {maxUnavailable: 100%}}"
    rollout = read_rollout(f"rollout: {{nodes: 60, until: 86400, {strategy}, {failing}}}")
    assert len(run_rollout(rollout).trace.rollout) < 80_000
    with pytest.raises(RolloutTooLargeError):
        run_rollout(rollout, visit_limit=100_000)


def test_labels_before_the_start_are_sorted_out_once() -> None:
    """For each of 300 nodes that join anew it would be 300 times 300,000 of them."""
    before = ", ".join(f"{{nodes: all, label: x{number}}}" for number in range(1_000))
    events = ", ".join(
        f"{{at: {number}, deleteNode: node-{number:03}}}, {{at: {number + 0.5}, addNode: node-{number:03}}}"
        for number in range(1, 301)
    )
    rollout = read_rollout(f"rollout: {{nodes: 300, before: [{before}], events: [{events}]}}")
    assert {node.label for node in run_rollout(rollout).fleet} == {"x999"}


@pytest.mark.parametrize("surge", [False, True])
def test_a_wave_is_250_pods_at_most(surge: bool) -> None:
    rolling = {"maxUnavailable": 0, "maxSurge": "100%"} if surge else {"maxUnavailable": "100%"}
    strategy = {"rollingUpdate": rolling}
    first = fleet(600, updateStrategy=strategy, until=1).nodes
    assert sum(len(node.pods) > 1 or node.pods[0].terminating for node in first) == 250
    assert fleet(600, updateStrategy=strategy).status.updated == 600


def test_many_actions_at_one_instant_are_bounded_too() -> None:
    actions = ", ".join(["{at: 1, cordon: all}"] * 1_000)
    with pytest.raises(RolloutTooLargeError):
        run_rollout(read_rollout(f"rollout: {{nodes: 5000, events: [{actions}]}}"), visit_limit=100_000)


def test_many_unknown_nodes_are_told_in_bearable_time() -> None:
    names = ", ".join(f"gone-{number}" for number in range(5_000))
    with pytest.raises(ProblemsError) as caught:
        read_rollout(f"rollout: {{nodes: 5000, before: [{{nodes: [{names}], state: down}}]}}")
    assert {problem.key for problem in caught.value.problems} == {"unknown-node"}
