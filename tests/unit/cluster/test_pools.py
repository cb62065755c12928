"""May they bring each other down? Who shares a device with whom, by which way, on how many nodes, and why not otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.cluster.pools import room as pool_room
from labs.cluster.pools.division import MOST_GROUPS, MOST_NODE_KINDS, divide
from labs.cluster.pools.pools import Division, Pool, against, bar_between
from labs.cluster.pools.room import MOST_PODS, NodeKind, NoRoom, Room, Rooms, WorkloadGroup
from labs.cluster.pools.rules import PRIORITY, TRAITS, Hit, Rule, Way, WorkloadKind, inflicts
from labs.cluster.pools.search import PoolSearch
from labs.hardware.catalog import builtin_catalog
from labs.hardware.planning import plan_cards
from tests.random_sample import examples
from tests.some import some

GIB = 2**30


def group(
    kind: str, count: int = 2, gib: float = 4, name: str = "", bears: Sequence[str] | None = None
) -> WorkloadGroup:
    of = WorkloadKind(kind)
    traits = TRAITS[of]
    given = None if bears is None else frozenset(map(Hit, bears))
    return WorkloadGroup(
        name or kind,
        of,
        count,
        int(gib * GIB),
        traits.bears if given is None else given,
        traits.bears_own if given is None else given,
    )


def nodes(model: str = "a100-40gb", count: int = 4, cards: int = 1) -> NodeKind:
    return NodeKind(builtin_catalog().get(model), count, cards)


def told(found: Division) -> list[tuple[str, int, int, list[str]]]:
    """Way, nodes, slots of a card, names."""
    return [
        (str(pool.way), pool.room.nodes, pool.room.replicas, [each.name for each in pool.groups])
        for pool in found.pools
    ]


@pytest.mark.parametrize(
    ("groups", "on", "expected"),
    [
        ([group("notebook", 12, 5)], nodes(), [("time-slicing", 2, 6, ["notebook"])]),
        ([group("internal", 6, 3)], nodes(), [("mps", 1, 6, ["internal"])]),
        ([group("production", 4, 8)], nodes(), [("mig", 1, 1, ["production"])]),  # 1g.10gb, four on a card
        ([group("production", 2, 8)], nodes("t4-16gb"), [("exclusive", 2, 1, ["production"])]),
        ([group("experiment", 2, 38)], nodes(), [("exclusive", 2, 1, ["experiment"])]),
        ([group("foreign", 3, 6)], nodes("t4-16gb"), [("time-slicing", 2, 2, ["foreign"])]),
        (
            [group("notebook", 4, 5), group("demo", 3, 5)],
            nodes(),
            [("time-slicing", 1, 7, ["notebook", "demo"])],
        ),
        (
            [group("notebook", 4, 5), group("production", 2, 8)],
            nodes(),
            [("mig", 1, 1, ["production"]), ("time-slicing", 1, 4, ["notebook"])],
        ),
        (
            [group("notebook", 4, 5), group("internal", 4, 5)],
            nodes(),
            [("mps", 1, 4, ["internal"]), ("time-slicing", 1, 4, ["notebook"])],
        ),
        (
            [group("notebook", 2, 4, "one"), group("internal", 2, 4)],
            nodes(count=1),
            [("mig", 1, 1, ["one", "internal"])],
        ),
    ],
    ids=lambda value: "" if isinstance(value, (list, NodeKind)) else str(value),
)
def test_pools(groups: list[WorkloadGroup], on: NodeKind, expected: object) -> None:
    found = divide(groups, [on])
    assert told(found) == expected
    assert not found.unserved


def test_cards_with_mig_are_left_to_those_who_need_them() -> None:
    found = divide(
        [group("notebook", 4, 3), group("production", 2, 8)], [nodes(count=3), nodes("t4-16gb", 4, 1)]
    )
    assert {(str(pool.way), pool.nodes.model.id) for pool in found.pools} == {
        ("mig", "a100-40gb"),
        ("time-slicing", "t4-16gb"),
    }


@pytest.mark.parametrize(
    ("victim", "culprit", "hit", "rule"),
    [
        ("production", "notebook", None, Rule.PRODUCTION),
        ("production", "experiment", None, Rule.PRODUCTION),
        ("production", "internal", Hit.SLOWNESS, None),
        ("internal", "notebook", Hit.MEMORY, None),
        ("notebook", "foreign", None, Rule.TENANT),
        ("production", "foreign", None, Rule.TENANT),
    ],
)
def test_who_may_never_share_a_device(victim: str, culprit: str, hit: Hit | None, rule: Rule | None) -> None:
    for order in ((victim, culprit), (culprit, victim)):
        (bar,) = divide([group(kind) for kind in order], [nodes(count=8)]).apart
        assert (bar.hit, bar.rule) == (hit, rule)


def test_production_is_not_beside_code_that_may_fault_even_where_it_bears_all() -> None:
    calm = group("production", bears=list(Hit))
    bar = bar_between([calm, group("notebook")], Way.TIME_SLICING)
    assert bar is not None
    assert bar.rule is Rule.PRODUCTION
    assert bar_between([calm, group("demo")], Way.TIME_SLICING) is None


def test_a_wall_lets_anybody_be_beside_anybody() -> None:
    everybody = [group(kind) for kind in WorkloadKind]
    assert bar_between(everybody, Way.MIG) is None
    assert bar_between(everybody, Way.EXCLUSIVE) is None


def test_mps_takes_all_down_whoever_faults_and_time_slicing_sets_no_limit() -> None:
    for kind in some(WorkloadKind):
        assert Hit.FAULTS in inflicts(kind, Way.MPS)
        assert (Hit.MEMORY in inflicts(kind, Way.TIME_SLICING)) == TRAITS[kind].fills


def test_whatever_pods_meet_on_a_card_fit_together() -> None:
    room = Rooms(nodes(count=1)).of(Way.TIME_SLICING, [group("experiment", 1, 20), group("notebook", 3, 6)])
    assert isinstance(room, Room)
    assert (room.replicas, room.packed_bytes) == (4, 38 * GIB)
    assert room.packed_bytes <= room.usable_bytes
    refused = Rooms(nodes(count=1)).of(
        Way.TIME_SLICING, [group("experiment", 1, 30), group("notebook", 3, 10)]
    )
    assert isinstance(refused, NoRoom)
    assert refused.key == "two-do-not-fit"


@pytest.mark.parametrize(
    ("way", "pods", "on", "key"),
    [
        (Way.MIG, group("demo"), nodes("t4-16gb"), "no-mig"),
        (Way.MIG, group("demo", 1, 60), nodes(), "no-profile"),
        (Way.MIG, group("demo", 40, 4), nodes(), "nodes"),
        (Way.MIG, group("demo", 130, 18), nodes(), "mig-cards"),
        (Way.EXCLUSIVE, group("demo", 1, 60), nodes(), "too-large"),
        (Way.EXCLUSIVE, group("demo", 5, 6), nodes(), "nodes"),
        (Way.MPS, group("demo", 2, 21), nodes(), "two-do-not-fit"),
        (Way.TIME_SLICING, group("demo", 2, 6), nodes(cards=2), "one-each"),
        (Way.MIG, group("demo", 2, 38), nodes(), "one-each"),
        (Way.TIME_SLICING, group("demo"), nodes("gh200-144gb"), "memory-unknown"),
    ],
)
def test_why_there_is_no_room(way: Way, pods: WorkloadGroup, on: NodeKind, key: str) -> None:
    room = Rooms(on).of(way, [pods])
    assert isinstance(room, NoRoom)
    assert room.key == key


def test_mps_gives_every_pod_at_least_its_memory_and_no_card_too_many_clients() -> None:
    room = Rooms(nodes(count=1)).of(Way.MPS, [group("internal", 6, 6)])
    assert isinstance(room, Room)
    assert room.replicas == 6
    assert 40 * 1024 // room.replicas >= 6 * 1024
    volta = Rooms(nodes("v100-32gb", 8)).of(Way.MPS, [group("internal", 40, 0.5)])
    assert isinstance(volta, Room)
    assert volta.most_replicas == 16


@pytest.mark.parametrize("way", Way)
def test_each_other_way_has_an_answer_in_the_order_of_the_ways(way: Way) -> None:
    pods, on = group("notebook", 2, 5), nodes()
    room = Rooms(on).of(way, [pods])
    assert isinstance(room, Room)
    answers = against(Pool((pods,), way, 0, on, room), pods)
    assert [answer.way for answer in answers] == [other for other in Way if other is not way]


def test_who_fills_memory_and_who_may_fault() -> None:
    trying = {WorkloadKind.FOREIGN, WorkloadKind.EXPERIMENT, WorkloadKind.NOTEBOOK}
    assert {kind for kind in WorkloadKind if TRAITS[kind].fills} == trying
    assert {kind for kind in WorkloadKind if TRAITS[kind].faults} == trying
    for way in some(each for each in Way if each.shares):
        assert {kind for kind in WorkloadKind if Hit.MEMORY in inflicts(kind, way)} == trying


@pytest.mark.parametrize("more", [-(2**20), -1, 0, 1])
@pytest.mark.parametrize("part", [3, 4, 7, 12, 30, 47, 60])
def test_mps_has_as_many_slots_as_memory_its_limit_and_48_clients_allow(part: int, more: int) -> None:
    """The limit is whole MiB of the card's total; what may be used is less than that."""
    total = 15360 * 2**20
    need = total // part + more
    most = max(
        n for n in range(1, 49) if n * need <= total * 98 // 100 and total // n // 2**20 * 2**20 >= need
    )
    room = Rooms(nodes("t4-16gb", 100)).of(Way.MPS, [group("internal", 100, need / GIB)])
    assert isinstance(room, Room)
    assert room.most_replicas == most


