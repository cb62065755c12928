"""Node pools in words: who is where and why, what speaks against the other ways, what stays unprotected, how slow it gets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from labs.cluster.pools import (
    UNPROTECTED,
    Against,
    Bar,
    Division,
    NodeKind,
    NoRoom,
    Pool,
    Shortage,
    Way,
    WorkloadGroup,
    against,
)
from labs.report.writing import NOTHING, Column, Messages, Table, Value, one_line
from labs.simulation.evidence import Slowdown

BYTES = frozenset({"need", "most"})
"""Values of a reason that are bytes."""

Slowdowns = Mapping[WorkloadGroup, Slowdown | None]


def summary_lines(division: Division, messages: Messages) -> Iterator[str]:
    """The answer in a few sentences: who must be apart, how many pools, who is left."""
    groups = len({group.name for group in _everybody(division)})
    if division.apart:
        yield messages.count("may-they.summary.apart", len(division.apart))
    elif groups > 1:
        yield messages.text("may-they.summary.together")
    if division.pools:
        pools = [
            messages.text(
                "may-they.summary.pool", groups=_names(pool, messages), way=way_text(pool.way, messages)
            )
            for pool in division.pools
        ]
        joined = messages.text("may-they.summary.gap").join(pools)
        yield messages.count("may-they.summary.pools", len(division.pools), pools=joined)
    if division.divided:
        names = messages.join([one_line(shortage.group.name) for shortage in division.divided])
        yield messages.count("may-they.summary.divided", len(division.divided), groups=names)
    if division.unserved:
        names = messages.join([group_text(shortage.group, messages) for shortage in division.unserved])
        yield messages.text("may-they.summary.unserved", groups=names)


def _everybody(division: Division) -> Iterator[WorkloadGroup]:
    yield from (group for pool in division.pools for group in pool.groups)
    yield from (shortage.group for shortage in division.unserved)


def group_text(group: WorkloadGroup, messages: Messages) -> str:
    """A group by its name, a part of one with how much of it that is."""
    name = one_line(group.name)
    if group.whole is None:
        return name
    return messages.text("may-they.part", name=name, count=group.count, whole=group.whole)


def way_text(way: Way, messages: Messages) -> str:
    """A way of sharing by its name."""
    return messages.text(f"mechanism.{way}")


def node_text(kind: NodeKind, messages: Messages) -> str:
    """What a node of a kind has."""
    return messages.text("may-they.node", cards=kind.cards, gpu=kind.model.name.removeprefix("NVIDIA "))


def pool_heading(place: int, pool: Pool, messages: Messages) -> str:
    """A pool's number and way."""
    return messages.text("may-they.pool.heading", n=place + 1, way=way_text(pool.way, messages))


def pool_lines(pool: Pool, slowdowns: Slowdowns, messages: Messages) -> Iterator[str]:
    """Who is in a pool, on what, and why so."""
    text, room = messages.text, pool.room
    yield text("may-they.pool.for", groups=_names(pool, messages))
    node = node_text(pool.nodes, messages)
    yield messages.count("may-they.pool.nodes", room.nodes, node=node)
    yield text(f"may-they.why.{pool.way}")
    if pool.way.shares:
        pods = sum(group.count for group in pool.groups)
        yield text("may-they.pool.slots", replicas=room.replicas, pods=pods, gpus=room.cards)
        packed, usable = messages.bytes_text(room.packed_bytes), messages.bytes_text(room.usable_bytes)
        yield text("may-they.pool.packed", replicas=room.replicas, packed=packed, usable=usable)
    if room.plan is not None:
        counts = Counter(device.instance.profile.name for card in room.plan.cards for device in card.devices)
        devices = [f"{count} × {name}" for name, count in sorted(counts.items())]
        yield text("may-they.pool.devices", devices=messages.join(devices))
        if not room.plan.exact:
            yield text("may-they.pool.inexact")
    for group in pool.groups:
        slow = slowdowns.get(group)
        if slow is not None:
            yield _slow_text(group, slow, pool.way, messages)


