"""What the central picture says in words: shared by its labels, its text alternative and the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from labs.hardware.units import PPM
from labs.report.cards.fault_words import hit_texts
from labs.report.writing import Messages
from labs.simulation.outcome.moment import CardView, MemoryRefusal, NodeView, PodState, PodView, Snapshot

CALLOUTS_SHOWN = 4
CARDS_DESCRIBED = 12
PARTS_SHOWN = 4
NODES_DESCRIBED = 12
LABELS_SHOWN = 40
SEVERAL_TOLD = 6


@dataclass(frozen=True, slots=True)
class Callout:
    """A sentence about the refused requests on cards to which the same happened."""

    cards: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class PodList:
    """Pods that hold no slot, for one and the same reason. `labels` name Pods, or workloads where they are many."""

    state: PodState
    heading: str
    labels: tuple[str, ...]
    message: str | None


@dataclass(frozen=True, slots=True)
class SeveralSlots:
    """A Pod that holds several slots of a node: the numbers of its `tickets` through the node, and its cards, each once."""

    pod: str
    tickets: tuple[int, ...]
    cards: tuple[int, ...]


def number_ranges(numbers: Iterable[int]) -> str:
    """Ascending numbers, runs joined: 0–2, 5."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in runs)


def slots_text(node: NodeView, messages: Messages) -> str:
    """How many slots a node offers, how many are taken, what that promises. Nobody gets what is free on an unhealthy card."""
    if node.is_away:
        kept = sum(card.kept for card in node.cards)
        return messages.count("picture.slots.away", kept) if kept else tile_text(node, messages)
    slots = sum(card.taken if card.is_unhealthy else card.slot_count for card in node.cards)
    if not node.resources and not slots:
        return messages.text("picture.slots.none")
    taken = sum(card.taken + card.kept for card in node.cards)
    return messages.count(f"picture.slots.{_sharing(node)}", slots, taken=taken)


def _sharing(node: NodeView) -> str:
    """How a node's devices are offered: whole, shared by turns, as MPS clients, as MIG devices."""
    if any(card.mechanism == "mps" for card in node.cards):
        return "mps"
    if any(card.slot_count > 1 or card.taken + card.kept > 1 for card in node.cards):
        return "shared"  # of a card that is no longer offered so too, while several Pods are on it
    return "mig" if any(card.mig is not None for card in node.cards) else "whole"


def tile_text(node: NodeView, messages: Messages) -> str:
    """The same in a few words: how many slots are taken of those that there are."""
    if node.is_away:
        return messages.text("picture.slots.away_tile")
    taken = sum(card.taken + card.kept for card in node.cards)
    slots = sum(card.slot_count for card in node.cards)
    return messages.text("picture.slots.of", taken=taken, n=slots)


def card_name(card: CardView, messages: Messages) -> str:
    """What a picture calls a card, GPU 0, or a MIG device, 2: 1g.5gb."""
    if card.mig is None:
        return messages.text("picture.gpu", n=card.number)
    return messages.text("picture.mig", n=card.number, profile=card.mig)


def kind_name(card: CardView, messages: Messages) -> str:
    """What a number in a text about the node's cards counts: GPUs or MIG devices."""
    return messages.text("picture.gpus" if card.mig is None else "picture.migs")


def several_slots(node: NodeView) -> list[SeveralSlots]:
    """The Pods that hold several of a node's listed slots, by name (pair-2 before pair-10)."""
    held: dict[str, list[tuple[int, int]]] = {}
    first = 1
    for card in node.cards:
        for slot in card.slots:
            if slot.pod is not None:
                held.setdefault(slot.pod, []).append((first + slot.index, card.number))
        first += card.slot_count
    return [
        SeveralSlots(pod, tuple(ticket for ticket, _ in places), tuple(dict.fromkeys(n for _, n in places)))
        for pod, places in sorted(held.items(), key=lambda item: (len(item[0]), item[0]))
        if len(places) > 1
    ]


def several_text(held: SeveralSlots, messages: Messages) -> str:
    """Which tickets the Pod holds, and how many GPUs that is."""
    tickets = messages.join([str(number) for number in held.tickets])
    return messages.count("picture.several", len(held.cards), pod=held.pod, tickets=tickets)


def several_texts(node: NodeView, messages: Messages) -> list[str]:
    """As `several_text`, for all such Pods of a node; none where they are more than SEVERAL_TOLD."""
    several = several_slots(node)
    return [several_text(held, messages) for held in several] if len(several) <= SEVERAL_TOLD else []


