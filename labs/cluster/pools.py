"""Workloads divided into node pools: who may share a device with whom, by which way, on which nodes; and why not otherwise.

A device plugin has one config for a node, so a pool is whole nodes with one way of sharing. Of all divisions that keep to the
rules (`pool_rules`) and fit (`pool_room`) the best is taken, compared in this order: what is left without nodes, by who
is served first; how well the ways suit the workloads; nodes; nodes with MIG that do not use it; pools. All divisions are
tried, so nothing is better: the best division of what is left depends on nothing but what is left and the free nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from labs.cluster.pool_room import NodeKind, NoRoom, Room, Rooms, WorkloadGroup
from labs.cluster.pool_rules import PRIORITY, TRAITS, Hit, Rule, Way, forbidden, inflicts

MOST_GROUPS = 6
MOST_NODE_KINDS = 3

Cost = tuple[int, ...]
_MANY = 10**9  # nodes: where it is not these that are wanting


@dataclass(frozen=True, slots=True)
class Bar:
    """Why groups can't share a device under a way: `victim` does not bear `hit` of `culprit`, or a rule keeps them apart.

    `victim` and `culprit` are the same group where its own Pods are meant.
    """

    victim: WorkloadGroup
    culprit: WorkloadGroup
    hit: Hit | None = None
    rule: Rule | None = None


@dataclass(frozen=True, slots=True)
class Pool:
    """Groups on nodes of one kind under one way."""

    groups: tuple[WorkloadGroup, ...]
    way: Way
    place: int  # of its kind of nodes among those given
    nodes: NodeKind
    room: Room


@dataclass(frozen=True, slots=True)
class Against:
    """What speaks against another way for a group, on nodes of its pool's kind: a bar, no room, or the numbers of nodes; with
    none of these it is only that another way suits the workload better."""

    way: Way
    bar: Bar | None = None
    no_room: NoRoom | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True)
class Unserved:
    """A group for which no nodes are left: by kind of nodes, under the way that comes nearest, what it lacks there."""

    group: WorkloadGroup
    lacking: tuple[tuple[NodeKind, Way, NoRoom], ...]


@dataclass(frozen=True, slots=True)
class Division:
    """The pools, what is left without nodes, and which pairs may never share a device without a wall."""

    pools: tuple[Pool, ...]
    unserved: tuple[Unserved, ...]
    apart: tuple[Bar, ...]

    def pool_of(self, group: WorkloadGroup) -> Pool | None:
        """Where a group is."""
        return next((pool for pool in self.pools if group in pool.groups), None)


def divide(groups: Sequence[WorkloadGroup], nodes: Sequence[NodeKind]) -> Division:
    """The best division of up to `MOST_GROUPS` groups over up to `MOST_NODE_KINDS` kinds of nodes.

    Raises ValueError for more of either, and for none.
    """
    if not 1 <= len(groups) <= MOST_GROUPS or not 1 <= len(nodes) <= MOST_NODE_KINDS:
        raise ValueError(f"{len(groups)} groups on {len(nodes)} kinds of nodes are out of range")
    search = _Search(groups, nodes)
    pools = search.best()
    served = {group for pool in pools for group in pool.groups}
    return Division(
        pools,
        tuple(Unserved(group, search.lacking(group)) for group in groups if group not in served),
        tuple(bar for one, other in combinations(groups, 2) if (bar := _apart(one, other)) is not None),
    )


def bar_between(groups: Sequence[WorkloadGroup], way: Way) -> Bar | None:
    """The first reason for which these groups can't share devices under a way; None where they may."""
    if not way.shares:
        return None
    for group in groups:
        hits = inflicts(group.kind, way)
        if not group.bears_its_own(hits):
            return Bar(group, group, next(hit for hit in Hit if hit in hits - group.bears_own))
    for one, other in combinations(groups, 2):
        bar = _pair(one, other, way)
        if bar is not None:
            return bar
    return None


def _pair(one: WorkloadGroup, other: WorkloadGroup, way: Way) -> Bar | None:
    rule = forbidden(one.kind, other.kind)
    if rule is not None:
        return Bar(*_ordered(one, other), rule=rule)
    for victim, culprit in ((one, other), (other, one)):
        for hit in Hit:
            if hit in inflicts(culprit.kind, way) and hit not in victim.bears:
                return Bar(victim, culprit, hit)
    return None


def _ordered(one: WorkloadGroup, other: WorkloadGroup) -> tuple[WorkloadGroup, WorkloadGroup]:
    """Who is to be kept from whom: the one that is served first comes first."""
    return (one, other) if PRIORITY.index(one.kind) <= PRIORITY.index(other.kind) else (other, one)


def _apart(one: WorkloadGroup, other: WorkloadGroup) -> Bar | None:
    """Why two groups may not share a device under any way that has no walls."""
    bars = [_pair(one, other, way) for way in (Way.TIME_SLICING, Way.MPS)]
    return bars[0] if all(bars) else None


