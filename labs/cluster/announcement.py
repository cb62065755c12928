"""What a request means before and after a change of the device plugin's config: what a notice to users has to say.

Both configs are advertised on the same node, and every device of it is followed from the one offer to the other, so
"yesterday" is right whatever stood there: whole cards, fewer replicas, another strategy, another name. Without a node
both are advertised on one that has every device the configs speak of; names and replicas are then known, numbers and
sizes are not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from labs.cluster.advertise import AdvertisedDevice, Advertisement, advertise
from labs.cluster.gpu import PhysicalGpu
from labs.cluster.node_labels import GPU_RESOURCE
from labs.cluster.promises import NOT_PROMISED
from labs.config.plugin import Loaded, PluginSetting, SharingStrategy

_MIG_RESOURCE = re.compile(r"nvidia\.com/mig-(\d+g\.\d+gb)(?:\.(.+)|(-.+))?", re.ASCII)
_SIZED_LABELS = (".product", ".count")  # known only where the node is


class ChangeKind(StrEnum):
    """What happens to a device's offer."""

    SHARED = "shared"
    UNSHARED = "unshared"
    REPLICAS = "replicas"
    STRATEGY = "strategy"
    RENAMED = "renamed"
    REQUESTS = "requests"
    NEW = "new"
    GONE = "gone"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class DeviceUnit:
    """What one unit of a resource stands for on a device: all of it (`replicas` is 1, `strategy` none), or a share.

    `refuses_more` tells what becomes of a request for more than one unit of a shared device. The limits are those of each
    MPS client: MiB (None: not known without the node) and percent of the threads.
    """

    resource: str
    strategy: SharingStrategy
    replicas: int
    refuses_more: bool
    memory_limit_mib: int | None = None
    thread_percent: int | None = None

    @property
    def is_shared(self) -> bool:
        """Whether others use the device too."""
        return self.strategy is not SharingStrategy.NONE

    def to_json(self) -> dict[str, Any]:
        """The JSON of `gpulab announce`."""
        more = "refused" if self.refuses_more else "no-more" if self.is_shared else "granted"
        return {
            "resource": self.resource,
            "sharing": str(self.strategy),
            "replicas": self.replicas,
            "moreThanOne": more,
            "memoryLimitMiB": self.memory_limit_mib,
            "threadPercent": self.thread_percent,
        }


@dataclass(frozen=True, slots=True)
class Device:
    """A kind of device: a card, or with a `profile` a MIG device of one.

    `model` and `memory_mib` (of the card) are None where no node was given; `is_cut` tells a card in MIG mode that is
    offered as a whole.
    """

    model: str | None
    memory_mib: int | None
    profile: str | None
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What devices of a kind were offered as and are now; None where they were not, or are no longer. `count` of them."""

    device: Device
    count: int | None
    before: DeviceUnit | None
    after: DeviceUnit | None

    @property
    def kind(self) -> ChangeKind:
        """The change that matters most to a user."""
        before, after = self.before, self.after
        if before is None or after is None:
            return ChangeKind.NEW if before is None else ChangeKind.GONE
        if before.is_shared != after.is_shared:
            return ChangeKind.SHARED if after.is_shared else ChangeKind.UNSHARED
        if before.strategy is not after.strategy:
            return ChangeKind.STRATEGY
        if before.replicas != after.replicas:
            return ChangeKind.REPLICAS
        if self.is_renamed:
            return ChangeKind.RENAMED
        return ChangeKind.REQUESTS if before.refuses_more != after.refuses_more else ChangeKind.UNCHANGED

    @property
    def is_renamed(self) -> bool:
        """Whether Pods ask for the device by another name than before."""
        return (
            self.before is not None and self.after is not None and self.before.resource != self.after.resource
        )

    def to_json(self) -> dict[str, Any]:
        """The JSON of `gpulab announce`."""
        return {
            "change": str(self.kind),
            "model": self.device.model,
            "migProfile": self.device.profile,
            "devices": self.count,
            "before": None if self.before is None else self.before.to_json(),
            "after": None if self.after is None else self.after.to_json(),
        }


@dataclass(frozen=True, slots=True)
class LabelChange:
    """A node label that reads otherwise, None where it was or is not there."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Announcement:
    """What changes for users.

    `units` are by resource the counts of the node before and after (empty without a node); `unmatched` are resources that
    the config shares and no device has; `is_single` tells the MIG strategy under which `nvidia.com/gpu` may be a MIG device.
    """

    changes: tuple[Change, ...]
    labels: tuple[LabelChange, ...]
    units: Mapping[str, tuple[int, int]]
    unmatched: tuple[str, ...]
    gpus: tuple[PhysicalGpu, ...] | None
    is_single: bool

    @property
    def changed(self) -> tuple[Change, ...]:
        """The changes that are some."""
        return tuple(change for change in self.changes if change.kind is not ChangeKind.UNCHANGED)

    @property
    def shares(self) -> bool:
        """Whether any device is shared from now on."""
        return any(change.after is not None and change.after.is_shared for change in self.changes)

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """The keys of `NOT_PROMISED` that speak of what is offered from now on."""
        offers = [(change.device, change.after) for change in self.changes if change.after is not None]
        offered = {str(offer.strategy) for _, offer in offers if offer.is_shared}
        offered |= {"mig" for device, _ in offers if device.profile is not None}
        return tuple(name for name in NOT_PROMISED if name in offered)


