"""The GPU catalog: which cards there are and what is known about each.

The catalog is data (`catalog.json` beside this module); nothing here knows a card. Someone may lay a
catalog of their own over it (`Catalog.overlaid`), so the reader checks every key.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from labs.hardware.catalog.errors import CatalogError, CatalogProblem, UnknownGpuError
from labs.hardware.catalog.figures import Confidence, Figure
from labs.hardware.catalog.profile import MigProfile, PlacementOrder

SUGGESTION_LIMIT = 5


@dataclass(frozen=True, slots=True)
class PciDevice:
    """A PCI device id (`0x20B0`) that boards of a model carry."""

    device_id: str
    board: str
    sources: tuple[str, ...]
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class GpuModel:
    """A card of the catalog.

    `memory_mib` is the total as `nvidia-smi` prints it with a current driver, in MiB. `memory_slices` and
    `compute_slices` are those of MIG: 0 where the card has no MIG, None where they are not known.
    `compute_capability` is `major.minor`; None where it was not found.
    """

    id: str
    product_name: Figure[str]
    marketing: tuple[str, ...]
    architecture: str
    compute_capability: str | None
    pci: tuple[PciDevice, ...]
    memory_advertised_gb: int | None
    memory_mib: Figure[int]
    sm_total: Figure[int]
    sm_in_mig_7g: int | None
    memory_slices: int | None
    compute_slices: int | None
    mig_mode_enable_needs_gpu_reset: bool | None
    mig_mode_persists_reboot: bool | None
    min_driver: str | None
    placement_order: PlacementOrder | None
    quirks: tuple[str, ...]
    mig_profiles: tuple[MigProfile, ...]

    @property
    def name(self) -> str:
        """The product name as `nvidia-smi` prints it, or the first marketing name where it is not known."""
        return self.product_name.value if self.product_name.value is not None else self.marketing[0]

    @property
    def supports_mig(self) -> bool:
        """Whether the card can be partitioned with MIG, as far as the catalog knows."""
        return self.compute_slices != 0

    def mig_profile(self, name: str) -> MigProfile | None:
        """The MIG profile of this name, or None where the card has none such."""
        return next((profile for profile in self.mig_profiles if profile.name == name), None)

    @property
    def figures(self) -> tuple[tuple[str, Figure[object]], ...]:
        """All figures of the card itself with their names, in the order of the data file."""
        return (
            ("product_name", self.product_name),
            ("memory_mib", self.memory_mib),
            ("sm_total", self.sm_total),
        )


@dataclass(frozen=True, slots=True)
class Catalog:
    """An ordered set of cards and the sources that their figures cite.

    `sources` maps a key to the text of the source; `about` holds the rules that the data keeps to.
    """

    models: tuple[GpuModel, ...]
    sources: Mapping[str, str]
    about: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all cards, in catalog order."""
        return tuple(model.id for model in self.models)

    def get(self, gpu_id: str) -> GpuModel:
        """The card with exactly this id; raises `UnknownGpuError` with the nearest known ids."""
        for model in self.models:
            if model.id == gpu_id:
                return model
        raise UnknownGpuError(gpu_id, self.suggest(gpu_id))

    def suggest(self, text: str) -> tuple[str, ...]:
        """Ids that `text` may mean, best first: part of an id, a product name, or a slip of the pen."""
        wanted = _normal(text)
        if not wanted:
            return ()
        suggestions: dict[str, None] = {}
        for matches in (_same_name, _begins_alike, _contains):
            suggestions |= {model.id: None for model in self.models if matches(wanted, _spellings(model))}
        suggestions |= dict.fromkeys(difflib.get_close_matches(text.lower(), self.ids, SUGGESTION_LIMIT))
        return tuple(suggestions)[:SUGGESTION_LIMIT]

    def overlaid(self, other: Catalog) -> Catalog:
        """This catalog with `other` over it: cards of the same id are replaced, new ones come after.

        A source key that both use must mean the same in both; raises `CatalogError` where it does not.
        """
        clash = "the catalog below uses this key for another source: rename it"
        problems = tuple(
            CatalogProblem(f"sources.{key}", clash)
            for key, text in other.sources.items()
            if self.sources.get(key, text) != text
        )
        if problems:
            raise CatalogError(problems)
        replaced = {model.id: model for model in other.models}
        kept = tuple(replaced.pop(model.id, model) for model in self.models)
        return Catalog(
            models=kept + tuple(replaced.values()),
            sources=MappingProxyType({**self.sources, **other.sources}),
            about=MappingProxyType({**self.about, **other.about}),
        )


def _normal(text: str) -> str:
    letters = re.sub(r"[^a-z0-9]", "", text.lower())
    return re.sub(r"^(nvidia|tesla|geforce)+", "", letters)


def _spellings(model: GpuModel) -> tuple[str, ...]:
    return tuple(_normal(text) for text in (model.id, model.name, *model.marketing))


def _same_name(wanted: str, spellings: tuple[str, ...]) -> bool:
    return wanted in spellings


def _begins_alike(wanted: str, spellings: tuple[str, ...]) -> bool:
    return any(spelling.startswith(wanted) for spelling in spellings)


def _contains(wanted: str, spellings: tuple[str, ...]) -> bool:
    return len(wanted) > 1 and any(wanted in spelling for spelling in spellings)