def busy_text(node: NodeView, messages: Messages) -> str:
    """How much of the time a kernel runs on each card, cards alike together; empty where no job ever computes."""
    shares = [None if card.busy_ppm is None else messages.percent(card.busy_ppm / PPM) for card in node.cards]
    return _by_cards("busy", "percent", shares, node, messages)


def found_text(node: NodeView, messages: Messages) -> str:
    """How much Pods hold on each card without need, because it was free; empty where they hold none such."""
    sizes = [messages.bytes_text(card.found_bytes) if card.found_bytes else None for card in node.cards]
    return _by_cards("found", "size", sizes, node, messages)


def _by_cards(topic: str, key: str, texts: Sequence[str | None], node: NodeView, messages: Messages) -> str:
    """What `texts` say of each card, cards alike together; empty where there is none for any."""
    alike: dict[str, list[int]] = {}
    for card, words in zip(node.cards, texts, strict=True):
        if words is not None:
            alike.setdefault(words, []).append(card.number)
    parts = [
        messages.pick(
            f"picture.{topic}.part",
            {key: words, "cards": number_ranges(cards), "place": kind_name(node.cards[0], messages)},
        )
        for words, cards in alike.items()
    ]
    if not parts:
        return ""
    return messages.text(f"picture.{topic}.all", parts=messages.text("list.comma").join(parts))


def cards_text(node: NodeView, messages: Messages) -> str:
    """How much memory a node's cards have, and whether anything divides it."""
    totals = [card.total_bytes for card in node.cards]
    size = messages.text(
        "picture.cards.size", n=len(totals), size=messages.bytes_text(max(totals, default=0))
    )
    if node.error is not None:
        return messages.text("picture.cards.unused", cards=size)
    if node.cards and node.cards[0].mig is not None:
        size = messages.count("picture.cards.parts", len(node.cards))
    return messages.text(f"picture.cards.{_sharing(node)}", cards=size)


def slices_text(node: NodeView, messages: Messages) -> str:
    """How many slices of a card are wasted; empty where none is, or no card is cut."""
    slices = node.slices
    if slices is None or not (slices.wasted_memory or slices.wasted_compute):
        return ""
    return messages.text(
        "picture.slices.wasted",
        memory=len(slices.wasted_memory),
        memories=slices.memory,
        compute=len(slices.wasted_compute),
        computes=slices.compute,
    )


def callouts(node: NodeView, messages: Messages) -> list[Callout]:
    """What happened on the cards that faults hit or that refused memory, the same told once, at most CALLOUTS_SHOWN lines."""
    cards_of: dict[str, list[int]] = {}
    for card in node.cards:
        for text in (*hit_texts(card, messages), *_refusals_text(card, messages)):
            cards_of.setdefault(text, []).append(card.number)
    lines = [
        Callout(tuple(cards), _of_cards(cards, text, node, messages)) for text, cards in cards_of.items()
    ]
    if len(lines) <= CALLOUTS_SHOWN:
        return lines
    rest = tuple(sorted({number for callout in lines[CALLOUTS_SHOWN - 1 :] for number in callout.cards}))
    more = messages.text(
        "picture.callout.more", cards=number_ranges(rest), place=kind_name(node.cards[0], messages)
    )
    return [*lines[: CALLOUTS_SHOWN - 1], Callout(rest, more)]


def pod_lists(snapshot: Snapshot, messages: Messages, most: int = 12) -> list[PodList]:
    """The Pods that wait for a slot and those refused at admission; workloads instead of Pods above `most`."""
    lists = []
    for state in (PodState.PENDING, PodState.REFUSED):
        pods = [pod for pod in snapshot.pods if pod.state is state]
        if not pods:
            continue
        reasons = {pod.message for pod in pods if pod.message}
        labels = tuple(pod.name for pod in pods) if len(pods) <= most else _by_workload(pods)
        whole = state is PodState.PENDING and not _any_shared(snapshot)
        heading = messages.count(f"picture.list.{'pending_whole' if whole else state}", len(pods))
        if len(labels) > LABELS_SHOWN:
            more = messages.text("list.more", n=len(labels) - LABELS_SHOWN + 1)
            labels = (*labels[: LABELS_SHOWN - 1], more)
        lists.append(PodList(state, heading, labels, min(reasons) if len(reasons) == 1 else None))
    return lists


def title(snapshot: Snapshot, messages: Messages) -> str:
    """The name of the picture."""
    return messages.text("picture.title", time=messages.duration(snapshot.at_us))


