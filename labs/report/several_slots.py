"""What a colleague says about Pods that hold several slots of shared cards: how many GPUs that is, and what it is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from labs.cluster.pod_phase import Phase
from labs.report.holdings import CardKey, Holdings
from labs.report.messages import Messages
from labs.simulation.outcome import Outcome, PodOutcome

NAMED_MOST = 3


def several_slots_sentences(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """First those whose slots are all on one card, then those that got several; Pods alike together."""
    slots = Holdings.of(outcome.trace).slots
    alike: dict[tuple[int, int], list[PodOutcome]] = {}
    for pod in _several(outcome, slots):
        alike.setdefault((len(set(slots[pod.name])), len(slots[pod.name])), []).append(pod)
    for (cards, count), pods in sorted(alike.items()):
        names = _names(pods, messages)
        if cards > 1:
            yield messages.count("sentence.several.spread", len(pods), pods=names, slots=count, cards=cards)
            continue
        key = f"sentence.several.{'both' if count == 2 else 'all'}"
        card = _card(slots[pods[0].name][0], outcome, messages)
        told: dict[str, str | int] = {"pods": names, "card": card, "slots": count}
        yield messages.pick(f"{key}.{'one' if len(pods) == 1 else 'other'}", told)


def no_more_turns(outcome: Outcome, messages: Messages) -> str | None:
    """That a Pod with more slots on a card than a neighbour gets no more of its time, where both can be compared."""
    slots = Holdings.of(outcome.trace).slots
    on = {pod.name: Counter(slots.get(pod.name, ())) for pod in outcome.pods if pod.phase is Phase.RUNNING}
    speeds = {pod.name: pod.slowdown for pod in outcome.pods if pod.slowdown is not None}
    for pod in _several(outcome, slots):
        for card, count in on[pod.name].items():
            for other, cards in on.items():
                if 0 < cards[card] < count and pod.name in speeds and speeds[pod.name] == speeds.get(other):
                    return messages.text(
                        "sentence.several.turns",
                        card=_card(card, outcome, messages),
                        pod=pod.name,
                        other=other,
                        times=messages.number(speeds[other]),
                    )
    return None


def _several(outcome: Outcome, slots: Mapping[str, Sequence[CardKey]]) -> list[PodOutcome]:
    """The Pods that hold several slots of a shared node at the end."""
    shared = _shared_nodes(outcome)
    running = [pod for pod in outcome.pods if pod.phase is Phase.RUNNING and pod.node in shared]
    return [pod for pod in running if len(slots.get(pod.name, ())) > 1]


def _card(card: CardKey, outcome: Outcome, messages: Messages) -> str:
    key = "sentence.cards.here" if len(outcome.nodes) == 1 else "sentence.cards.on"
    return messages.pick(key, {"cards": card[1], "node": card[0]})


def _shared_nodes(outcome: Outcome) -> set[str]:
    cards = {node.name: node.count for node in outcome.scenario.nodes}
    return {
        node.name for node in outcome.nodes if sum(count for _, count in node.resources) > cards[node.name]
    }


def _names(pods: Sequence[PodOutcome], messages: Messages) -> str:
    names = [pod.name for pod in pods]
    if len(names) > NAMED_MOST:
        names = [*names[: NAMED_MOST - 1], messages.text("list.more", n=len(names) - NAMED_MOST + 1)]
    return messages.join(names)
