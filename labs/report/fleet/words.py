"""What a rollout comes to at a moment, in sentences: how far it is, and why it goes on or stops now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from labs.report.fleet.state import NodeState, state_of
from labs.report.writing import Messages
from labs.simulation.outcome.moment import BEING_DELETED
from labs.simulation.outcome.rollout import BudgetUse, FleetNodeView, FleetSnapshot, budget_use, is_halted
from labs.simulation.scenario.rollout import Rollout

NAMED = 4  # nodes in a sentence
NAMED_IN_ALT = 12


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a run.

    `rests`: nothing happens after it before the time `until_us` of what somebody does next, or ever (None).
    """

    rollout: Rollout
    fleet: FleetSnapshot
    rests: bool
    until_us: int | None = None

    @property
    def stops(self) -> bool:
        """Whether the rollout has stopped before its end: nothing that may still happen takes it further."""
        stays = self.rests and self.until_us is None and self.fleet.strategy.rolls and not self.fleet.is_done
        return stays or is_halted(self.rollout, self.fleet)


def sentences(moment: Moment, messages: Messages) -> tuple[str, ...]:
    """The sentences, the first of which answers: does it go on, has it stopped, is it done."""
    return tuple(_sentences(moment, messages))


def _sentences(moment: Moment, messages: Messages) -> Iterator[str]:
    rollout, fleet = moment.rollout, moment.fleet
    text = messages.text
    status = fleet.status
    counts: dict[str, str | int] = {
        "updated": status.updated,
        "desired": status.desired,
        "available": status.available,
        "revision": fleet.revision,
    }
    if not fleet.strategy.rolls:
        yield messages.pick("fleet.sentence.on-delete", counts)
        return
    use = budget_use(rollout, fleet)
    is_done = fleet.is_done
    stops = moment.stops
    if is_done and not status.desired:
        yield text("fleet.sentence.empty")
    elif is_done:
        yield messages.pick(
            f"fleet.sentence.{'done' if rollout.has_begun(fleet.at_us) else 'not-begun'}", counts
        )
    elif stops:
        yield messages.pick("fleet.sentence.stopped", counts)
    else:
        yield messages.pick("fleet.sentence.goes-on", counts)
    yield from _why(use, messages, is_done=is_done, stops=stops)
    yield from _beside(moment, use, messages, is_done=is_done)
    if stops and not moment.rests:
        yield text("fleet.sentence.loops-on")
    elif stops and moment.until_us is None:
        yield text("fleet.sentence.stays")
    elif stops and moment.until_us is not None:
        yield text("fleet.sentence.stays-until", time=messages.duration(moment.until_us))


def _why(use: BudgetUse, messages: Messages, *, is_done: bool, stops: bool) -> Iterator[str]:
    """The controller's reckoning."""
    values: dict[str, str | int] = {
        "used": use.used,
        "limit": use.limit,
        "field": "maxSurge" if use.surges else "maxUnavailable",
        "nodes": nodes_text(use.used_by, messages),
    }
    if is_done and not use.used:
        return
    kind = "surge" if use.surges else "budget"
    if stops and use.used and not use.outdated:
        yield messages.pick("fleet.why.last", values)
    elif use.used and use.is_used_up:
        if stops:
            yield messages.pick(f"fleet.why.{kind}-stops", values)
        else:
            form = "one" if use.used == 1 else "other"
            yield messages.pick(f"fleet.why.{kind}-waits.{form}", values)
    elif use.used:
        yield messages.pick(f"fleet.why.{kind}-left", values)
    elif use.outdated:
        yield messages.text("fleet.why.next", node=use.outdated[0].name)


def _beside(moment: Moment, use: BudgetUse, messages: Messages, *, is_done: bool) -> Iterator[str]:
    """What the numbers do not show."""
    fleet, text = moment.fleet, messages.text
    hidden = [node for node in use.used_by if not node.should_run]
    if hidden:
        yield text("fleet.sentence.hidden", nodes=nodes_text(hidden, messages))
    looping = [node for node in fleet.nodes if any(pod.restarts for pod in node.pods) and node.should_run]
    if is_done and looping:
        yield text("fleet.sentence.loops", nodes=nodes_text(looping, messages))
    gone = [node for node in fleet.nodes if not node.should_run and not node.pods]
    if gone:
        yield text("fleet.sentence.left-out", nodes=nodes_text(gone, messages))
    empty = [node for node in fleet.nodes if node.is_available and _offers_nothing(node)]
    if empty:
        yield text("fleet.sentence.serves-nothing", nodes=nodes_text(empty, messages))
    yield from _slots(fleet, messages)


def _slots(fleet: FleetSnapshot, messages: Messages) -> Iterator[str]:
    """How many nodes offer how many slots, where they differ."""
    offered: dict[int, int] = {}
    for node in fleet.nodes:
        if node.offers:
            slots = sum(offer.allocatable for offer in node.offers)
            offered[slots] = offered.get(slots, 0) + 1
    if len(offered) > 1:
        parts = [
            messages.count("fleet.sentence.offer", count, slots=messages.count("fleet.slots", slots))
            for slots, count in sorted(offered.items(), reverse=True)
        ]
        yield messages.text("fleet.sentence.offers", offers=messages.join(parts))
    left = [node for node in fleet.nodes if any(pod.state in BEING_DELETED for pod in node.workload_pods)]
    if left:
        pods = sum(pod.state in BEING_DELETED for node in left for pod in node.workload_pods)
        yield messages.count("fleet.sentence.left", pods, nodes=nodes_text(left, messages))
    if fleet.waiting_pods:
        yield messages.count("fleet.sentence.waiting", len(fleet.waiting_pods))


def _offers_nothing(node: FleetNodeView) -> bool:
    return bool(node.offers) and not any(offer.allocatable for offer in node.offers)


def nodes_text(nodes: Sequence[FleetNodeView], messages: Messages, most: int = NAMED) -> str:
    """The names of some nodes, of many the first."""
    names = [node.name for node in nodes[:most]]
    if len(nodes) > most:
        names.append(messages.count("fleet.more", len(nodes) - most))
    return messages.join(names)


def state_text(node: FleetNodeView, messages: Messages) -> str:
    """The word for the state of a node."""
    return messages.text(f"fleet.state.{state_of(node)}")


def group_texts(fleet: FleetSnapshot, letters: Mapping[str, str], messages: Messages) -> list[str]:
    """The nodes by revision and state: the picture in words."""
    groups: dict[tuple[str, NodeState], list[FleetNodeView]] = {}
    for node in fleet.nodes:
        groups.setdefault((node.revision or "", state_of(node)), []).append(node)
    order = list(NodeState)
    ordered = sorted(groups.items(), key=lambda item: (item[0][0], order.index(item[0][1])))
    texts = []
    for (revision, state), nodes in ordered:
        values = {
            "nodes": nodes_text(nodes, messages, NAMED_IN_ALT),
            "state": messages.text(f"fleet.state.{state}"),
        }
        if revision:
            texts.append(
                messages.text(
                    "fleet.alt.group", revision=revision, letter=letters.get(revision, "?"), **values
                )
            )
        else:
            texts.append(messages.text("fleet.alt.without", **values))
    return texts
