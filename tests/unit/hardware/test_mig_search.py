"""MIG placement held against all combinations, on every card of the catalog."""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.hardware.catalog import GpuModel, builtin_catalog
from labs.hardware.catalog.profile import MigProfile
from labs.hardware.mig.creation import Attempt, default_starts, place_in_any_order, place_in_order
from labs.hardware.mig.layout import Layout
from labs.hardware.mig.search import lay_out, most_disjoint, span
from tests.unit.hardware.mig_brute_force import CARDS, Placed, layouts, legal, most, starts

EIGHT_SLICES = tuple(model for model in CARDS if model.memory_slices == 8)
LIMIT_S = 0.010


def placed(layout: Layout) -> tuple[Placed, ...]:
    return tuple((instance.profile, instance.start) for instance in layout.instances)


def plain(model: GpuModel) -> tuple[MigProfile, ...]:
    """The profiles without attributes."""
    return tuple(profile for profile in model.mig_profiles if not profile.attributes)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Layout, list[str]]:
    """A card, some instances on it anywhere legal, and up to four devices wanted."""
    model = draw(st.sampled_from(CARDS))
    layout = Layout.empty(model)
    for profile in draw(st.lists(st.sampled_from(model.mig_profiles), max_size=4)):
        free = layout.free_starts(profile)
        if free:
            layout = layout.having(profile, draw(st.sampled_from(free)))
    names = st.sampled_from([profile.name for profile in model.mig_profiles])
    return layout, draw(st.lists(names, max_size=4))


def profiles_of(layout: Layout, names: list[str]) -> list[MigProfile]:
    return [profile for name in names for profile in layout.model.mig_profiles if profile.name == name]


def sound(layout: Layout, attempt: Attempt) -> bool:
    """All that is on the card lies legally, what was there is there still, and every placement is one of its instances."""
    after = attempt.layout
    kept = after.instances[: len(layout.instances)] == layout.instances
    listed = [each for each in attempt.placements if each is not None]
    return (
        kept
        and legal(after.model, placed(after))
        and sorted(map(str, listed)) == sorted(map(str, after.instances[len(layout.instances) :]))
        and attempt.placeable == (None not in attempt.placements)
    )


@given(situations())
def test_placements_are_legal_and_disjoint(situation: tuple[Layout, list[str]]) -> None:
    layout, names = situation

    assert sound(layout, place_in_order(layout, names))
    assert sound(layout, place_in_any_order(layout, names))


@given(situations())
def test_any_order_fits_exactly_where_some_layout_does(situation: tuple[Layout, list[str]]) -> None:
    layout, names = situation
    some = next(layouts(layout.model, placed(layout), profiles_of(layout, names)), None)

    assert place_in_any_order(layout, names).placeable == (some is not None)


@pytest.mark.parametrize("model", CARDS, ids=lambda model: model.id)
def test_up_to_three_of_any_profiles_fit_exactly_where_some_layout_does(model: GpuModel) -> None:
    different = [
        [profile.name for profile in wanted]
        for count in (1, 2, 3)
        for wanted in itertools.combinations_with_replacement(model.mig_profiles, count)
        if place_in_any_order(Layout.empty(model), [profile.name for profile in wanted]).placeable
        != (next(layouts(model, (), wanted), None) is not None)
    ]

    assert different == []


@given(situations())
def test_what_fits_in_the_order_given_fits_in_any(situation: tuple[Layout, list[str]]) -> None:
    layout, names = situation

    if place_in_order(layout, names).placeable:
        assert place_in_any_order(layout, names).placeable


@given(situations())
def test_a_refusal_in_order_means_no_legal_place_is_free(situation: tuple[Layout, list[str]]) -> None:
    layout, names = situation
    attempt = place_in_order(layout, names)

    if attempt.refused is not None:
        profile = profiles_of(layout, names)[attempt.refused]
        assert list(layouts(layout.model, placed(attempt.layout), [profile])) == []


@settings(deadline=None)
@given(situations())
def test_free_counts_are_true(situation: tuple[Layout, list[str]]) -> None:
    layout, _ = situation

    assert layout.free() == {
        profile.name: most(layout.model, placed(layout), profile) for profile in layout.model.mig_profiles
    }


@pytest.mark.parametrize("model", CARDS, ids=lambda model: model.id)
def test_an_empty_card_has_room_for_the_most_instances_of_the_catalog(model: GpuModel) -> None:
    assert Layout.empty(model).free() == {
        profile.name: profile.max_instances.value for profile in model.mig_profiles
    }


