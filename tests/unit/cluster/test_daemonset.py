"""The DaemonSet's spec, revisions and status lines against the cases, and one sync in states of special interest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.cluster.daemonset.history import History, UndoError
from labs.cluster.daemonset.pods import DaemonNode, DaemonPod, DaemonSetSpec
from labs.cluster.daemonset.spec import UpdateStrategy, budgets, numeric, refusal_text, refusals, scaled
from labs.cluster.daemonset.status import NOTHING, Status, rollout_status, status
from labs.cluster.daemonset.sync import BURST, Actions, BackOff, Standing, standing, sync, takes_place
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


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0, 0),
        (-3, -3),
        ("10%", 10),
        ("0%", 0),
        ("007%", 7),
        ("12", 12),
        ("+12", 12),
        ("-12", -12),
        ("-12%", 0),  # no percentage, and the sign % is no digit
        ("", 0),
        ("%", 0),
        ("1 %", 0),
        ("ten", 0),
        ("9223372036854775806", 2**63 - 2),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", 2**63 - 1),
        ("-9223372036854775807", -(2**63) + 1),
        ("-9223372036854775808", -(2**63)),
        ("-9223372036854775809", -(2**63)),
        ("0" * 30 + "7", 7),
        ("10000000000000000000", 2**63 - 1),
        ("-" + "9" * 20, -(2**63)),
    ],
)
def test_the_number_in_a_value_is_read_as_go_reads_it(value: int | str, number: int) -> None:
    """An int of Go has 64 bits; strconv.Atoi gives the nearest beside its error."""
    assert numeric(value) == number


def test_a_strategy_has_the_defaults_of_the_api_server() -> None:
    """SetDefaults_DaemonSet: RollingUpdate, maxUnavailable 1, maxSurge 0."""
    assert UpdateStrategy() == UpdateStrategy("RollingUpdate", 1, 0, has_rolling_update=False)
    assert refusals(UpdateStrategy()) == ()


@pytest.mark.parametrize(
    ("given", "rolls", "surges"),
    [
        (rolling(), True, False),
        (rolling(0, 1), True, True),
        (rolling(0, 2), True, True),
        (rolling(0, "1%"), True, True),
        (rolling(1, "0%"), True, False),
        (UpdateStrategy("OnDelete", 0, 1), False, False),
    ],
)
def test_which_strategies_roll_and_which_let_two_pods_run(
    given: UpdateStrategy, *, rolls: bool, surges: bool
) -> None:
    assert (given.rolls, given.allows_surge) == (rolls, surges)


@pytest.mark.parametrize(("seconds", "fields"), [(-1, ["minReadySeconds"]), (0, []), (1, [])])
def test_min_ready_seconds_may_not_be_negative(seconds: int, fields: list[str]) -> None:
    assert [refusal.field for refusal in refusals(rolling(), min_ready_seconds=seconds)] == fields


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        (rolling(1, 1), ["maxSurge"]),
        (rolling(2, 1), ["maxSurge"]),
        (rolling(1, 2), ["maxSurge"]),
        (rolling("1%", "1%"), ["maxSurge"]),
        (rolling(1, "0%"), []),
        (rolling("0%", 1), []),
        (rolling(0, 0), ["maxUnavailable"]),
        (rolling(2), []),
        (rolling(0, 2), []),
        (rolling(0, "100%"), []),
        (rolling(0, "101%"), ["maxSurge"]),
        (rolling(0, -1), ["maxSurge"]),
        (rolling(0, "x"), ["maxSurge", "maxUnavailable"]),
        (rolling(101), []),
        (rolling("200"), ["maxUnavailable"]),
    ],
)
def test_which_of_the_two_budgets_is_refused(given: UpdateStrategy, fields: list[str]) -> None:
    assert [refusal.field for refusal in refusals(given)] == [
        f"updateStrategy.rollingUpdate.{field}" for field in fields
    ]


def test_text_that_is_refused_is_shown_as_it_was_written() -> None:
    (refusal,) = refusals(rolling("\u4e00%"))[:1]
    assert refusal.value == 'intstr.IntOrString{Type:1, IntVal:0, StrVal:"\u4e00%"}'


@pytest.mark.parametrize(("written", "pointer"), [(True, "0xc0\u2026"), (False, "nil")])
def test_an_unknown_strategy_is_shown_with_a_pointer_where_the_file_wrote_budgets(
    *, written: bool, pointer: str
) -> None:
    (refusal,) = refusals(UpdateStrategy("Recreate", has_rolling_update=written))
    assert f"RollingUpdate:(*apps.RollingUpdateDaemonSet)({pointer})" in str(refusal)


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


@pytest.mark.parametrize(
    ("given", "nodes", "pods"),
    [
        (rolling("0%", "0%"), 3, (1, 0)),
        (rolling("0%", "0%"), 1, (1, 0)),
        (rolling("0%", "0%"), 0, (0, 0)),
        (rolling("10%"), 0, (0, 0)),
        (rolling(3), 0, (3, 0)),
        (rolling(0, 1), 3, (0, 1)),
        (rolling(0, "50%"), 3, (0, 2)),
        (rolling("34%"), 3, (2, 0)),
        (rolling(1), 3, (1, 0)),
    ],
)
def test_a_budget_is_never_zero_where_there_is_a_node(
    given: UpdateStrategy, nodes: int, pods: tuple[int, int]
) -> None:
    assert budgets(given, nodes) == pods


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


@pytest.mark.parametrize(("revisions", "kept"), [(1, 1), (10, 10), (11, 11), (12, 11), (13, 11)])
def test_the_current_revision_and_ten_old_ones_are_kept(revisions: int, kept: int) -> None:
    """The default of spec.revisionHistoryLimit is 10."""
    history = History.created("r1")
    for number in range(2, revisions + 1):
        history = history.apply(f"r{number}")
    cleaned = history.cleaned(())
    assert [number for _, number in cleaned.numbers] == list(range(revisions - kept + 1, revisions + 1))
    assert cleaned.current == f"r{revisions}"


def test_of_revisions_that_pods_use_more_than_ten_may_be_kept() -> None:
    history = History.created("r1")
    for number in range(2, 15):
        history = history.apply(f"r{number}")
    every = {template for template, _ in history.numbers}
    assert history.cleaned(every) == history


def test_undo_to_the_first_revision_goes_there_and_no_number_goes_to_the_one_before() -> None:
    history = History.created("a").apply("b").apply("c")
    assert history.undo(1) == (History("a", (("b", 2), ("c", 3), ("a", 4))), "rolled back")
    assert history.undo() == (History("b", (("a", 1), ("c", 3), ("b", 4))), "rolled back")
    assert history.undo(3) == (
        history,
        "skipped rollback (current template already matches revision 3)",
    )


# Status lines


@pytest.mark.parametrize("case", CASES["rollout_status_cases"], ids=lambda case: case["line"])
def test_the_lines_of_kubectl_rollout_status(case: dict[str, Any]) -> None:
    given = UpdateStrategy(case.get("strategy", "RollingUpdate"))
    count = {name: case.get(name, 0) for name in ("desired", "updated", "available")}
    found = Status(current=0, misscheduled=0, ready=0, **count)
    generations = case.get("generation", 1), case.get("observedGeneration", 1)
    assert rollout_status("foo", given, found, *generations) == (case["line"], case["done"])


def test_a_spec_that_was_changed_once_is_waited_for() -> None:
    complete = Status(desired=1, current=1, misscheduled=0, ready=1, updated=1, available=1)
    assert not rollout_status("foo", rolling(), complete, generation=2)[1]
    assert rollout_status("foo", rolling(), complete)[1]


def test_numbers_of_two_sets_of_nodes_are_added_one_by_one() -> None:
    one, other = Status(1, 2, 3, 4, 5, 6), Status(10, 20, 30, 40, 50, 60)
    assert one.plus(other) == Status(11, 22, 33, 44, 55, 66)
    assert one.plus(NOTHING) == one


def test_the_status_in_json() -> None:
    assert Status(9, 2, 3, 4, 5, 6).to_json() == {
        "desired": 9,
        "current": 2,
        "misscheduled": 3,
        "ready": 4,
        "updated": 5,
        "available": 6,
        "unavailable": 3,
    }


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
        ([node("a", OLD, pod("p-7")), node("b", OLD)], [], ["a"]),
        ([node("a", NEW, pod("p-7", "r2")), node("b", OLD)], [], ["a"]),
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


@pytest.mark.parametrize(
    "budget", [rolling(1), rolling(3), rolling("50%"), rolling(0, 1), rolling(0, 3), rolling(0, "50%")]
)
@pytest.mark.parametrize("left_out", [0, 1, 4])
def test_nodes_that_have_what_they_need_may_be_left_out_and_counted(
    budget: UpdateStrategy, left_out: int
) -> None:
    spec = DaemonSetSpec(budget, "r2")
    rest = [node(f"z-{number}", pod(f"p-{20 + number}", "r2")) for number in range(left_out)]
    fleet = [
        node("a", OLD),
        node("b", OLD, pod("p-9", "r2", ready=None)),
        node("c", STUCK_OLD),
        node("d", NEW),
    ]
    whole = sync([*fleet, *rest], spec, {}, 100 * SECOND)
    assert whole
    assert sync(fleet, spec, {}, 100 * SECOND, status(rest, spec, 100 * SECOND)) == whole


def test_a_failed_pod_is_deleted_after_its_back_off() -> None:
    fleet = node("a", FAILED)
    assert synced(fleet).failed == (("a", "p-6"),)
    waiting = {"a": BackOff(99 * SECOND, 2 * SECOND)}
    assert not synced(fleet, back_off=waiting)
    assert BackOff(0, 512 * SECOND).next(600 * SECOND) == BackOff(600 * SECOND, 900 * SECOND)
    assert BackOff(0, 900 * SECOND).next(2000 * SECOND).wait_us == SECOND


@pytest.mark.parametrize(
    ("wait_s", "after_s", "next_wait_s"),
    [
        (1, 1, 2),
        (2, 1799, 4),
        (256, 512, 512),
        (512, 900, 900),
        (900, 901, 900),
        (900, 1800, 900),
        (900, 1801, 1),
    ],
)
def test_a_back_off_doubles_up_to_15_minutes_and_is_forgotten_after_twice_that(
    wait_s: int, after_s: int, next_wait_s: int
) -> None:
    since, now = 7_000_000, (7 + after_s) * 1_000_000
    assert BackOff(since, wait_s * 1_000_000).next(now) == BackOff(now, next_wait_s * 1_000_000)


@pytest.mark.parametrize(("after_us", "holds"), [(0, True), (999_999, True), (1_000_000, False)])
def test_a_back_off_holds_until_its_wait_is_over(after_us: int, holds: bool) -> None:
    assert BackOff(5, 1_000_000).holds(5 + after_us) is holds


def test_a_sync_deletes_and_creates_250_at_most() -> None:
    many = [node(f"n-{number}", OLD) for number in range(300)]
    assert len(synced(*many, given=rolling("100%")).deletes) == BURST
    assert len(synced(*(node(f"n-{number}") for number in range(300))).creates) == BURST


@pytest.mark.parametrize(
    ("at", "surging", "plain"),
    [
        (node("a"), "fine", "unavailable"),
        (node("a", NEW), "fine", "fine"),
        (node("a", STUCK_NEW), "fine", "unavailable"),
        (node("a", OLD), "outdated", "outdated"),
        (node("a", STUCK_OLD), "broken", "broken"),
        (node("a", OLD, NEW), "replaced", "unavailable"),
        (node("a", OLD, STUCK_NEW), "unavailable", "unavailable"),
        (node("a", OLD, GOING), "outdated", "outdated"),
        (node("a", GOING, OLD), "outdated", "outdated"),
        (node("a", OLD, runs=False), "leaving", "outdated"),
        (node("a", STUCK_OLD, runs=False), "replaced", "broken"),
        (node("a", OLD, pod("p-9")), "unavailable", "unavailable"),
        (node("a", NEW, pod("p-9", "r2")), "unavailable", "unavailable"),
    ],
)
def test_what_a_node_is_to_a_rolling_update(at: DaemonNode, surging: str, plain: str) -> None:
    spec = DaemonSetSpec(rolling(), "r2")
    assert standing(at, spec, 100 * SECOND, surges=True)[0] == surging
    assert standing(at, spec, 100 * SECOND, surges=False)[0] == plain


@pytest.mark.parametrize(
    ("at", "old"),
    [
        (node("a", OLD), OLD),
        (node("a", OLD, STUCK_NEW), OLD),
        (node("a", NEW, OLD), OLD),
        (node("a", NEW), None),
        (node("a", OLD, pod("p-9")), None),
        (node("a", GOING), None),
    ],
)
def test_the_old_pod_of_a_node_is_the_only_one_of_another_revision(
    at: DaemonNode, old: DaemonPod | None
) -> None:
    assert standing(at, DaemonSetSpec(rolling(), "r2"), 100 * SECOND, surges=True)[1] == old


@pytest.mark.parametrize("kind", Standing)
def test_which_nodes_take_a_place_of_the_budget(kind: Standing) -> None:
    since_1_31 = DaemonSetSpec(rolling(), "r2")
    before = DaemonSetSpec(rolling(), "r2", counts_unavailable_old=False)
    waits, breaks = kind is Standing.UNAVAILABLE, kind is Standing.BROKEN
    assert takes_place(kind, since_1_31, surges=False) is (waits or breaks)
    assert takes_place(kind, since_1_31, surges=True) is waits
    assert takes_place(kind, before, surges=False) is waits


@pytest.mark.parametrize(
    ("budget", "deleted"), [(1, ["a"]), (2, ["a", "b"]), (3, ["a", "b", "c"]), (4, ["a", "b", "c"])]
)
def test_as_many_available_old_pods_go_at_once_as_the_budget_has_places(
    budget: int, deleted: list[str]
) -> None:
    fleet = [node(name, OLD) for name in "abc"]
    assert [name for name, _ in synced(*fleet, given=rolling(budget)).deletes] == deleted
    assert list(synced(*fleet, given=rolling(0, budget)).creates) == deleted


def test_of_a_budget_that_is_used_up_nothing_is_left() -> None:
    fleet = [*(node(name, STUCK_NEW) for name in "ab"), node("c", OLD)]
    assert not synced(*fleet, given=rolling(1))
    assert not synced(*fleet, given=rolling(2))
    assert synced(*fleet, given=rolling(3)).deletes == (("c", "p-1"),)


def test_with_surge_old_pods_leave_nodes_while_more_than_the_desired_are_available() -> None:
    """Each node that should have the DaemonSet is to keep an available Pod."""
    leaving = [node(name, OLD, runs=False) for name in "ab"]
    for ready, deleted in ((0, []), (1, ["a"]), (2, ["a", "b"])):
        wanted = [node(f"n-{at}", NEW if at < ready else STUCK_NEW) for at in range(2)]
        found = synced(*leaving, *wanted, given=rolling(0, 1))
        assert [name for name, _ in found.deletes] == deleted


def test_a_pod_on_a_node_that_excludes_it_goes_once() -> None:
    assert synced(node("a", OLD, GOING, runs=False, stays=False)).deletes == (("a", "p-1"),)


def test_without_surge_only_the_oldest_of_several_pods_stays() -> None:
    fleet = node("a", pod("p-9", "r2"), NEW, pod("p-7", "r2", ready=None))
    assert [name for _, name in synced(fleet).deletes] == ["p-7", "p-9"]


def test_with_surge_one_pod_of_each_revision_stays() -> None:
    pods = [pod("p-1"), pod("p-7"), pod("p-8", "r2", ready=None), pod("p-9", "r2", ready=None)]
    found = synced(node("a", *pods), given=rolling(0, 1))
    assert [name for _, name in found.deletes] == ["p-9", "p-7"]


def test_of_several_failed_pods_of_a_node_one_is_deleted_at_a_time() -> None:
    """The first deletion starts the wait."""
    both = node("a", FAILED, pod("p-7", "r2", ready=None, phase=Phase.FAILED))
    found = synced(both)
    assert (found.deletes, found.failed) == ((("a", "p-6"),), (("a", "p-6"),))


def test_a_pod_that_ended_well_is_deleted_and_no_failure() -> None:
    found = synced(node("a", ENDED))
    assert (found.deletes, found.failed) == ((("a", "p-8"),), ())


def test_a_node_that_is_fine_hides_none_that_lacks_its_pod() -> None:
    assert synced(node("a", NEW), node("b")).creates == ("b",)


@pytest.mark.parametrize(
    ("phase", "terminating", "lives"),
    [
        (Phase.RUNNING, False, True),
        (Phase.PENDING, False, True),
        (Phase.RUNNING, True, False),
        (Phase.FAILED, False, False),
        (Phase.SUCCEEDED, False, False),
    ],
)
def test_which_pods_live(phase: Phase, *, terminating: bool, lives: bool) -> None:
    assert pod("p-1", phase=phase, terminating=terminating).lives is lives


@pytest.mark.parametrize(("after_s", "available"), [(9, False), (10, True), (11, True)])
def test_a_ready_pod_is_available_after_min_ready_seconds(after_s: int, *, available: bool) -> None:
    ready = pod("p-1", ready=5 * SECOND)
    assert ready.available(10 * SECOND, (5 + after_s) * SECOND) is available
    assert not pod("p-1", ready=None).available(0, after_s * SECOND)


def test_a_spec_says_nothing_of_waiting_unless_it_is_told() -> None:
    spec = DaemonSetSpec(rolling(), "r2")
    assert (spec.min_ready_us, spec.counts_unavailable_old) == (0, True)


def test_a_burst_is_250() -> None:
    """BurstReplicas of pkg/controller/daemon."""
    assert BURST == 250


def test_nodes_without_pods_that_should_have_none_count_nowhere() -> None:
    fleet = [node("a", runs=False), node("b", OLD, runs=False), node("c", NEW), node("d", STUCK_NEW)]
    found = status(fleet, DaemonSetSpec(rolling(), "r1"), 0)
    assert found == Status(desired=2, current=2, misscheduled=1, ready=1, updated=0, available=1)


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