def test_what_speaks_against_the_other_ways() -> None:
    found = divide([group("production", 2, 8)], [nodes()])
    reasons = {each.way: each for each in against(found.pools[0], found.pools[0].groups[0])}
    assert list(reasons) == [Way.EXCLUSIVE, Way.TIME_SLICING, Way.MPS]
    assert reasons[Way.EXCLUSIVE].nodes == 2
    for way in (Way.TIME_SLICING, Way.MPS):
        bar = reasons[way].bar
        assert bar is not None
        assert bar.victim == bar.culprit == found.pools[0].groups[0]


def parts(found: Division) -> list[tuple[str, str, int, list[tuple[str, int]]]]:
    """Way, card, nodes, and of each group how many Pods are there."""
    return [
        (
            str(pool.way),
            pool.nodes.model.id,
            pool.room.nodes,
            [(each.name, each.count) for each in pool.groups],
        )
        for pool in found.pools
    ]


def left(found: Division) -> list[tuple[str, int]]:
    """Of which groups how many Pods have no nodes."""
    return [(each.group.name, each.group.count) for each in found.unserved]


def test_who_is_served_first_where_cards_are_few() -> None:
    found = divide([group("notebook", 9, 8), group("production", 3, 8)], [nodes(count=1)])
    assert parts(found) == [("mig", "a100-40gb", 1, [("notebook", 1), ("production", 3)])]
    (short,) = found.unserved
    assert (short.group.name, short.group.count, short.group.of) == ("notebook", 8, 9)
    ((kind, way, reason),) = short.lacking
    assert (kind.model.id, way) == ("a100-40gb", Way.TIME_SLICING)
    assert isinstance(reason, NoRoom)
    assert (reason.key, reason.nodes) == ("nodes", 2)