@pytest.mark.parametrize("model", EIGHT_SLICES, ids=lambda model: model.id)
def test_on_an_empty_card_the_sums_of_slices_decide(model: GpuModel) -> None:
    different = [
        [profile.name for profile in wanted]
        for wanted in multisets(plain(model))
        if place_in_any_order(Layout.empty(model), [profile.name for profile in wanted]).placeable
        != (
            sum(profile.compute_slices for profile in wanted) <= 7
            and sum(profile.memory_slices or 0 for profile in wanted) <= 8
        )
    ]

    assert different == []


def multisets(profiles: tuple[MigProfile, ...]) -> Iterator[tuple[MigProfile, ...]]:
    """All that can be wanted of the profiles with at most eight compute slices: more is never placeable."""
    for count in range(1, 9):
        for wanted in itertools.combinations_with_replacement(profiles, count):
            if sum(profile.compute_slices for profile in wanted) <= 8:
                yield wanted


@pytest.mark.parametrize("gpu", ["a100-40gb", "a30-24gb"])
def test_explicit_starts_are_needed_exactly_where_no_order_of_creation_works(gpu: str) -> None:
    model = builtin_catalog().get(gpu)
    different = [
        (placed(layout), attempt.names)
        for layout in one_layout_for_each_set_of_slices(model)
        for wanted in multisets(plain(model))
        for attempt in [place_in_any_order(layout, [profile.name for profile in wanted])]
        if attempt.placeable and attempt.needs_starts == _some_order_works(model, wanted, layout.taken)
    ]

    assert different == []


def one_layout_for_each_set_of_slices(model: GpuModel) -> Iterator[Layout]:
    found = {0: Layout.empty(model)}
    waiting = list(found.values())
    while waiting:
        layout = waiting.pop()
        yield layout
        for profile in plain(model):
            for start in layout.free_starts(profile):
                more = layout.having(profile, start)
                if more.taken not in found:
                    found[more.taken] = more
                    waiting.append(more)


def _some_order_works(model: GpuModel, wanted: tuple[MigProfile, ...], taken: int) -> bool:
    tried = {
        profile.name: [_mask(profile, start) for start in default_starts(model, profile)]
        for profile in wanted
    }

    @functools.cache
    def works(names: tuple[str, ...], taken: int) -> bool:
        if not names:
            return True
        for name in dict.fromkeys(names):
            first = next((mask for mask in tried[name] if not mask & taken), None)
            rest = list(names)
            rest.remove(name)
            if first is not None and works(tuple(rest), taken | first):
                return True
        return False

    return works(tuple(profile.name for profile in wanted), taken)


def _mask(profile: MigProfile, start: int) -> int:
    assert start in starts(profile)
    placements = profile.placements.value
    assert placements is not None
    return sum(1 << (start + offset) for offset in range(placements.size))


@pytest.mark.parametrize("model", CARDS, ids=lambda model: model.id)
def test_the_search_is_quick_however_hard_the_wish(model: GpuModel) -> None:
    ones = [profile.name for profile in model.mig_profiles if profile.compute_slices == 1]
    small = [name for name in ones if not name.endswith(("+me", "+me.all"))]
    wishes = [
        [small[index % len(small)] for index in range(model.compute_slices or 0)],
        [small[-1]] * ((model.memory_slices or 0) + 1),
        [profile.name for profile in plain(model)],
    ]

    for wish in wishes:
        assert min(_seconds(model, wish) for _ in range(5)) < LIMIT_S


def _seconds(model: GpuModel, names: list[str]) -> float:
    begun = time.process_time()
    place_in_any_order(Layout.empty(model), names)
    return time.process_time() - begun


@given(
    st.lists(st.lists(st.builds(span, st.integers(0, 7), st.integers(1, 4)), max_size=5), max_size=4),
    st.integers(0, 2**8 - 1),
)
def test_a_selection_is_found_if_there_is_one(choices: list[list[int]], taken: int) -> None:
    found = lay_out(choices, taken)
    all_of_them = [
        chosen
        for chosen in itertools.product(*(range(len(each)) for each in choices))
        if _disjoint([taken, *(each[index] for each, index in zip(choices, chosen, strict=True))])
    ]

    assert found == (all_of_them[0] if all_of_them else None)


def _disjoint(masks: list[int]) -> bool:
    return sum(masks) == functools.reduce(lambda one, other: one | other, masks)


@given(st.sets(st.builds(span, st.integers(0, 7), st.integers(1, 4)), max_size=6), st.integers(0, 2**8 - 1))
def test_most_disjoint_counts_as_many_as_any_choice_has(spans: set[int], taken: int) -> None:
    best = max(
        count
        for count in range(len(spans) + 1)
        for chosen in itertools.combinations(sorted(spans), count)
        if _disjoint([taken, *chosen])
    )

    assert most_disjoint(spans, taken) == best
