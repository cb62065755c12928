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
