"""Nodes and the scheduler: who fits where, and what is said where nobody does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.cluster.advertise import advertise
from labs.cluster.allocation import SlotId
from labs.cluster.gpu import PhysicalGpu
from labs.cluster.node import Allocation, Node
from labs.cluster.scheduler import Scheduler
from labs.config.plugin.loader import load

GPU = "nvidia.com/gpu"
SHARED = "nvidia.com/gpu.shared"
CARD = PhysicalGpu("NVIDIA A100-SXM4-40GB", 40960, (8, 0))


def sharing(replicas: int, more: str = "") -> str:
    return (
        "version: v1\nsharing: {timeSlicing: {"
        + more
        + f"resources: [{{name: nvidia.com/gpu, replicas: {replicas}}}]}}}}\n"
    )


def node(name: str = "n", *, cards: int = 1, order: int = 0, text: str = "") -> Node:
    loaded = load(text)
    return Node(name, order, advertise(loaded, [CARD] * cards), loaded.setting)


def nodes(*cards: int) -> list[Node]:
    return [node(f"n{order}", cards=count, order=order) for order, count in enumerate(cards)]


def place(scheduler: Scheduler, request: list[tuple[str, int]]) -> str | None:
    """Schedules and allocates, as the world does; the node's name."""
    chosen = scheduler.choose(request)
    if chosen is None:
        return None
    chosen.allocate(request)
    scheduler.mark_changed(chosen)
    return chosen.name


# Nodes


def test_a_node_without_sharing_offers_its_cards() -> None:
    assert node(cards=4).free(GPU) == 4


def test_a_shared_node_offers_its_cards_times_the_replicas() -> None:
    assert node(cards=4, text=sharing(5)).free(GPU) == 20


def test_each_card_is_offered_with_its_replicas_and_a_node_that_does_not_register_offers_none() -> None:
    assert [node(cards=2, text=sharing(5)).slots(gpu) for gpu in (0, 1, 2)] == [5, 5, 0]
    assert node().slots(0) == 1
    assert node(text="version: v9").slots(0) == 0


def test_a_renamed_resource_is_offered_under_its_new_name_only() -> None:
    renamed = node(cards=2, text=sharing(3, "renameByDefault: true, "))
    assert (renamed.free(SHARED), renamed.free(GPU)) == (6, 0)


@pytest.mark.parametrize("text", [sharing(1), "version: v2", "sharing: [", "nonsense: ["])
def test_a_node_whose_config_is_refused_offers_nothing(text: str) -> None:
    refused = node(text=text)
    assert (refused.pools, refused.free(GPU)) == ({}, 0)
    assert refused.advertisement.error is not None
    assert not refused.fits([(GPU, 1)])


def test_slots_of_one_card_are_one_device() -> None:
    allocation = node(cards=1, text=sharing(4)).allocate([(GPU, 3)])
    assert allocation.gpus == (0,)
    assert len(allocation.slots[GPU]) == 3


def test_what_is_given_back_is_free_again() -> None:
    shared = node(cards=2, text=sharing(2))
    allocation = shared.allocate([(GPU, 3)])
    assert shared.free(GPU) == 1
    shared.release(allocation)
    assert shared.free(GPU) == 4


def test_the_policy_of_the_config_is_used() -> None:
    packed = sharing(2) + "flags: {plugin: {sharedDevicesAllocationPolicy: packed}}\n"
    assert node(cards=2, text=packed).allocate([(GPU, 2)]).gpus == (0,)
    assert node(cards=2, text=sharing(2)).allocate([(GPU, 2)]).gpus == (0, 1)


@pytest.mark.parametrize(
    ("text", "units", "refused"),
    [
        (sharing(4, "failRequestsGreaterThanOne: true, "), 2, True),
        (sharing(4, "failRequestsGreaterThanOne: true, "), 1, False),
        (sharing(4, "failRequestsGreaterThanOne: false, "), 2, False),
        (sharing(4), 2, False),  # time-slicing's default
        ("", 2, False),
    ],
)
def test_requests_greater_than_one(text: str, units: int, refused: bool) -> None:
    error = node(cards=4, text=text).admission_error([(GPU, units)])
    assert (error is not None) is refused


def test_the_refusal_names_the_resource_as_the_pod_asked_for_it() -> None:
    text = sharing(4, "failRequestsGreaterThanOne: true, renameByDefault: true, ")
    error = node(text=text).admission_error([(SHARED, 2)])
    assert error is not None
    assert f'invalid allocation request for "{SHARED}"' in error


