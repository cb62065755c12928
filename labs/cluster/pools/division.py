"""Workloads divided into node pools: whole groups where nodes do for all, else parts of groups, so that most find room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from labs.cluster.pools.pools import Bar, Division, Pool, Shortage, bar_apart, bar_between
from labs.cluster.pools.room import NodeKind, NoRoom, Room, Rooms, WorkloadGroup
from labs.cluster.pools.rules import PRIORITY, TRAITS, Way
from labs.cluster.pools.search import Cost, PoolSearch, pool_cost

MOST_GROUPS = 6
MOST_NODE_KINDS = 3

_MANY = 10**9  # nodes: where it is not these that are wanting


def divide(groups: Sequence[WorkloadGroup], nodes: Sequence[NodeKind]) -> Division:
    """The best division of up to `MOST_GROUPS` groups over up to `MOST_NODE_KINDS` kinds of nodes.

    Raises ValueError for more of either, for none, and for two groups of one name.
    """
    if not 1 <= len(groups) <= MOST_GROUPS or not 1 <= len(nodes) <= MOST_NODE_KINDS:
        raise ValueError(f"{len(groups)} groups on {len(nodes)} kinds of nodes are out of range")
    if len({group.name for group in groups}) < len(groups):
        raise ValueError("two groups have one name")
    rooms = tuple(Rooms(kind) for kind in nodes)
    search = PoolSearch(groups, rooms)
    pools = search.best()
    if _left(groups, pools):
        search = PoolSearch(sorted(groups, key=_rank), rooms, parts=True)
        pools = _filled(sorted(groups, key=_rank), rooms, search.best())
    pools = tuple(
        sorted((_in_order(pool, groups) for pool in pools), key=lambda pool: min(map(_rank, pool.groups)))
    )
    unserved = tuple(Shortage(group, _lacking(group, rooms)) for group in _left(groups, pools))
    divided = tuple(
        Shortage(group, _lacking(group, rooms))
        for group in groups
        if sum(each.name == group.name for pool in pools for each in pool.groups) > 1
    )
    free = tuple((each.kind, count) for each, count in zip(rooms, _free(rooms, pools), strict=True) if count)
    exact = search.exact and all(each.exact for each in rooms)
    return Division(pools, unserved, divided, _apart(groups), free, exact)


def _rank(group: WorkloadGroup) -> int:
    """Who is served first."""
    return PRIORITY.index(group.kind)


def _in_order(pool: Pool, groups: Sequence[WorkloadGroup]) -> Pool:
    """A pool with its groups in their order among all."""
    names = [group.name for group in groups]
    return replace(pool, groups=tuple(sorted(pool.groups, key=lambda group: names.index(group.name))))


def _apart(groups: Sequence[WorkloadGroup]) -> tuple[Bar, ...]:
    pairs = combinations(groups, 2)
    return tuple(bar for group, other in pairs if (bar := bar_apart(group, other)) is not None)


def _left(groups: Sequence[WorkloadGroup], pools: Sequence[Pool]) -> tuple[WorkloadGroup, ...]:
    """What pools leave out, of each group."""
    held = {group.name: 0 for group in groups}
    for pool in pools:
        for group in pool.groups:
            held[group.name] += group.count
    return tuple(
        group.part(group.count - held[group.name]) for group in groups if group.count > held[group.name]
    )


def _free(rooms: Sequence[Rooms], pools: Sequence[Pool]) -> list[int]:
    """By kind of nodes how many no pool takes."""
    return [
        each.kind.nodes - sum(pool.room.nodes for pool in pools if pool.place == place)
        for place, each in enumerate(rooms)
    ]


def _filled(
    groups: Sequence[WorkloadGroup], rooms: Sequence[Rooms], pools: tuple[Pool, ...]
) -> tuple[Pool, ...]:
    """These pools, with whatever of what they leave out finds room in them or on nodes that are free."""
    for left in _left(groups, pools):
        pools = _with_more(pools, left, rooms)
    return pools


def _with_more(pools: tuple[Pool, ...], left: WorkloadGroup, rooms: Sequence[Rooms]) -> tuple[Pool, ...]:
    """With as many more Pods of a group as find room, first where most do; and so on while any does."""
    free = _free(rooms, pools)
    places: list[tuple[Pool | None, int]] = [
        *((pool, pool.place) for pool in pools),
        *((None, at) for at in range(len(rooms))),
    ]
    growths: list[tuple[int, Cost, int, Pool]] = []
    for at, (old, place) in enumerate(places):
        for way in Way:
            pool = _grown(old, place, way, left, free[place], rooms)
            if pool is not None:
                growths.append((_count(old, left) - _count(pool, left), pool_cost(pool), at, pool))
    if not growths:
        return pools
    fewer, _, at, pool = min(growths, key=lambda each: each[:3])
    grown = (*pools[:at], pool, *pools[at + 1 :])
    rest = left.count + fewer
    return _with_more(grown, left.part(rest), rooms) if rest else grown


def _count(pool: Pool | None, group: WorkloadGroup) -> int:
    """How many Pods of a group a pool has."""
    return 0 if pool is None else sum(each.count for each in pool.groups if each.name == group.name)


def _grown(
    old: Pool | None, place: int, way: Way, left: WorkloadGroup, free: int, rooms: Sequence[Rooms]
) -> Pool | None:
    """A pool with as many more Pods of a group as find room on its nodes and those that are free; None where none does."""
    here = rooms[place]
    held = () if old is None else old.groups
    nodes = free + (0 if old is None else old.room.nodes)
    others = [group for group in held if group.name != left.name]
    fitting = here.fitting(way, (*others, left.part(_count(old, left) + left.count)), nodes)
    if fitting is None or fitting[-1].count <= _count(old, left) or bar_between(fitting, way) is not None:
        return None
    room = here.of(way, fitting)
    assert isinstance(room, Room)  # what fits has room
    return Pool(fitting, way, place, here.kind, room)


def _lacking(group: WorkloadGroup, rooms: Sequence[Rooms]) -> tuple[tuple[NodeKind, Way, NoRoom], ...]:
    """By kind of nodes a way and why the group has no room there; `taken` where it would have, were it alone."""
    obstacles: list[tuple[NodeKind, Way, NoRoom]] = []
    for each in rooms:
        reasons: list[tuple[Way, NoRoom]] = []
        for way in TRAITS[group.kind].prefers:
            if bar_between([group], way) is not None:
                continue
            room = each.of(way, [group])
            if isinstance(room, Room):
                values: dict[str, str | int] = {"nodes": room.nodes, "there": each.kind.nodes}
                obstacles.append((each.kind, way, NoRoom("taken", values, room.nodes)))
                break
            reasons.append((way, room))
        else:
            fewest = min(reasons, key=lambda each: each[1].nodes or _MANY)
            obstacles.append((each.kind, *fewest))
    return tuple(obstacles)
