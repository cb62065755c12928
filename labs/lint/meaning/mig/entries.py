"""The entries of mig-parted's configs as the rules look at them: each with its config, its document and its places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from labs.config.goyaml import Node
from labs.config.manifests import Field
from labs.config.manifests.objects import MIG_CONFIG_LABEL, MigDocument, MigEntryView, NamedMigConfig
from labs.config.mig_parted import MigEntry
from labs.lint.findings import Severity
from labs.lint.subject import LintDocument, Subject

MOST_ENTRIES = 1_000
"""Of one document; the file that NVIDIA ships has about a hundred."""
MOST_PROFILES = 64
"""Of one entry; no card has more than a dozen."""
_NAMES_SHOWN = 4
_NAME_SHOWN = 40  # characters


@dataclass(frozen=True, eq=False)
class EntryPlace:
    """An entry that mig-parted has read, with all that it stands in."""

    document: LintDocument
    mig: MigDocument
    config: NamedMigConfig
    view: MigEntryView
    entry: MigEntry

    @cached_property
    def profiles(self) -> tuple[Field, ...]:
        """Its profiles with their counts as written; of very many the first."""
        return self.view.profiles[:MOST_PROFILES]

    @cached_property
    def wanted(self) -> Mapping[str, int]:
        """The MIG devices it wants: profiles, as spelt, with a count above 0; of very many the first."""
        counts = self.entry.mig_devices or {}
        return {field.name: counts[field.name] for field in self.profiles if counts.get(field.name, 0) > 0}

    @property
    def summary(self) -> str:
        """What it wants, as a message says it."""
        parts = [f"{count} × {name[:_NAME_SHOWN]}" for name, count in self.wanted.items()]
        return ", ".join([*parts[:_NAMES_SHOWN], *(["…"] if len(parts) > _NAMES_SHOWN else [])])

    @property
    def mapping(self) -> Node | None:
        """The map of its MIG devices."""
        return None if self.view.mig_devices is None else self.view.mig_devices.value

    @property
    def devices_key(self) -> Node:
        """The key of its MIG devices, the place for what is wrong with all of them together."""
        return self.view.node if self.view.mig_devices is None else self.view.mig_devices.key


def entries(subject: Subject) -> Iterator[EntryPlace]:
    """All entries of the configs that load."""
    for document, mig in subject.migs:
        yield from islice(_entries(document, mig), MOST_ENTRIES)


def configs(
    subject: Subject,
) -> Iterator[tuple[LintDocument, MigDocument, NamedMigConfig, tuple[EntryPlace, ...]]]:
    """The configs that load, each with its entries."""
    for document, mig in subject.migs:
        if mig.loaded.loads:
            for config in mig.configs[:MOST_ENTRIES]:
                views = config.entries[:MOST_ENTRIES]
                yield document, mig, config, tuple(_places(document, mig, config, views))


def _entries(document: LintDocument, mig: MigDocument) -> Iterator[EntryPlace]:
    for config in mig.configs:
        yield from _places(document, mig, config, config.entries)


def _places(
    document: LintDocument, mig: MigDocument, config: NamedMigConfig, views: Iterable[MigEntryView]
) -> Iterator[EntryPlace]:
    for view in views:
        if view.decoded is not None:
            yield EntryPlace(document, mig, config, view, view.decoded)


class Chosen:
    """The configs that are certain to be meant for use: those that a given Node is labelled with, and a file's only one."""

    def __init__(self, subject: Subject) -> None:
        self._labels = frozenset(label.text for _, label in subject.labels_of_nodes(MIG_CONFIG_LABEL))

    def severity(self, mig: MigDocument, config: NamedMigConfig) -> Severity:
        """How bad it is that a config can't be used: among others that no node chooses it is only a warning."""
        used = len(mig.configs) == 1 or config.name in self._labels
        return Severity.ERROR if used else Severity.WARNING


def refused_entries(subject: Subject) -> Iterator[tuple[LintDocument, MigEntryView]]:
    """The entries of the configs that mig-parted refuses, as written."""
    for document, mig in subject.migs:
        if not mig.loaded.loads:
            views = (view for config in mig.configs for view in config.entries)
            yield from ((document, view) for view in islice(views, MOST_ENTRIES))