def description(snapshot: Snapshot, messages: Messages) -> str:
    """All that the picture shows, as sentences."""
    parts = [] if snapshot.nodes else [messages.text("picture.empty")]
    for node in snapshot.nodes[:NODES_DESCRIBED]:
        parts.append(messages.text("picture.alt.node", node=node.name, model=node.model_name))
        if node.error is not None:
            parts.append(messages.text("picture.alt.error", error=node.error))
        else:
            parts.append(slots_text(node, messages) + messages.text("picture.alt.stop"))
            parts += [*_cut_described(node, messages), *_cards_described(node, messages)]
            lines = [callout.text for callout in callouts(node, messages)]
            lines += filter(None, [found_text(node, messages)])
            lines += [*several_texts(node, messages), *filter(None, [busy_text(node, messages)])]
            parts += [line + messages.text("picture.alt.stop") for line in lines]
    more = len(snapshot.nodes) - NODES_DESCRIBED
    if more > 0:
        parts.append(messages.count("picture.fleet.more", more) + messages.text("picture.alt.stop"))
    for listed in pod_lists(snapshot, messages):
        parts.append(listed.heading + messages.text("picture.alt.stop"))
    return messages.text("picture.alt.join").join(parts)


def _of_cards(cards: Sequence[int], text: str, node: NodeView, messages: Messages) -> str:
    if len(node.cards) == 1:
        return text
    key = "picture.callout.card" if len(cards) == 1 else "picture.callout.cards"
    place = kind_name(node.cards[0], messages)
    return messages.text(key, cards=number_ranges(cards), text=text, place=place)


def _refusals_text(card: CardView, messages: Messages) -> list[str]:
    by_state: dict[PodState, list[MemoryRefusal]] = {}
    for refusal in card.refusals:
        by_state.setdefault(refusal.state, []).append(refusal)
    inside = {block.pod for block in card.blocks}
    return [_asked_text(refusals, state, inside, messages) for state, refusals in by_state.items()]


def _asked_text(
    refusals: Sequence[MemoryRefusal], state: PodState, inside: set[str], messages: Messages
) -> str:
    """What Pods in one state asked for; those not `inside` the card were refused their very context."""
    state_words = messages.text(f"picture.state.{state}")
    counts: dict[tuple[int, bool], int] = {}
    for refusal in refusals:
        asked = (refusal.asked_bytes, refusal.pod in inside)
        counts[asked] = counts.get(asked, 0) + 1
    if len(counts) == 1:
        size = messages.bytes_text(refusals[0].asked_bytes)
        return messages.count("picture.callout.same", len(refusals), size=size, state=state_words)
    parts = [
        messages.text(
            "picture.callout.part" if has_context else "picture.callout.part_context",
            n=n,
            size=messages.bytes_text(size),
        )
        for (size, has_context), n in list(counts.items())[:PARTS_SHOWN]
    ]
    listed = messages.text("list.comma").join(parts)
    return messages.count("picture.callout.mixed", len(refusals), sizes=listed, state=state_words)


def _any_shared(snapshot: Snapshot) -> bool:
    """Whether some node offers its cards several times, or would if its config were not refused."""
    return any(
        node.error is not None or any(card.slot_count > 1 for card in node.cards) for node in snapshot.nodes
    )


def _by_workload(pods: Sequence[PodView]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for pod in pods:
        counts[pod.workload] = counts.get(pod.workload, 0) + 1
    return tuple(f"{workload} × {count}" for workload, count in counts.items())


def _cut_described(node: NodeView, messages: Messages) -> list[str]:
    """How every card of the node is cut, and what of it is wasted."""
    parts = [
        messages.text(
            "picture.alt.part",
            profile=card.mig or "",
            slices=number_ranges(range(card.place.start, card.place.start + card.place.size)),
            n=card.place.compute,
        )
        for card in node.cards
        if card.place is not None and card.place.gpu == 0
    ]
    if not parts:
        return []
    wasted = slices_text(node, messages)
    cut = messages.text("picture.alt.slices", parts=messages.text("list.comma").join(parts))
    return [cut, *([wasted + messages.text("picture.alt.stop")] if wasted else [])]


def _cards_described(node: NodeView, messages: Messages) -> list[str]:
    alike: dict[tuple[int, int, int], list[CardView]] = {}
    for card in node.cards:
        alike.setdefault((card.held_bytes, card.total_bytes, len(card.blocks)), []).append(card)
    sentences = []
    for (held, total, pods), cards in list(alike.items())[:CARDS_DESCRIBED]:
        key = "picture.alt.card" if len(cards) == 1 else "picture.alt.cards"
        numbers = number_ranges(card.number for card in cards)
        place = kind_name(cards[0], messages)
        sizes = {"held": messages.bytes_text(held), "total": messages.bytes_text(total), "place": place}
        sentences.append(messages.count(key, pods, cards=numbers, **sizes))
    return sentences