def _slow_text(group: WorkloadGroup, slow: Slowdown, way: Way, messages: Messages) -> str:
    key = "alone" if slow.profile is not None else "beside"
    words = messages.pick(
        f"may-they.slow.{key}",
        {
            "name": one_line(group.name),
            "times": messages.number(slow.times),
            "profile": slow.profile or "",
            "way": way_text(way, messages),
            "error": messages.number(slow.error_percent),
        },
    )
    return words + (
        messages.text("list.sentences") + messages.text("may-they.slow.assumed") if slow.assumed else ""
    )


def against_lines(pool: Pool, messages: Messages) -> Iterator[str]:
    """What speaks against the other ways; what is said of several groups alike is said once."""
    lines: dict[str, None] = {}
    for group in pool.groups:
        for argument in against(pool, group):
            lines[_against_text(group, argument, messages)] = None
    yield from lines


def _against_text(group: WorkloadGroup, argument: Against, messages: Messages) -> str:
    text, way = messages.text, way_text(argument.way, messages)
    if argument.bar is not None and argument.bar.hit is not None:
        return text(f"may-they.against.own.{argument.bar.hit}", way=way, name=one_line(group.name))
    if argument.no_room is not None:
        reason = no_room_text(argument.no_room, messages)
        return text("may-they.against.no-room", way=way, name=one_line(group.name), reason=reason)
    if argument.nodes is not None and argument.instead is not None:
        name = one_line(group.name)
        return text("may-they.against.nodes", way=way, name=name, nodes=argument.nodes, here=argument.instead)
    return text(f"may-they.against.prefer.{argument.way}", way=way)


def no_room_text(reason: NoRoom, messages: Messages) -> str:
    """Why groups have no room."""
    values: dict[str, Value] = {
        name: messages.bytes_text(value) if name in BYTES and isinstance(value, int) else value
        for name, value in reason.values.items()
    }
    if "name" in values:
        values["name"] = one_line(str(values["name"]))
    return messages.pick(f"may-they.room.{reason.key}", values)


def bar_text(bar: Bar, messages: Messages) -> str:
    """Why two groups are kept apart."""
    values: dict[str, Value] = {"victim": one_line(bar.victim.name), "culprit": one_line(bar.culprit.name)}
    key = f"rule.{bar.rule}" if bar.rule is not None else f"hit.{bar.hit}"
    return messages.pick(f"may-they.apart.{key}", values)


def shortage_lines(shortages: Sequence[Shortage], messages: Messages) -> Iterator[str]:
    """What each group lacks that no pool has room for."""
    for shortage in shortages:
        for kind, way, reason in shortage.lacking:
            yield messages.text(
                "may-they.unserved",
                name=group_text(shortage.group, messages),
                node=node_text(kind, messages),
                way=way_text(way, messages),
                reason=no_room_text(reason, messages),
            )


def free_lines(division: Division, messages: Messages) -> Iterator[str]:
    """The nodes that no pool takes."""
    for kind, count in division.free:
        yield messages.count("may-they.pool.nodes", count, node=node_text(kind, messages))


def unprotected_lines(way: Way, messages: Messages) -> Iterator[str]:
    """What no wall protects in a pool."""
    yield from (messages.text(f"may-they.unprotected.{way}.{what}") for what in UNPROTECTED[way])


def pools_table(division: Division, slowdowns: Sequence[Slowdowns], messages: Messages) -> Table:
    """A row for each group of each pool; `slowdowns` by pool."""
    text = messages.text
    columns = tuple(
        Column(text(f"may-they.table.{head}"), figures=head in ("pods", "memory", "slow"))
        for head in ("group", "pool", "pods", "memory", "slow")
    )
    rows: list[tuple[str, ...]] = []
    for place, pool in enumerate(division.pools):
        for group in pool.groups:
            slow = slowdowns[place].get(group)
            rows.append(
                (
                    group_text(group, messages),
                    pool_heading(place, pool, messages),
                    messages.number(group.count),
                    messages.bytes_text(group.memory_bytes),
                    NOTHING if slow is None else text("unit.times", n=messages.number(slow.times)),
                )
            )
    return Table(text("may-they.table.caption"), columns, tuple(rows))


def _names(pool: Pool, messages: Messages) -> str:
    return messages.join([group_text(group, messages) for group in pool.groups])