# Groups that no pool holds whole


@pytest.mark.parametrize(
    ("groups", "on", "expected", "unserved"),
    [
        # one kind of nodes: as many as it holds
        ([group("production", 9, 8)], [nodes(count=1)], [("mig", "a100-40gb", 1, [("production", 4)])], 5),
        # two kinds, one way
        (
            [group("notebook", 20, 5)],
            [nodes(count=1), nodes("t4-16gb", 9)],
            [
                ("time-slicing", "a100-40gb", 1, [("notebook", 7)]),
                ("time-slicing", "t4-16gb", 7, [("notebook", 13)]),
            ],
            0,
        ),
        # two kinds and two ways: a wall on the one, whole cards on the other
        (
            [group("production", 9, 8)],
            [nodes(count=1), nodes("t4-16gb", 6)],
            [("mig", "a100-40gb", 1, [("production", 4)]), ("exclusive", "t4-16gb", 5, [("production", 5)])],
            0,
        ),
        # the places that a pool has left over
        (
            [group("notebook", 5, 5), group("demo", 4, 5)],
            [nodes(count=1)],
            [("time-slicing", "a100-40gb", 1, [("notebook", 3), ("demo", 4)])],
            2,
        ),
    ],
    ids=["one kind", "two kinds", "two ways", "places left over"],
)
def test_a_group_that_no_pool_holds_is_divided(
    groups: list[WorkloadGroup], on: list[NodeKind], expected: object, unserved: int
) -> None:
    found = divide(groups, on)
    assert parts(found) == expected
    assert sum(count for _, count in left(found)) == unserved
    assert {each.group.name for each in found.divided} == (
        {groups[0].name} if len(found.pools) > 1 else set()
    )