def against(pool: Pool, group: WorkloadGroup) -> tuple[Against, ...]:
    """What speaks against each other way for a group of a pool, as if it were there alone."""
    rooms = Rooms(pool.nodes)
    found: list[Against] = []
    here = rooms.of(pool.way, [group])
    for way in Way:
        if way is pool.way:
            continue
        bar = bar_between([group], way)
        room = rooms.of(way, [group])
        if bar is not None:
            found.append(Against(way, bar=bar))
        elif isinstance(room, NoRoom):
            found.append(Against(way, no_room=room, nodes=room.nodes))
        elif isinstance(here, Room) and room.nodes > here.nodes:
            found.append(Against(way, nodes=room.nodes))
        else:
            found.append(Against(way))
    return tuple(found)


class _Search:
    """All divisions, each part of one looked at once."""

    def __init__(self, groups: Sequence[WorkloadGroup], nodes: Sequence[NodeKind]) -> None:
        self._groups = tuple(groups)
        self._nodes = tuple(nodes)
        self._rooms = tuple(Rooms(kind) for kind in nodes)
        self._options: dict[int, tuple[tuple[Cost, Pool], ...]] = {}
        self._best: dict[tuple[int, tuple[int, ...]], tuple[Cost, tuple[Pool, ...]]] = {}

    def best(self) -> tuple[Pool, ...]:
        """The pools of the best division, those with who is served first first."""
        _, pools = self._divided((1 << len(self._groups)) - 1, tuple(kind.nodes for kind in self._nodes))
        return tuple(sorted(pools, key=lambda pool: min(PRIORITY.index(group.kind) for group in pool.groups)))

    def lacking(self, group: WorkloadGroup) -> tuple[tuple[NodeKind, Way, NoRoom], ...]:
        """By kind of nodes a way and why the group has no room there; `taken` where it would have, were it alone."""
        found: list[tuple[NodeKind, Way, NoRoom]] = []
        for kind, rooms in zip(self._nodes, self._rooms, strict=True):
            reasons: list[tuple[Way, NoRoom]] = []
            for way in TRAITS[group.kind].prefers:
                if bar_between([group], way) is not None:
                    continue
                room = rooms.of(way, [group])
                if isinstance(room, Room):
                    values: dict[str, str | int] = {"nodes": room.nodes, "there": kind.nodes}
                    found.append((kind, way, NoRoom("taken", values, room.nodes)))
                    break
                reasons.append((way, room))
            else:
                fewest = min(reasons, key=lambda each: each[1].nodes or _MANY)
                found.append((kind, *fewest))
        return tuple(found)

    def _divided(self, mask: int, free: tuple[int, ...]) -> tuple[Cost, tuple[Pool, ...]]:
        if mask == 0:
            return (0,) * (len(PRIORITY) + 4), ()
        key = (mask, free)
        if key not in self._best:
            self._best[key] = min(self._tried(mask, free), key=lambda each: each[0])
        return self._best[key]

    def _tried(self, mask: int, free: tuple[int, ...]) -> Iterator[tuple[Cost, tuple[Pool, ...]]]:
        """Every pool that the first group left may be in, and that it is left out, each with the best for the rest."""
        low = mask & -mask
        rest = mask ^ low
        part = rest
        while True:
            for cost, pool in self._pools(part | low):
                left = free[pool.place] - pool.room.nodes
                if left >= 0:
                    remaining = (*free[: pool.place], left, *free[pool.place + 1 :])
                    more, others = self._divided(rest ^ part, remaining)
                    yield _sum(cost, more), (pool, *others)
            if part == 0:
                break
            part = (part - 1) & rest
        more, others = self._divided(rest, free)
        yield _sum(self._left_out(low), more), others

    def _pools(self, mask: int) -> tuple[tuple[Cost, Pool], ...]:
        """The pools that these groups may form, with their cost."""
        if mask not in self._options:
            groups = tuple(group for place, group in enumerate(self._groups) if mask >> place & 1)
            found: list[tuple[Cost, Pool]] = []
            for way in Way:
                if bar_between(groups, way) is not None:
                    continue
                for place, kind in enumerate(self._nodes):
                    room = self._rooms[place].of(way, groups)
                    if isinstance(room, Room):
                        pool = Pool(groups, way, place, kind, room)
                        found.append((_cost(pool), pool))
            self._options[mask] = tuple(found)
        return self._options[mask]

    def _left_out(self, low: int) -> Cost:
        group = self._groups[low.bit_length() - 1]
        return tuple(int(kind is group.kind) for kind in PRIORITY) + (0,) * 4


def _cost(pool: Pool) -> Cost:
    suits = sum(TRAITS[group.kind].prefers.index(pool.way) for group in pool.groups)
    idle_mig = pool.room.nodes if pool.nodes.model.supports_mig and pool.way is not Way.MIG else 0
    return (0,) * len(PRIORITY) + (suits, pool.room.nodes, idle_mig, 1)


def _sum(one: Cost, other: Cost) -> Cost:
    return tuple(a + b for a, b in zip(one, other, strict=True))
