"""The DaemonSet's spec, revisions and status lines against the cases, and one sync in states of special interest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.cluster.daemonset.history import History, UndoError
from labs.cluster.daemonset.pods import DaemonNode, DaemonPod, DaemonSetSpec
from labs.cluster.daemonset.spec import UpdateStrategy, budgets, refusal_text, refusals, scaled
from labs.cluster.daemonset.status import Status, rollout_status, status
from labs.cluster.daemonset.sync import BURST, Actions, BackOff, sync
from labs.cluster.pod_phase import Phase

SECOND = 1_000_000
_TEXT = (Path(__file__).parents[2] / "cases" / "rollout.yaml").read_text("utf-8")
CASES: dict[str, Any] = yaml.safe_load(_TEXT[_TEXT.index("\nvalidation_cases:") :])


def strategy(given: dict[str, Any]) -> UpdateStrategy:
    rolling = given.get("rollingUpdate", {})
    return UpdateStrategy(
        given.get("type", "RollingUpdate"), rolling.get("maxUnavailable", 1), rolling.get("maxSurge", 0)
    )


def rolling(unavailable: int | str = 1, surge: int | str = 0) -> UpdateStrategy:
    return UpdateStrategy(max_unavailable=unavailable, max_surge=surge)


# Validation and rounding


@pytest.mark.parametrize("case", CASES["validation_cases"], ids=lambda case: str(case["updateStrategy"]))
def test_the_api_server_accepts_and_refuses_as_the_cases_say(case: dict[str, Any]) -> None:
    found = refusals(strategy(case["updateStrategy"]))
    assert (not found) == case["accepted"]
    if found:
        kinds = {
            "Required": "Required value",
            "Invalid": "Invalid value",
            "NotSupported": "Unsupported value",
        }
        field = found[0].field.removeprefix("updateStrategy.")
        assert (field, found[0].kind) == (case["field"], kinds[case["type"]])
        plain = found[0].detail.replace("supported values:", "supported values").replace('"', "")
        assert plain == case["detail"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            rolling(0),
            "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0",
        ),
        (
            rolling(1, 1),
            "spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "
            'intstr.IntOrString{Type:0, IntVal:1, StrVal:""}: may not be set when maxUnavailable is non-zero',
        ),
        (
            rolling(-1),
            "spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: -1: "
            "must be greater than or equal to 0",
        ),
        (
            rolling("101%"),
            "spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "
            'intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
        ),
        (
            UpdateStrategy("Recreate"),
            'spec.updateStrategy: Unsupported value: apps.DaemonSetUpdateStrategy{Type:"Recreate", '
            'RollingUpdate:(*apps.RollingUpdateDaemonSet)(nil)}: supported values: "RollingUpdate", "OnDelete"',
        ),
    ],
)
def test_one_refusal_is_told_as_kubectl_tells_it(given: UpdateStrategy, words: str) -> None:
    assert refusal_text("x", refusals(given)) == f'The DaemonSet "x" is invalid: {words}'


@pytest.mark.parametrize("text", ["9223372036854775808", "9" * 40])
def test_a_number_past_64_bits_is_the_largest_one(text: str) -> None:
    """strconv.Atoi gives it beside its error, which validation does not look at."""
    assert [refusal.detail for refusal in refusals(rolling(f"{text}%"))] == ["must not be greater than 100%"]
    for sign in ("", "-"):
        found = refusals(rolling(sign + text, 1))
        assert [refusal.field.rpartition(".")[2] for refusal in found] == ["maxUnavailable", "maxSurge"]


def test_several_refusals_are_a_list() -> None:
    text = refusal_text("x", refusals(rolling("abc"), min_ready_seconds=-1))
    assert [line.split(":")[0] for line in text.splitlines()[1:]] == [
        "* spec.minReadySeconds",
        "* spec.updateStrategy.rollingUpdate.maxUnavailable",
        "* spec.updateStrategy.rollingUpdate.maxUnavailable",
    ]


@pytest.mark.parametrize("case", CASES["rounding_cases"], ids=str)
def test_percentages_round_up(case: dict[str, Any]) -> None:
    assert scaled(case["value"], case["nodes"]) == case["result"]


def test_a_budget_is_never_zero_where_there_is_a_node() -> None:
    assert budgets(rolling("0%", "0%"), 3) == (1, 0)
    assert budgets(rolling("10%"), 0) == (0, 0)


# Revisions


@pytest.mark.parametrize("case", CASES["history_cases"], ids=lambda case: " ".join(case["steps"]))
def test_revisions_and_undo_as_the_cases_say(case: dict[str, Any]) -> None:
    first, *steps = case["steps"]
    history = History.created(first.removeprefix("create "))
    printed: str | None = None
    try:
        for step in steps:
            if step.startswith("undo"):
                history, printed = history.undo(int(step.partition("=")[2] or 0))
            else:
                history = history.apply(step)
    except UndoError as error:
        printed = str(error)
    if "revisions" in case:
        assert dict(history.numbers) == case["revisions"]
    else:
        assert printed == case.get("error", case.get("output"))


def test_the_same_template_again_makes_no_revision() -> None:
    assert History.created("r1").apply("r1") == History.created("r1")


def test_ten_old_revisions_are_kept_and_those_that_pods_use() -> None:
    history = History.created("r1")
    for number in range(2, 15):
        history = history.apply(f"r{number}")
    kept = [template for template, _ in history.cleaned({"r1"}).numbers]
    assert kept == ["r1", *(f"r{number}" for number in range(5, 15))]


# Status lines


@pytest.mark.parametrize("case", CASES["rollout_status_cases"], ids=lambda case: case["line"])
def test_the_lines_of_kubectl_rollout_status(case: dict[str, Any]) -> None:
    given = UpdateStrategy(case.get("strategy", "RollingUpdate"))
    count = {name: case.get(name, 0) for name in ("desired", "updated", "available")}
    found = Status(current=0, misscheduled=0, ready=0, **count)
    generations = case.get("generation", 1), case.get("observedGeneration", 1)
    assert rollout_status("foo", given, found, *generations) == (case["line"], case["done"])


# One sync


def pod(
    name: str,
    revision: str = "r1",
    *,
    ready: int | None = 0,
    phase: Phase = Phase.RUNNING,
    terminating: bool = False,
    scheduled: bool = True,
) -> DaemonPod:
    return DaemonPod(name, revision, 0, int(name.rpartition("-")[2]), phase, ready, terminating, scheduled)


def node(name: str, *pods: DaemonPod, runs: bool = True, stays: bool = True) -> DaemonNode:
    return DaemonNode(name, runs, stays, pods)


def synced(
    *nodes: DaemonNode,
    given: UpdateStrategy | None = None,
    back_off: dict[str, BackOff] | None = None,
    **spec: Any,
) -> Actions:
    return sync(nodes, DaemonSetSpec(given or rolling(), "r2", **spec), back_off or {}, 100 * SECOND)


OLD, NEW = pod("p-1"), pod("p-2", "r2")
STUCK_OLD, STUCK_NEW = pod("p-3", ready=None), pod("p-4", "r2", ready=None)
GOING = pod("p-5", terminating=True)
FAILED = pod("p-6", "r2", ready=None, phase=Phase.FAILED)
ENDED = pod("p-8", "r2", ready=None, phase=Phase.SUCCEEDED)


@pytest.mark.parametrize(
    ("nodes", "deleted"),
    [
        ([node("a", OLD), node("b", OLD)], ["a"]),
        ([node("a", STUCK_NEW), node("b", OLD)], []),
        ([node("a", GOING), node("b", OLD)], []),
        ([node("a", STUCK_OLD), node("b", STUCK_OLD), node("c", OLD)], ["a", "b"]),
        ([node("a", OLD), node("b", STUCK_OLD)], ["b"]),
        ([node("a", GOING, runs=False), node("b", OLD)], []),
        ([node("a", runs=False), node("b", OLD)], ["b"]),
        ([node("a", OLD, runs=False, stays=False), node("b", OLD)], ["a"]),
    ],
)
def test_without_surge_unavailable_old_pods_go_and_others_within_the_budget(
    nodes: list[DaemonNode], deleted: list[str]
) -> None:
    assert [name for name, _ in synced(*nodes).deletes] == deleted


def test_before_version_1_31_unavailable_old_pods_take_no_budget() -> None:
    fleet = [node("a", STUCK_OLD), node("b", OLD)]
    assert [name for name, _ in synced(*fleet, counts_unavailable_old=False).deletes] == ["a", "b"]


def test_a_pod_is_available_once_it_was_ready_for_min_ready_seconds() -> None:
    fleet = [node("a", pod("p-1", "r2", ready=70 * SECOND)), node("b", pod("p-2", ready=0))]
    assert not synced(*fleet, min_ready_us=31 * SECOND)
    assert synced(*fleet, min_ready_us=30 * SECOND).deletes == (("b", "p-2"),)


def test_on_delete_replaces_nothing_but_fills_gaps() -> None:
    assert synced(node("a", OLD), given=UpdateStrategy("OnDelete")) == Actions()
    assert synced(node("a"), given=UpdateStrategy("OnDelete")).creates == ("a",)


def test_while_pods_are_created_nothing_rolls() -> None:
    assert synced(node("a"), node("b", OLD), given=rolling(2)) == Actions(creates=("a",))


@pytest.mark.parametrize(
    ("nodes", "creates", "deleted"),
    [
        ([node("a", OLD), node("b", OLD)], ["a"], []),
        ([node("a", OLD, STUCK_NEW), node("b", OLD)], [], []),
        ([node("a", OLD, NEW), node("b", OLD)], [], ["a"]),
        ([node("a", STUCK_OLD), node("b", OLD)], ["a", "b"], []),
        ([node("a", STUCK_OLD, STUCK_NEW)], [], ["a"]),
        ([node("a", OLD, runs=False), node("b", NEW)], [], ["a"]),
        ([node("a", OLD, runs=False), node("b", STUCK_NEW)], [], []),
        ([node("a", STUCK_OLD, runs=False), node("b", STUCK_NEW)], [], ["a"]),
        ([node("a", OLD, STUCK_NEW, runs=False), node("b", NEW), node("c", OLD)], [], []),
        ([node("a", OLD, NEW, runs=False), node("b", STUCK_NEW)], [], ["a"]),
        ([node("a", FAILED, pod("p-7", "r2", ready=None)), node("b", OLD)], [], ["a"]),
        ([node("a", STUCK_NEW, pod("p-7", "r2", ready=None)), node("b", OLD)], [], ["a"]),
    ],
)
def test_with_surge_new_pods_come_first(
    nodes: list[DaemonNode], creates: list[str], deleted: list[str]
) -> None:
    found = synced(*nodes, given=rolling(0, 1))
    assert (list(found.creates), [name for name, _ in found.deletes]) == (creates, deleted)


@pytest.mark.parametrize(
    ("gone", "deleted"),
    [([GOING], []), ([FAILED], ["p-6"]), ([GOING, FAILED], ["p-6"]), ([ENDED], ["p-8"])],
)
def test_with_surge_a_node_always_has_a_pod_that_lives(gone: list[DaemonPod], deleted: list[str]) -> None:
    """podsShouldBeOnNode: "we need to have at least one non-deleted pod on the node"."""
    for given, creates in ((rolling(0, 1), ["a"]), (rolling(), [])):
        found = synced(node("a", *gone), given=given)
        assert (list(found.creates), [name for _, name in found.deletes]) == (creates, deleted)
    assert not synced(node("a", GOING, runs=False), given=rolling(0, 1))


def test_with_surge_a_failed_pod_that_waits_gets_another_beside_it_and_both_take_the_budget() -> None:
    """So kubelet and controller chase each other (kubernetes#124388), and the rollout halts."""
    waiting = {"a": BackOff(99 * SECOND, 2 * SECOND)}
    assert synced(node("a", FAILED), given=rolling(0, 1), back_off=waiting) == Actions(creates=("a",))
    two = node("a", FAILED, pod("p-7", "r2", ready=None))
    assert not synced(two, node("b", OLD), given=rolling(0, 1), back_off=waiting)
    assert synced(two, node("b", OLD), given=rolling(0, 2), back_off=waiting).creates == ("b",)


def test_a_failed_pod_is_deleted_after_its_back_off() -> None:
    fleet = node("a", FAILED)
    assert synced(fleet).failed == (("a", "p-6"),)
    waiting = {"a": BackOff(99 * SECOND, 2 * SECOND)}
    assert not synced(fleet, back_off=waiting)
    assert BackOff(0, 512 * SECOND).next(600 * SECOND) == BackOff(600 * SECOND, 900 * SECOND)
    assert BackOff(0, 900 * SECOND).next(2000 * SECOND).wait_us == SECOND


def test_a_sync_deletes_and_creates_250_at_most() -> None:
    many = [node(f"n-{number}", OLD) for number in range(300)]
    assert len(synced(*many, given=rolling("100%")).deletes) == BURST
    assert len(synced(*(node(f"n-{number}") for number in range(300))).creates) == BURST


def test_the_oldest_scheduled_pod_decides_the_status() -> None:
    fleet = [
        node("a", NEW, OLD),
        node("b", pod("p-1", ready=None, scheduled=False), NEW),
        node("c", GOING, runs=False),
        node("d"),
    ]
    found = status(fleet, DaemonSetSpec(rolling(), "r2"), 0)
    assert found == Status(desired=3, current=2, misscheduled=1, ready=2, updated=1, available=2)
    assert found.unavailable == 1