def test_a_group_is_kept_whole_where_it_can_be() -> None:
    """Parts would suit better, or take fewer nodes: but a part is a Deployment of its own."""
    found = divide([group("production", 5, 8)], [nodes(count=1), nodes("t4-16gb", 6)])
    assert parts(found) == [("exclusive", "t4-16gb", 5, [("production", 5)])]
    assert (found.divided, found.unserved) == ((), ())
    assert [(kind.model.id, count) for kind, count in found.free] == [("a100-40gb", 1), ("t4-16gb", 1)]


def test_why_a_group_is_divided() -> None:
    found = divide([group("notebook", 20, 5)], [nodes(count=1), nodes("t4-16gb", 9)])
    (short,) = found.divided
    assert (short.group.count, short.group.whole) == (20, None)
    assert [(kind.model.id, way, reason.key, reason.nodes) for kind, way, reason in short.lacking] == [
        ("a100-40gb", Way.TIME_SLICING, "nodes", 3),
        ("t4-16gb", Way.TIME_SLICING, "nodes", 10),
    ]


def test_what_is_left_without_nodes_is_told_of_the_part_that_is() -> None:
    (short,) = divide([group("production", 9, 8)], [nodes(count=1)]).unserved
    assert (short.group.count, short.group.whole) == (5, 9)
    assert [(way, reason.key, reason.nodes) for _, way, reason in short.lacking] == [(Way.MIG, "nodes", 2)]


def test_a_company_of_two_hundred_is_divided_over_its_nodes() -> None:
    found = divide(
        [
            group("notebook", 150, 5),
            group("experiment", 24, 18),
            group("internal", 30, 4),
            group("production", 16, 8),
        ],
        [nodes(count=3, cards=8), nodes("l4-24gb", 9, 4)],
    )
    assert left(found) == []
    assert [each.group.name for each in found.divided] == ["notebook"]
    assert sum(pool.room.nodes for pool in found.pools) + sum(count for _, count in found.free) == 12


@pytest.mark.parametrize("count", [1, 2, MOST_PODS])
def test_a_part_is_some_of_a_group_and_all_of_it_is_the_group(count: int) -> None:
    one = group("notebook", MOST_PODS)
    part = one.part(count)
    assert (part.count, part.of, part.name) == (count, MOST_PODS, one.name)
    assert (part == one) == (count == MOST_PODS)
    assert part.part(1).of == MOST_PODS
    assert one.part(7).part(MOST_PODS) == one


def test_two_groups_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="one name"):
        divide([group("demo"), group("notebook", name="demo")], [nodes()])