class NothingOfferedError(ValueError):
    """Under a config the node offers no GPU, so there is nothing to announce: the `advertisement` says why.

    `is_before` tells whose config it is. A node without labels is one of them: only MPS beside MIG leaves it so, and the
    DaemonSet of the MPS daemon then finds no node that is labelled for it.
    """

    def __init__(self, advertisement: Advertisement, *, is_before: bool) -> None:
        self.reason = advertisement.error or advertisement.mps_error or advertisement.label_error
        super().__init__(self.reason or ", ".join(advertisement.mps_without_daemon))
        self.waiting = advertisement.mps_without_daemon
        self.is_before = is_before


def without_sharing(loaded: Loaded) -> Loaded:
    """The config as it loads, less its sharing: what was before somebody turned that on."""
    if loaded.setting is None:
        return loaded
    setting = replace(
        loaded.setting,
        strategy=SharingStrategy.NONE,
        resources=(),
        rename_by_default=False,
        fail_requests_greater_than_one=False,
    )
    return replace(loaded, strategy=SharingStrategy.NONE, warnings=(), setting=setting)


def announce(before: Loaded, after: Loaded, gpus: Sequence[PhysicalGpu] | None = None) -> Announcement:
    """What changes on a node with these cards from one config to the other. Both have loaded.

    Raises NothingOfferedError.
    """
    assert before.setting is not None  # the caller tells of what does not load
    assert after.setting is not None
    cards = _imagined(before.setting, after.setting) if gpus is None else tuple(gpus)
    old, new = advertise(before, cards), advertise(after, cards)
    for advertisement, is_before in ((new, False), (old, True)):
        if not advertisement.registers or advertisement.label_error is not None:
            raise NothingOfferedError(advertisement, is_before=is_before)
    known = gpus is not None
    was, is_now = _offers(old, before.setting, known=known), _offers(new, after.setting, known=known)
    return Announcement(
        _changes(was, is_now, cards, known=known),
        _labels(old, new, known=known),
        _units(old, new) if known else MappingProxyType({}),
        _unmatched(after.setting, new),
        cards if known else None,
        after.setting.mig_strategy == "single" and not known,
    )


