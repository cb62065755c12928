"""How many nodes of a kind a pool takes for some groups under some way, or why it can't hold them.

Kubernetes counts slots and knows no memory, so any Pods of a pool may meet on a card. `replicas` is therefore such that those
with the largest need fit together; then it is lowered to what the Pods need on the cards of whole nodes, for whoever is
beside fewer is slowed less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from labs.cluster.advertise import MPS_LIMIT, VOLTA_LIMIT
from labs.cluster.pools.rules import Hits, Way, WorkloadKind
from labs.hardware.catalog import (
    GpuModel,
    UnknownFigureError,
    total_memory_bytes,
    usable_memory_bytes,
)
from labs.hardware.planning import MOST_CARDS, EmptyCard, Plan, Wish, plan_cards
from labs.hardware.units import MIB

_MANY = 10**9  # nodes: where it is not these that are wanting
_FEWER_HELP = (
    "mig-cards",
    "two-do-not-fit",
)  # where fewer Pods may find room, beside a number of nodes that is too small

MOST_PODS = 200
"""Pods of a group."""

EFFORT, PART_EFFORT = 10_000, 2_000
"""Of the search for one MIG layout (`mig_packing`), of whole groups and where one is in part: a division asks for as many
layouts as its groups have subsets, and for some of each size that a part may have."""


@dataclass(frozen=True, slots=True)
class WorkloadGroup:
    """Pods that are alike: what each takes, and what it bears of others and of its own.

    `memory_bytes` is at its highest and with the CUDA context. A part of a group has `whole`, the number of Pods of all of
    it.
    """

    name: str
    kind: WorkloadKind
    count: int
    memory_bytes: int
    bears: Hits
    bears_own: Hits
    whole: int | None = None

    @property
    def of(self) -> int:
        """How many Pods the group has, whether this is all of it or a part."""
        return self.count if self.whole is None else self.whole

    def part(self, count: int) -> WorkloadGroup:
        """So many of its Pods; all of them are the group itself."""
        return replace(self, count=count, whole=None if count == self.of else self.of)

    def bears_its_own(self, hits: Hits) -> bool:
        """Whether its Pods may do this to each other."""
        return self.count < 2 or hits <= self.bears_own


@dataclass(frozen=True, slots=True)
class NodeKind:
    """Nodes that are alike: so many of them with so many cards of a model each."""

    model: GpuModel
    nodes: int
    cards: int


@dataclass(frozen=True, slots=True)
class Room:
    """What groups take: nodes, all cards of these, slots of a card (1: no sharing), and under MIG the plan.

    `most_replicas` is how many slots a card might have at most for its memory; `packed_bytes` what the largest that may meet
    on a card need together, of `usable_bytes`.
    """

    nodes: int
    cards: int
    replicas: int = 1
    most_replicas: int = 1
    packed_bytes: int = 0
    usable_bytes: int = 0
    plan: Plan | None = None


@dataclass(frozen=True, slots=True)
class NoRoom:
    """Why groups can't be held: `key` names the reason, `values` what it says of the case.

    `nodes` is how many it would take where it is the number of nodes that is wanting.
    """

    key: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    nodes: int | None = None


class Rooms:
    """Room on nodes of one kind; remembers what it was asked.

    `exact` tells whether every search for a layout came to its end.
    """

    def __init__(self, kind: NodeKind) -> None:
        self.kind = kind
        self.exact = True
        self._empty = EmptyCard(kind.model) if kind.model.supports_mig else None
        self._known: dict[tuple[Way, tuple[WorkloadGroup, ...]], Room | NoRoom] = {}
        self._fitting: dict[tuple[Way, tuple[WorkloadGroup, ...], int], tuple[WorkloadGroup, ...] | None] = {}

    def of(self, way: Way, groups: Sequence[WorkloadGroup]) -> Room | NoRoom:
        """The room that these groups take together under this way."""
        key = (way, tuple(groups))
        if key not in self._known:
            self._known[key] = self._room(way, groups)
        return self._known[key]

    def fitting(
        self, way: Way, groups: Sequence[WorkloadGroup], nodes: int
    ) -> tuple[WorkloadGroup, ...] | None:
        """These groups, of the last as many Pods as find room on so many nodes beside the others; None where none does."""
        key = (way, tuple(groups), nodes)
        if key not in self._fitting:
            self._fitting[key] = self._most_of_last(way, groups, nodes)
        return self._fitting[key]

    def _most_of_last(
        self, way: Way, groups: Sequence[WorkloadGroup], nodes: int
    ) -> tuple[WorkloadGroup, ...] | None:
        *others, last = groups

        def needed(count: int) -> int:
            """Nodes for so many; fewer Pods never take more, and with so few that each has a card other ways do."""
            room = self.of(way, (*others, last.part(count)))
            if isinstance(room, Room):
                return room.nodes
            return 0 if room.key == "one-each" else room.nodes if room.nodes is not None else _MANY

        all_of_it = self.of(way, groups)
        if isinstance(all_of_it, NoRoom) and all_of_it.nodes is None and all_of_it.key not in _FEWER_HELP:
            return None
        held, over = 0, last.count + 1
        while over - held > 1:
            middle = (held + over) // 2
            held, over = (middle, over) if needed(middle) <= nodes else (held, middle)
        most = (*others, last.part(held)) if held else ()
        return most if most and isinstance(self.of(way, most), Room) else None

    def _room(self, way: Way, groups: Sequence[WorkloadGroup]) -> Room | NoRoom:
        if way is Way.MIG:
            return self._cut(groups)
        try:
            usable = usable_memory_bytes(self.kind.model)
        except UnknownFigureError:
            return NoRoom("memory-unknown")
        largest = max(groups, key=lambda group: group.memory_bytes)
        if largest.memory_bytes > usable:
            return NoRoom("too-large", {"name": largest.name, "need": largest.memory_bytes, "most": usable})
        pods = sum(group.count for group in groups)
        if way is Way.EXCLUSIVE:
            return self._nodes(pods, usable_bytes=usable)
        return self._shared(way, groups, pods, usable)

    def _nodes(self, cards: int, usable_bytes: int = 0, plan: Plan | None = None) -> Room | NoRoom:
        """The room on as many whole nodes as have so many cards."""
        nodes = -(-cards // self.kind.cards)
        if nodes > self.kind.nodes:
            return NoRoom("nodes", {"nodes": nodes, "there": self.kind.nodes}, nodes)
        return Room(nodes, nodes * self.kind.cards, usable_bytes=usable_bytes, plan=plan)

    def _shared(self, way: Way, groups: Sequence[WorkloadGroup], pods: int, usable: int) -> Room | NoRoom:
        needs = sorted((group.memory_bytes for group in groups for _ in range(group.count)), reverse=True)
        most, packed = 0, 0
        while most < len(needs) and packed + needs[most] <= usable:
            packed += needs[most]
            most += 1
        if way is Way.MPS:
            most = min(most, self._clients(), self._capped(needs[0]))
        if pods > 1 and most < 2:
            return NoRoom("two-do-not-fit", {"need": sum(needs[:2]), "most": usable})
        room = self._nodes(-(-pods // most))
        if isinstance(room, NoRoom):
            return room
        replicas = -(-pods // room.cards)
        if replicas < 2:
            return NoRoom("one-each", {"cards": room.cards, "pods": pods})
        return Room(room.nodes, room.cards, replicas, most, sum(needs[:replicas]), usable)

    def _capped(self, need: int) -> int:
        """With how many replicas the plugin's limit, whole MiB of the card's total, still is as much as a Pod needs."""
        total = total_memory_bytes(self.kind.model)
        replicas = total // max(need, 1)
        return replicas if total // replicas // MIB * MIB >= need else replicas - 1

    def _clients(self) -> int:
        """How many clients the plugin lets an MPS daemon of this card have."""
        major, _, minor = (self.kind.model.compute_capability or "0.0").partition(".")
        return MPS_LIMIT if (int(major), int(minor)) >= (7, 5) else VOLTA_LIMIT

    def _cut(self, groups: Sequence[WorkloadGroup]) -> Room | NoRoom:
        model = self.kind.model
        if self._empty is None:
            return NoRoom("no-mig", {"gpu": model.id})
        wishes = [Wish(group.name, group.count, group.memory_bytes) for group in groups]
        effort = EFFORT if all(group.whole is None for group in groups) else PART_EFFORT
        try:
            plan = plan_cards(model, MOST_CARDS, wishes, self._empty, effort)
        except UnknownFigureError as error:
            return NoRoom("figure-unknown", {"figure": error.figure})
        self.exact = self.exact and plan.exact
        if plan.shortage is not None:
            short = plan.shortage
            if short.most is not None and short.needed is not None and str(short.bound) == "no-profile":
                name = "" if short.wish is None else short.wish.text
                need, most = short.needed * MIB, short.most * MIB
                return NoRoom("no-profile", {"name": name, "need": need, "most": most})
            return NoRoom("mig-cards", {"cards": MOST_CARDS})
        used = sum(bool(card.devices) for card in plan.cards)
        pods = sum(group.count for group in groups)
        if used == pods:
            return NoRoom("one-each", {"cards": used, "pods": pods})
        return self._nodes(used, plan=plan)
