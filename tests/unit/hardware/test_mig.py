"""MIG placement: the collected cases, and what follows from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from labs.hardware.catalog import builtin_catalog
from labs.hardware.catalog.errors import UnknownFigureError
from labs.hardware.mig.creation import (
    Attempt,
    CreationRefusal,
    default_starts,
    place_at,
    place_in_any_order,
    place_in_order,
)
from labs.hardware.mig.device import find_device
from labs.hardware.mig.layout import Defect, ImpossibleInstanceError, Layout

CATALOG = builtin_catalog()
CASES = [
    json.loads(line)
    for line in Path(__file__).parents[2].joinpath("cases", "mig.jsonl").read_text("utf-8").splitlines()
]
A100, H100, A30, RTX = (
    CATALOG.get(name) for name in ("a100-40gb", "h100-80gb-pcie", "a30-24gb", "rtx-pro-6000-96gb")
)


def cases(*keys: str) -> list[Any]:
    """The cases that say something of all these keys."""
    return [pytest.param(case, id=case["id"]) for case in CASES if all(case.get(key) for key in keys)]


def before(case: dict[str, Any]) -> Layout:
    there = [(each["profile"], each["start"]) for each in case.get("initial", [])]
    return Layout.of(CATALOG.get(case["gpu"]), there)


def attempt(case: dict[str, Any]) -> Attempt:
    match case["mode"]:
        case "explicit":
            return place_at(before(case), case["requested"], [each["start"] for each in case["placements"]])
        case "any":
            return place_in_any_order(before(case), case["requested"])
        case "sequential":
            return place_in_order(before(case), case["requested"])
    raise AssertionError(case["mode"])


def shown(found: Attempt) -> list[dict[str, object] | None]:
    return [
        None if each is None else {"profile": each.profile.name, "start": each.start, "size": each.size}
        for each in found.placements
    ]


def at(found: Attempt) -> list[int | None]:
    return [None if each is None else each.start for each in found.placements]


# The cases


@pytest.mark.parametrize("case", cases())
def test_a_case_is_placeable_as_observed_documented_or_inferred(case: dict[str, Any]) -> None:
    assert attempt(case).placeable == case["placeable"]


@pytest.mark.parametrize("case", [each for each in cases("placements") if each.values[0]["placeable"]])
def test_instances_land_where_they_were_seen(case: dict[str, Any]) -> None:
    assert shown(attempt(case)) == case["placements"]


@pytest.mark.parametrize(
    "case", [each for each in cases("placements", "error") if each.values[0]["mode"] == "sequential"]
)
def test_what_came_before_a_refusal_stays(case: dict[str, Any]) -> None:
    assert shown(attempt(case)) == case["placements"]


@pytest.mark.parametrize("case", cases("error"))
def test_a_refusal_has_the_words_of_the_case(case: dict[str, Any]) -> None:
    assert attempt(case).refusal == case["error"]


@pytest.mark.parametrize("case", [each for each in cases("error_note") if "error" not in each.values[0]])
def test_a_profile_the_card_has_not_is_refused_as_such(case: dict[str, Any]) -> None:
    assert attempt(case).refusal == case["error_note"]


@pytest.mark.parametrize("case", cases("free_after"))
def test_free_counts_are_those_of_lgip_after_each_step(case: dict[str, Any]) -> None:
    found = [
        {"step": step, "free": place_in_order(before(case), case["requested"][:step]).layout.free()}
        for step in range(len(case["requested"]) + 1)
    ]

    assert found == case["free_after"]


# In the order given


@pytest.mark.parametrize(
    ("names", "starts"),
    [
        (["3g.20gb", "2g.10gb", "1g.5gb", "1g.5gb"], [4, 0, 2, 3]),
        (["3g.20gb", "1g.5gb", "2g.10gb", "1g.5gb"], [4, 0, 2, 1]),
        (["1g.5gb", "1g.5gb", "2g.10gb", "3g.20gb"], [6, 4, 0, None]),
        (["3g.20gb", "3g.20gb", "1g.5gb", "1g.5gb"], [4, 0, None, None]),
    ],
)
def test_order_decides(names: list[str], starts: list[int | None]) -> None:
    assert at(place_in_order(Layout.empty(A100), names)) == starts


def test_nothing_is_tried_after_a_refusal() -> None:
    found = place_in_order(Layout.empty(A100), ["4g.20gb", "4g.20gb", "1g.5gb"])

    assert (at(found), found.refused) == ([0, None, None], 1)
    assert found.layout.free()["1g.5gb"] == 3


def test_an_unknown_profile_is_met_in_its_turn() -> None:
    found = place_in_order(Layout.empty(A100), ["1g.5gb", "2g.20gb", "1g.5gb"])

    assert (at(found), found.refusal) == ([6, None, None], CreationRefusal.UNSUPPORTED_PROFILE)


def test_nothing_wanted_is_nothing_refused() -> None:
    assert place_in_order(Layout.empty(A100), []).placeable
    assert place_in_any_order(Layout.empty(A100), []).placeable


# At explicit starts


@pytest.mark.parametrize(
    ("names", "starts", "refusal"),
    [
        (["3g.20gb", "1g.5gb"], [4, 0], None),
        (["3g.20gb", "1g.5gb"], [4, 5], CreationRefusal.INSUFFICIENT_RESOURCES),
        (["2g.10gb"], [6], CreationRefusal.INVALID_PLACEMENT),
        (["1g.5gb"], [-1], CreationRefusal.INVALID_PLACEMENT),
        (["1g.5gb"], [7], CreationRefusal.INVALID_PLACEMENT),
        (["1g.10gb"], [6], None),
        (["1g.5gb+me", "1g.5gb+me"], [0, 1], CreationRefusal.INSUFFICIENT_RESOURCES),
    ],
)
def test_explicit_starts(names: list[str], starts: list[int], refusal: CreationRefusal | None) -> None:
    assert place_at(Layout.empty(A100), names, starts).refusal == refusal


def test_a_start_is_needed_for_each_profile() -> None:
    with pytest.raises(ValueError, match="shorter"):
        place_at(Layout.empty(A100), ["1g.5gb", "1g.5gb"], [0])


# In any order


def test_any_order_gives_what_the_driver_does_largest_first() -> None:
    found = place_in_any_order(Layout.empty(A100), ["1g.5gb", "1g.5gb", "2g.10gb", "3g.20gb"])

    assert (at(found), found.needs_starts) == ([2, 3, 0, 4], False)


def test_some_sets_have_room_only_at_starts_the_driver_does_not_choose() -> None:
    names = ["4g.20gb", "1g.10gb", "1g.5gb", "1g.5gb"]
    found = place_in_any_order(Layout.empty(A100), names)

    assert (at(found), found.needs_starts) == ([0, 6, 4, 5], True)


def test_what_does_not_fit_in_any_order_is_not_begun() -> None:
    there = Layout.of(A100, [("1g.5gb", 6)])
    found = place_in_any_order(there, ["3g.20gb", "3g.20gb"])

    assert (at(found), found.layout) == ([None, None], there)


def test_very_many_devices_are_refused_at_once() -> None:
    found = place_in_any_order(Layout.empty(A100), ["1c.7g.40gb"] * 100_000)

    assert found.refusal is CreationRefusal.INSUFFICIENT_RESOURCES


# Media


@pytest.mark.parametrize(
    ("names", "placeable"),
    [
        (["1g.24gb+me.all", "1g.24gb-me", "1g.24gb-me", "1g.24gb-me"], True),
        (["2g.48gb+me.all", "2g.48gb-me"], True),
        (["2g.48gb+me.all", "1g.24gb-me", "1g.24gb-me"], True),
        (["1g.24gb+me.all", "1g.24gb"], False),
        (["1g.24gb+me.all", "2g.48gb+me.all"], False),
        (["1g.24gb+me", "1g.24gb+me.all"], False),
        (["1g.24gb+me", "1g.24gb+gfx", "2g.48gb+gfx"], True),
        (["2g.48gb-me", "1g.24gb+me", "1g.24gb"], True),
    ],
)
def test_media_engines_are_each_owned_once(names: list[str], placeable: bool) -> None:
    assert place_in_any_order(Layout.empty(RTX), names).placeable == placeable


def test_all_media_engines_in_one_instance_leave_only_instances_without() -> None:
    free = Layout.of(RTX, [("1g.24gb+me.all", 0)]).free()

    assert {name: count for name, count in free.items() if count} == {"1g.24gb-me": 3, "2g.48gb-me": 1}


def test_one_media_extension_leaves_none_of_the_other_size() -> None:
    free = Layout.of(A30, [("2g.12gb+me", 0)]).free()

    assert free == {"1g.6gb": 2, "1g.6gb+me": 0, "2g.12gb": 1, "2g.12gb+me": 0, "4g.24gb": 0}


# Compute instances


@pytest.mark.parametrize(
    ("names", "starts"),
    [
        (["1c.3g.20gb", "2c.3g.20gb", "1c.3g.20gb"], [4, 4, 0]),
        (["1c.3g.20gb", "1g.5gb", "2c.3g.20gb"], [4, 0, None]),  # only the instance created last is shared
        (["3c.3g.20gb", "3g.20gb"], [4, 0]),
        (["2c.7g.40gb", "4c.7g.40gb", "1c.7g.40gb"], [0, 0, 0]),
        (["2c.7g.40gb", "4c.7g.40gb", "2c.7g.40gb"], [0, 0, None]),
        (["1c.2g.10gb", "1c.3g.20gb", "1c.2g.10gb"], [4, 0, None]),
        (["1c.3g.20gb", "1c.3g.20gb", "1c.3g.20gb", "1c.3g.20gb"], [4, 4, 4, 0]),
    ],
)
def test_a_compute_instance_shares_the_instance_before_it_if_that_has_room(
    names: list[str], starts: list[int | None]
) -> None:
    assert at(place_in_order(Layout.empty(A100), names)) == starts


def test_in_any_order_compute_instances_take_the_fewest_gpu_instances() -> None:
    found = place_in_any_order(Layout.empty(A100), ["1c.3g.20gb", "1g.5gb", "2c.3g.20gb", "2g.10gb"])

    assert at(found) == [4, 2, 4, 0]


def test_compute_instances_share_at_a_start_named_twice() -> None:
    layout = Layout.empty(A100)

    assert at(place_at(layout, ["2c.3g.20gb", "1c.3g.20gb"], [0, 0])) == [0, 0]
    assert at(place_at(layout, ["2c.3g.20gb", "2c.3g.20gb"], [0, 0])) == [0, None]


@pytest.mark.parametrize(
    "name", ["3c.4g.20gb", "4c.3g.20gb", "5c.7g.40gb", "0c.3g.20gb", "01c.3g.20gb", "1c.1c.3g.20gb", "", "3g"]
)
def test_names_no_driver_knows(name: str) -> None:
    assert find_device(name, A100) is None


# What is there, and what is not known


@pytest.mark.parametrize(
    ("instances", "defect"),
    [
        ([("1g.6gb", 0)], Defect.UNKNOWN_PROFILE),
        ([("3g.20gb", 2)], Defect.NO_LEGAL_START),
        ([("3g.20gb", 4), ("1g.5gb", 6)], Defect.NO_ROOM),
        ([("1g.5gb+me", 4), ("1g.5gb+me", 6)], Defect.NO_ROOM),
    ],
)
def test_instances_that_cannot_be_there(instances: list[tuple[str, int]], defect: Defect) -> None:
    with pytest.raises(ImpossibleInstanceError) as raised:
        Layout.of(A100, instances)

    assert raised.value.defect is defect


def test_a_layout_without_some_instances_has_their_room() -> None:
    layout = Layout.of(A100, [("3g.20gb", 4), ("1g.5gb", 0)])

    assert layout.without(layout.instances[:1]).free_starts(A100.mig_profiles[0]) == (1, 2, 3, 4, 5, 6)


def test_a_card_without_mig_has_no_profiles_and_nothing_free() -> None:
    layout = Layout.empty(CATALOG.get("t4-16gb"))

    assert place_in_order(layout, ["1g.5gb"]).refusal is CreationRefusal.UNSUPPORTED_PROFILE
    assert layout.free() == {}


@pytest.mark.parametrize(
    ("gpu", "figure"),
    [("a100-64gb", "mig_profiles"), ("rtx-pro-4500-32gb", "placements"), ("thor-igpu", "placements")],
)
@pytest.mark.parametrize("place", [place_in_order, place_in_any_order])
def test_figures_no_source_was_found_for_are_named(gpu: str, figure: str, place: Any) -> None:
    model = CATALOG.get(gpu)
    names = [profile.name for profile in model.mig_profiles[:1]]

    with pytest.raises(UnknownFigureError) as raised:
        place(Layout.empty(model), names)

    assert (raised.value.gpu_id, raised.value.figure) == (gpu, figure)


def test_default_starts_are_legal_starts_in_the_order_of_the_model() -> None:
    wrong = [
        (model.id, profile.name)
        for model in CATALOG.models
        for profile in model.mig_profiles
        if profile.placements.value is not None
        and sorted(default_starts(model, profile)) != list(profile.placements.value.starts)
    ]

    assert wrong == []