def test_the_refusal_is_told_as_in_the_status_of_the_pod() -> None:
    error = node(text=sharing(4, "failRequestsGreaterThanOne: true, ")).admission_error([(GPU, 2)]) or ""
    assert error.startswith("Pod was rejected: Allocate failed due to rpc error: code = Unknown desc = ")
    assert error.endswith(", which is unexpected")


@pytest.mark.parametrize("state", ["is_cordoned", "is_paused"])
def test_nothing_is_free_on_a_node_that_is_cordoned_or_whose_plugin_is_paused(state: str) -> None:
    shut = node(cards=4)
    setattr(shut, state, True)
    assert shut.free(GPU) == 0
    assert not shut.fits([(GPU, 1)])
    assert shut.has_plugin is (state == "is_cordoned")
    assert shut.keeps_away == ("node(s) were unschedulable" if state == "is_cordoned" else None)


def test_a_new_node_is_there_and_open() -> None:
    new = node(cards=2)
    assert (new.is_present, new.is_cordoned, new.is_paused, new.has_plugin) == (True, False, False, True)
    assert (new.listed, new.keeps_away, new.admission_error([(GPU, 9)])) == ((GPU,), None, None)


@pytest.mark.parametrize(("units", "ppm"), [(0, 0), (1, 166_666), (3, 500_000), (6, 1_000_000)])
def test_the_used_share_is_in_parts_per_million(units: int, ppm: int) -> None:
    shared = node(cards=2, text=sharing(3))
    shared.allocate([(GPU, units)])
    assert shared.used_ppm(GPU) == ppm


def test_the_used_share_is_that_of_healthy_cards() -> None:
    shared = node(cards=2, text=sharing(4))
    shared.allocate([(GPU, 2)])
    assert shared.mark_unhealthy(1, for_good=True) == (GPU,)
    assert shared.mark_unhealthy(1, for_good=True) == ()
    assert (shared.free(GPU), shared.used_ppm(GPU)) == (2, 500_000)
    shared.mark_healthy(1)
    assert (shared.free(GPU), shared.used_ppm(GPU)) == (6, 250_000)


def test_slots_of_a_layout_that_is_no_more_are_not_given_back() -> None:
    old = node(cards=2, text=sharing(2))
    before = old.allocate([(GPU, 2)])
    old.take_layout(node(cards=1, text=sharing(3)))
    assert (old.free(GPU), old.slots(0), old.slots(1)) == (3, 3, 0)
    after = old.allocate([(GPU, 1)])
    assert (before.layout, after.layout) == (0, 1)
    old.release(before)
    assert old.free(GPU) == 2
    old.release(after)
    assert old.free(GPU) == 3


def test_a_pod_of_a_node_whose_kubelet_hears_all_is_admitted_as_it_was_placed() -> None:
    only = node(cards=1)
    allocation = only.allocate([(GPU, 1)])
    assert only.admit(allocation) is allocation
    assert only.readmission_error(allocation) is None
    assert not allocation.is_unheard


def test_two_slots_of_one_card_are_one_device_in_the_container() -> None:
    slots = {"a": (SlotId(2, 0), SlotId(2, 1)), "b": (SlotId(0, 0), SlotId(2, 2))}
    assert Allocation(slots).gpus == (0, 2)


def test_devices_may_have_numbers_of_their_own() -> None:
    loaded = load(sharing(2))
    numbered = Node("n", 0, advertise(loaded, [CARD] * 2), loaded.setting, {(0, None): 7, (1, None): 9})
    assert [numbered.slots(number) for number in (0, 7, 9)] == [0, 2, 2]
    assert numbered.allocate([(GPU, 2)]).gpus == (7, 9)


# The scheduler


def test_without_any_node_that_is_there_no_pod_can_be_scheduled() -> None:
    """ErrNoNodesAvailable of kube-scheduler."""
    cluster = nodes(1, 1)
    scheduler = Scheduler(cluster)
    for each in cluster:
        each.is_present = False
        scheduler.mark_changed(each)
    assert scheduler.message([(GPU, 1)]) == "no nodes available to schedule pods"


