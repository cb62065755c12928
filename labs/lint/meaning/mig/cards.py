"""Which cards an entry of a MIG config is for, as far as the files, the given nodes and the catalog tell.

A file of mig-parted often serves nodes of several kinds, each choosing a config by its label. So given nodes speak only for
the config that a given Node is labelled with, or for the only config of its file.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from labs.config.gojson import GoError
from labs.config.manifests.objects import MIG_CONFIG_LABEL, MigDocument, NamedMigConfig
from labs.config.mig_parted import DeviceId, MigEntry, ProfileName, fits, parse_device_id, parse_profile
from labs.hardware.catalog import Catalog, GpuModel, UnknownFigureError
from labs.hardware.mig import Layout, find_device, place_in_any_order
from labs.hardware.planning import TooMuch, why_refused
from labs.lint.meaning.mig.entries import EntryPlace
from labs.lint.subject import Subject

_ENOUGH = 16  # devices of one profile: no card has room for more
_NAMES_SHOWN = 4
_NAME_SHOWN = 40  # characters

EARLIER_PROFILES: Mapping[str, frozenset[str]] = MappingProxyType(
    {"gb200-186gb": frozenset({"1g.24gb", "1g.47gb", "2g.47gb", "3g.95gb", "4g.95gb", "7g.189gb"})}
)
"""Names that a card's profiles had with its first drivers, by the card (gpu-operator PR #1303)."""


@dataclass(frozen=True, slots=True)
class Targets:
    """Cards that an entry is for.

    `every`: it has to do for each of them; else it is enough that it does for one. `anywhere`: nothing says which cards.
    """

    models: tuple[GpuModel, ...]
    every: bool
    anywhere: bool = False


class Cards:
    """The cards of the catalog and of the given nodes; knows none where there is no catalog."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self.catalog = subject.settings.catalog or Catalog((), MappingProxyType({}))
        self._fitting: dict[tuple[str, tuple[tuple[str, int], ...]], bool | None] = {}
        self._lacking: dict[tuple[str, tuple[tuple[str, int], ...]], TooMuch | None] = {}
        self._having: dict[tuple[str, str], bool | None] = {}

    @cached_property
    def _by_device(self) -> Mapping[int, tuple[GpuModel, ...]]:
        models: dict[int, tuple[GpuModel, ...]] = {}
        for model in self.catalog.models:
            for pci in model.pci:
                number = int(pci.device_id, 16)
                models[number] = (*models.get(number, ()), model)
        return models

    @cached_property
    def _by_name(self) -> Mapping[str, GpuModel]:
        names: dict[str, GpuModel] = {}
        for model in self.catalog.models:
            for name in (model.name, *model.marketing):
                names.setdefault(name, model)
        return names

    @cached_property
    def nodes(self) -> Mapping[str, tuple[GpuModel | None, ...]]:
        """The cards of the given nodes, None for one that the catalog does not know."""
        nodes = self._subject.settings.nodes
        return {name: tuple(self._by_name.get(gpu.name) for gpu in gpus) for name, gpus in nodes.items()}

    @cached_property
    def _labelled(self) -> Mapping[str, tuple[str, ...]]:
        """The given nodes by the config that their Node asks for."""
        settings = self._subject.settings
        if settings.mig_config is not None:
            return {settings.mig_config: tuple(self.nodes)}
        nodes: dict[str, tuple[str, ...]] = {}
        for _, node in self._subject.cluster_nodes:
            label = node.label(MIG_CONFIG_LABEL)
            name, wanted = node.name, None if label is None else label.text
            if name is not None and name in self.nodes and wanted is not None:
                nodes[wanted] = (*nodes.get(wanted, ()), name)
        by_default = self._default
        unlabelled = tuple(set(self.nodes) - {name for names in nodes.values() for name in names})
        if by_default is not None and unlabelled:
            nodes[by_default] = (*nodes.get(by_default, ()), *sorted(unlabelled))
        return nodes

    @property
    def _default(self) -> str | None:
        """The config that the operator's settings name for nodes without a label."""
        fields = [operator.mig_manager_config.default for _, operator in self._subject.operators]
        return next((field.text for field in fields if field is not None and field.text), None)

    def is_labelled(self, config: NamedMigConfig) -> bool:
        """Whether a given node asks for the config."""
        return config.name in self._labelled

    def nodes_of(self, place: EntryPlace) -> tuple[str, ...]:
        """The given nodes that the entry's config is for; none where that can't be known."""
        return self.nodes_of_config(place.mig, place.config)

    def nodes_of_config(self, mig: MigDocument, config: NamedMigConfig) -> tuple[str, ...]:
        """The given nodes that a config is for."""
        if config.name in self._labelled:
            return self._labelled[config.name]
        alone = len(mig.configs) == 1 and not self._labelled
        return tuple(self.nodes) if alone else ()

    def named_by(self, entry: MigEntry) -> tuple[GpuModel, ...]:
        """The cards that the entry's device filter names, as far as the catalog knows them."""
        models: dict[str, GpuModel] = {}
        for wanted in _ids(entry):
            models |= {model.id: model for model in self._by_device.get(wanted.device, ())}
        return tuple(models.values())

    def named_by_one(self, text: str) -> tuple[GpuModel, ...]:
        """The cards that one filter names; none where it can't be read, or names cards that the catalog does not know."""
        try:
            return self._by_device.get(parse_device_id(text).device, ())
        except GoError:
            return ()

    def may_match(self, entry: MigEntry, model: GpuModel) -> bool:
        """Whether a card of this model may pass the entry's filter; models come on boards of several ids."""
        if not entry.filters:
            return True
        ids = {int(pci.device_id, 16) for pci in model.pci}
        return not ids or any(wanted.device in ids for wanted in _ids(entry))

    def targets(self, place: EntryPlace) -> Targets:
        """The cards with MIG that the entry is for: of given nodes, else those its filter names, else any of the catalog."""
        entry = place.entry
        nodes = self.nodes_of(place)
        if nodes:
            cards = [
                model
                for node in nodes
                for index, model in enumerate(self.nodes[node])
                if model is not None and (entry.devices is None or index in entry.devices)
            ]
            chosen = {model.id: model for model in cards if self.may_match(entry, model)}
            every = len(nodes) == 1 or self.is_labelled(place.config)
            return Targets(_with_mig(chosen.values()), every)
        if entry.filters:
            return Targets(_with_mig(self.named_by(entry)), every=True)
        return Targets(_with_mig(self.catalog.models), every=False, anywhere=True)

    def fits(self, wanted: Mapping[str, int], model: GpuModel) -> bool | None:
        """Whether the card can have these MIG devices at once; None where that is not known."""
        key = (model.id, tuple(wanted.items()))
        if key not in self._fitting:
            self._fitting[key] = fits(wanted, model)
        return self._fitting[key]

    def too_much(self, wanted: Mapping[str, int], model: GpuModel) -> TooMuch | None:
        """What of a card MIG devices that do not fit need more of than there is; None where it is another reason."""
        key = (model.id, tuple(wanted.items()))
        if key not in self._lacking:
            self._lacking[key] = _too_much(wanted, model)
        return self._lacking[key]

    def has(self, profile: str, model: GpuModel) -> bool | None:
        """Whether a card has MIG devices of this profile, as `has_profile`."""
        key = (profile, model.id)
        if key not in self._having:
            self._having[key] = has_profile(parse_profile(profile), model)
        return self._having[key]


