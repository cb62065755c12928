"""Plans for wishes: never beaten by trying everything, refused with the bound that refuses them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.hardware.catalog import GpuModel, builtin_catalog
from labs.hardware.catalog.errors import UnknownFigureError
from labs.hardware.catalog.profile import MigProfile
from labs.hardware.mig.creation import place_in_any_order
from labs.hardware.mig.layout import Layout
from labs.hardware.planning import packing as mig_packing
from labs.hardware.planning.packing import EmptyCard
from labs.hardware.planning.plan import Bound, CardPlan, Plan, Shortage, Wish, nearly_enough, plan_cards
from tests.unit.hardware.mig_brute_force import CARDS, legal, slices, starts

GIB = 2**30
MODELS = {model.id: model for model in builtin_catalog().models}
A100 = MODELS["a100-40gb"]
RTX = MODELS["rtx-pro-6000-96gb"]
Names = tuple[str, ...]
Score = tuple[int, ...]


def wish(text: str) -> Wish:
    """`2x9GiB` or `2x1g.5gb`."""
    count, what = text.split("x", 1)
    return Wish(text, int(count), int(what[:-3]) * GIB if what.endswith("GiB") else what)


def plan(cards: int, *wishes: str, model: GpuModel = A100) -> Plan:
    return plan_cards(model, cards, [wish(each) for each in wishes], empty(model.id))


@cache
def empty(model_id: str) -> EmptyCard:
    return EmptyCard(MODELS[model_id])


def cut(planned: Plan) -> list[list[str]]:
    """The profiles on each card."""
    return [[device.instance.profile.name for device in card.devices] for card in planned.cards]


# Everything tried, for few devices


def profiles(model: GpuModel, names: Names) -> list[MigProfile]:
    return [next(each for each in model.mig_profiles if each.name == name) for name in names]


@cache
def fits(model_id: str, names: Names) -> bool:
    """Whether some legal starts work, tried one device after the other."""
    model = MODELS[model_id]
    wanted = profiles(model, names)
    if sum(len(slices(each, starts(each)[0])) for each in wanted) > (model.memory_slices or 0):
        return False

    def lay(position: int, placed: tuple[tuple[MigProfile, int], ...], held: frozenset[int]) -> bool:
        if position == len(wanted):
            return legal(model, placed)
        profile = wanted[position]
        return any(
            not slices(profile, start) & held
            and lay(position + 1, (*placed, (profile, start)), held | slices(profile, start))
            for start in starts(profile)
        )

    return lay(0, (), frozenset())


@cache
def most_held(model_id: str, names: Names) -> tuple[int, int]:
    """The most memory and compute slices of a card that has these devices, whatever else it has."""
    model = MODELS[model_id]
    mine = profiles(model, names)
    held = [
        (sum(len(slices(each, starts(each)[0])) for each in mine), sum(each.compute_slices for each in mine))
    ]
    for other in model.mig_profiles:
        grown = tuple(sorted((*names, other.name)))
        if fits(model_id, grown):
            held.append(most_held(model_id, grown))
    return max(memory for memory, _ in held), max(compute for _, compute in held)


@cache
def card_score(model_id: str, names: Names) -> Score:
    """What a used card adds to a score, after the number of cards and the memory over need."""
    model = MODELS[model_id]
    memory, compute = most_held(model_id, names)
    assert model.memory_slices is not None
    assert model.compute_slices is not None
    return (
        int(place_in_any_order(Layout.empty(model), names).needs_starts),
        model.memory_slices - memory,
        model.compute_slices - compute,
        sum(each.compute_slices for each in profiles(model, names)),
        sum("-me" in name for name in names),
    )


def score(model: GpuModel, cards: Sequence[Names], over: int) -> Score:
    used = [card_score(model.id, names) for names in cards if names]
    return (len(used), over, *(sum(figures) for figures in zip(*used, strict=True)))


def enough(model: GpuModel, each: Wish) -> Iterator[tuple[str, int]]:
    """The profiles that serve a wish with the MiB they have over it."""
    for profile in model.mig_profiles:
        if isinstance(each.wanted, str):
            if profile.name == each.wanted:
                yield profile.name, 0
        elif set(profile.attributes) <= {"-me"}:
            over = (profile.memory_mib.value or 0) - each.wanted // 2**20
            if over >= 0:
                yield profile.name, over


def best_of_all(model: GpuModel, cards: int, wishes: Sequence[Wish]) -> Score | None:
    """The best score of all ways to give each Pod any profile that serves it on any card."""
    reached: dict[tuple[Names, ...], int] = {((),) * cards: 0}
    for each in (one for one in wishes for _ in range(one.count)):
        after: dict[tuple[Names, ...], int] = {}
        for there, over in reached.items():
            for name, more in enough(model, each):
                for index in range(cards):
                    grown = tuple(sorted((*there[index], name)))
                    if fits(model.id, grown):
                        state = tuple(sorted((*there[:index], grown, *there[index + 1 :])))
                        after[state] = min(over + more, after.get(state, over + more))
        reached = after
    return min((score(model, state, over) for state, over in reached.items()), default=None)


def score_of(planned: Plan) -> Score:
    over = sum(
        (device.instance.profile.memory_mib.value or 0) - device.wish.wanted // 2**20
        for card in planned.cards
        for device in card.devices
        if isinstance(device.wish.wanted, int)
    )
    names = [tuple(sorted(each)) for each in cut(planned)]
    return score(planned.model, names, over)


def measured(model: GpuModel) -> bool:
    return all(profile.memory_mib.known for profile in model.mig_profiles)


@st.composite
def situations(draw: st.DrawFn) -> tuple[GpuModel, int, list[Wish]]:
    model = draw(st.sampled_from(CARDS))
    names = [profile.name for profile in model.mig_profiles]
    sizes = (
        [f"{share * (model.memory_mib.value or 0) // 102400}GiB" for share in (5, 10, 11, 20, 23, 45, 60)]
        if measured(model)
        else []
    )
    sizes = [size for size in sizes if size != "0GiB"]
    wanted = draw(st.lists(st.sampled_from(names + sizes), min_size=1, max_size=4))
    wishes = [wish(f"1x{each}") for each in wanted]
    return model, draw(st.integers(1, 3)), wishes


@settings(deadline=None, max_examples=30)
@given(situations())
def test_no_way_of_all_is_better(situation: tuple[GpuModel, int, list[Wish]]) -> None:
    model, cards, wishes = situation
    planned = plan_cards(model, cards, wishes, empty(model.id))

    assert planned.exact
    assert (score_of(planned) if planned.feasible else None) == best_of_all(model, cards, wishes)


@pytest.mark.parametrize("model", CARDS, ids=lambda model: model.id)
def test_of_any_two_profiles_no_way_is_better(model: GpuModel) -> None:
    names = [profile.name for profile in model.mig_profiles]
    pairs = [[wish(f"2x{one}"), wish(f"1x{other}")] for one, other in combinations(names, 2)]
    plans = [plan_cards(model, 2, pair, empty(model.id)) for pair in pairs]

    assert [score_of(each) if each.feasible else None for each in plans] == [
        best_of_all(model, 2, pair) for pair in pairs
    ]


@pytest.mark.parametrize("model", CARDS, ids=lambda model: model.id)
def test_in_any_set_that_fits_a_smaller_device_does_as_well(model: GpuModel) -> None:
    usual = [profile for profile in model.mig_profiles if set(profile.attributes) <= {"-me"}]
    size = {profile.name: profile.memory_slices or 0 for profile in model.mig_profiles}
    kinds = [
        [each.name for each in usual if size[each.name] == slices] for slices in sorted(set(size.values()))
    ]
    sets = {()} | {(profile.name,) for profile in model.mig_profiles}
    edge = sets
    while edge:
        edge = {tuple(sorted((*names, other))) for names in edge for other in size} - sets
        edge = {names for names in edge if fits(model.id, names)}
        sets |= edge
    worse = [
        (names, names[index], kind)
        for names in sorted(sets)
        for index in range(len(names))
        for kind in kinds
        if size[kind[0]] < size[names[index]] and names[index] in {profile.name for profile in usual}
        if not any(
            fits(model.id, tuple(sorted((*names[:index], smaller, *names[index + 1 :])))) for smaller in kind
        )
    ]

    assert worse == []


@pytest.mark.parametrize("model", CARDS, ids=lambda model: model.id)
def test_profiles_of_as_many_memory_slices_have_as_much_memory_and_more_with_more(model: GpuModel) -> None:
    known = {
        (profile.memory_slices, profile.memory_mib.value)
        for profile in model.mig_profiles
        if profile.memory_mib.value is not None
    }

    by_memory = sorted(known, key=lambda pair: pair[1] or 0)
    assert [pair[0] for pair in by_memory] == sorted({pair[0] for pair in known}, key=lambda each: each or 0)


# What a plan is


def test_devices_are_legal_and_each_wish_gets_its_count() -> None:
    planned = plan(8, "9x4GiB", "5x9GiB", "3x19GiB", "2x1g.5gb+me")
    given_to = [device.wish.text for card in planned.cards for device in card.devices]

    assert {text: given_to.count(text) for text in sorted(set(given_to))} == {
        "2x1g.5gb+me": 2,
        "3x19GiB": 3,
        "5x9GiB": 5,
        "9x4GiB": 9,
    }
    assert all(
        legal(A100, [(device.instance.profile, device.instance.start) for device in card.devices])
        for card in planned.cards
    )


def test_compute_that_would_be_lost_goes_to_pods() -> None:
    assert cut(plan(1, "4x9GiB")) == [["2g.10gb", "2g.10gb", "2g.10gb", "1g.10gb"]]


def test_compute_that_others_can_use_stays_free() -> None:
    assert cut(plan(1, "1x9GiB")) == [["1g.10gb"]]


def test_cards_not_needed_are_empty() -> None:
    planned = plan(3, "2x19GiB")

    assert cut(planned) == [["4g.20gb", "3g.20gb"], [], []]
    assert planned.cards[2] == CardPlan((), Layout.empty(A100))


def test_what_is_lost_beside_devices_is_wasted() -> None:
    (card,) = plan(1, "2x3g.20gb").cards
    (sevenths,) = plan(1, "7x1g.5gb").cards

    assert (card.wasted_memory_slices, card.wasted_compute_slices) == (0, 1)
    assert (sevenths.wasted_memory_slices, sevenths.wasted_compute_slices) == (1, 0)


def test_a_layout_that_needs_starts_is_avoided_at_equal_cards() -> None:
    one = plan(1, "1x4g.20gb", "1x1g.10gb", "2x1g.5gb")
    two = plan(2, "2x4g.20gb", "1x1g.10gb", "2x1g.5gb")

    assert [card.needs_starts for card in one.cards] == [True]
    assert [card.needs_starts for card in two.cards] == [False, False]


def test_a_pod_that_only_needs_memory_may_do_without_media_engines() -> None:
    assert cut(plan(1, "1x1g.24gb+me.all", "2x20GiB", model=RTX)) == [
        ["1g.24gb-me", "1g.24gb-me", "1g.24gb+me.all"]
    ]


def test_a_plan_does_not_change_from_call_to_call() -> None:
    wishes = ("3x9GiB", "4x4GiB", "1x19GiB", "1x2g.10gb")

    assert plan(4, *wishes) == plan(4, *wishes)


# Why there is none


@pytest.mark.parametrize(
    ("cards", "wishes", "shortage"),
    [
        (2, ["3x10GiB", "1x20GiB", "2x5GiB"], Shortage(Bound.COMPUTE_SLICES, None, 18, 14)),
        (1, ["3x19GiB"], Shortage(Bound.COMPUTE_SLICES, None, 9, 7)),
        (1, ["1x9GiB", "4x1g.10gb"], Shortage(Bound.MEMORY_SLICES, None, 10, 8)),
        (1, ["1x40GiB"], Shortage(Bound.NO_PROFILE, wish("1x40GiB"), 40960, 40320)),
        (1, ["1x3g.40gb"], Shortage(Bound.UNKNOWN_PROFILE, wish("1x3g.40gb"))),
        (1, ["1x1c.3g.20gb"], Shortage(Bound.UNKNOWN_PROFILE, wish("1x1c.3g.20gb"))),
        (2, ["3x1g.5gb+me"], Shortage(Bound.MEDIA_ENGINES, wish("3x1g.5gb+me"), 3, 2)),
        (2, ["3x4g.20gb"], Shortage(Bound.INSTANCES, wish("3x4g.20gb"), 3, 2)),
        (2, ["1x7g.40gb", "2x1g.5gb+me"], Shortage(Bound.NO_LAYOUT)),
    ],
)
def test_the_bound_is_named(cards: int, wishes: list[str], shortage: Shortage) -> None:
    planned = plan(cards, *wishes)

    assert (planned.shortage, planned.feasible, planned.exact) == (shortage, False, True)
    assert planned.cards == ()


def test_a_card_without_mig_serves_nothing() -> None:
    assert plan(1, "1x1GiB", model=MODELS["t4-16gb"]).shortage == Shortage(Bound.NO_MIG)


def test_unknown_memory_is_not_guessed() -> None:
    h20 = MODELS["h20-96gb"]

    with pytest.raises(UnknownFigureError, match="memory_mib"):
        plan(1, "1x10GiB", model=h20)
    assert plan(1, "1x1g.12gb", model=h20).feasible


@pytest.mark.parametrize("cards", [0, 65])
def test_cards_out_of_range_are_an_error(cards: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 64"):
        plan(cards, "1x4GiB")


def test_a_profile_that_nearly_serves_is_found() -> None:
    near = [nearly_enough(A100, wish(text)) for text in ("1x10GiB", "1x9GiB", "1x30GiB", "1x1g.5gb")]

    assert [None if each is None else each.name for each in near] == ["1g.10gb", None, None, None]


# How far it is exact


@pytest.mark.parametrize("model", [A100, RTX, MODELS["a30-24gb"]], ids=lambda model: model.id)
def test_mixed_wishes_on_eight_cards_are_exact(model: GpuModel) -> None:
    draws = random.Random(5)
    choices = [profile.name for profile in model.mig_profiles] + ["4GiB", "9GiB", "19GiB"]
    given_up = []
    for _ in range(25):
        kinds = draws.randint(2, 9)
        wishes = [f"{draws.randint(1, 9)}x{draws.choice(choices)}" for _ in range(kinds)]
        if not plan(8, *wishes, model=model).exact:
            given_up.append(wishes)

    assert given_up == []


def test_a_search_cut_short_says_so_and_still_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mig_packing, "EFFORT", 1)
    planned = plan(8, "9x4GiB", "5x9GiB", "3x19GiB")

    assert (planned.feasible, planned.exact) == (True, False)
    assert sum(len(card.devices) for card in planned.cards) == 17


def test_a_search_cut_short_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mig_packing, "EFFORT", 1)
    planned = plan(2, "1x7g.40gb", "2x1g.5gb+me")

    assert (planned.shortage, planned.exact) == (Shortage(Bound.GAVE_UP), False)