def test_nodes_that_take_no_pod_are_counted_by_their_reason_and_absent_ones_not_at_all() -> None:
    cluster = nodes(1, 1, 1, 1)
    scheduler = Scheduler(cluster)
    cluster[0].is_cordoned = True
    cluster[1].is_present = False
    for each in cluster[:2]:
        scheduler.mark_changed(each)
    assert scheduler.message([(GPU, 2)]) == (
        f"0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient {GPU}."
    )
    cluster[0].is_cordoned = False
    cluster[1].is_present = True
    for each in cluster[:2]:
        scheduler.mark_changed(each)
    assert scheduler.message([(GPU, 2)]) == f"0/4 nodes are available: 4 Insufficient {GPU}."


def test_units_that_come_free_are_counted_in_what_is_said_next() -> None:
    cluster = nodes(2, 2)
    scheduler = Scheduler(cluster)
    held = cluster[0].allocate([(GPU, 1)])
    scheduler.mark_changed(cluster[0])
    asked = [(GPU, 2), (SHARED, 1)]
    assert (
        scheduler.message(asked) == f"0/2 nodes are available: 1 Insufficient {GPU}, 2 Insufficient {SHARED}."
    )
    cluster[0].release(held)
    scheduler.mark_changed(cluster[0])
    assert scheduler.message(asked) == f"0/2 nodes are available: 2 Insufficient {SHARED}."


def test_ties_go_to_the_first_node() -> None:
    scheduler = Scheduler(nodes(2, 2, 2))
    assert [place(scheduler, [(GPU, 1)]) for _ in range(4)] == ["n0", "n1", "n2", "n0"]


def test_the_node_with_the_smallest_used_share_is_chosen() -> None:
    scheduler = Scheduler(nodes(4, 2))
    assert [place(scheduler, [(GPU, 1)]) for _ in range(6)] == ["n0", "n1", "n0", "n0", "n1", "n0"]


def test_a_node_with_too_little_room_is_passed_over_and_not_forgotten() -> None:
    scheduler = Scheduler(nodes(1, 3))
    assert place(scheduler, [(GPU, 2)]) == "n1"
    assert place(scheduler, [(GPU, 1)]) == "n0"
    assert place(scheduler, [(GPU, 1)]) == "n1"
    assert place(scheduler, [(GPU, 1)]) is None


def test_a_request_for_two_resources_needs_both_on_one_node() -> None:
    both = Scheduler(
        [node("plain", cards=2), node("renamed", order=1, text=sharing(2, "renameByDefault: true, "))]
    )
    assert both.choose([(GPU, 1), (SHARED, 1)]) is None
    assert both.message([(GPU, 1), (SHARED, 1)]) == (
        f"0/2 nodes are available: 1 Insufficient {GPU}, 1 Insufficient {SHARED}."
    )


def test_reasons_stand_in_the_order_of_their_text_whatever_was_asked_for_first() -> None:
    scheduler = Scheduler(nodes(1))
    asked = [("nvidia.com/gpu.shared", 1), ("amd.com/gpu", 1)]
    assert scheduler.message(asked) == (
        "0/1 nodes are available: 1 Insufficient amd.com/gpu, 1 Insufficient nvidia.com/gpu.shared."
    )


def test_nobody_offers_an_unknown_resource() -> None:
    scheduler = Scheduler(nodes(1, 1, 1))
    assert scheduler.choose([("nvidia.com/mig-1g.5gb", 1)]) is None
    assert scheduler.message([("nvidia.com/mig-1g.5gb", 1)]) == (
        "0/3 nodes are available: 3 Insufficient nvidia.com/mig-1g.5gb."
    )


def test_choosing_takes_nothing() -> None:
    scheduler = Scheduler(nodes(1))
    assert scheduler.choose([(GPU, 1)]) is scheduler.choose([(GPU, 1)]) is not None


def test_room_that_comes_back_is_found() -> None:
    (only,) = cluster = nodes(2)
    scheduler = Scheduler(cluster)
    first = only.allocate([(GPU, 2)])
    scheduler.mark_changed(only)
    assert scheduler.choose([(GPU, 1)]) is None
    only.release(first)
    scheduler.mark_changed(only)
    assert scheduler.choose([(GPU, 2)]) is only


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6), st.lists(st.integers(1, 4), max_size=20))
def test_the_heap_chooses_what_looking_at_every_node_would(cards: list[int], requests: list[int]) -> None:
    cluster = nodes(*cards)
    scheduler = Scheduler(cluster)
    for units in requests:
        request = [(GPU, units)]
        fitting = [each for each in cluster if each.fits(request)]
        best = min(fitting, key=lambda each: (each.used_ppm(GPU), each.order), default=None)
        assert scheduler.choose(request) is best
        place(scheduler, request)