@pytest.mark.parametrize(("groups", "kinds"), [(0, 1), (7, 1), (1, 0), (1, 4)])
def test_bounds(groups: int, kinds: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        divide([group("demo", name=str(n)) for n in range(groups)], [nodes()] * kinds)


# What the search leaves out finds room where there is some, first where most do

ONE_A100, SIX_T4 = nodes(count=1), nodes("t4-16gb", 6)


def pool_of(way: Way, kind: NodeKind, *groups: WorkloadGroup, place: int = 0) -> Pool:
    room = Rooms(kind).of(way, groups)
    assert isinstance(room, Room)
    return Pool(groups, way, place, kind, room)


def left_by_the_search(
    monkeypatch: pytest.MonkeyPatch, groups: list[WorkloadGroup], on: list[NodeKind], *pools: Pool
) -> Division:
    """The division where the search comes to these pools only."""
    monkeypatch.setattr(PoolSearch, "best", lambda _: pools)
    return divide(groups, on)


@pytest.mark.parametrize(
    ("groups", "on", "expected", "unserved"),
    [
        ([group("notebook", 1, 5)], [ONE_A100], [("exclusive", "a100-40gb", 1, [("notebook", 1)])], []),
        (
            [group("production", 9, 8)],
            [ONE_A100, SIX_T4],
            [("exclusive", "t4-16gb", 6, [("production", 6)]), ("mig", "a100-40gb", 1, [("production", 3)])],
            [],
        ),
        (
            [group("notebook", 4, 5), group("demo", 3, 5)],
            [ONE_A100],
            [("time-slicing", "a100-40gb", 1, [("notebook", 4), ("demo", 3)])],
            [],
        ),
        (
            [group("notebook", 9, 5), group("production", 3, 8)],
            [nodes(count=2), nodes("t4-16gb", 2)],
            [
                ("mig", "a100-40gb", 1, [("production", 3)]),
                ("time-slicing", "a100-40gb", 1, [("notebook", 7)]),
                ("time-slicing", "t4-16gb", 1, [("notebook", 2)]),
            ],
            [],
        ),
        ([group("demo", 3, 60)], [ONE_A100], [], [("demo", 3)]),
    ],
)
def test_pods_left_out_take_the_nodes_that_are_free(
    groups: list[WorkloadGroup],
    on: list[NodeKind],
    expected: object,
    unserved: list[tuple[str, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = left_by_the_search(monkeypatch, groups, on)
    assert (parts(found), left(found)) == (expected, unserved)


def test_pods_left_out_join_a_pool_that_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    demo = group("demo", 4, 5)
    on = [ONE_A100]
    found = left_by_the_search(
        monkeypatch, [group("notebook", 6, 5), demo], on, pool_of(Way.TIME_SLICING, ONE_A100, demo)
    )
    assert parts(found) == [("time-slicing", "a100-40gb", 1, [("notebook", 3), ("demo", 4)])]
    assert (left(found), found.free) == ([("notebook", 3)], ())


def test_pods_left_out_of_a_part_join_the_part(monkeypatch: pytest.MonkeyPatch) -> None:
    demo, on = group("demo", 9, 5), [ONE_A100, nodes("t4-16gb", 1)]
    found = left_by_the_search(
        monkeypatch, [demo, group("internal", 2, 5)], on, pool_of(Way.TIME_SLICING, ONE_A100, demo.part(4))
    )
    assert parts(found) == [
        ("mps", "t4-16gb", 1, [("internal", 2)]),
        ("time-slicing", "a100-40gb", 1, [("demo", 7)]),
    ]
    assert left(found) == [("demo", 2)]


def test_pods_left_out_beside_a_pool_take_another_way_where_a_rule_bars_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    demo, two = group("demo", 9, 5), nodes(count=2)
    found = left_by_the_search(
        monkeypatch, [group("production", 2, 8), demo], [two], pool_of(Way.TIME_SLICING, two, demo.part(4))
    )
    assert parts(found) == [
        ("mig", "a100-40gb", 1, [("production", 2), ("demo", 2)]),
        ("time-slicing", "a100-40gb", 1, [("demo", 7)]),
    ]


# Bounds


def test_six_groups_on_three_kinds_of_nodes_can_be_divided() -> None:
    kinds = [nodes("t4-16gb", 1), nodes("l4-24gb", 1), nodes("a10-24gb", 1)]
    found = divide([group("demo", 1, 2, name=str(n)) for n in range(6)], kinds)
    assert (found.unserved, found.divided, found.exact) == ((), (), True)
    assert (MOST_GROUPS, MOST_NODE_KINDS) == (6, 3)


@pytest.mark.parametrize("exact", [True, False])
def test_a_division_is_as_exact_as_its_search_for_layouts(
    monkeypatch: pytest.MonkeyPatch, *, exact: bool
) -> None:
    def plan(*arguments: Any) -> Any:
        return replace(plan_cards(*arguments), exact=exact)

    monkeypatch.setattr(pool_room, "plan_cards", plan)
    assert divide([group("production", 4, 8)], [nodes()]).exact is exact


def test_why_none_has_room_is_told_of_the_way_that_comes_nearest() -> None:
    """The way that takes the fewest nodes; where no number of nodes would do, the first that suits."""
    (few,) = divide([group("demo", 30, 5)], [ONE_A100]).unserved
    assert [(way, reason.key, reason.nodes) for _, way, reason in few.lacking] == [
        (Way.TIME_SLICING, "nodes", 4)
    ]
    (never,) = divide([group("demo", 2, 60)], [ONE_A100]).unserved
    assert [(way, reason.key, reason.nodes) for _, way, reason in never.lacking] == [
        (Way.TIME_SLICING, "too-large", None)
    ]
    (barred,) = divide([group("production", 9, 20)], [SIX_T4]).unserved
    assert [(way, reason.key) for _, way, reason in barred.lacking] == [(Way.MIG, "no-mig")]


def test_a_group_that_would_have_room_alone_is_told_that_it_is_taken() -> None:
    (short,) = divide([group("notebook", 1, 30), group("production", 1, 30)], [ONE_A100]).unserved
    assert short.group.name == "notebook"
    assert short.lacking == ((ONE_A100, Way.EXCLUSIVE, NoRoom("taken", {"nodes": 1, "there": 1}, 1)),)


# Nothing is better: held against all assignments of groups to pools, one after another


def _partitions(groups: Sequence[WorkloadGroup]) -> Iterator[list[list[WorkloadGroup]]]:
    if not groups:
        yield []
        return
    first, *rest = groups
    for size in range(len(rest) + 1):
        for beside in combinations(rest, size):
            for others in _partitions([each for each in rest if each not in beside]):
                yield [[first, *beside], *others]


def _left(groups: Sequence[WorkloadGroup], pools: Sequence[Pool]) -> tuple[int, ...]:
    """Pods without nodes, by who is served first."""
    rest = {group.name: group.count for group in groups}
    for pool in pools:
        for each in pool.groups:
            rest[each.name] -= each.count
    assert min(rest.values()) >= 0
    return tuple(sum(rest[one.name] for one in groups if one.kind is kind) for kind in PRIORITY)


def _cost(groups: Sequence[WorkloadGroup], pools: Sequence[Pool]) -> tuple[int, ...]:
    suits = sum(TRAITS[one.kind].prefers.index(pool.way) for pool in pools for one in pool.groups)
    idle = sum(pool.room.nodes for pool in pools if pool.nodes.model.supports_mig and pool.way is not Way.MIG)
    return (*_left(groups, pools), suits, sum(pool.room.nodes for pool in pools), idle, len(pools))


def _all(groups: Sequence[WorkloadGroup], kinds: Sequence[NodeKind]) -> Iterator[tuple[int, ...]]:
    rooms = [Rooms(kind) for kind in kinds]
    for parts in _partitions(groups):
        choices: list[list[Pool | None]] = []
        for part in parts:
            options: list[Pool | None] = [None]
            for way, place in product(Way, range(len(kinds))):
                room = rooms[place].of(way, part)
                if isinstance(room, Room) and bar_between(part, way) is None:
                    options.append(Pool(tuple(part), way, place, kinds[place], room))
            choices.append(options)
        for chosen in product(*choices):
            pools = [pool for pool in chosen if pool is not None]
            used = [sum(pool.room.nodes for pool in pools if pool.place == at) for at in range(len(kinds))]
            if all(count <= kind.nodes for count, kind in zip(used, kinds, strict=True)):
                yield _cost(groups, pools)


workloads = st.lists(
    st.tuples(st.sampled_from(list(WorkloadKind)), st.integers(1, 9), st.integers(1, 24)),
    min_size=1,
    max_size=4,
)
kinds_of_nodes = st.lists(
    st.tuples(st.sampled_from(["a100-40gb", "t4-16gb", "l4-24gb"]), st.integers(1, 4), st.integers(1, 3)),
    min_size=1,
    max_size=2,
)


def made_of(
    made: list[tuple[WorkloadKind, int, int]], on: list[tuple[str, int, int]]
) -> tuple[list[WorkloadGroup], list[NodeKind]]:
    groups = [group(str(kind), count, gib, f"g{at}") for at, (kind, count, gib) in enumerate(made)]
    return groups, [nodes(*each) for each in on]


@settings(max_examples=examples(40))
@given(workloads, kinds_of_nodes)
def test_no_division_of_whole_groups_is_better(
    made: list[tuple[WorkloadKind, int, int]], on: list[tuple[str, int, int]]
) -> None:
    groups, kinds = made_of(made, on)
    found, best = divide(groups, kinds), min(_all(groups, kinds))
    ranks = len(PRIORITY)
    if any(best[:ranks]):
        assert _left(groups, found.pools) <= best[:ranks]  # parts leave nobody out who would be served whole
    else:
        assert _cost(groups, found.pools) == best
        assert not found.divided


@settings(max_examples=examples(60))
@given(workloads, kinds_of_nodes)
def test_laws_of_a_division(
    made: list[tuple[WorkloadKind, int, int]], on: list[tuple[str, int, int]]
) -> None:
    groups, kinds = made_of(made, on)
    found = divide(groups, kinds)
    assert found == divide(groups, kinds)
    short = {each.group.name: each.group.count for each in found.unserved}
    for one in groups:
        held = [each for pool in found.pools for each in pool.groups if each.name == one.name]
        assert sum(each.count for each in held) + short.get(one.name, 0) == one.count
        assert {each.of for each in held} <= {one.count}
        assert (len(held) > 1) == (one.name in {each.group.name for each in found.divided})
    for place, kind in enumerate(kinds):
        used = sum(pool.room.nodes for pool in found.pools if pool.place == place)
        assert used <= kind.nodes
        assert sum(count for each, count in found.free if each is kind) == kind.nodes - used
    for pool in found.pools:
        assert bar_between(pool.groups, pool.way) is None
        assert pool.room == Rooms(pool.nodes).of(pool.way, pool.groups) or pool.way is Way.MIG
        if pool.way.shares:
            assert pool.room.replicas * pool.room.cards >= sum(each.count for each in pool.groups)
            assert pool.room.packed_bytes <= pool.room.usable_bytes


@settings(max_examples=examples(60))
@given(workloads, kinds_of_nodes)
def test_no_pod_is_left_that_free_nodes_would_hold(
    made: list[tuple[WorkloadKind, int, int]], on: list[tuple[str, int, int]]
) -> None:
    groups, kinds = made_of(made, on)
    found = divide(groups, kinds)
    for short in found.unserved:
        for kind, free in found.free:
            for way in Way:
                room = Rooms(kind).of(way, [short.group.part(1)])
                assert isinstance(room, NoRoom) or room.nodes > free, (short.group, way)
