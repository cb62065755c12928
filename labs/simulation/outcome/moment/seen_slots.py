"""The slots of a node whose plugin is rolled out, as the scheduler counts them: by name, whatever became of the devices.

A Pod takes a unit of the resource that it asked for as long as it is bound to the node; nothing asks whether its very device
is still among those that the plugin lists. So a slot is drawn as taken by the Pod that holds that device, else by one on the
same card whose device has another id now, else by any Pod that the scheduler counts; who finds none left is not drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from labs.simulation.outcome.moment.replay import CardReplay, PodReplay


@dataclass(slots=True)
class SeenSlots:
    """The slots of a card: how many there are (`count`), who takes which of them by its number, how many more are `kept`."""

    count: int = 0
    takers: dict[int, str] = field(default_factory=dict)
    kept: int = 0


@dataclass(slots=True)
class _Block:
    """The slots of one resource on a card: `count` from the number `first` on; none below `free` is."""

    first: int
    count: int
    free: int = 0

    def take_free(self, slots: SeenSlots, pod: str) -> bool:
        """The Pod takes a slot that nobody has; False where there is none."""
        while self.free < self.count and self.first + self.free in slots.takers:
            self.free += 1
        if self.free == self.count:
            return False
        slots.takers[self.first + self.free] = pod
        return True


def seen_slots(cards: Mapping[int, CardReplay], unheard: Iterable[PodReplay]) -> dict[int, SeenSlots]:
    """The slots of each of a node's cards by number; `unheard` are Pods that are bound to the node and have no device."""
    by_card, blocks = {number: SeenSlots() for number in cards}, dict[tuple[int, str], _Block]()
    homeless: list[tuple[int | None, str, str]] = []
    for number, card in cards.items():
        slots = by_card[number]
        for resource, count in sorted((card.allocatable or {}).items()):
            blocks[number, resource] = _Block(slots.count, count)
            slots.count += count
        if card.is_unhealthy:  # its slots are drawn as they were, and nobody gets them
            slots.count = card.slots
            blocks.update({(number, name): _Block(0, card.slots) for _, name, _ in card.held})
        for (slot, resource, is_shared), pod in card.held.items():
            block = blocks.get((number, resource))
            if block is not None and is_shared is card.is_shared and slot < block.count:
                slots.takers[block.first + slot] = pod
            else:
                homeless.append((number, resource, pod))
    homeless += [
        (None, resource, pod.name)
        for pod in unheard
        for resource, units in pod.workload.request
        for _ in range(units)
    ]
    for own, resource, pod in homeless:
        order = [number for number in cards if not cards[number].is_unhealthy]
        order.sort(key=lambda number: number != own)
        if any(
            (number, resource) in blocks and blocks[number, resource].take_free(by_card[number], pod)
            for number in order
        ):
            continue
        if own is not None:
            by_card[own].kept += 1
    return by_card