def _imagined(*settings: PluginSetting) -> tuple[PhysicalGpu, ...]:
    """A card, and another cut into the MIG devices that the configs name."""
    named = [
        each.name for setting in settings if setting.mig_strategy == "mixed" for each in setting.resources
    ]
    profiles = tuple(dict.fromkeys(profile for name in named if (profile := _profile(name)) is not None))
    card = PhysicalGpu("GPU", 1, (9, 0))
    return (card, replace(card, mig=profiles)) if profiles else (card,)


def _profile(resource: str) -> str | None:
    """The MIG profile that a resource of the mixed strategy stands for."""
    match = _MIG_RESOURCE.fullmatch(resource)
    if match is None:
        return None
    return match[1] + (f"+{match[2]}" if match[2] else match[3] or "")


Place = tuple[int, int]  # of a device on the node: its card, and its MIG device there (-1: the card)


def _offers(
    advertisement: Advertisement, setting: PluginSetting, *, known: bool
) -> dict[Place, tuple[AdvertisedDevice, DeviceUnit]]:
    """By place what stands there and how it is offered."""
    limits = {limit.resource: limit for limit in advertisement.mps}
    offers: dict[Place, tuple[AdvertisedDevice, DeviceUnit]] = {}
    for resource, devices in advertisement.devices.items():
        for device in devices:
            place = (device.gpu_index, -1 if device.mig_index is None else device.mig_index)
            limit = limits.get(resource)
            offer = DeviceUnit(resource, SharingStrategy.NONE, 1, refuses_more=False)
            if device.shared:
                pinned = limit.pinned_mib.get(device.index) if limit is not None and known else None
                offer = DeviceUnit(
                    resource,
                    setting.strategy,
                    device.replicas,
                    setting.fail_requests_greater_than_one,
                    pinned,
                    None if limit is None else limit.active_thread_percentage,
                )
            offers[place] = device, offer
    return offers


def _changes(
    old: Mapping[Place, tuple[AdvertisedDevice, DeviceUnit]],
    new: Mapping[Place, tuple[AdvertisedDevice, DeviceUnit]],
    cards: Sequence[PhysicalGpu],
    *,
    known: bool,
) -> tuple[Change, ...]:
    counts: dict[tuple[Device, DeviceUnit | None, DeviceUnit | None], int] = {}
    for place in sorted({*old, *new}):
        stands, before = old.get(place, (None, None))
        standing, after = new.get(place, (stands, None))
        assert standing is not None
        card = cards[place[0]]
        device = Device(
            card.name if known else None,
            card.memory_mib if known else None,
            standing.mig,
            is_cut=standing.mig is None and card.mig_enabled,
        )
        key = (device, before, after)
        counts[key] = counts.get(key, 0) + 1
    changes = [Change(*key[:1], count if known else None, *key[1:]) for key, count in counts.items()]
    return tuple(sorted(changes, key=_order))


def _order(change: Change) -> tuple[bool, str, str, str]:
    """`nvidia.com/gpu` first, then by name; what a reader knows by its old name stands under that."""
    offer = change.before or change.after
    assert offer is not None
    name = offer.resource
    return (not name.startswith(GPU_RESOURCE), name, change.device.model or "", change.device.profile or "")


def _labels(old: Advertisement, new: Advertisement, *, known: bool) -> tuple[LabelChange, ...]:
    before, after = old.labels or {}, new.labels or {}
    return tuple(
        LabelChange(name, before.get(name), after.get(name))
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name) and (known or not name.endswith(_SIZED_LABELS))
    )


def _units(old: Advertisement, new: Advertisement) -> Mapping[str, tuple[int, int]]:
    names = sorted({*old.resources, *new.resources})
    return MappingProxyType(
        {name: (old.resources.get(name, 0), new.resources.get(name, 0)) for name in names}
    )


def _unmatched(setting: PluginSetting, advertisement: Advertisement) -> tuple[str, ...]:
    """Resources that the config shares and the node does not have."""
    return tuple(
        dict.fromkeys(
            each.name for each in setting.resources if each.advertised_name not in advertisement.devices
        )
    )
