"""Nodes and the scheduler: who fits where, and what is said where nobody does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.cluster.advertise import advertise
from labs.cluster.gpu import PhysicalGpu
from labs.cluster.node import Node
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


# The scheduler


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
