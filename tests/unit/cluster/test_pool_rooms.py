"""How many nodes a pool takes, with how many slots of a card, or what it lacks: each figure by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from labs.cluster.pools import room as pool_room
from labs.cluster.pools.pools import Against, Pool, against, bar_between
from labs.cluster.pools.room import MOST_PODS, NodeKind, NoRoom, Room, Rooms, WorkloadGroup
from labs.cluster.pools.rules import EVERYTHING, NOTHING, TRAITS, UNPROTECTED, Hit, Rule, Way, WorkloadKind
from labs.cluster.pools.search import pool_cost
from labs.hardware.catalog import builtin_catalog
from labs.hardware.planning import plan_cards

MIB, GIB = 2**20, 2**30
A100_TOTAL = 40960 * MIB
A100_USABLE = A100_TOTAL * 98 // 100


def group(
    kind: str,
    count: int = 2,
    gib: float = 4,
    name: str = "",
    bears: frozenset[Hit] | None = None,
    bears_own: frozenset[Hit] | None = None,
) -> WorkloadGroup:
    traits = TRAITS[WorkloadKind(kind)]
    return WorkloadGroup(
        name or kind,
        WorkloadKind(kind),
        count,
        int(gib * GIB),
        traits.bears if bears is None else bears,
        traits.bears_own if bears_own is None else bears_own,
    )


def nodes(model: str = "a100-40gb", count: int = 4, cards: int = 1) -> NodeKind:
    return NodeKind(builtin_catalog().get(model), count, cards)


def toy(mib: int, capability: str | None = "8.0") -> NodeKind:
    """Nodes with a card as it is sold nowhere, so small that whole MiB count."""
    t4 = builtin_catalog().get("t4-16gb")
    model = replace(t4, memory_mib=replace(t4.memory_mib, value=mib), compute_capability=capability)
    return NodeKind(model, 100, 1)


# Room


@pytest.mark.parametrize(
    ("way", "count", "cards", "expected"),
    [
        (Way.EXCLUSIVE, 1, 1, Room(1, 1, usable_bytes=A100_USABLE)),
        (Way.EXCLUSIVE, 5, 2, Room(3, 6, usable_bytes=A100_USABLE)),
        (Way.EXCLUSIVE, 8, 2, Room(4, 8, usable_bytes=A100_USABLE)),
        (Way.TIME_SLICING, 2, 1, Room(1, 1, 2, 2, 12 * GIB, A100_USABLE)),
        (Way.TIME_SLICING, 3, 2, Room(1, 2, 2, 3, 12 * GIB, A100_USABLE)),
        (Way.TIME_SLICING, 5, 2, Room(1, 2, 3, 5, 18 * GIB, A100_USABLE)),
        (Way.TIME_SLICING, 6, 1, Room(1, 1, 6, 6, 36 * GIB, A100_USABLE)),
        (Way.TIME_SLICING, 7, 1, Room(2, 2, 4, 6, 24 * GIB, A100_USABLE)),
        (Way.TIME_SLICING, 13, 2, Room(2, 4, 4, 6, 24 * GIB, A100_USABLE)),
        (Way.MPS, 13, 2, Room(2, 4, 4, 6, 24 * GIB, A100_USABLE)),
    ],
)
def test_what_pods_of_6_gib_take_on_cards_of_40(way: Way, count: int, cards: int, expected: Room) -> None:
    """Whole nodes, and on their cards no more slots than the Pods need."""
    assert Rooms(nodes(cards=cards)).of(way, [group("demo", count, 6)]) == expected


def test_under_mig_a_pool_takes_nodes_and_a_plan() -> None:
    room = Rooms(nodes(cards=2)).of(Way.MIG, [group("demo", 13, 6)])
    assert isinstance(room, Room)
    assert replace(room, plan=None) == Room(2, 4, replicas=1, most_replicas=1, packed_bytes=0, usable_bytes=0)
    assert room.plan is not None
    assert sum(bool(card.devices) for card in room.plan.cards) == 4


def test_pods_fit_up_to_the_last_byte_that_may_be_used() -> None:
    half = A100_USABLE // 2
    for way in (Way.TIME_SLICING, Way.EXCLUSIVE):
        assert isinstance(Rooms(nodes()).of(way, [replace(group("demo"), memory_bytes=half)]), Room)
    assert isinstance(
        Rooms(nodes()).of(Way.EXCLUSIVE, [replace(group("demo"), memory_bytes=A100_USABLE)]), Room
    )
    over = Rooms(nodes()).of(Way.EXCLUSIVE, [replace(group("demo"), memory_bytes=A100_USABLE + 1)])
    assert isinstance(over, NoRoom)
    two = Rooms(nodes()).of(Way.TIME_SLICING, [replace(group("demo"), memory_bytes=half + 1)])
    assert isinstance(two, NoRoom)


@pytest.mark.parametrize(
    ("way", "pods", "on", "expected"),
    [
        (Way.EXCLUSIVE, group("demo", 9, 6), nodes(cards=2), NoRoom("nodes", {"nodes": 5, "there": 4}, 5)),
        (
            Way.TIME_SLICING,
            group("demo", 50, 6),
            nodes(cards=2),
            NoRoom("nodes", {"nodes": 5, "there": 4}, 5),
        ),
        (Way.MIG, group("demo", 40, 4), nodes(), NoRoom("nodes", {"nodes": 6, "there": 4}, 6)),
        (
            Way.EXCLUSIVE,
            group("demo", 1, 60),
            nodes(),
            NoRoom("too-large", {"name": "demo", "need": 60 * GIB, "most": A100_USABLE}),
        ),
        (
            Way.TIME_SLICING,
            group("demo", 3, 20),
            nodes(),
            NoRoom("two-do-not-fit", {"need": 40 * GIB, "most": A100_USABLE}),
        ),
        (Way.TIME_SLICING, group("demo", 1, 6), nodes(), NoRoom("one-each", {"cards": 1, "pods": 1})),
        (Way.MPS, group("demo", 2, 6), nodes(cards=2), NoRoom("one-each", {"cards": 2, "pods": 2})),
        (Way.MIG, group("demo", 2, 38), nodes(), NoRoom("one-each", {"cards": 2, "pods": 2})),
        (Way.MIG, group("demo", 130, 18), nodes(), NoRoom("mig-cards", {"cards": 64})),
        (Way.MIG, group("demo"), nodes("t4-16gb"), NoRoom("no-mig", {"gpu": "t4-16gb"})),
        (
            Way.MIG,
            group("demo", 1, 60),
            nodes(),
            NoRoom("no-profile", {"name": "demo", "need": 60 * GIB, "most": 40320 * MIB}),
        ),
        (Way.MIG, group("demo"), nodes("h20-96gb"), NoRoom("figure-unknown", {"figure": "memory_mib"})),
        (Way.MPS, group("demo"), nodes("h20-96gb"), NoRoom("memory-unknown")),
    ],
)
def test_what_is_lacking_is_told_with_its_numbers(
    way: Way, pods: WorkloadGroup, on: NodeKind, expected: NoRoom
) -> None:
    assert Rooms(on).of(way, [pods]) == expected


@pytest.mark.parametrize(
    ("need_mib", "most"),
    [(32.0, 29), (30.3, 30), (30.0, 31), (28.5, 33), (24.5, 38), (20.0, 47), (19.0, 48), (5.0, 48), (0, 48)],
)
def test_on_a_card_of_960_mib_whole_mib_and_48_clients_bound_the_slots_of_mps(
    need_mib: float, most: int
) -> None:
    """940 MiB may be used; each of n clients may take the whole MiB of 960 / n."""
    room = Rooms(toy(960)).of(Way.MPS, [group("internal", 100, need_mib / 1024)])
    assert isinstance(room, Room)
    assert room.most_replicas == most


def test_a_limit_of_exactly_what_a_pod_needs_is_enough() -> None:
    room = Rooms(toy(1000)).of(Way.MPS, [group("internal", 100, 28 / 1024)])
    assert isinstance(room, Room)
    assert room.most_replicas == 35  # 1000 / 35 is 28.57


@pytest.mark.parametrize(
    ("capability", "clients"),
    [("7.5", 48), ("8.0", 48), ("10.0", 48), ("7.4", 16), ("7.2", 16), ("7.0", 16), ("6.1", 16), (None, 16)],
)
def test_mps_has_48_clients_from_compute_capability_7_5_on_and_16_below(
    capability: str | None, clients: int
) -> None:
    """cmd/mps-control-daemon/mps/device.go of NVIDIA/k8s-device-plugin v0.20.0."""
    room = Rooms(toy(15360, capability)).of(Way.MPS, [group("internal", 100, 0.1)])
    assert isinstance(room, Room)
    assert room.most_replicas == clients


def test_the_largest_pods_are_those_that_must_fit_together() -> None:
    room = Rooms(nodes()).of(Way.TIME_SLICING, [group("notebook", 4, 5), group("demo", 2, 12)])
    assert isinstance(room, Room)
    assert (room.most_replicas, room.nodes, room.replicas, room.packed_bytes) == (5, 2, 3, 29 * GIB)


@pytest.mark.parametrize(("whole", "effort"), [(True, 10_000), (False, 2_000)])
def test_a_search_for_a_layout_is_shorter_where_a_group_is_there_in_part(
    whole: bool, effort: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    efforts: list[int] = []

    def plan(*arguments: Any) -> Any:
        efforts.append(arguments[-1])
        return plan_cards(*arguments)

    monkeypatch.setattr(pool_room, "plan_cards", plan)
    pods = group("demo", 9, 6)
    Rooms(nodes()).of(Way.MIG, [group("notebook"), pods if whole else pods.part(4)])
    assert efforts == [effort]


@pytest.mark.parametrize("exact", [True, False])
def test_rooms_are_exact_until_a_search_for_a_layout_is_cut_short(
    exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plan(*arguments: Any) -> Any:
        return replace(plan_cards(*arguments), exact=exact)

    rooms = Rooms(nodes())
    assert rooms.exact
    monkeypatch.setattr(pool_room, "plan_cards", plan)
    rooms.of(Way.MIG, [group("demo", 9, 6)])
    assert rooms.exact is exact
    monkeypatch.setattr(pool_room, "plan_cards", plan_cards)
    rooms.of(Way.MIG, [group("demo", 10, 6)])
    assert rooms.exact is exact


# As many of the last group as find room


@pytest.mark.parametrize(
    ("way", "before", "pods", "on", "there", "fit"),
    [
        (Way.TIME_SLICING, [], group("demo", 50, 6), nodes(), 1, 6),
        (Way.TIME_SLICING, [], group("demo", 50, 6), nodes(), 2, 12),
        (Way.TIME_SLICING, [], group("demo", 50, 6), nodes(cards=2), 2, 24),
        (Way.TIME_SLICING, [], group("demo", 3, 6), nodes(cards=2), 4, 3),
        (Way.TIME_SLICING, [group("notebook", 4, 6)], group("demo", 50, 6), nodes(), 1, 2),
        (Way.TIME_SLICING, [group("notebook", 5, 6)], group("demo", 50, 6), nodes(), 1, 1),
        (Way.TIME_SLICING, [group("notebook", 6, 6)], group("demo", 50, 6), nodes(), 1, None),
        (Way.TIME_SLICING, [], group("demo", 2, 21), nodes(), 2, None),
        (Way.TIME_SLICING, [], group("demo", 2, 6), nodes(cards=2), 4, None),
        (Way.EXCLUSIVE, [], group("demo", 9, 6), nodes(), 3, 3),
        (Way.EXCLUSIVE, [], group("demo", 1, 6), nodes(), 1, 1),
        (Way.EXCLUSIVE, [], group("demo", 9, 6), nodes(), 0, None),
        (Way.EXCLUSIVE, [], group("demo", 9, 60), nodes(), 3, None),
        (Way.MIG, [], group("demo", 130, 18), nodes(), 3, 6),
        (Way.MIG, [], group("demo", 9, 18), nodes(), 4, 8),
        (Way.MIG, [], group("demo", 9, 4), nodes("t4-16gb"), 4, None),
    ],
)
def test_how_many_of_a_group_fit_on_the_nodes_that_are_there(
    way: Way, before: list[WorkloadGroup], pods: WorkloadGroup, on: NodeKind, there: int, fit: int | None
) -> None:
    expected = None if fit is None else (*before, pods.part(fit))
    assert Rooms(on).fitting(way, [*before, pods], there) == expected


def test_a_group_has_up_to_200_pods() -> None:
    assert MOST_PODS == 200


# Cost


@pytest.mark.parametrize(
    ("way", "model", "parts", "cost"),
    [
        (Way.MPS, "a100-40gb", 0, (0, 0, 2, 3, 3, 1)),
        (Way.TIME_SLICING, "a100-40gb", 0, (0, 0, 2, 3, 3, 1)),
        (Way.MIG, "a100-40gb", 1, (0, 1, 4, 3, 0, 1)),
        (Way.TIME_SLICING, "t4-16gb", 1, (0, 1, 2, 3, 0, 1)),
    ],
)
def test_a_pool_costs_parts_then_ways_then_nodes_then_idle_mig_then_itself(
    way: Way, model: str, parts: int, cost: tuple[int, ...]
) -> None:
    """Internal prefers MPS, time-slicing, MIG; demo time-slicing, MPS, MIG; the first of the six are for Pods left out."""
    two = (group("internal"), group("demo"))
    suits = sum(TRAITS[one.kind].prefers.index(way) for one in two)
    pool = Pool(two, way, 0, nodes(model), Room(3, 3))
    assert pool_cost(pool, parts) == (0, 0, 0, 0, 0, 0, cost[1], suits, *cost[3:])
    if parts == 0:
        assert pool_cost(pool) == pool_cost(pool, 0)


# Who may be beside whom


def test_which_of_its_own_pods_hits_a_group_does_not_bear_is_told_in_the_order_of_hits() -> None:
    cases = [
        (NOTHING, Hit.SLOWNESS),
        (frozenset({Hit.SLOWNESS}), Hit.MEMORY),
        (frozenset({Hit.SLOWNESS, Hit.MEMORY}), Hit.FAULTS),
        (frozenset({Hit.FAULTS}), Hit.SLOWNESS),
    ]
    for bears_own, hit in cases:
        bar = bar_between([group("notebook", bears_own=bears_own)], Way.MPS)
        assert bar is not None
        assert (bar.hit, bar.rule, bar.victim, bar.culprit) == (hit, None, bar.culprit, bar.victim)
    assert bar_between([group("notebook", bears_own=EVERYTHING)], Way.MPS) is None


@pytest.mark.parametrize(("count", "barred"), [(1, False), (2, True), (3, True)])
def test_a_group_of_one_pod_has_nothing_to_bear_of_its_own(count: int, *, barred: bool) -> None:
    assert (bar_between([group("production", count)], Way.MPS) is not None) is barred


def test_of_two_groups_that_a_rule_keeps_apart_the_one_served_first_is_kept_from_the_other() -> None:
    notebook, foreign = group("notebook", 1), group("foreign", 1)
    for order in ([notebook, foreign], [foreign, notebook]):
        bar = bar_between(order, Way.MPS)
        assert bar is not None
        assert (bar.victim, bar.culprit, bar.rule) == (foreign, notebook, Rule.TENANT)


def test_of_two_groups_of_one_kind_the_first_is_kept_from_the_other() -> None:
    one, other = group("foreign", 1, name="one"), group("foreign", 1, name="other")
    bar = bar_between([one, other], Way.MPS)
    assert bar is not None
    assert (bar.victim, bar.culprit) == (one, other)


def test_each_pair_of_groups_is_looked_at() -> None:
    calm = [group("demo", 1, name=name) for name in "ab"]
    bar = bar_between([*calm, group("production", 1)], Way.MPS)
    assert bar is not None
    assert (bar.victim.name, bar.culprit.name, bar.hit) == ("production", "a", Hit.SLOWNESS)


# Against other ways


def answers(pods: WorkloadGroup, way: Way, on: NodeKind) -> dict[Way, Against]:
    room = Rooms(on).of(way, [pods])
    assert isinstance(room, Room)
    return {each.way: each for each in against(Pool((pods,), way, 0, on, room), pods)}


def test_a_way_that_takes_more_nodes_is_told_with_both_numbers() -> None:
    found = answers(group("demo", 4, 6), Way.TIME_SLICING, nodes())
    assert found[Way.EXCLUSIVE] == Against(Way.EXCLUSIVE, nodes=4, instead=1)


def test_against_a_way_that_takes_as_many_nodes_nothing_speaks_but_taste() -> None:
    found = answers(group("demo", 4, 6), Way.TIME_SLICING, nodes())
    assert (found[Way.MPS], found[Way.MIG]) == (Against(Way.MPS), Against(Way.MIG))


def test_against_a_way_that_takes_fewer_nodes_nothing_speaks_but_taste() -> None:
    assert answers(group("demo", 4, 6), Way.EXCLUSIVE, nodes())[Way.MPS] == Against(Way.MPS)


def test_a_way_for_which_nodes_are_wanting_is_told_with_their_number() -> None:
    found = answers(group("notebook", 12, 9), Way.TIME_SLICING, nodes())[Way.EXCLUSIVE]
    assert (found.no_room, found.nodes) == (NoRoom("nodes", {"nodes": 12, "there": 4}, 12), 12)


def test_a_bar_is_told_before_any_number() -> None:
    found = answers(group("production", 4, 8), Way.MIG, nodes())
    assert [found[way].bar is not None for way in (Way.EXCLUSIVE, Way.TIME_SLICING, Way.MPS)] == [
        False,
        True,
        True,
    ]


def test_what_remains_without_protection_under_each_way() -> None:
    assert dict(UNPROTECTED) == {
        Way.EXCLUSIVE: ("node",),
        Way.TIME_SLICING: ("memory", "device-fault", "speed", "node"),
        Way.MPS: ("fault", "limit", "bandwidth", "node"),
        Way.MIG: ("shared-parts", "node"),
    }
