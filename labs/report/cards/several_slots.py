"""What a colleague says about Pods that hold several slots of shared cards: how many GPUs that is, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from labs.cluster.pod_phase import Phase
from labs.report.writing import Messages
from labs.simulation.outcome import CardKey, Outcome, PodOutcome

NAMED_MOST = 3


def several_slots_sentences(outcome: Outcome, messages: Messages) -> Iterator[str]:
    """First those whose slots are all on one card, then those that got several; Pods alike together."""
    alike: dict[tuple[int, int], list[PodOutcome]] = {}
    for pod in _several(outcome):
        alike.setdefault((len(pod.cards), _slots(pod)), []).append(pod)
    for (cards, count), pods in sorted(alike.items()):
        names = _names(pods, messages)
        if cards > 1:
            yield messages.count("sentence.several.spread", len(pods), pods=names, slots=count, cards=cards)
            continue
        key = f"sentence.several.{'both' if count == 2 else 'all'}"
        card = _card(pods[0].cards[0].card, outcome, messages)
        values: dict[str, str | int] = {"pods": names, "card": card, "slots": count}
        yield messages.pick(f"{key}.{'one' if len(pods) == 1 else 'other'}", values)


def no_more_turns(outcome: Outcome, messages: Messages) -> str | None:
    """That a Pod with more slots on a card than a neighbour gets no more of its time, where both can be compared."""
    on = {
        pod.name: {use.card: use.slots for use in pod.cards}
        for pod in outcome.pods
        if pod.phase is Phase.RUNNING
    }
    speeds = {pod.name: pod.slowdown for pod in outcome.pods if pod.slowdown is not None}
    for pod in _several(outcome):
        for card, count in on[pod.name].items():
            for other, cards in on.items():
                fewer = 0 < cards.get(card, 0) < count
                if fewer and pod.name in speeds and speeds[pod.name] == speeds.get(other):
                    return messages.text(
                        "sentence.several.turns",
                        card=_card(card, outcome, messages),
                        pod=pod.name,
                        other=other,
                        times=messages.number(speeds[other]),
                    )
    return None


def _several(outcome: Outcome) -> list[PodOutcome]:
    """The Pods that hold several slots at the end, some of a shared card."""
    shared = {(gpu.node, gpu.index) for gpu in outcome.gpus if gpu.slots > 1}
    running = [pod for pod in outcome.pods if pod.phase is Phase.RUNNING and _slots(pod) > 1]
    return [pod for pod in running if any(use.card in shared for use in pod.cards)]


def _slots(pod: PodOutcome) -> int:
    return sum(use.slots for use in pod.cards)


def _card(card: CardKey, outcome: Outcome, messages: Messages) -> str:
    key = "sentence.cards.here" if len(outcome.nodes) == 1 else "sentence.cards.on"
    place = device_kind(card[0], outcome, messages)
    return messages.pick(
        key, {"cards": outcome.scenario.number_in_layout(*card), "node": card[0], "place": place}
    )


def device_kind(node: str, outcome: Outcome, messages: Messages) -> str:
    """What numbers of the node's devices count: GPUs or MIG devices."""
    cut = any(gpu.mig is not None for gpu in outcome.gpus if gpu.node == node)
    return messages.text("picture.migs" if cut else "picture.gpus")


def _names(pods: Sequence[PodOutcome], messages: Messages) -> str:
    names = [pod.name for pod in pods]
    if len(names) > NAMED_MOST:
        names = [*names[: NAMED_MOST - 1], messages.text("list.more", n=len(names) - NAMED_MOST + 1)]
    return messages.join(names)
