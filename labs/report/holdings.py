"""Who held how much memory on which card, replayed from a Trace: what the sentence and the table tell about memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from labs.simulation.trace import Happening, Record, Trace

CardKey = tuple[str, int]
"""A card: its node and its number there."""


@dataclass(slots=True)
class Holdings:
    """Bytes by Pod and card at the end of the Trace: `now` with the CUDA context, `data` without; `peak` by Pod.

    `slots` are the cards of a Pod's slots, a card once for every slot on it; `cards` each once.
    """

    now: dict[tuple[str, CardKey], int] = field(default_factory=dict)
    data: dict[tuple[str, CardKey], int] = field(default_factory=dict)
    peak: dict[str, int] = field(default_factory=dict)
    cards: dict[str, list[CardKey]] = field(default_factory=dict)
    slots: dict[str, list[CardKey]] = field(default_factory=dict)
    refused_on: dict[str, CardKey] = field(default_factory=dict)

    @classmethod
    def of(cls, trace: Trace) -> Holdings:
        """Replay `trace`."""
        holdings = cls()
        contexts: dict[tuple[str, CardKey], int] = {}
        for record in trace.records:
            if record.pod is not None:
                holdings._apply(record, record.pod, contexts)
        return holdings

    def on(self, card: CardKey) -> dict[str, int]:
        """What each Pod holds on a card at the end, Pods that hold nothing left out."""
        return {pod: held for (pod, place), held in self.now.items() if place == card and held}

    def _apply(self, record: Record, pod: str, contexts: dict[tuple[str, CardKey], int]) -> None:
        if record.what in (Happening.CONTAINER_EXITED, Happening.POD_SUCCEEDED, Happening.POD_FAILED):
            for place in self.cards.get(pod, []):
                self.now[pod, place] = 0
            return
        if record.node is None or record.gpu is None:
            return
        card = (record.node, record.gpu)
        if record.what is Happening.SLOT_ALLOCATED:
            self.slots.setdefault(pod, []).append(card)
            self.cards[pod] = list(dict.fromkeys(self.slots[pod]))
        elif record.what is Happening.CONTEXT_ALLOCATED:
            contexts[pod, card] = record.value or 0
            self._hold(pod, card, contexts[pod, card])
        elif record.what is Happening.MEMORY_ALLOCATED:
            self.data[pod, card] = record.value or 0
            self._hold(pod, card, contexts.get((pod, card), 0) + (record.value or 0))
        elif record.what is Happening.ALLOCATION_FAILED:
            self.refused_on[pod] = card

    def _hold(self, pod: str, card: CardKey, held: int) -> None:
        self.now[pod, card] = held
        total = sum(self.now.get((pod, place), 0) for place in self.cards.get(pod, [card]))
        self.peak[pod] = max(self.peak.get(pod, 0), total)
