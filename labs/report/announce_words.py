"""The notice to users in words: what a request means from now on, what is not promised, what to do, whom to ask.

Whatever a sentence says of this change comes from the `Announcement`; how much slower busy neighbours make a job is what the
simulator predicts, with its known error. Free text (`from`, `contact`) is one line and has no marks of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.cluster.announcement import (
    Announcement,
    Change,
    ChangeKind,
    Device,
    NothingOfferedError,
    Offer,
)
from labs.cluster.promises import NOT_PROMISED
from labs.config.device_plugin import SharingStrategy
from labs.config.manifests import CONFIG_LABEL
from labs.report.messages import Messages
from labs.report.notice import Block, Code, Heading, Item, Notice, Paragraph, plain
from labs.simulation.busy_card import BUSIEST, busy_times
from labs.simulation.estimate import ERRORS

TEXT_MOST = 200
"""Characters of what somebody may say in their own words."""
LABELS_TOLD = ("product", "replicas", "sharing-strategy", "strategy", "capable")
"""Last parts of the labels by which people choose nodes."""

_MORE = (
    'invalid allocation request for "{resource}": invalid request: maximum request size for shared resources is 1; '
    "found 2"
)
"""What the plugin answers (NVIDIA/k8s-device-plugin v0.20.0, internal/rm/rm.go)."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the notice can't know by itself: from when the change holds, whom to ask, and the key of the config in its
    ConfigMap; each None where it was not said."""

    start: str | None = None
    contact: str | None = None
    key: str | None = None


def is_line(text: str) -> bool:
    """Whether a text may stand in a notice as somebody's own words: one line, not blank, not long."""
    return 0 < len(text.strip()) <= len(text) <= TEXT_MOST and text.isprintable()


def nothing_text(error: NothingOfferedError, messages: Messages) -> str:
    """Why there is nothing to announce."""
    said = error.reason
    if said is None:
        said = messages.text("announce.note.waits", resources=", ".join(error.waiting))
    return messages.text(
        "announce.note.before-nothing" if error.is_before else "announce.note.nothing", error=said
    )


def notice(found: Announcement, told: Circumstances, messages: Messages) -> Notice:
    """The notice in the language of `messages`."""
    return Notice(_title(found, messages), tuple(_Writer(found, told, messages).blocks()))


def gist(found: Announcement, messages: Messages) -> tuple[str, ...]:
    """What a request meant and means, of the first thing that changes: the request, and what is said of it."""
    writer = _Writer(found, Circumstances(), messages)
    first = (found.changed or found.changes)[0]
    return f"`{_known_name(first)}: 1`", *writer.meanings(first)


def _title(found: Announcement, messages: Messages) -> str:
    changed = found.changed or found.changes
    names = dict.fromkeys(_known_name(each) for each in changed)
    units = messages.join([f"`{name}: 1`" for name in names])
    if not found.changed:
        return messages.text("announce.title.same", units=units)
    ends = not found.shares and all(each.kind is ChangeKind.UNSHARED for each in changed)
    return messages.text("announce.title.ends" if ends else "announce.title.changes", units=units)


def _known_name(change: Change) -> str:
    """The name by which users know a device: the old one, where there was one."""
    offer = change.before or change.after
    assert offer is not None
    return offer.resource


