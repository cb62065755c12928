"""Plans for wishes: never beaten by trying everything, refused with the bound that refuses them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
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
from labs.hardware.planning.packing import MOST_CARDS, EmptyCard, Kind, divide
from labs.hardware.planning.plan import Bound, CardPlan, Plan, Shortage, Wish, nearly_enough, plan_cards
from tests.random_sample import examples
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


@pytest.mark.parametrize("cards", [1, 64])
def test_one_card_to_64_can_be_planned(cards: int) -> None:
    assert cut(plan(cards, f"{cards}x7g.40gb")) == [["7g.40gb"]] * cards


@pytest.mark.parametrize("cards", [-1, 0, 65])
def test_no_other_number_of_cards_can(cards: int) -> None:
    with pytest.raises(ValueError, match=f"{cards} cards are out of range: expected 1 to 64"):
        plan(cards, "1x7g.40gb")


def test_profiles_whose_placements_are_unknown_are_no_fillers() -> None:
    unplaced = empty("rtx-pro-5000-48gb")
    assert unplaced.wasted(()) == (0, unplaced.model.compute_slices), (
        "how many memory slices is not known either"
    )


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


@settings(deadline=None, max_examples=examples(30))
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


MIB = 2**20


def with_memory(**sizes: int | None) -> GpuModel:
    """An A100 with the plain profiles named, and such memory of each in MiB."""
    named = [(profile, sizes[key]) for key, profile in BY_SIZE.items() if key in sizes]
    return replace(
        A100,
        mig_profiles=tuple(
            replace(profile, memory_mib=replace(profile.memory_mib, value=mib)) for profile, mib in named
        ),
    )


BY_SIZE = {
    "one": A100.mig_profiles[0],
    "extended": A100.mig_profiles[1],
    "double": A100.mig_profiles[2],
    "two": A100.mig_profiles[3],
    "three": A100.mig_profiles[4],
}


@pytest.mark.parametrize(
    ("sizes", "need", "near"),
    [
        ({"one": 900}, 900 * MIB, None),
        ({"one": 900}, 900 * MIB + 1, "one"),
        ({"one": 900}, 1000 * MIB - 1, "one"),
        ({"one": 900}, 1000 * MIB, None),
        ({"one": 900, "two": 950}, 960 * MIB, "two"),
        ({"two": 950, "one": 900}, 960 * MIB, "two"),
        ({"one": 950, "two": 900}, 960 * MIB, "one"),
        ({"one": 900, "extended": 950}, 960 * MIB, "one"),
        ({"one": None, "two": 950}, 960 * MIB, "two"),
        ({"one": None}, 960 * MIB, None),
    ],
)
def test_a_profile_nearly_serves_that_misses_less_than_a_tenth(
    sizes: dict[str, int | None], need: int, near: str | None
) -> None:
    """Of several the largest; none with attributes, and none whose memory is not known."""
    found = nearly_enough(with_memory(**sizes), Wish("x", 1, need))
    assert (None if found is None else found.name) == (None if near is None else BY_SIZE[near].name)


@pytest.mark.parametrize(("more", "profile"), [(-1, "1g.5gb"), (0, "1g.5gb"), (1, "1g.10gb")])
def test_a_profile_serves_what_needs_its_memory_to_the_last_byte(more: int, profile: str) -> None:
    need = (A100.mig_profiles[0].memory_mib.value or 0) * MIB + more
    planned = plan_cards(A100, 1, [Wish("x", 1, need)], empty(A100.id))
    assert cut(planned) == [[profile]]


@pytest.mark.parametrize(("more", "needed"), [(1, 40321), (MIB, 40321), (MIB + 1, 40322)])
def test_what_no_profile_has_is_told_in_whole_mib_rounded_up(more: int, needed: int) -> None:
    asked = Wish("x", 1, 40320 * MIB + more)
    assert plan_cards(A100, 1, [asked], empty(A100.id)).shortage == Shortage(
        Bound.NO_PROFILE, asked, needed, 40320
    )


@pytest.mark.parametrize(
    ("sizes", "refused"),
    [
        ({"one": 4864, "double": 9984, "two": None}, False),  # as many slices as the one that serves
        ({"one": 4864, "double": None, "two": 9984}, False),
        ({"one": None, "double": 9984}, True),  # fewer slices: it might serve
        ({"one": 4864, "double": 9984, "three": None}, False),
        ({"one": 4864, "two": None}, True),  # nothing known serves
    ],
)
def test_only_a_profile_that_may_have_to_be_used_must_have_known_memory(
    sizes: dict[str, int | None], *, refused: bool
) -> None:
    model, asked = with_memory(**sizes), [Wish("x", 1, 9000 * MIB)]
    if refused:
        with pytest.raises(UnknownFigureError, match="memory_mib"):
            plan_cards(model, 1, asked)
    else:
        assert plan_cards(model, 1, asked).feasible


@pytest.mark.parametrize(
    ("cards", "wishes", "bound", "first", "needed", "most"),
    [
        (2, ["7x2g.10gb"], Bound.INSTANCES, 0, 7, 6),
        (2, ["1x2g.10gb", "6x2g.10gb"], Bound.INSTANCES, 0, 7, 6),
        (2, ["1x1g.5gb", "6x2g.10gb", "1x2g.10gb"], Bound.COMPUTE_SLICES, None, 15, 14),
        (2, ["1x9GiB", "3x4g.20gb"], Bound.INSTANCES, 1, 3, 2),
        (2, ["1x1g.5gb", "3x1g.5gb+me"], Bound.MEDIA_ENGINES, 1, 3, 2),
        (3, ["4x1g.5gb+me"], Bound.MEDIA_ENGINES, 0, 4, 3),
        (2, ["15x1g.5gb"], Bound.COMPUTE_SLICES, None, 15, 14),
        (2, ["9x1g.10gb"], Bound.MEMORY_SLICES, None, 18, 16),
    ],
)
def test_the_bound_that_refuses_is_told_with_what_is_needed_and_what_there_is(
    cards: int, wishes: list[str], bound: Bound, first: int | None, needed: int, most: int
) -> None:
    fault = None if first is None else wish(wishes[first])
    assert plan(cards, *wishes).shortage == Shortage(bound, fault, needed, most)


@pytest.mark.parametrize(
    ("cards", "wishes"),
    [(2, ["6x2g.10gb"]), (2, ["14x1g.5gb"]), (2, ["8x1g.10gb"]), (2, ["2x1g.5gb+me"]), (2, ["2x4g.20gb"])],
)
def test_what_cards_hold_at_most_is_served(cards: int, wishes: list[str]) -> None:
    assert plan(cards, *wishes).feasible


@pytest.mark.parametrize(
    ("cards", "wishes", "expected"),
    [
        (2, ["1x1g.5gb", "1x7g.40gb"], [["7g.40gb"], ["1g.5gb"]]),
        (2, ["2x3g.20gb", "1x4g.20gb"], [["4g.20gb", "3g.20gb"], ["3g.20gb"]]),
        (
            3,
            ["1x1g.5gb+me", "2x3g.20gb", "1x4g.20gb", "3x1g.5gb", "2x9GiB"],
            [
                ["4g.20gb", "3g.20gb"],
                ["3g.20gb", "1g.5gb+me", "1g.5gb", "1g.5gb", "1g.5gb"],
                ["2g.10gb", "1g.10gb"],
            ],
        ),
        (
            3,
            ["1x1g.5gb", "1x1g.10gb", "1x2g.10gb", "1x3g.20gb"],
            [["3g.20gb", "2g.10gb", "1g.5gb"], ["1g.10gb"], []],
        ),
    ],
)
def test_the_first_card_holds_the_largest_devices(
    cards: int, wishes: list[str], expected: list[list[str]]
) -> None:
    assert cut(plan(cards, *wishes)) == expected


def test_devices_go_to_wishes_in_their_order() -> None:
    planned = plan(1, "1x1g.5gb", "2x1g.5gb", "1x4GiB")
    assert [device.wish.text for card in planned.cards for device in card.devices] == [
        "1x1g.5gb",
        "2x1g.5gb",
        "2x1g.5gb",
        "1x4GiB",
    ]


def test_a_card_that_is_not_needed_wastes_nothing_and_needs_no_starts() -> None:
    unused = plan(2, "1x1g.5gb").cards[1]
    assert (unused.wasted_memory_slices, unused.wasted_compute_slices, unused.needs_starts) == (0, 0, False)


def test_without_an_empty_card_given_one_is_made() -> None:
    assert plan_cards(A100, 2, [wish("3x9GiB")]) == plan(2, "3x9GiB")


def test_no_wish_takes_no_card() -> None:
    assert cut(plan(2)) == [[], []]


def test_no_more_than_64_cards_are_planned() -> None:
    assert MOST_CARDS == 64


# What a card holds, and what it costs


def kinds(*names: str) -> list[Kind]:
    """Kinds of one profile each."""
    return [(profile,) for profile in profiles(A100, names)]


def test_every_filling_of_some_devices_with_its_cost() -> None:
    """Digits of 10 000: needs starts, wasted memory slices, wasted compute slices, compute slices held, no media."""
    found = empty(A100.id).fillings(kinds("4g.20gb", "1g.10gb", "1g.5gb"), [1, 1, 2])
    assert {filling.counts: filling.cost for filling in found} == {
        (1, 0, 0): 4 * 10_000,
        (1, 1, 0): 5 * 10_000,
        (1, 1, 1): 6 * 10_000,
        (1, 1, 2): 10_000**4 + 7 * 10_000,
        (1, 0, 1): 5 * 10_000,
        (1, 0, 2): 6 * 10_000,
        (0, 1, 0): 1 * 10_000,
        (0, 1, 1): 2 * 10_000,
        (0, 1, 2): 3 * 10_000,
        (0, 0, 1): 1 * 10_000,
        (0, 0, 2): 2 * 10_000,
    }
    assert len(found) == 11


def test_wasted_slices_cost_and_memory_more_than_compute() -> None:
    found = empty(A100.id).fillings(kinds("3g.20gb", "1g.5gb"), [2, 7])
    costs = {filling.counts: filling.cost for filling in found}
    assert costs[2, 0] == 1 * 10_000**2 + 6 * 10_000
    assert costs[0, 7] == 1 * 10_000**3 + 7 * 10_000


def test_a_device_without_media_engines_costs_where_one_with_them_would_do() -> None:
    bare, full = profiles(RTX, ("1g.24gb-me", "1g.24gb"))
    (one,) = empty(RTX.id).fillings([(bare, full)], [1])
    (only_bare,) = empty(RTX.id).fillings([(bare,)], [1])
    assert [profile.name for _, profile in one.devices] == ["1g.24gb"]
    assert only_bare.cost == one.cost + 1


@pytest.mark.parametrize(
    ("held", "wasted"),
    [((), (0, 0)), ((4, 4), (0, 1)), ((0,) * 7, (1, 0)), ((6,), (0, 0)), ((2,) * 4, (0, 3))],
)
def test_slices_that_nothing_can_use_are_wasted(held: tuple[int, ...], wasted: tuple[int, int]) -> None:
    assert empty(A100.id).wasted(held) == wasted


# How far it is exact


@pytest.mark.parametrize(
    ("cards", "fillings"), [(1, None), (2, [(1, 1, 1), (1, 0, 1)]), (3, [(1, 1, 1), (1, 0, 1)])]
)
def test_the_fewest_cards_that_do_are_used(cards: int, fillings: list[tuple[int, ...]] | None) -> None:
    found = divide(empty(A100.id), kinds("4g.20gb", "1g.10gb", "1g.5gb"), [2, 1, 2], cards)
    assert (None if found.fillings is None else [each.counts for each in found.fillings]) == fillings
    assert found.exact


@pytest.mark.parametrize(("effort", "exact"), [(0, False), (1, False), (2, False), (3, True), (4, True)])
def test_a_search_that_takes_two_steps_is_exact_where_it_may_take_more(effort: int, *, exact: bool) -> None:
    found = divide(empty(A100.id), kinds("3g.20gb", "2g.10gb", "1g.5gb"), [2, 2, 2], 3, effort)
    assert found.fillings is not None
    assert [each.counts for each in found.fillings] == [(1, 2, 0), (1, 0, 2)]
    assert found.exact is exact


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
