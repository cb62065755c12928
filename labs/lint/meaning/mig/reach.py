"""Which GPUs an entry of a MIG config reaches: by index on the node and by kind of card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from labs.config.mig_parted import ALL_DEVICES, MigEntry, parse_device_id

_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Reach:
    """`indexes` None: all; `kinds` by device and vendor, None: cards of every kind. A kind may be narrowed to boards."""

    indexes: frozenset[int] | None
    kinds: Mapping[tuple[int, int], set[tuple[int, int] | None]] | None

    @classmethod
    def of(cls, entry: MigEntry) -> Reach:
        """What an entry reaches; a filter that can't be read reaches nothing."""
        indexes = None if entry.devices is None else frozenset(index for index in entry.devices if index >= 0)
        if not entry.filters:
            return cls(indexes, None)
        problems = entry.filter_problems
        kinds: dict[tuple[int, int], set[tuple[int, int] | None]] = {}
        for text in entry.filters:
            if text not in problems:
                device_id = parse_device_id(text)
                kinds.setdefault((device_id.device, device_id.vendor), set()).add(device_id.subsystem)
        return cls(indexes, kinds)

    def meets(self, other: Reach) -> bool:
        """Whether a GPU that one reaches the other may reach too."""
        if not self._indexes_meet(other):
            return False
        return self.kinds_meet(other)

    def _indexes_meet(self, other: Reach) -> bool:
        own, others = self.indexes, other.indexes
        if own is None or others is None:
            return own != frozenset() and others != frozenset()
        return not own.isdisjoint(others)

    def kinds_meet(self, other: Reach) -> bool:
        """Whether there are cards whose kind both are for."""
        if self.kinds is None or other.kinds is None:
            return self.kinds != {} and other.kinds != {}
        for kind in self.kinds.keys() & other.kinds.keys():
            boards, others = self.kinds[kind], other.kinds[kind]
            if None in boards or None in others or boards & others:
                return True
        return False

    def shared(self, other: Reach) -> str:
        """The indexes that both reach, as a message says them; `all` where none are named."""
        if self.indexes is None and other.indexes is None:
            return ALL_DEVICES
        own = self.indexes if self.indexes is not None else other.indexes
        others = other.indexes if other.indexes is not None else own
        both = sorted((own or frozenset()) & (others or frozenset()))
        return ", ".join([*map(str, both[:_MOST_NAMED]), *(["…"] if len(both) > _MOST_NAMED else [])])