class _Writer:
    """Writes one notice."""

    def __init__(self, found: Announcement, told: Circumstances, messages: Messages) -> None:
        self._found = found
        self._told = told
        self._messages = messages
        self._text = messages.text
        self._shown = found.changed or found.changes
        self._shared = [
            (each, each.after) for each in self._shown if each.after is not None and each.after.is_shared
        ]

    def blocks(self) -> Iterator[Block]:
        """Everything under the title."""
        yield from self._head()
        yield Paragraph(self._text(f"announce.intro.{self._intro()}"))
        yield from self._meaning()
        if self._found.changed or self._found.shares:
            yield from self._not_promised()
            yield from self._more()
            yield from self._manifest()
        if self._shared:
            yield from self._slow()
            yield from self._oom()
        if self._found.changed:
            yield Heading(self._text("announce.day.heading"))
            yield Item(self._text("announce.day.running"))
            yield Item(self._text("announce.day.admission"))
        yield Heading(self._text("announce.ask.heading"))
        if self._told.contact is None:
            yield Paragraph(self._text("announce.ask.open"))
        else:
            yield Paragraph(self._text("announce.ask.contact", contact=plain(self._told.contact)))

    # From when, where

    def _head(self) -> Iterator[Block]:
        told = self._told
        if told.start is None:
            yield Item(self._text("announce.head.from-open"))
        else:
            yield Item(self._text("announce.head.from", **{"from": plain(told.start)}))
        if told.key is not None:
            yield Item(self._text("announce.head.label", label=f"{CONFIG_LABEL}={plain(told.key)}"))
        if self._found.gpus:
            models: dict[str, int] = {}
            for gpu in self._found.gpus:
                models[gpu.name] = models.get(gpu.name, 0) + 1
            cards = [f"{count} × {plain(name)}" for name, count in models.items()]
            yield Item(self._text("announce.head.cards", cards=self._messages.join(cards)))
        if told.contact is not None:
            yield Item(self._text("announce.head.contact", contact=plain(told.contact)))

    def _intro(self) -> str:
        if not self._found.changed:
            return "same-shared" if self._found.shares else "same"
        kinds = {each.kind for each in self._shown}
        if ChangeKind.SHARED in kinds:
            return "renamed" if any(each.is_renamed for each in self._shown) else "shared"
        return "unshared" if kinds == {ChangeKind.UNSHARED} else "several"

    # What a request means

    def _meaning(self) -> Iterator[Block]:
        yield Heading(self._text("announce.meaning.heading"))
        for each in self._shown:
            name, model = _known_name(each), each.device.model
            if model is None:
                yield Paragraph(self._text("announce.meaning.on-any", resource=name))
            else:
                key = "on-cut" if each.device.is_cut else "on-model"
                yield Paragraph(self._text(f"announce.meaning.{key}", resource=name, model=plain(model)))
            yield from map(Item, self._of_change(each))

    def meanings(self, each: Change) -> Iterator[str]:
        """What one unit stood for and stands for."""
        text = self._text
        before, after = self._stands_for(each.device, each.before), self._stands_for(each.device, each.after)
        if each.kind is ChangeKind.UNCHANGED:
            yield text("announce.meaning.stays", meaning=after)
        else:
            yield text("announce.meaning.until", meaning=before)
            if each.after is not None and (each.is_renamed):
                yield text("announce.meaning.from-renamed", resource=each.after.resource, meaning=after)
            else:
                yield text("announce.meaning.from", meaning=after)

    def _of_change(self, each: Change) -> Iterator[str]:
        yield from self.meanings(each)
        text = self._text
        units = [0 if offer is None else offer.replicas for offer in (each.before, each.after)]
        if each.count is not None and units[0] != units[1]:
            key = "units" if each.device.profile is None else "units-mig"
            yield text(
                f"announce.meaning.{key}",
                before=each.count * units[0],
                after=each.count * units[1],
                devices=each.count,
            )
        if each.after is not None and each.after.is_shared:
            yield from self._sizes(each.device, each.after)

    def _stands_for(self, device: Device, offer: Offer | None) -> str:
        if offer is None:
            return self._text("announce.meaning.none")
        where = "-mig" if device.profile is not None else "-single" if self._found.is_single else ""
        kind = str(offer.strategy) if offer.is_shared else "whole"
        key = kind if offer.strategy is SharingStrategy.MPS else kind + where
        values: dict[str, str | int | float] = {"n": offer.replicas, "profile": device.profile or ""}
        return self._messages.pick(f"announce.meaning.{key}", values)

    def _sizes(self, device: Device, offer: Offer) -> Iterator[str]:
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

    # What is not promised

    def _not_promised(self) -> Iterator[Block]:
        mechanisms = self._found.mechanisms
        if mechanisms:
            yield Heading(self._text("announce.not-promised.heading"))
        for mechanism in mechanisms:
            for aspect in NOT_PROMISED[mechanism]:
                yield Item(self._text(f"announce.not-promised.{mechanism}.{aspect}"))

    def _more(self) -> Iterator[Block]:
        """What becomes of a request for more than one."""
        told: dict[Block, None] = {}
        for each in self._shown:
            before, after = each.before, each.after
            if after is None:
                continue
            if before is not None and not before.is_shared and after.is_shared:
                told[Paragraph(self._text("announce.more.was", resource=before.resource))] = None
            if after.refuses_more:
                told[Paragraph(self._text("announce.more.refused", resource=after.resource))] = None
                told[Code("text", _MORE.replace("{resource}", after.resource) + "\n")] = None
            elif after.is_shared:
                told[Paragraph(self._text("announce.more.no-more", resource=after.resource))] = None
            elif before is not None and before.is_shared:
                told[Paragraph(self._text("announce.more.granted", resource=after.resource))] = None
        if self._shared:
            told[Paragraph(self._text("announce.more.elsewhere"))] = None
        if any(each.device.profile is not None and each.after is not None for each in self._shown):
            told[Paragraph(self._text("announce.more.mig"))] = None
        if told:
            yield Heading(self._text("announce.more.heading"))
            yield from told

    # What to change

    def _manifest(self) -> Iterator[Block]:
        text = self._text
        yield Heading(text("announce.manifest.heading"))
        changes = [*self._names(), *self._labels()]
        if not changes:
            changes = [
                Paragraph(
                    text(
                        "announce.manifest.nothing" if self._shared else "announce.manifest.nothing-unshared"
                    )
                )
            ]
        yield from changes
        if any(offer.strategy is SharingStrategy.MPS for _, offer in self._shared):
            yield Paragraph(text("announce.manifest.shm"))
        if self._shared:
            yield Paragraph(text("announce.manifest.whole"))
            resource = self._shared[0][0].before or self._shared[0][1]
            label = f"{resource.resource.removesuffix('.shared')}.sharing-strategy"
            yield Code("yaml", f"nodeSelector:\n  {label}: none\n")

    def _names(self) -> Iterator[Block]:
        """Resources that have another name, or none, on these devices."""
        text = self._text
        renamed = dict.fromkeys(
            (each.before.resource, each.after.resource)
            for each in self._shown
            if each.is_renamed and each.before is not None and each.after is not None
        )
        kept = {each.after.resource for each in self._found.changes if each.after is not None}
        for old, new in renamed:
            if old not in kept:
                yield Paragraph(text("announce.manifest.renamed", resource=old))
            yield _limits(new, text("announce.manifest.was", old=f"{old}: 1"))
            yield Paragraph(text("announce.manifest.quota", old=old, new=new))
        for each in self._shown:
            if each.before is not None and each.after is None:
                yield Paragraph(text("announce.manifest.gone", resource=each.before.resource))
        new_names = dict.fromkeys(
            each.after.resource for each in self._shown if each.before is None and each.after is not None
        )
        if new_names:
            yield Paragraph(text("announce.manifest.new"))
        yield from (_limits(name, "") for name in new_names)

    def _labels(self) -> Iterator[Block]:
        """Labels that somebody may have asked for and that read otherwise; of a product, without a node, its ending."""
        text = self._text
        told = [
            (each.name, each.before, each.after)
            for each in self._found.labels
            if each.before is not None and each.name.rpartition(".")[2] in LABELS_TOLD
        ]
        if self._found.gpus is None:
            for each in self._shown:
                if (key := _product_key(each)) is not None:
                    yield Paragraph(text(f"announce.manifest.{key}", resource=_known_name(each)))
        if told:
            yield Paragraph(text("announce.manifest.labels"))
        for name, before, after in told:
            if after is None:
                yield Item(text("announce.manifest.label-gone", name=name, before=before))
            else:
                yield Item(text("announce.manifest.label", name=name, before=before, after=after))

    # What to do

    def _slow(self) -> Iterator[Block]:
        yield Heading(self._text("announce.slow.heading"))
        yield Item(self._text("announce.slow.compare"))
        yield Item(self._text("announce.slow.tell"))

    def _oom(self) -> Iterator[Block]:
        text = self._text
        yield Heading(text("announce.oom.heading"))
        yield Item(text("announce.oom.where"))
        for resource, n in dict.fromkeys((offer.resource, offer.replicas) for _, offer in self._shared):
            if 2 <= n <= 100:
                fraction = f"{100 // n / 100:.2f}"
                yield Item(text("announce.oom.fraction", resource=resource, fraction=fraction))
        if any(offer.strategy is SharingStrategy.MPS for _, offer in self._shared):
            yield Item(text("announce.oom.mps-fault"))
        yield Item(text("announce.oom.tell"))


def _product_key(each: Change) -> str | None:
    """What happens to the ending of the product's label (`internal/lm/resource.go`): shared and not renamed has it."""
    had, has = (
        offer is not None and offer.is_shared and not offer.resource.endswith(".shared")
        for offer in (each.before, each.after)
    )
    return None if had == has else "product" if has else "product-back"


def _limits(name: str, comment: str) -> Code:
    """The `resources` of a Pod, with a comment where there is one."""
    return Code("yaml", f"resources:\n  limits:\n    {name}: 1" + (f"  # {comment}\n" if comment else "\n"))
