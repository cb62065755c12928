"""Slots of a resource: who gets which card, as the device plugin chooses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.cluster.allocation import AllocationPolicy, DevicePool, SlotId
from tests.some import some

DISTRIBUTED, PACKED = AllocationPolicy.DISTRIBUTED, AllocationPolicy.PACKED


def pool(cards: int, replicas: int, policy: AllocationPolicy = DISTRIBUTED) -> DevicePool:
    return DevicePool(range(cards), [replicas] * cards, policy)


def cards_of(slots: tuple[SlotId, ...]) -> list[int]:
    return [slot.gpu for slot in slots]


@pytest.mark.parametrize(
    ("policy", "cards"),
    [(DISTRIBUTED, [0, 1, 2, 0, 1, 2]), (PACKED, [0, 0, 1, 1, 2, 2])],
)
def test_the_policy_says_which_card_is_next(policy: AllocationPolicy, cards: list[int]) -> None:
    shared = pool(3, 2, policy)
    assert [cards_of(shared.allocate(1))[0] for _ in range(6)] == cards


@pytest.mark.parametrize(("policy", "cards"), [(DISTRIBUTED, [0, 1]), (PACKED, [0, 0])])
def test_several_units_are_taken_one_by_one(policy: AllocationPolicy, cards: list[int]) -> None:
    assert cards_of(pool(2, 3, policy).allocate(2)) == cards


def test_distributed_takes_the_least_used_card() -> None:
    shared = pool(2, 3)
    first = shared.allocate(4)
    shared.release([slot for slot in first if slot.gpu == 1])
    assert cards_of(shared.allocate(2)) == [1, 1]


def test_packed_fills_the_most_used_card_that_has_room() -> None:
    shared = pool(2, 2, PACKED)
    first = shared.allocate(3)
    shared.release(first[:1])
    assert shared.allocate(1) == (SlotId(0, 0),)


def test_the_lowest_free_slot_of_a_card_is_taken() -> None:
    shared = pool(1, 5)
    taken = shared.allocate(4)
    shared.release([taken[2], taken[0]])
    assert shared.allocate(3) == (SlotId(0, 0), SlotId(0, 2), SlotId(0, 4))


def test_cards_may_have_different_numbers_of_slots() -> None:
    shared = DevicePool([3, 7], [1, 3], DISTRIBUTED)
    assert cards_of(shared.allocate(4)) == [3, 7, 7, 7]


def test_more_than_is_free_is_a_mistake_and_takes_nothing() -> None:
    shared = pool(1, 2)
    with pytest.raises(ValueError, match="3 slots asked of a pool with 2 free"):
        shared.allocate(3)
    assert shared.free == 2


def test_millions_of_slots_cost_nothing() -> None:
    shared = pool(1, 10**9)
    assert shared.capacity == 10**9
    assert shared.allocate(2) == (SlotId(0, 0), SlotId(0, 1))


# Cards that break


def test_a_broken_card_takes_its_slots_from_what_is_allocatable() -> None:
    shared = pool(2, 3)
    assert shared.mark_unhealthy(1)
    assert (shared.capacity, shared.allocatable, shared.free) == (6, 3, 3)
    assert [shared.allocatable_on(gpu) for gpu in (0, 1, 2)] == [3, 0, 0]
    assert cards_of(shared.allocate(3)) == [0, 0, 0]


def test_a_card_breaks_once() -> None:
    shared = pool(2, 3)
    assert [shared.mark_unhealthy(gpu) for gpu in (1, 1, 2)] == [True, False, False]
    assert shared.allocatable == 3


def test_who_holds_slots_of_a_broken_card_takes_them_from_those_still_free() -> None:
    """The scheduler counts allocatable units less all that Pods hold."""
    shared = pool(2, 3)
    held = shared.allocate(2)
    shared.mark_unhealthy(1)
    assert shared.free == 1
    shared.release(held)
    assert shared.free == 3


def test_what_is_free_is_never_less_than_nothing() -> None:
    shared = pool(2, 3)
    shared.allocate(5)
    shared.mark_unhealthy(1)
    assert shared.free == 0


def test_a_card_that_is_healthy_again_gives_its_slots_back_once() -> None:
    shared = pool(2, 3)
    shared.mark_unhealthy(1)
    for gpu in (1, 1, 0, 2):
        shared.mark_healthy(gpu)
    assert (shared.allocatable, shared.free) == (6, 6)
    assert shared.allocatable_on(1) == 3
    assert shared.mark_unhealthy(1)


# Slots that somebody held before


@pytest.mark.parametrize(
    ("adopted", "following"),
    [([0], [1, 2, 3]), ([2], [0, 1, 3]), ([3, 1], [0, 2]), ([1, 0, 2], [3]), ([3, 0, 2, 1], [])],
)
def test_a_slot_that_is_adopted_is_given_to_nobody_else(adopted: list[int], following: list[int]) -> None:
    shared = pool(1, 4)
    assert all(shared.adopt(SlotId(0, slot)) for slot in adopted)
    assert shared.free == len(following)
    assert [slot.slot for slot in shared.allocate(len(following))] == following


@pytest.mark.parametrize("slot", [SlotId(0, 4), SlotId(0, 5), SlotId(1, 0)])
def test_a_slot_that_the_pool_has_not_is_not_adopted(slot: SlotId) -> None:
    shared = pool(1, 4)
    assert not shared.adopt(slot)
    assert shared.free == 4


@pytest.mark.parametrize(("slot", "free"), [(SlotId(0, 3), 1), (SlotId(0, 4), 0), (SlotId(1, 0), 0)])
def test_only_a_slot_of_the_pool_is_given_back_to_it(slot: SlotId, free: int) -> None:
    shared = pool(1, 4)
    shared.allocate(4)
    shared.release_if_taken(slot)
    assert shared.free == free


moves = st.lists(st.one_of(st.integers(1, 5), st.none()), min_size=1, max_size=40)


@given(st.integers(1, 4), st.integers(1, 4), st.sampled_from(AllocationPolicy), moves, st.data())
def test_no_slot_is_ever_given_twice(
    cards: int, replicas: int, policy: AllocationPolicy, steps: list[int | None], data: st.DataObject
) -> None:
    """A number takes that many slots, None gives some earlier ones back."""
    shared = pool(cards, replicas, policy)
    held: list[tuple[SlotId, ...]] = []
    for step in some(steps):
        if step is None and held:
            shared.release(held.pop(data.draw(st.integers(0, len(held) - 1))))
        elif step is not None and step <= shared.free:
            held.append(shared.allocate(step))
        taken = [slot for slots in held for slot in slots]
        assert len(taken) == len(set(taken)) == shared.capacity - shared.free
        assert all(0 <= slot.gpu < cards and 0 <= slot.slot < replicas for slot in taken)


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 25))
def test_distributed_cards_never_differ_by_more_than_one(cards: int, replicas: int, count: int) -> None:
    taken = cards_of(pool(cards, replicas).allocate(min(count, cards * replicas)))
    used = [taken.count(card) for card in range(cards)]
    assert max(used) - min(used) <= 1
