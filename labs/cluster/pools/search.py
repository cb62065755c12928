"""The search for the best division of groups over nodes: every pool that they may form, each remainder looked at once.

Of all divisions that keep to the rules (`pool_rules`) and fit (`pool_room`) the best is taken, compared in this order:
Pods left without nodes, by who is served first; groups in parts; how well the ways suit the workloads; nodes; nodes with MIG
that do not use it; pools. Where groups are kept whole all divisions are tried, so nothing is better: the best division of
what is left depends on nothing but what is left and the free nodes.

With parts, one group of a pool may be there in part, as many of its Pods as find room on the nodes that are free, and the
rest of it goes on to other pools. That is far more than can be tried: under MIG, where each layout is a search of its own, a
part is alone or beside one other group, and beyond some remainders the search goes on more narrowly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from labs.cluster.pools.pools import Pool, bar_between
from labs.cluster.pools.room import Room, Rooms, WorkloadGroup
from labs.cluster.pools.rules import PRIORITY, TRAITS, Way

WIDE, DEEP = 200, 2_000
"""Remainders up to which a search for parts tries all pools, and all of one group; beyond, it takes what holds most."""

Cost = tuple[int, ...]
Counts = tuple[int, ...]
_NOTHING: Cost = (0,) * (len(PRIORITY) + 5)


class PoolSearch:
    """The best pools of groups, in the order of these; with `parts` also of parts of groups."""

    def __init__(
        self, groups: Sequence[WorkloadGroup], rooms: Sequence[Rooms], *, parts: bool = False
    ) -> None:
        self._groups = tuple(groups)
        self._rooms = tuple(rooms)
        self._parts = parts
        self._looked = 0
        self._held: dict[Counts, tuple[WorkloadGroup, ...]] = {}
        self._options: dict[Counts, tuple[tuple[Cost, Pool], ...]] = {}
        self._best: dict[tuple[Counts, Counts], tuple[Cost, tuple[Pool, ...]]] = {}

    @property
    def exact(self) -> bool:
        """Whether everything was tried that had to be."""
        return not self._is_past(WIDE)

    def best(self) -> tuple[Pool, ...]:
        """The pools of the best division."""
        counts = tuple(group.count for group in self._groups)
        return self._divided(counts, tuple(each.kind.nodes for each in self._rooms))[1]

    def _divided(self, counts: Counts, free: Counts) -> tuple[Cost, tuple[Pool, ...]]:
        """The best for what is left, so many of each group, on the nodes that are free."""
        if not any(counts):
            return _NOTHING, ()
        key = (counts, free)
        if key not in self._best:
            self._best[key] = min(self._tried(counts, free), key=lambda each: each[0])
        return self._best[key]

    def _tried(self, counts: Counts, free: Counts) -> Iterator[tuple[Cost, tuple[Pool, ...]]]:
        """Every pool that the first group left may be in, and that it is left out, each with the best for the rest."""
        self._looked += 1
        first, *others = (place for place, count in enumerate(counts) if count)
        options = [
            option
            for size in range(0 if self._is_past(WIDE) else len(others), -1, -1)
            for beside in combinations(others, size)
            for option in self._open(
                tuple(count if place in (first, *beside) else 0 for place, count in enumerate(counts)), free
            )
        ]
        if options and self._is_past(DEEP):
            options = [min(options, key=lambda each: (-each[1].groups[0].count, each[0]))]
        for cost, pool in options:
            yield self._with(cost, pool, counts, free)
        if not options or not self._is_past(DEEP):
            more, pools = self._divided((*counts[:first], 0, *counts[first + 1 :]), free)
            yield _sum(_left_out(self._groups[first], counts[first]), more), pools

    def _is_past(self, limit: int) -> bool:
        return self._parts and self._looked > limit

    def _with(self, cost: Cost, pool: Pool, counts: Counts, free: Counts) -> tuple[Cost, tuple[Pool, ...]]:
        """This pool, and the best for what it leaves."""
        held = {group.name: group.count for group in pool.groups}
        more, pools = self._divided(
            tuple(count - held.get(group.name, 0) for group, count in zip(self._groups, counts, strict=True)),
            tuple(nodes - pool.room.nodes * (place == pool.place) for place, nodes in enumerate(free)),
        )
        return _sum(cost, more), (pool, *pools)

    def _open(self, held: Counts, free: Counts) -> Iterator[tuple[Cost, Pool]]:
        """The pools that so many of each group may form on the nodes that are free."""
        for cost, pool in self._whole(held):
            if pool.room.nodes <= free[pool.place]:
                yield cost, pool
        if self._parts:
            yield from self._in_part(self._so_many(held), free)

    def _so_many(self, held: Counts) -> tuple[WorkloadGroup, ...]:
        """So many of each group."""
        if held not in self._held:
            both = zip(self._groups, held, strict=True)
            self._held[held] = tuple(group.part(count) for group, count in both if count)
        return self._held[held]

    def _whole(self, held: Counts) -> tuple[tuple[Cost, Pool], ...]:
        """The pools that hold so many of each group, with their cost."""
        if held not in self._options:
            groups = self._so_many(held)
            options: list[tuple[Cost, Pool]] = []
            for way in Way:
                if bar_between(groups, way) is not None or not _is_tried(way, groups):
                    continue
                for place, rooms in enumerate(self._rooms):
                    room = rooms.of(way, groups)
                    if isinstance(room, Room):
                        pool = Pool(groups, way, place, rooms.kind, room)
                        options.append((pool_cost(pool), pool))
            self._options[held] = tuple(options)
        return self._options[held]

    def _in_part(self, groups: tuple[WorkloadGroup, ...], free: Counts) -> Iterator[tuple[Cost, Pool]]:
        """The pools that hold one of these groups in part, for all of it does not fit on the nodes that are free."""
        for at, short in enumerate(groups):
            order = (*groups[:at], *groups[at + 1 :], short)
            for way in Way:
                least = (*order[:-1], short.part(1))
                if not _is_tried(way, least) or bar_between(least, way) is not None:
                    continue
                for place, rooms in enumerate(self._rooms):
                    fitting = rooms.fitting(way, order, free[place]) if free[place] else None
                    if fitting is None or fitting[-1] == short or bar_between(fitting, way) is not None:
                        continue
                    room = rooms.of(way, fitting)
                    assert isinstance(room, Room)  # what fits has room
                    pool = Pool(fitting, way, place, rooms.kind, room)
                    yield pool_cost(pool, parts=1), pool


def _is_tried(way: Way, groups: Sequence[WorkloadGroup]) -> bool:
    """Whether a layout is searched for that holds these groups; what has none costs nothing to try."""
    return way is not Way.MIG or len(groups) <= 2 or all(group.whole is None for group in groups)


def _left_out(group: WorkloadGroup, count: int) -> Cost:
    return (*(count * (kind is group.kind) for kind in PRIORITY), 0, 0, 0, 0, 0)


def pool_cost(pool: Pool, parts: int = 0) -> Cost:
    """What a pool adds to the cost of a division."""
    suits = sum(TRAITS[group.kind].prefers.index(pool.way) for group in pool.groups)
    idle_mig = pool.room.nodes if pool.nodes.model.supports_mig and pool.way is not Way.MIG else 0
    return (*(0 for _ in PRIORITY), parts, suits, pool.room.nodes, idle_mig, 1)


def _sum(cost: Cost, other: Cost) -> Cost:
    return tuple(a + b for a, b in zip(cost, other, strict=True))
