"""The notice to users in words: what a request means from now on, what is not promised, what to do, whom to ask.

Whatever a sentence says of this change comes from the `Announcement`; how much slower busy neighbours make a job is what the
simulator predicts, with its known error. Free text (`from`, `contact`) is one line and reads as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from labs.cluster.announcement import (
    Announcement,
    Change,
    ChangeKind,
    NothingOfferedError,
)
from labs.cluster.promises import NOT_PROMISED
from labs.config.manifests import CONFIG_LABEL
from labs.config.plugin import SharingStrategy
from labs.report.notice.meaning import Meanings, known_name
from labs.report.writing import (
    Block,
    Code,
    Heading,
    Item,
    Messages,
    Notice,
    Paragraph,
    code,
    one_line,
    plain,
    visible,
)

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
    """What the notice can't know by itself, each None where it was not said.

    From when the change holds, whom to ask, and the key of the config in its ConfigMap.
    """

    start: str | None = None
    contact: str | None = None
    key: str | None = None


def line_fault(text: str) -> tuple[str, Mapping[str, str | int]] | None:
    """Why a text may not stand in a notice as somebody's own words: the key of `announce.problem` and its values.

    None where it may: one line, not blank, not long.
    """
    hidden = next((character for character in text if not character.isprintable()), None)
    if not text.strip():
        return "text-blank", {}
    if hidden is not None:
        return "text-hidden", {"value": visible(one_line(text)), "code": f"U+{ord(hidden):04X}"}
    return ("text-long", {"n": len(text), "most": TEXT_MOST}) if len(text) > TEXT_MOST else None


def nothing_text(error: NothingOfferedError, messages: Messages) -> str:
    """Why there is nothing to announce."""
    said = error.reason
    if said is None:
        said = messages.text("announce.note.waits", resources=", ".join(error.waiting))
    return messages.text(
        "announce.note.before-nothing" if error.is_before else "announce.note.nothing", error=said
    )


def notice(announcement: Announcement, circumstances: Circumstances, messages: Messages) -> Notice:
    """The notice in the language of `messages`."""
    return Notice(
        _title(announcement, messages), tuple(_Writer(announcement, circumstances, messages).blocks())
    )


def gist(announcement: Announcement, messages: Messages) -> tuple[str, ...]:
    """What a request meant and means, of the first thing that changes: the request, and what is said of it."""
    first = (announcement.changed or announcement.changes)[0]
    return f"`{known_name(first)}: 1`", *Meanings(announcement, messages).meanings(first)


def _title(announcement: Announcement, messages: Messages) -> str:
    changed = announcement.changed or announcement.changes
    names = dict.fromkeys(known_name(change) for change in changed)
    units = messages.join([f"`{name}: 1`" for name in names])
    if not announcement.changed:
        return messages.text("announce.title.same", units=units)
    ends = not announcement.shares and all(change.kind is ChangeKind.UNSHARED for change in changed)
    return messages.text("announce.title.ends" if ends else "announce.title.changes", units=units)


class _Writer:
    """Writes one notice."""

    def __init__(self, announcement: Announcement, circumstances: Circumstances, messages: Messages) -> None:
        self._announcement = announcement
        self._circumstances = circumstances
        self._messages = messages
        self._text = messages.text
        self._meanings = Meanings(announcement, messages)
        self._changes = announcement.changed or announcement.changes
        self._shared = [
            (change, change.after)
            for change in self._changes
            if change.after is not None and change.after.is_shared
        ]

    def blocks(self) -> Iterator[Block]:
        """Everything under the title."""
        yield from self._head()
        yield Paragraph(self._text(f"announce.intro.{self._intro()}"))
        yield from self._meaning()
        if self._announcement.changed or self._announcement.shares:
            yield from self._not_promised()
            yield from self._more()
            yield from self._manifest()
        if self._shared:
            yield from self._slow()
            yield from self._oom()
        if self._announcement.changed:
            yield Heading(self._text("announce.day.heading"))
            yield Item(self._text("announce.day.running"))
            yield Item(self._text("announce.day.admission"))
        yield Heading(self._text("announce.ask.heading"))
        if self._circumstances.contact is None:
            yield Paragraph(self._text("announce.ask.open"))
        else:
            yield Paragraph(self._text("announce.ask.contact", contact=plain(self._circumstances.contact)))

    # From when, where

    def _head(self) -> Iterator[Block]:
        circumstances = self._circumstances
        if circumstances.start is None:
            yield Item(self._text("announce.head.from-open"))
        else:
            yield Item(self._text("announce.head.from", **{"from": plain(circumstances.start)}))
        if circumstances.key is not None:
            yield Item(self._text("announce.head.label", label=f"{CONFIG_LABEL}={code(circumstances.key)}"))
        if self._announcement.gpus:
            models: dict[str, int] = {}
            for gpu in self._announcement.gpus:
                models[gpu.name] = models.get(gpu.name, 0) + 1
            cards = [f"{count} × {plain(name)}" for name, count in models.items()]
            yield Item(self._text("announce.head.cards", cards=self._messages.join(cards)))
        if circumstances.contact is not None:
            yield Item(self._text("announce.head.contact", contact=plain(circumstances.contact)))

    def _intro(self) -> str:
        if not self._announcement.changed:
            return "same-shared" if self._announcement.shares else "same"
        kinds = {change.kind for change in self._changes}
        if ChangeKind.SHARED in kinds:
            return "renamed" if any(change.is_renamed for change in self._changes) else "shared"
        return "unshared" if kinds == {ChangeKind.UNSHARED} else "several"

    # What a request means

    def _meaning(self) -> Iterator[Block]:
        yield Heading(self._text("announce.meaning.heading"))
        for change in self._changes:
            name, model = known_name(change), change.device.model
            if model is None:
                yield Paragraph(self._text("announce.meaning.on-any", resource=name))
            else:
                key = "on-cut" if change.device.is_cut else "on-model"
                yield Paragraph(self._text(f"announce.meaning.{key}", resource=name, model=plain(model)))
            yield from map(Item, self._meanings.of_change(change))

    # What is not promised

    def _not_promised(self) -> Iterator[Block]:
        mechanisms = self._announcement.mechanisms
        if mechanisms:
            yield Heading(self._text("announce.not-promised.heading"))
        for mechanism in mechanisms:
            for aspect in NOT_PROMISED[mechanism]:
                yield Item(self._text(f"announce.not-promised.{mechanism}.{aspect}"))

    def _more(self) -> Iterator[Block]:
        """What becomes of a request for more than one."""
        blocks: dict[Block, None] = {}
        for change in self._changes:
            before, after = change.before, change.after
            if after is None:
                continue
            if before is not None and not before.is_shared and after.is_shared:
                blocks[Paragraph(self._text("announce.more.was", resource=before.resource))] = None
            if after.refuses_more:
                blocks[Paragraph(self._text("announce.more.refused", resource=after.resource))] = None
                blocks[Code("text", _MORE.replace("{resource}", after.resource) + "\n")] = None
            elif after.is_shared:
                blocks[Paragraph(self._text("announce.more.no-more", resource=after.resource))] = None
            elif before is not None and before.is_shared:
                blocks[Paragraph(self._text("announce.more.granted", resource=after.resource))] = None
        if self._shared:
            blocks[Paragraph(self._text("announce.more.elsewhere"))] = None
        if any(change.device.profile is not None and change.after is not None for change in self._changes):
            blocks[Paragraph(self._text("announce.more.mig"))] = None
        if blocks:
            yield Heading(self._text("announce.more.heading"))
            yield from blocks

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
            (change.before.resource, change.after.resource)
            for change in self._changes
            if change.is_renamed and change.before is not None and change.after is not None
        )
        kept = {change.after.resource for change in self._announcement.changes if change.after is not None}
        for old, new in renamed:
            if old not in kept:
                yield Paragraph(text("announce.manifest.renamed", resource=old))
            yield _limits(new, text("announce.manifest.was", old=f"{old}: 1"))
            yield Paragraph(text("announce.manifest.quota", old=old, new=new))
        for change in self._changes:
            if change.before is not None and change.after is None:
                yield Paragraph(text("announce.manifest.gone", resource=change.before.resource))
        new_names = dict.fromkeys(
            change.after.resource
            for change in self._changes
            if change.before is None and change.after is not None
        )
        if new_names:
            yield Paragraph(text("announce.manifest.new"))
        yield from (_limits(name, "") for name in new_names)

    def _labels(self) -> Iterator[Block]:
        """Labels that somebody may have asked for and that read otherwise; of a product, without a node, its ending."""
        text = self._text
        labels = [
            (label.name, label.before, label.after)
            for label in self._announcement.labels
            if label.before is not None and label.name.rpartition(".")[2] in LABELS_TOLD
        ]
        if self._announcement.gpus is None:
            for change in self._changes:
                if (key := _product_key(change)) is not None:
                    yield Paragraph(text(f"announce.manifest.{key}", resource=known_name(change)))
        if labels:
            yield Paragraph(text("announce.manifest.labels"))
        for name, before, after in labels:
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


def _product_key(change: Change) -> str | None:
    """What happens to the ending of the product's label (`internal/lm/resource.go`): shared and not renamed has it."""
    had, has = (
        offer is not None and offer.is_shared and not offer.resource.endswith(".shared")
        for offer in (change.before, change.after)
    )
    return None if had == has else "product" if has else "product-back"


def _limits(name: str, comment: str) -> Code:
    """The `resources` of a Pod, with a comment where there is one."""
    return Code("yaml", f"resources:\n  limits:\n    {name}: 1" + (f"  # {comment}\n" if comment else "\n"))
