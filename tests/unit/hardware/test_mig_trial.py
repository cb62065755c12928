"""A list tried as the tools do: what each of them makes of it, and why."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from labs.hardware.catalog import builtin_catalog
from labs.hardware.mig.creation import CreationRefusal, place_in_order
from labs.hardware.mig.layout import Layout
from labs.hardware.mig.limits import Limit
from labs.hardware.planning.advice import IllegalStart, OtherWay, TooMuch, holders
from labs.hardware.planning.trial import Orders, Trial, try_out

A100 = builtin_catalog().get("a100-40gb")
NAMES = {"1": "1g.5gb", "d": "1g.10gb", "2": "2g.10gb", "3": "3g.20gb", "4": "4g.20gb", "7": "7g.40gb"}


def trial(short: str, starts: Sequence[int | None] | None = None) -> Trial:
    """The list of these profiles of an A100: `1123` is 1g, 1g, 2g, 3g, `d` the 1g with double memory."""
    return try_out(A100, [NAMES[each] for each in short], starts or [None] * len(short))


def starts_of(found: Trial) -> list[int | None]:
    return [None if one is None else one.start for one in found.in_order.placements]


def test_three_three_one_has_compute_slices_enough_and_memory_slices_not() -> None:
    found = trial("331")
    assert starts_of(found) == [4, 0, None]
    assert found.in_order.refusal is CreationRefusal.INSUFFICIENT_RESOURCES
    assert found.reason == TooMuch(Limit.MEMORY_SLICES, 9, 8)
    assert (found.any_order.placeable, found.other_way, found.orders) == (False, (), Orders(0, 3))


def test_small_ones_first_fail_where_large_ones_first_work() -> None:
    small, large = trial("1123"), trial("3211")
    assert (small.works, starts_of(small)) == (False, [6, 4, 0, None])
    assert (large.works, starts_of(large)) == (True, [4, 0, 2, 3])
    assert isinstance(small.reason, OtherWay)
    assert [one.profile.name for one in small.other_way] == ["3g.20gb", "2g.10gb", "1g.5gb", "1g.5gb"]
    assert small.orders == large.orders == Orders(3, 12)


def test_the_reason_is_that_of_the_refused_step_and_not_of_those_behind_it() -> None:
    found = trial("11237")
    assert isinstance(found.reason, OtherWay)
    assert isinstance(found.never, TooMuch)
    assert found.other_way == ()


def test_starts_asked_for_are_taken_and_the_driver_chooses_the_others() -> None:
    assert starts_of(trial("1123", [0, 1, None, None])) == [0, 1, 4, None]
    found = trial("1123", [0, 1, 2, None])
    assert (found.works, starts_of(found), found.asks_for_starts) == (True, [0, 1, 2, 4], True)


def test_a_layout_that_needs_starts_works_in_no_order() -> None:
    found = trial("4d11")
    assert (found.any_order.placeable, found.any_order.needs_starts) == (True, True)
    assert found.orders is not None
    assert found.orders.working == 0


def test_a_list_with_too_many_orders_has_them_not_counted() -> None:
    assert trial("1d23471").orders is None


@pytest.mark.parametrize(("short", "starts"), [("1123", {0: ["2g.10gb"], 4: ["1g.5gb", "1g.5gb"]})])
def test_holders_are_in_the_way_of_each_start(short: str, starts: dict[int, list[str]]) -> None:
    layout = place_in_order(Layout.empty(A100), [NAMES[each] for each in short]).layout
    profile = A100.mig_profile("3g.20gb")
    assert profile is not None
    held = holders(layout, profile)
    assert {start: [one.profile.name for one in ones] for start, ones in held.items()} == starts


@pytest.mark.parametrize(
    ("short", "tried"), [("1112223", 140), ("1", 1), ("12", 2), ("111", 1), ("1123", 12)]
)
def test_up_to_140_orders_are_tried_each_once(short: str, tried: int) -> None:
    orders = trial(short).orders
    assert orders is not None
    assert orders.tried == tried


@pytest.mark.parametrize("short", ["12347d", "1112233"])
def test_a_list_with_more_than_140_orders_has_them_not_counted(short: str) -> None:
    assert trial(short).orders is None


def test_a_list_that_works_needs_no_other_way() -> None:
    found = trial("3211")
    assert (found.works, found.other_way, found.reason, found.never) == (True, (), None, None)
    assert found.names == ("3g.20gb", "2g.10gb", "1g.5gb", "1g.5gb")
    assert not found.asks_for_starts


def test_an_illegal_start_in_the_middle_is_the_reason_of_that_step() -> None:
    found = trial("121", [0, 6, 1])
    assert found.reason == IllegalStart("2g.10gb", 6, (0, 2, 4))
    assert starts_of(found) == [0, None, None]


def test_an_empty_list_works_in_its_only_order() -> None:
    found = try_out(A100, [], [])
    assert (found.works, found.orders) == (True, Orders(1, 1))
