"""What one unit of a resource stands for, in words, before and after a change, with the numbers that go with it."""

from __future__ import annotations

from collections.abc import Iterator

from labs.cluster.announcement import Announcement, Change, ChangeKind, Device, DeviceUnit
from labs.config.plugin import SharingStrategy
from labs.report.writing import Messages
from labs.simulation.evidence import BUSIEST, ERRORS, busy_times


def known_name(change: Change) -> str:
    """The name by which users know a device: the old one, where there was one."""
    offer = change.before or change.after
    assert offer is not None
    return offer.resource


class Meanings:
    """Says of the changes of an announcement what they mean."""

    def __init__(self, announcement: Announcement, messages: Messages) -> None:
        self._announcement = announcement
        self._messages = messages
        self._text = messages.text

    def meanings(self, change: Change) -> Iterator[str]:
        """What one unit stood for and stands for."""
        text = self._text
        before, after = (
            self._stands_for(change.device, change.before),
            self._stands_for(change.device, change.after),
        )
        if change.kind is ChangeKind.UNCHANGED:
            yield text("announce.meaning.stays", meaning=after)
        else:
            yield text("announce.meaning.until", meaning=before)
            if change.after is not None and (change.is_renamed):
                yield text("announce.meaning.from-renamed", resource=change.after.resource, meaning=after)
            else:
                yield text("announce.meaning.from", meaning=after)

    def of_change(self, change: Change) -> Iterator[str]:
        """All that is said of a change: what it meant and means, how many there are, how much that is, how slow it gets."""
        yield from self.meanings(change)
        text = self._text
        units = [0 if offer is None else offer.replicas for offer in (change.before, change.after)]
        if change.count is not None and units[0] != units[1]:
            key = "units" if change.device.profile is None else "units-mig"
            yield text(
                f"announce.meaning.{key}",
                before=change.count * units[0],
                after=change.count * units[1],
                devices=change.count,
            )
        if change.after is not None and change.after.is_shared:
            yield from self._sizes(change.device, change.after)

    def _stands_for(self, device: Device, offer: DeviceUnit | None) -> str:
        if offer is None:
            return self._text("announce.meaning.none")
        where = "-mig" if device.profile is not None else "-single" if self._announcement.is_single else ""
        kind = str(offer.strategy) if offer.is_shared else "whole"
        key = kind if offer.strategy is SharingStrategy.MPS else kind + where
        values: dict[str, str | int | float] = {"n": offer.replicas, "profile": device.profile or ""}
        return self._messages.pick(f"announce.meaning.{key}", values)

    def _sizes(self, device: Device, offer: DeviceUnit) -> Iterator[str]:
        """How much memory that is, and how slow it may become."""
        text, messages, n = self._text, self._messages, offer.replicas
        if offer.strategy is SharingStrategy.MPS:
            threads = offer.thread_percent or 0
            if offer.memory_limit_mib is None or device.memory_mib is None:
                yield text("announce.meaning.limit-open", n=n, threads=threads)
            else:
                memory, limit = (
                    messages.mib_text(device.memory_mib),
                    messages.mib_text(offer.memory_limit_mib),
                )
                yield text("announce.meaning.limit", memory=memory, limit=limit, threads=threads)
        elif device.memory_mib is None or device.profile is not None:
            yield text("announce.meaning.share-open", n=n)
        else:
            share = messages.mib_text(device.memory_mib // n)
            yield text(
                "announce.meaning.share", memory=messages.mib_text(device.memory_mib), n=n, share=share
            )
        if 2 <= n <= BUSIEST:
            yield text(
                "announce.meaning.busy",
                n=n,
                times=messages.number(busy_times(str(offer.strategy), n)),
                error=ERRORS[str(offer.strategy)],
            )
