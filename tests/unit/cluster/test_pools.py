"""May they bring each other down? Who shares a device with whom, by which way, on how many nodes, and why not otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.cluster.pool_room import NodeKind, NoRoom, Room, Rooms, WorkloadGroup
from labs.cluster.pool_rules import PRIORITY, TRAITS, Hit, Rule, Way, WorkloadKind, inflicts
from labs.cluster.pools import Division, Pool, against, bar_between, divide
from labs.hardware.catalog import builtin_catalog

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
    for kind in WorkloadKind:
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


def test_what_speaks_against_the_other_ways() -> None:
    found = divide([group("production", 2, 8)], [nodes()])
    reasons = {each.way: each for each in against(found.pools[0], found.pools[0].groups[0])}
    assert list(reasons) == [Way.EXCLUSIVE, Way.TIME_SLICING, Way.MPS]
    assert reasons[Way.EXCLUSIVE].nodes == 2
    for way in (Way.TIME_SLICING, Way.MPS):
        bar = reasons[way].bar
        assert bar is not None
        assert bar.victim == bar.culprit == found.pools[0].groups[0]


def test_who_is_served_first_where_cards_are_few() -> None:
    found = divide([group("notebook", 9, 5), group("production", 3, 8)], [nodes(count=1)])
    assert [pool.groups[0].name for pool in found.pools] == ["production"]
    (left,) = found.unserved
    ((kind, way, reason),) = left.lacking
    assert (kind.model.id, way) == ("a100-40gb", Way.TIME_SLICING)
    assert isinstance(reason, NoRoom)
    assert (reason.key, reason.nodes) == ("nodes", 2)
    (left,) = divide([group("production", 9, 8)], [nodes(count=1)]).unserved
    assert [(way, reason.nodes) for _, way, reason in left.lacking] == [(Way.MIG, 3)]


@pytest.mark.parametrize(("groups", "kinds"), [(0, 1), (7, 1), (1, 0), (1, 4)])
def test_bounds(groups: int, kinds: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        divide([group("demo", name=str(n)) for n in range(groups)], [nodes()] * kinds)


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


def _cost(pools: Sequence[Pool], left: Sequence[WorkloadGroup]) -> tuple[int, ...]:
    suits = sum(TRAITS[one.kind].prefers.index(pool.way) for pool in pools for one in pool.groups)
    idle = sum(pool.room.nodes for pool in pools if pool.nodes.model.supports_mig and pool.way is not Way.MIG)
    unserved = tuple(sum(one.kind is kind for one in left) for kind in PRIORITY)
    return (*unserved, suits, sum(pool.room.nodes for pool in pools), idle, len(pools))


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
            left = [one for part, pool in zip(parts, chosen, strict=True) if pool is None for one in part]
            used = [sum(pool.room.nodes for pool in pools if pool.place == at) for at in range(len(kinds))]
            if all(count <= kind.nodes for count, kind in zip(used, kinds, strict=True)):
                yield _cost(pools, left)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from(list(WorkloadKind)), st.integers(1, 9), st.integers(1, 24)),
        min_size=1,
        max_size=4,
    ),
    st.lists(
        st.tuples(st.sampled_from(["a100-40gb", "t4-16gb", "l4-24gb"]), st.integers(1, 4), st.integers(1, 3)),
        min_size=1,
        max_size=2,
    ),
)
def test_no_division_is_better(
    made: list[tuple[WorkloadKind, int, int]], on: list[tuple[str, int, int]]
) -> None:
    groups = [group(str(kind), count, gib, f"g{at}") for at, (kind, count, gib) in enumerate(made)]
    kinds = [nodes(*each) for each in on]
    found = divide(groups, kinds)
    assert _cost(found.pools, [each.group for each in found.unserved]) == min(_all(groups, kinds))
    assert found == divide(groups, kinds)
    placed = [each.name for pool in found.pools for each in pool.groups]
    assert sorted(placed + [each.group.name for each in found.unserved]) == sorted(
        each.name for each in groups
    )
    for pool in found.pools:
        assert bar_between(pool.groups, pool.way) is None
        if pool.way.shares:
            assert pool.room.replicas * pool.room.cards >= sum(each.count for each in pool.groups)
            assert pool.room.packed_bytes <= pool.room.usable_bytes
