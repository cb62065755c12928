"""Node pools: who shares devices with whom, by which way, on which nodes; why they may, and why it is not otherwise.

A device plugin has one config for a node, so a pool is whole nodes with one way of sharing. How workloads are divided over
pools is in `pool_division`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from labs.cluster.pools.room import NodeKind, NoRoom, Room, Rooms, WorkloadGroup
from labs.cluster.pools.rules import PRIORITY, Hit, Rule, Way, forbidden, inflicts


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
    """What speaks against another way for a group, on nodes of its pool's kind.

    A bar, no room, or that it takes more nodes than the pool's way (`instead`); with none of these it is only that another
    way suits the workload better.
    """

    way: Way
    bar: Bar | None = None
    no_room: NoRoom | None = None
    nodes: int | None = None
    instead: int | None = None


@dataclass(frozen=True, slots=True)
class Shortage:
    """A group, or a part of one, for which no pool has room.

    `lacking` is by kind of nodes, under the way that comes nearest, what it lacks there.
    """

    group: WorkloadGroup
    lacking: tuple[tuple[NodeKind, Way, NoRoom], ...]


@dataclass(frozen=True, slots=True)
class Division:
    """The pools, what is left without nodes, and why.

    `divided` are groups in several pools, since none holds all of them; `apart` are pairs that may never share a device
    without a wall; `free` the nodes of each kind that no pool takes. Not `exact`: a search, for a MIG layout or for parts of
    groups, was cut short, so that another division might be better. Groups of pools and of `unserved` may be parts of those
    given.
    """

    pools: tuple[Pool, ...]
    unserved: tuple[Shortage, ...]
    divided: tuple[Shortage, ...]
    apart: tuple[Bar, ...]
    free: tuple[tuple[NodeKind, int], ...]
    exact: bool


def bar_between(groups: Sequence[WorkloadGroup], way: Way) -> Bar | None:
    """The first reason for which these groups can't share devices under a way; None where they may."""
    if not way.shares:
        return None
    for group in groups:
        hits = inflicts(group.kind, way)
        if not group.bears_its_own(hits):
            return Bar(group, group, next(hit for hit in Hit if hit in hits - group.bears_own))
    for first, other in combinations(groups, 2):
        bar = _pair(first, other, way)
        if bar is not None:
            return bar
    return None


def _pair(first: WorkloadGroup, other: WorkloadGroup, way: Way) -> Bar | None:
    rule = forbidden(first.kind, other.kind)
    if rule is not None:
        return Bar(*_ordered(first, other), rule=rule)
    for victim, culprit in ((first, other), (other, first)):
        for hit in Hit:
            if hit in inflicts(culprit.kind, way) and hit not in victim.bears:
                return Bar(victim, culprit, hit)
    return None


def _ordered(first: WorkloadGroup, other: WorkloadGroup) -> tuple[WorkloadGroup, WorkloadGroup]:
    """Who is to be kept from whom: the one that is served first comes first."""
    return (first, other) if PRIORITY.index(first.kind) <= PRIORITY.index(other.kind) else (other, first)


def bar_apart(first: WorkloadGroup, other: WorkloadGroup) -> Bar | None:
    """Why two groups may not share a device under any way that has no walls."""
    bars = [_pair(first, other, way) for way in (Way.TIME_SLICING, Way.MPS)]
    return bars[0] if all(bars) else None


def against(pool: Pool, group: WorkloadGroup) -> tuple[Against, ...]:
    """What speaks against each other way for a group of a pool, as if it were there alone."""
    rooms = Rooms(pool.nodes)
    objections: list[Against] = []
    here = rooms.of(pool.way, [group])
    for way in Way:
        if way is pool.way:
            continue
        bar = bar_between([group], way)
        room = rooms.of(way, [group])
        if bar is not None:
            objections.append(Against(way, bar=bar))
        elif isinstance(room, NoRoom):
            objections.append(Against(way, no_room=room, nodes=room.nodes))
        elif isinstance(here, Room) and room.nodes > here.nodes:
            objections.append(Against(way, nodes=room.nodes, instead=here.nodes))
        else:
            objections.append(Against(way))
    return tuple(objections)
