"""Why devices were refused, and what would have to change."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given, settings

from labs.hardware.catalog import builtin_catalog
from labs.hardware.mig.creation import place_at, place_in_any_order, place_in_order
from labs.hardware.mig.layout import GpuInstance, Layout
from labs.hardware.mig.limits import Limit
from labs.hardware.planning.advice import (
    IllegalStart,
    InTheWay,
    OtherWay,
    Reason,
    TooMuch,
    UnknownProfile,
    in_the_way,
    why_refused,
)
from tests.unit.hardware.test_mig_search import situations

CATALOG = builtin_catalog()
A100 = CATALOG.get("a100-40gb")
RTX = CATALOG.get("rtx-pro-6000-96gb")


def places(instances: tuple[GpuInstance, ...]) -> list[tuple[str, int]]:
    return [(instance.profile.name, instance.start) for instance in instances]


def why(layout: Layout, names: list[str]) -> Reason | None:
    return why_refused(layout, place_in_order(layout, names))


def test_what_works_needs_no_reason() -> None:
    assert why(Layout.empty(A100), ["3g.20gb"]) is None


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["3g.20gb", "3g.20gb", "1g.5gb"], TooMuch(Limit.MEMORY_SLICES, 9, 8)),
        (["4g.20gb", "4g.20gb"], TooMuch(Limit.COMPUTE_SLICES, 8, 7)),
        (["1g.10gb"] * 5, TooMuch(Limit.MEMORY_SLICES, 10, 8)),
        (["1g.5gb+me", "1g.5gb+me"], TooMuch(Limit.MEDIA_ENGINES)),
        (["1c.7g.40gb", "7c.7g.40gb"], TooMuch(Limit.COMPUTE_SLICES, 14, 7)),
        (["1g.5gb", "1g.5gb.me"], UnknownProfile("1g.5gb.me", ("1g.5gb+me",))),
        (["nvidia.com/mig-2g.10gb"], UnknownProfile("nvidia.com/mig-2g.10gb", ("2g.10gb",))),
        (["whole"], UnknownProfile("whole", ())),
    ],
)
def test_what_an_empty_card_cannot_have(names: list[str], reason: Reason) -> None:
    assert why(Layout.empty(A100), names) == reason


def test_a_start_that_a_profile_never_has() -> None:
    layout = Layout.empty(A100)
    attempt = place_at(layout, ["1g.5gb", "2g.10gb"], [0, 6])

    assert why_refused(layout, attempt, [0, 6]) == IllegalStart("2g.10gb", 6, (0, 2, 4))


def test_another_order_that_works_is_named() -> None:
    reason = why(Layout.empty(A100), ["1g.5gb", "1g.5gb", "2g.10gb", "3g.20gb"])

    assert isinstance(reason, OtherWay)
    assert not reason.needs_starts
    assert places(reason.instances) == [("3g.20gb", 4), ("2g.10gb", 0), ("1g.5gb", 2), ("1g.5gb", 3)]


def test_starts_that_work_are_named_where_no_order_does() -> None:
    reason = why(Layout.empty(A100), ["4g.20gb", "1g.10gb", "1g.5gb", "1g.5gb"])

    assert isinstance(reason, OtherWay)
    assert reason.needs_starts
    assert ("1g.10gb", 6) in places(reason.instances)


def test_holes_left_behind_are_told_from_a_full_card() -> None:
    layout = Layout.of(CATALOG.get("h100-80gb-pcie"), [("1g.10gb", 0), ("1g.10gb", 1), ("1g.10gb", 5)])
    reason = why(layout, ["3g.40gb"])

    assert isinstance(reason, InTheWay)
    assert (places(reason.instances), reason.fragmented) == ([("1g.10gb", 5)], True)


def test_a_full_card_names_the_fewest_and_smallest_that_would_have_to_go() -> None:
    layout = Layout.of(A100, [("3g.20gb", 4), ("2g.10gb", 0), ("1g.5gb", 2), ("1g.5gb", 3)])
    reason = why(layout, ["2g.10gb"])

    assert isinstance(reason, InTheWay)
    assert (places(reason.instances), reason.fragmented) == ([("2g.10gb", 0)], False)


def test_an_instance_with_the_media_engines_is_in_the_way_of_another() -> None:
    layout = Layout.of(RTX, [("1g.24gb-me", 0), ("1g.24gb+me.all", 1)])
    reason = why(layout, ["1g.24gb+me"])

    assert isinstance(reason, InTheWay)
    assert places(reason.instances) == [("1g.24gb+me.all", 1)]


def test_a_name_that_follows_unknown_does_not_hide_why_one_was_refused() -> None:
    assert why(Layout.empty(A100), ["4g.20gb", "4g.20gb", "x"]) == TooMuch(Limit.COMPUTE_SLICES, 8, 7)


def test_three_names_that_may_be_meant_are_told_best_first() -> None:
    assert why(Layout.empty(A100), ["1g.50gb"]) == UnknownProfile(
        "1g.50gb", ("1g.5gb", "1g.10gb", "1g.5gb+me")
    )


def test_all_instances_are_in_the_way_of_a_whole_card() -> None:
    layout = Layout.of(A100, [("3g.20gb", 4), ("1g.5gb", 0)])
    assert in_the_way(layout, ["7g.40gb"]) == layout.instances
    reason = why(layout, ["7g.40gb"])
    assert isinstance(reason, InTheWay)
    assert not reason.fragmented


def test_nothing_is_in_the_way_of_what_has_room() -> None:
    assert in_the_way(Layout.of(A100, [("3g.20gb", 4)]), ["3g.20gb"]) == ()


def test_all_instances_are_in_the_way_of_what_not_even_an_empty_card_has() -> None:
    layout = Layout.of(A100, [("3g.20gb", 4)])
    assert in_the_way(layout, ["7g.40gb", "7g.40gb"]) == layout.instances


def test_what_is_there_is_no_part_of_another_way() -> None:
    layout = Layout.of(A100, [("1g.5gb", 0)])
    reason = why(layout, ["1g.5gb", "2g.10gb", "3g.20gb"])
    assert isinstance(reason, OtherWay)
    assert places(reason.instances) == [("3g.20gb", 4), ("2g.10gb", 2), ("1g.5gb", 1)]


def test_a_start_that_is_taken_is_told_by_what_is_in_its_way_and_not_as_illegal() -> None:
    layout = Layout.of(A100, [("7g.40gb", 0)])
    attempt = place_at(layout, ["1g.5gb"], [3])
    reason = why_refused(layout, attempt, [3])
    assert isinstance(reason, InTheWay)
    assert places(reason.instances) == [("7g.40gb", 0)]


@settings(deadline=None)
@given(situations())
def test_no_smaller_set_of_instances_in_the_way_would_do(situation: tuple[Layout, list[str]]) -> None:
    layout, names = situation
    gone = in_the_way(layout, names)

    assume(place_in_any_order(Layout.empty(layout.model), names).placeable)
    assert place_in_any_order(layout.without(gone), names).placeable
    assert not any(
        place_in_any_order(layout.without(fewer), names).placeable
        for count in range(len(gone))
        for fewer in itertools.combinations(layout.instances, count)
    )
