"""A config of mig-parted as those see it who look for mistakes in it: every key and value with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labs.config.documents import Document, Kind
from labs.config.goyaml import Mapping
from labs.config.manifests import Field, field, fields, items

if TYPE_CHECKING:  # the loader is needed for such configs only
    from labs.config.mig_parted import MigEntry, MigParted


@dataclass(frozen=True, slots=True)
class MigEntryView:
    """An entry of a named config as written; `decoded` is what mig-parted reads, None where the file does not load."""

    node: Mapping
    device_filter: Field | None
    devices: Field | None
    mig_enabled: Field | None
    mig_devices: Field | None
    profiles: tuple[Field, ...]
    decoded: MigEntry | None


@dataclass(frozen=True, slots=True)
class NamedMigConfig:
    """A config by its name: the key's field, and its entries."""

    field: Field
    entries: tuple[MigEntryView, ...]

    @property
    def name(self) -> str:
        """Its name, as written."""
        return self.field.name


@dataclass(frozen=True, slots=True)
class MigDocument:
    """A config file of mig-parted. `loaded` is the loader's answer, `root` None where the file is empty."""

    loaded: MigParted
    root: Mapping | None
    version: Field | None
    configs: tuple[NamedMigConfig, ...]

    def config(self, name: str) -> NamedMigConfig | None:
        """The config of this name."""
        return next((config for config in self.configs if config.name == name), None)


def mig_document(document: Document, loaded: MigParted | None) -> MigDocument | None:
    """The view of a mig-parted config; None for other kinds and for what is no YAML."""
    if document.kind is not Kind.MIG_PARTED or loaded is None or document.problem is not None:
        return None
    root = document.mapping
    named = fields(root, "mig-configs")
    return MigDocument(
        loaded,
        root,
        field(root, "version"),
        tuple(NamedMigConfig(member, tuple(_entries(member, loaded))) for member in named),
    )


def _entries(named: Field, loaded: MigParted) -> Iterator[MigEntryView]:
    configs = {} if loaded.spec is None else loaded.spec.configs
    decoded = configs.get(named.name, ())
    for index, item in enumerate(items(named.value)):
        if isinstance(item, Mapping):
            yield MigEntryView(
                item,
                field(item, "device-filter"),
                field(item, "devices"),
                field(item, "mig-enabled"),
                field(item, "mig-devices"),
                fields(item, "mig-devices"),
                decoded[index] if index < len(decoded) else None,
            )
