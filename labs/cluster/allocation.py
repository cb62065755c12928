"""How the device plugin picks devices for a container: the slots of one resource on one node.

Source: NVIDIA/k8s-device-plugin v0.20.0, internal/rm/allocate.go. `distributed` takes each unit from the
card with the fewest slots in use, `packed` from the one with the most that still has room. Where the real
allocator breaks ties by the order of a Go map, this one takes the lowest card and slot, so that a run is
repeatable.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class AllocationPolicy(StrEnum):
    """`flags.plugin.sharedDevicesAllocationPolicy`."""

    DISTRIBUTED = "distributed"
    PACKED = "packed"


@dataclass(frozen=True, slots=True, order=True)
class SlotId:
    """One allocated unit: replica `slot` (from 0) of card `gpu` (from 0 on its node)."""

    gpu: int
    slot: int


@dataclass(slots=True)
class _CardSlots:
    """The slots of one card.

    Replicas have no upper limit in the loader, so unused ones are counted, not listed.
    """

    replicas: int
    healthy: bool = True
    fresh: int = 0  # slots below this one have been taken at least once
    returned: list[int] = field(default_factory=list)  # a heap

    @property
    def used(self) -> int:
        return self.fresh - len(self.returned)

    def adopt(self, slot: int) -> bool:
        """Takes this very slot, which nobody has; False where there is none of this number."""
        if slot >= self.replicas:
            return False
        for number in range(self.fresh, slot):
            heapq.heappush(self.returned, number)
        if slot >= self.fresh:
            self.fresh = slot + 1
        else:
            self.returned.remove(slot)
            heapq.heapify(self.returned)
        return True

    def take(self) -> int:
        """The lowest free slot."""
        if self.returned:
            return heapq.heappop(self.returned)
        self.fresh += 1
        return self.fresh - 1


class DevicePool:
    """The slots of one resource on one node; `replicas[i]` slots on card `gpus[i]`."""

    def __init__(self, gpus: Sequence[int], replicas: Sequence[int], policy: AllocationPolicy) -> None:
        self._cards = {gpu: _CardSlots(count) for gpu, count in zip(gpus, replicas, strict=True)}
        self._policy = policy
        self.capacity = sum(replicas)
        self.allocatable = self.capacity
        self._used = 0
        self.free = self.capacity

    def allocatable_on(self, gpu: int) -> int:
        """The slots of one card that are allocatable, whoever holds them."""
        card = self._cards.get(gpu)
        return card.replicas if card is not None and card.healthy else 0

    def mark_unhealthy(self, gpu: int) -> bool:
        """Takes the slots of a card from what is allocatable; who holds them keeps them. False where it has none here."""
        card = self._cards.get(gpu)
        if card is None or not card.healthy:
            return False
        card.healthy = False
        self.allocatable -= card.replicas
        self._count_free()
        return True

    def mark_healthy(self, gpu: int) -> None:
        """Gives back what `mark_unhealthy` took."""
        card = self._cards.get(gpu)
        if card is not None and not card.healthy:
            card.healthy = True
            self.allocatable += card.replicas
            self._count_free()

    def adopt(self, slot: SlotId) -> bool:
        """Takes a slot that somebody holds since before there was this pool; False where the pool has no such slot."""
        card = self._cards.get(slot.gpu)
        if card is None or not card.adopt(slot.slot):
            return False
        self._used += 1
        self._count_free()
        return True

    def allocate(self, count: int) -> tuple[SlotId, ...]:
        """Takes `count` slots, one by one by the policy.

        Raises ValueError where fewer are free.
        """
        if count > self.free:
            raise ValueError(f"{count} slots asked of a pool with {self.free} free")
        taken = []
        open_cards = [
            self._preference(gpu)
            for gpu, card in self._cards.items()
            if card.healthy and card.used < card.replicas
        ]
        heapq.heapify(open_cards)
        for _ in range(count):
            _, gpu = open_cards[0]
            card = self._cards[gpu]
            taken.append(SlotId(gpu, card.take()))
            if card.used < card.replicas:
                heapq.heapreplace(open_cards, self._preference(gpu))
            else:
                heapq.heappop(open_cards)
        self._used += count
        self._count_free()
        return tuple(taken)

    def release(self, slots: Sequence[SlotId]) -> None:
        """Gives slots back."""
        for taken in slots:
            heapq.heappush(self._cards[taken.gpu].returned, taken.slot)
        self._used -= len(slots)
        self._count_free()

    def release_if_taken(self, slot: SlotId) -> None:
        """Gives a slot back where it is one of this pool's."""
        card = self._cards.get(slot.gpu)
        if card is not None and slot.slot < card.replicas:
            self.release((slot,))

    def _count_free(self) -> None:
        """What the scheduler may still give away: allocatable less all that Pods hold, those on unhealthy cards too."""
        self.free = max(0, self.allocatable - self._used)

    def _preference(self, gpu: int) -> tuple[int, int]:
        used = self._cards[gpu].used
        return (used if self._policy is AllocationPolicy.DISTRIBUTED else -used, gpu)