def _ids(entry: MigEntry) -> Iterator[DeviceId]:
    problems = entry.filter_problems
    return (parse_device_id(text) for text in entry.filters if text not in problems)


def _with_mig(models: Iterable[GpuModel]) -> tuple[GpuModel, ...]:
    return tuple(model for model in models if model.supports_mig and model.mig_profiles)


def has_profile(profile: ProfileName, model: GpuModel) -> bool | None:
    """Whether a card has MIG devices of this profile; None where what is known of the card does not tell."""
    if find_device(str(profile), model) is not None:
        return True
    if str(profile.gpu_instance) in EARLIER_PROFILES.get(model.id, ()):
        return None
    plain = f"{profile.compute_slices}g.{profile.memory_gb}gb"
    if profile.attributes == ("me",) and not profile.without and model.mig_profile(plain) is not None:
        return None if not any(known.attributes for known in model.mig_profiles) else False
    return False


def most_devices(name: str, model: GpuModel) -> int:
    """How many MIG devices of a profile the card can have; 0 where that is not known, or it is a part of an instance."""
    profile = model.mig_profile(str(parse_profile(name)))
    return 0 if profile is None else profile.max_instances.value or 0


def _too_much(wanted: Mapping[str, int], model: GpuModel) -> TooMuch | None:
    devices = [str(parse_profile(name)) for name, count in wanted.items() for _ in range(min(count, _ENOUGH))]
    try:
        layout = Layout.empty(model)
        reason = why_refused(layout, place_in_any_order(layout, devices))
    except UnknownFigureError:
        return None
    return reason if isinstance(reason, TooMuch) else None


@functools.cache
def _known(name: str) -> ProfileName:
    """The name of a profile of the catalog, taken apart."""
    return parse_profile(name)


def nearest_profile(profile: ProfileName, models: Sequence[GpuModel]) -> str:
    """The profile of these cards that may be meant, or "": of the same slices and about the same memory.

    Of one card it is the profile with the nearest memory.
    """
    wanted = tuple(attribute.lower() for attribute in profile.attributes)
    alike: list[tuple[bool, int, str]] = []
    for model in models:
        for known in model.mig_profiles:
            other = _known(known.name)
            if other.memory_gb == 0 or other.compute_slices != profile.compute_slices:
                continue
            same = (other.attributes, other.without) == (wanted, profile.without)
            off = abs(other.memory_gb - profile.memory_gb)
            if (same or other.attributes == ()) and (len(models) == 1 or off * 10 <= profile.memory_gb):
                alike.append((not same, off, known.name))
    best = min(alike, default=None)
    if best is None:
        return ""
    part = f"{profile.compute_instance_slices}c.{best[2]}"
    is_part = profile.compute_instance_slices != profile.compute_slices
    return part if is_part and any(find_device(part, model) for model in models) else best[2]


def names(models: Sequence[GpuModel]) -> str:
    """The cards as a message names them, the first few of many."""
    model_names = list(dict.fromkeys(model.name for model in models))
    return ", ".join([*model_names[:_NAMES_SHOWN], *(["…"] if len(model_names) > _NAMES_SHOWN else [])])
